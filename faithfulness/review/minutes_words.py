"""Text fragments for minutes: durations, and notes on runs that were removed since."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from faithfulness.model.wording import format_count
from faithfulness.review.document import DocumentText


class OfRun(Protocol):
    """What belongs to a run, by name, and when that run was removed."""

    @property
    def run(self) -> str: ...

    @property
    def removed_at(self) -> datetime | None: ...


def format_removed(matter: OfRun) -> str:
    """What follows the name of a run: nothing, or that it was removed."""
    return f" (removed on {matter.removed_at:%Y-%m-%d})" if matter.removed_at else ""


def describe_kept_minutes(title: str) -> str:
    """What stays of a run in the minutes of a meeting, told before it is removed."""
    return f"minutes of “{title}” keep its points and say that it was removed"


def describe_removed_runs(
    decided: Sequence[OfRun], left: Sequence[OfRun]
) -> Iterator[DocumentText]:
    """Name the runs that were removed since, each with how much of the minutes is about it."""
    gone = {(each.run, format_removed(each)): None for each in (*decided, *left) if each.removed_at}
    for key in gone:
        decisions, points = (
            sum((each.run, format_removed(each)) == key for each in some)
            for some in (decided, left)
        )
        rest = f" and {format_count(points, 'point')} left open" if points else ""
        told = (
            f"{''.join(key)}: {format_count(decisions, 'decision')}{rest} kept here, counted "
            "nowhere"
        )
        yield DocumentText(lead="Run removed since:", text=f"{told} else")


def format_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
