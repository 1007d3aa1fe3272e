"""Units marked for the meeting: kept for this browser tab until meetings have a place to go."""

from components.session import remember, remembered

_NAME = "marked_for_the_meeting"


def marked_on(run_id: str, item_id: str) -> tuple[str, ...]:
    """The marked units of one item of a run."""
    kept: dict[tuple[str, str], tuple[str, ...]] = remembered(_NAME) or {}
    return kept.get((run_id, item_id), ())


def keep_marks(run_id: str, item_id: str, units: tuple[str, ...]) -> None:
    remember(_NAME, (remembered(_NAME) or {}) | {(run_id, item_id): units})
