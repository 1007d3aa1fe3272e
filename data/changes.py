"""What is new in the store since an answer was found: the items to ask about again."""

from typing import NamedTuple

from data.engine import Cursor

FEW = 2_000  # changed items beyond which everything is found anew

# What an answer depends on: a last annotation and number, and everything else that is stored.
_STAMP = """
select
    (select coalesce(max(annotation_no), 0) from annotations),
    (select coalesce(max(summary_no), 0) from summaries),
    (select count(*) from findings),
    (select count(*) from runs),
    (select count(*) from run_removals),
    (select count(*) from run_items),
    (select count(*) from unit_findings) + (select count(*) from checked_items)
"""

_CHANGED = """
select item_no
from annotations
where annotation_no > $annotation
union
select item_no
from summaries
where summary_no > $summary
"""

# Judges' findings come with their annotations: those of older ones make everything new.
_FOUND_SINCE = """
select count(*)
from findings
where annotation_no > $annotation
    and annotation_no <= $now
"""


class Stamp(NamedTuple):
    """What the store held when an answer was found."""

    annotation: int
    summary: int
    findings: int
    runs: int
    removals: int
    run_items: int
    checks: int


def stamp_of(cursor: Cursor) -> Stamp:
    """What the store holds now; a store that is older than a table wants a stand-in first."""
    return Stamp(*cursor.execute(_STAMP).fetchall()[0])


def changed_items(cursor: Cursor, before: Stamp, stamp: Stamp) -> list[int] | None:
    """Items with a new annotation or number; None when more than that is new."""
    # Lower numbers are those of a backup that was put back.
    if stamp[3:] != before[3:] or any(now < then for now, then in zip(stamp, before, strict=True)):
        return None
    # The first finding of all tells of every case without one that it was looked at.
    if stamp.findings and not before.findings:
        return None
    since = {"annotation": before.annotation}
    # Up to the stamp's own annotation: a write in between would be counted on one side only.
    added = int(cursor.execute(_FOUND_SINCE, since | {"now": stamp.annotation}).fetchall()[0][0])
    if stamp.findings - added != before.findings:
        return None
    rows = cursor.execute(_CHANGED, since | {"summary": before.summary}).fetchall()
    return [int(number) for (number,) in rows] if len(rows) <= FEW else None
