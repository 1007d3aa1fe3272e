"""Store meeting marks from the browser in order, exactly once."""

from collections.abc import Callable
from typing import Any

from components.ui.actions.action_log import get_last_press, store_presses
from components.ui.session import get_login_name, rater

Keep = Callable[..., object]  # units, on, by, operation_id: `data.records.mark` of the store


def take_reader_marks(run_id: str, item_id: str, keep: Keep) -> str:
    """Store what was pressed in the reader of this item, as `take_marks` does."""
    return take_marks(f"reader_{run_id}_{item_id}", keep, within=(run_id, item_id))


def take_marks(key: str, keep: Keep, *, within: tuple[str, ...] = ()) -> str:
    """Store every press that is new and answer the last one, so that the browser can forget it.

    A step to the next item ends the run before the component is drawn: nothing is lost, and
    nothing counts twice.

    Args:
        key: of the component that reports.
        keep: stores one.
        within: run and item of the units, where the browser names units alone.
    """

    def mark(said: dict[str, Any], press: str) -> None:
        run_id, item_id, unit_id = (*within, *str(said["unit"]).split("\x1f"))[:3]
        unit = (run_id, item_id, unit_id)
        keep(units=[unit], on=bool(said["on"]), by=get_marker_name(), operation_id=f"mark-{press}")

    return store_presses(key, "marks", mark)


def get_last_mark(key: str) -> str:
    return get_last_press(key, "marks")


def get_marker_name() -> str:
    """The name this tab is known by; empty when nobody said one."""
    return get_login_name() or rater()
