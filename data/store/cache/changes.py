"""Detect which items changed after a result was cached and must be queried again."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from data.store.engine import Cursor

# Beyond these everything is found anew: items of before that changed, new items for each one of
# before, new annotations for each one of before, and new annotations at all.
FEW = 2_000
ITEMS_SHARE, SHARE, MOST = 1.0, 0.5, 1_000_000

# What an answer depends on: the last of what is numbered, and everything else that is stored. As
# rows of one question: as columns of one row its plan alone takes the engine twenty times as long.
_STAMP = """
select 0 as nth, coalesce(max(annotation_no), 0) as held
from annotations
union all
select 1, coalesce(max(summary_no), 0)
from summaries
union all
select 2, coalesce(max(item_no), 0)
from items
union all
select 3, coalesce(max(run_no), 0)
from runs
union all
select 4, count(*)
from findings
union all
select 5, count(*)
from run_removals
union all
select 6, count(*)
from run_items
union all
select 7, count(*)
from unit_findings
union all
select 8, count(*)
from checked_items
"""

# Up to the later state: what came since, as an import stored a moment ago, is the next one's.
_CHANGED = """
select item_no
from annotations
where annotation_no > $annotation
    and annotation_no <= $now_annotation
union
select item_no
from summaries
where summary_no > $summary
    and summary_no <= $now_summary
union
select item_no
from run_items
where run_no > $run
    and run_no <= $now_run
"""

# The same but for what is said of certain runs, which somebody is counting already.
_CHANGED_ELSEWHERE = """
select item_no
from annotations
where annotation_no > $annotation
    and annotation_no <= $now_annotation
    and run_no not in (select unnest($runs))
union
select item_no
from summaries
where summary_no > $summary
    and summary_no <= $now_summary
    and run_no not in (select unnest($runs))
"""

# What an import brings beside annotations; the same of what was there before makes everything new.
_IMPORTED_SINCE = """
select 0, count(*)
from run_items
where run_no > $run
    and run_no <= $now_run
union all
select 1, count(*)
from unit_findings
where item_no > $item
    and item_no <= $now_item
union all
select 2, count(*)
from checked_items
where item_no > $item
    and item_no <= $now_item
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

    opening: int  # of the store; another one may know less and give out its numbers again
    annotation: int
    summary: int
    item: int
    run: int
    findings: int
    removals: int
    run_items: int
    found: int
    checked: int

    @property
    def imported(self) -> tuple[int, ...]:
        """What comes with an import only, or makes everything new."""
        return (self.run_items, self.found, self.checked)


def stamp_of(cursor: Cursor, opening: int) -> Stamp:
    """What the store holds now."""
    held = [int(number) for _, number in sorted(cursor.execute(_STAMP).fetchall())]
    return Stamp(opening, *held)


def changed_items(cursor: Cursor, before: Stamp, stamp: Stamp) -> list[int] | None:
    """Items that are new or have something new; None when everything is better found anew."""
    if stamp.annotation - before.annotation > min(max(FEW, SHARE * before.annotation), MOST):
        return None
    if not _falls_into_items(cursor, before, stamp):
        return None
    new = _said_between(before, stamp) | {"run": before.run, "now_run": stamp.run}
    rows = sorted(int(number) for (number,) in cursor.execute(_CHANGED, new).fetchall())
    old = sum(number <= before.item for number in rows)
    new_ones = len(rows) - old
    return rows if old <= FEW and new_ones <= max(FEW, ITEMS_SHARE * before.item) else None


def changed_elsewhere(
    cursor: Cursor, before: Stamp, stamp: Stamp, runs: Sequence[int]
) -> list[int] | None:
    """Items of which other runs than these have something new; None when that is not all."""
    if not runs or min(runs) <= before.run or len(runs) != stamp.run - before.run:
        return None
    if not _falls_into_items(cursor, before, stamp):
        return None
    new = _said_between(before, stamp) | {"runs": [*runs]}
    rows = sorted(int(number) for (number,) in cursor.execute(_CHANGED_ELSEWHERE, new).fetchall())
    return rows if len(rows) <= FEW else None


def _said_between(before: Stamp, stamp: Stamp) -> dict[str, Any]:
    return {
        "annotation": before.annotation,
        "now_annotation": stamp.annotation,
        "summary": before.summary,
        "now_summary": stamp.summary,
    }


def _falls_into_items(cursor: Cursor, before: Stamp, stamp: Stamp) -> bool:
    """Whether all that is new is about items that have something new."""
    if stamp.opening != before.opening:
        return False
    # The first finding of all tells of every case without one that it was looked at.
    if stamp.removals != before.removals or (stamp.findings and not before.findings):
        return False
    # Up to the stamp's own annotation: a write in between would be counted on one side only.
    since = {"annotation": before.annotation, "now": stamp.annotation}
    added = int(cursor.execute(_FOUND_SINCE, since).fetchall()[0][0])
    return stamp.findings - added == before.findings and _came_together(cursor, before, stamp)


def _came_together(cursor: Cursor, before: Stamp, stamp: Stamp) -> bool:
    """Whether new places in runs are those of new runs, and new checks those of new items."""
    if stamp.imported == before.imported:
        return True
    between = {"item": before.item, "now_item": stamp.item, "run": before.run, "now_run": stamp.run}
    new = [count for _, count in sorted(cursor.execute(_IMPORTED_SINCE, between).fetchall())]
    return (
        tuple(now - each for now, each in zip(stamp.imported, new, strict=True)) == before.imported
    )
