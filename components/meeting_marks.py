"""Marks for the meeting as the browser reports them: each stored once, in the order of presses."""

from collections.abc import Callable

from components.frame import show_problem
from components.session import logged_in_as, rater, remember, remembered, reported
from faithfulness.errors import ReviewError

Keep = Callable[..., object]  # units, on, by, operation_id: `data.records.mark` of the store
_KEPT = 400  # presses that a tab remembers as stored


def marks_in_reader(run_id: str, item_id: str, keep: Keep) -> str:
    """Store what was pressed in the reader of this item, as `take_marks` does."""
    return take_marks(f"reader_{run_id}_{item_id}", keep, within=(run_id, item_id))


def take_marks(key: str, keep: Keep, *, within: tuple[str, ...] = ()) -> str:
    """Store every press that is new and answer the last one, so that the browser can forget it.

    The browser sends its whole list until it is told how far it is stored, and a step to the next
    item ends the run before the component is drawn: nothing is lost, and nothing counts twice.

    Args:
        key: of the component that reports.
        keep: stores one.
        within: run and item of the units, where the browser names units alone.
    """
    stored: list[str] = list(remembered(f"{key} marks") or ())
    for said in reported(key, "marks") or ():
        operation_id = f"mark-{str(said['id'])[:64]}"
        if operation_id in stored:
            continue
        run_id, item_id, unit_id = (*within, *str(said["unit"]).split("\x1f"))[:3]
        unit = (run_id, item_id, unit_id)
        try:
            keep(units=[unit], on=bool(said["on"]), by=who_marks(), operation_id=operation_id)
        except ReviewError as problem:
            show_problem(problem)
        stored = [*stored, operation_id][-_KEPT:]
        remember(f"{key} marks", stored)
    return last_mark(key)


def last_mark(key: str) -> str:
    stored = remembered(f"{key} marks") or [""]
    return str(stored[-1]).removeprefix("mark-")


def who_marks() -> str:
    """The name this tab is known by; empty when nobody said one."""
    return logged_in_as() or rater() or str(remembered("adjudicator") or "")
