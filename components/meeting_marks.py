"""Units marked for the meeting: kept for this browser tab until meetings have a place to go."""

from components.session import remember, remembered, reported

_NAME = "marked_for_the_meeting"


def marked_on(run_id: str, item_id: str) -> tuple[str, ...]:
    """The marked units of one item of a run, with what the reader has just reported."""
    # A step to the next item ends the run before the reader is drawn; its last marks are here.
    done = reported(f"reader_{run_id}_{item_id}", "action")
    if done:
        keep_marks(run_id, item_id, tuple(map(str, done.get("marked", ()))))
    kept: dict[tuple[str, str], tuple[str, ...]] = remembered(_NAME) or {}
    return kept.get((run_id, item_id), ())


def keep_marks(run_id: str, item_id: str, units: tuple[str, ...]) -> None:
    remember(_NAME, (remembered(_NAME) or {}) | {(run_id, item_id): units})
