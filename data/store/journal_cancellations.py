"""Cancel journal lines whose transaction failed: at once, or else before the next line is written.

A line that is not cancelled would be applied when the store is next opened, although the user was
informed that nothing was stored. If the disk does not accept the cancellation, the error message
states that the operation may still be applied.
"""

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

import duckdb

from data.store.engine import Cursor
from data.store.journal import CANCELLED, Journal, JournalEntry, Position
from data.store.transactions import find_known_operations, load_outcome
from faithfulness.model.errors import NotSaved, ReviewError, StoreUnavailable

Ask = Callable[[], AbstractContextManager[Cursor]]

_log = logging.getLogger(__name__)

PERHAPS_LATER = (
    "Not saved as far as can be seen, but the disk took no word of that: it may be stored when "
    "Plumbline starts again. See to the disk, then send it again; it is never stored twice."
)


class Unsaid:
    """The operations whose lines are still to be taken back, or found to be stored after all."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}

    def cancel(
        self,
        operation_id: str,
        kind: str,
        written: tuple[Journal, Position],
        journal: Journal | None,
        ask: Ask,
    ) -> None:
        """Keep the next opening from storing it, where it is known not to be stored."""
        self._kinds[operation_id] = kind
        first, before = written
        if journal is None or not _is_absent(ask, operation_id):
            return
        try:
            self._append(journal, operation_id)
        except NotSaved as error:
            if journal is first and _try_take_back(journal, before):
                del self._kinds[operation_id]
                return
            _log.warning("operation %s may be applied at the next start: %s", operation_id, error)

    def settle(self, journal: Journal, ask: Ask, operation_id: str = "") -> None:
        """Tell the journal of every line that does not count; those of stored ones do.

        Raises:
            NotSaved: it takes no word; `operation_id` may be among those that stay.
        """
        if not self._kinds:
            return
        with ask() as cursor:
            stored = find_known_operations(cursor, list(self._kinds))
        for known in list(self._kinds):
            if known in stored:
                del self._kinds[known]
                continue
            try:
                self._append(journal, known)
            except NotSaved as error:
                self.tell(operation_id, error)
                raise

    def without(self, missing: Iterable[JournalEntry]) -> list[JournalEntry]:
        """What the store lacks, less what people were told is not stored."""
        return [entry for entry in missing if entry.operation_id not in self._kinds]

    def tell(self, operation_id: str, error: BaseException) -> None:
        """Raise the truth about a line that stays in place of "nothing was stored".

        Raises:
            NotSaved: the line may be applied at the next start.
        """
        if operation_id in self._kinds and isinstance(error, ReviewError):
            raise NotSaved(f"{PERHAPS_LATER} ({error})") from error

    def _append(self, journal: Journal, operation_id: str) -> None:
        journal.append(CANCELLED, operation_id, self._kinds[operation_id])
        del self._kinds[operation_id]


def _is_absent(ask: Ask, operation_id: str) -> bool:
    """Whether the store can be asked, and does not have it."""
    try:
        with ask() as cursor:
            return load_outcome(cursor, operation_id) is None
    except (duckdb.Error, StoreUnavailable):
        return False


def _try_take_back(journal: Journal, before: Position) -> bool:
    try:
        journal.take_back(before)
    except OSError as error:
        _log.warning("a line of the journal could not be cut off: %s", error)
        return False
    return True
