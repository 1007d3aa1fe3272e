"""Exception types with messages for users; no other errors are displayed."""

from typing import Any


class ReviewError(Exception):
    """Something a person can act on: the message says what happened, where, and what to do."""


class BadRequest(ReviewError):
    """A script's request has the wrong form; nothing was done."""


class ImportRefused(ReviewError):
    """A file was not stored; nothing of it was."""


class StoreUnavailable(ReviewError):
    """The store cannot be opened or written right now."""


class NotSaved(ReviewError):
    """A write was rolled back; what the person typed is still theirs to send again."""


class NotAllowed(NotSaved):
    """Whoever is signed in may not do this; nothing was stored."""


class Conflict(ReviewError):
    """Somebody else changed what this answer was based on."""


class JudgeFailed(ReviewError):
    """A judge gave no reply; nothing was stored and the item stays to do.

    Attributes:
        kind: rate_limit, quota, key, model, server, timeout, connection, not_a_reply, too_long,
            too_large, address, request, cannot_judge, not_kept (its answers do not fit the item)
            or stopped.
        retry_after: seconds the endpoint asks to wait; None when it does not say.
        may_retry: the same question may well be answered later without anybody changing anything.
        may_be_paid: the endpoint may have done the work, and charged for it, before the failure.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str = "server",
        retry_after: float | None = None,
        may_retry: bool = False,
        may_be_paid: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after = retry_after
        self.may_retry = may_retry
        self.may_be_paid = may_be_paid

    @property
    def stops_batch(self) -> bool:
        """Every further question would fail in the same way until somebody changes something."""
        return self.kind in ("quota", "key", "model", "address", "stopped")


class AlreadyDone(ReviewError):
    """The same operation was stored before; `outcome` is what it answered then."""

    def __init__(self, operation_id: str, outcome: Any) -> None:
        super().__init__("This was stored before; it was not stored a second time.")
        self.operation_id = operation_id
        self.outcome = outcome
