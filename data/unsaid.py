"""Signed lines of the journal whose transaction failed: taken back at once, else before the next.

A line that stays would be applied when the store opens next, although the person was told that
nothing is stored. Where the disk takes no word of it, that is what the person is told instead.
"""

import logging
from collections.abc import Iterable

from data.journal import CANCELLED, Entry, Journal, Position
from faithfulness.errors import NotSaved

_log = logging.getLogger(__name__)

PERHAPS_LATER = (
    "Not saved now, and the journal could not be told so: if Plumbline ends before it can, this is "
    "stored when it starts again. See to the disk, then send it again; it is never stored twice."
)


class Unsaid:
    """The lines that could not be taken back yet, by operation."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}

    def cancel(
        self,
        operation_id: str,
        kind: str,
        written: tuple[Journal, Position],
        journal: Journal | None,
    ) -> None:
        """Keep the next opening from storing what a person is told is not stored."""
        self._kinds[operation_id] = kind
        first, before = written
        try:
            if journal is None:
                return
            self.settle(journal)
        except NotSaved as error:
            if journal is first and self._taken_back(journal, before):
                del self._kinds[operation_id]
                return
            _log.warning("operation %s may be applied at the next start: %s", operation_id, error)

    def settle(self, journal: Journal, operation_id: str = "") -> None:
        """Tell the journal of every line that does not count.

        Raises:
            NotSaved: it takes no word; `operation_id` may be among those that stay.
        """
        for known, kind in list(self._kinds.items()):
            try:
                journal.append(CANCELLED, known, kind)
            except NotSaved as error:
                self.tell(operation_id, error)
                raise
            del self._kinds[known]

    def without(self, missing: Iterable[Entry]) -> list[Entry]:
        """What the store lacks, less what people were told is not stored."""
        return [entry for entry in missing if entry.operation_id not in self._kinds]

    def forget(self, operation_id: str) -> None:
        """It turned out to be stored: its line counts."""
        self._kinds.pop(operation_id, None)

    def tell(self, operation_id: str, error: BaseException) -> None:
        """Raise the truth about a line that stays in place of "nothing was stored".

        Raises:
            NotSaved: the line may be applied at the next start.
        """
        if operation_id in self._kinds and isinstance(error, NotSaved):
            raise NotSaved(f"{PERHAPS_LATER} ({error})") from error

    def _taken_back(self, journal: Journal, before: Position) -> bool:
        try:
            journal.take_back(before)
        except OSError as error:
            _log.warning("a line of the journal could not be cut off: %s", error)
            return False
        return True
