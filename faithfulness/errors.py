"""The only errors that are shown to people."""

from typing import Any


class ReviewError(Exception):
    """Something a person can act on: the message says what happened, where, and what to do."""


class ImportRefused(ReviewError):
    """A file was not stored; nothing of it was."""


class StoreUnavailable(ReviewError):
    """The store cannot be opened or written right now."""


class NotSaved(ReviewError):
    """A write was rolled back; what the person typed is still theirs to send again."""


class Conflict(ReviewError):
    """Somebody else changed what this answer was based on."""


class JudgeFailed(ReviewError):
    """A judge gave no reply; nothing was stored and the item stays to do."""


class AlreadyDone(ReviewError):
    """The same operation was stored before; `outcome` is what it answered then."""

    def __init__(self, operation_id: str, outcome: Any) -> None:
        super().__init__("This was stored before; it was not stored a second time.")
        self.operation_id = operation_id
        self.outcome = outcome
