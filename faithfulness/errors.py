"""The only errors that are shown to people."""


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
