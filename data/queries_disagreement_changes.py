"""What is new in the store since its disagreements were found."""

from typing import NamedTuple

from data.engine import Cursor

FEW = 2_000  # changed items beyond which everything is found anew

# What the answer depends on: a last annotation, and everything that is not an annotation.
_STAMP = """
select
    (select coalesce(max(annotation_no), 0) from annotations),
    (select count(*) from runs),
    (select count(*) from run_removals),
    (select count(*) from run_items),
    (select count(*) from unit_findings) + (select count(*) from checked_items),
    (select count(*) from findings)
"""

_CHANGED = """
select distinct item_no
from annotations
where annotation_no > $last
    and annotation_no not in (select supersedes from annotations where supersedes is not null)
"""

# Judges' findings come with their annotations: those of older ones make everything new.
_FOUND_SINCE = "select count(*) from findings where annotation_no > $last"


class Stamp(NamedTuple):
    """What the store held when its disagreements were found."""

    annotation: int
    runs: int
    removals: int
    run_items: int
    checks: int
    findings: int


def stamp_of(cursor: Cursor) -> Stamp:
    """What the store holds now."""
    return Stamp(*cursor.execute(_STAMP).fetchall()[0])


def changed_items(cursor: Cursor, before: Stamp, stamp: Stamp) -> list[int] | None:
    """Items with a new annotation; None when more than that is new."""
    if stamp[1:5] != before[1:5]:
        return None
    since = {"last": before.annotation}
    added = int(cursor.execute(_FOUND_SINCE, since).fetchall()[0][0])
    if stamp.findings - added != before.findings:
        return None
    items = [number for (number,) in cursor.execute(_CHANGED, since).fetchall()]
    return items if len(items) <= FEW else None
