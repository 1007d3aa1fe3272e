"""Store: one DuckDB file with concurrent reads and one write operation at a time.

    store = open_store(Path("store/plumbline.duckdb"))
    with store.read() as cursor:
        rows = cursor.execute(QUESTION, {"run_id": run_id}).fetchall()
    store.write(operation_id, "mapping", work)
    store.write_journaled(operation_id, "rating", payload, work)  # see data.store.journal

`work` receives the transaction's cursor. It must return plain JSON, which is stored as the outcome
of the operation. It may run more than once, because a conflict is retried. It must not call `st.*`
or use the network, and must not suppress errors of the engine.
"""

import contextlib
import logging
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from data.store import engine, replay
from data.store.bulk_writes import begin_bulk_write, check_ended, end_bulk_write
from data.store.cache.fair_lock import FairLock
from data.store.cache.versions import CacheVersion
from data.store.connection import Connection
from data.store.engine import Cursor
from data.store.journal import DONE, SIGNED, Journal, JournalEntry, Position
from data.store.journal_cancellations import Unsaid
from data.store.lock import StoreLock
from data.store.marker import Marker, write_marker
from data.store.opening import NO_STORE, Opened, check_path, is_writable, open_connection
from data.store.sidecar_files import (
    check_in_place,
    get_sidecar_path,
    has_room,
    mark_suspect,
    sync_new_log,
)
from data.store.transactions import build_not_saved_error, load_outcome, run_transaction
from data.store.write_roles import Guard
from faithfulness.model.errors import AlreadyDone, NotSaved, ReviewError, StoreUnavailable
from faithfulness.model.full_disk import NOT_SAVED, is_disk_full

T = TypeVar("T")

TRIES = 6

_COUNT = "select count(*) from operations"
_log = logging.getLogger(__name__)


def open_store(path: Path, *, create: bool = False, read_only: bool = False) -> "Store":
    """Open a store; in a folder that cannot be written it opens for reading only.

    Raises:
        StoreUnavailable: no store there, not ours, too new, or open in another process.
    """
    path = Path(path).absolute()
    check_path(path, create=create)
    lock = None if read_only or not is_writable(path) else _take_lock(path)
    try:
        return Store(path, lock)
    except BaseException:
        if lock is not None:
            lock.release()
        raise


def _take_lock(path: Path) -> StoreLock | None:
    """The lock; None where a full disk has no room for its file and the store can only be read."""
    try:
        return StoreLock(path)
    except OSError as error:
        if not is_disk_full(error):
            raise
        if not path.exists():
            raise StoreUnavailable(f"{path}: {NO_STORE}") from error
        _log.warning("the store opens for reading only: %s", error)
        return None


class Store:
    """An open store; safe to share between threads."""

    def __init__(self, path: Path, lock: StoreLock | None) -> None:
        self.path = path
        self.read_only = lock is None
        self.recovery: tuple[str, ...] = ()  # what was repaired at opening, in sentences
        self.being_counted = 0  # items of an import that answers lack for a moment
        self.guard = Guard()
        self._lock = lock
        self._writing = FairLock()
        self._in_work = False
        self._replaying = 0  # the thread that applies the journal
        self.versions = CacheVersion()
        self._unsaid = Unsaid()
        self._settled: Position | None = None  # None: every line of the journal is stored
        self._journal: Journal | None = None
        self._file_number = 0
        self._log_number = 0
        self.openings = 0  # what is put back may give out again the numbers of what is lost
        self._awaits_room = False  # only read, because the disk was full when it was opened
        self._connection = Connection(self._open, self._note_damage)
        with self._writing:
            self._connection.open()

    @property
    def can_write(self) -> bool:
        """Whether the file is open for writing; after a full disk the next write opens it so."""
        return not (self.read_only or self._awaits_room)

    def version(self) -> int:
        """A number that grows with what answers are made of: the key under which to keep them."""
        return self.versions.number()

    def read(self, *, seconds: float | None = None) -> contextlib.AbstractContextManager[Cursor]:
        """A cursor of one's own, closed afterwards; stopped when it takes longer than asked.

        Raises:
            StoreUnavailable: the file is damaged or out of reach, or the time was not enough.
        """
        return self._connection.cursor(self._writing, seconds)

    def may(self, kind: str) -> bool:
        """Whether the visitor may write this kind here; pages offer only what they may."""
        return not self.read_only and self.guard.may(kind)

    def write(
        self,
        operation_id: str,
        kind: str,
        work: Callable[[Cursor], T],
        *,
        about: str = "",
        by: str | None = None,
        is_bulk: bool = False,
    ) -> T:
        """Do the work in one transaction and return only when it is stored.

        `about` names for people what would have to be done again, should it ever be lost; `by`
        is the person in whose name it is done, where one is named; `is_bulk` says that the work
        may add 100,000 rows or more to a table (see `data.store.bulk_writes`).

        Raises:
            AlreadyDone: the operation is stored already; carries its outcome.
            NotAllowed: the visitor has no role for it, or another name.
            NotSaved: nothing was stored.
        """
        with self._one_write(operation_id, kind, {} if by is None else {"by": by}):
            in_bulk = self._bulk_write(about or kind) if is_bulk else contextlib.nullcontext()
            try:
                with in_bulk:
                    result = self._attempt(operation_id, kind, work)
            except AlreadyDone:  # stored, but not read back at once
                self._note_done(operation_id, kind, about)
                raise
            self._note_done(operation_id, kind, about)
            return result

    def write_journaled(
        self, operation_id: str, kind: str, payload: Mapping[str, Any], work: Callable[[Cursor], T]
    ) -> T:
        """Like `write`, with everything needed to do it again on disk before it begins."""
        if self._replaying == threading.get_ident():
            return self.write(operation_id, kind, work)
        with self._one_write(operation_id, kind, payload) as journal:
            self._unsaid.settle(journal, self.read, operation_id)
            before = journal.position
            try:
                journal.append(SIGNED, operation_id, kind, payload)
                return self._attempt(operation_id, kind, work)
            except AlreadyDone:
                raise
            except BaseException as error:
                ask = self._connection.plain_cursor
                self._unsaid.cancel(operation_id, kind, (journal, before), self._journal, ask)
                self._unsaid.tell(operation_id, error)
                raise

    def checkpoint(self) -> bool:
        """Write the log into the file itself; False when somebody or a full disk was in the way."""
        try:
            with self.standing_still() as cursor:
                return _is_checkpointed(cursor)
        except StoreUnavailable as error:
            if not is_disk_full(error.__cause__ or error):
                raise
            return False

    @contextlib.contextmanager
    def standing_still(self) -> Iterator[Cursor]:
        """Nobody writes as long as this lasts."""
        with self._writing, self.read() as cursor:
            yield cursor

    def note_state(self, counted: Mapping[str, int] | None = None) -> None:
        """Write beside the store what it holds now, so that a later loss shows."""
        with self.standing_still() as cursor:
            held = dict(counted or engine.counts(cursor))
            at = self._settled or self._journal_of().position
            write_marker(self.path, Marker(counts=held, journal=at, duckdb=duckdb.__version__))

    def close(self) -> None:
        """Write everything into the file itself and give the store back."""
        with self._writing:
            if self._lock is not None and self._connection.is_open:
                with contextlib.suppress(duckdb.Error, ReviewError, OSError):
                    self._unsaid.settle(self._journal_of(), self.read)
                with contextlib.suppress(duckdb.Error, StoreUnavailable, OSError):
                    self.checkpoint()
                    self.note_state()
            self._connection.close()
            if self._journal is not None:
                self._journal.close()
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    @contextlib.contextmanager
    def _one_write(
        self, operation_id: str, kind: str, payload: Mapping[str, Any]
    ) -> Iterator[Journal]:
        if self._replaying != threading.get_ident():  # what is applied again was allowed once
            self.guard.check(kind, payload)
        if self.read_only:
            raise NotSaved(f"Not saved: {self.path} can only be read here.")
        with self._writing:
            if self._in_work:
                raise RuntimeError("a write inside a write would be half of two operations")
            if self._awaits_room:
                self._open_for_writing()
            with self.read() as cursor:
                found = load_outcome(cursor, operation_id)
            if found is not None:
                raise AlreadyDone(operation_id, found[0])
            check_in_place(self.path, self._file_number)
            check_ended(self.path)
            try:
                yield self._journal_of()
            finally:
                self._log_number = sync_new_log(self.path, self._log_number)

    @contextlib.contextmanager
    def _bulk_write(self, description: str) -> Iterator[None]:
        """Empty the log first, so that a write that is cut off can be discarded with it."""
        if not self.checkpoint():  # nobody else writes now, so that only a full disk remains
            raise NotSaved(NOT_SAVED)
        begin_bulk_write(self.path, description)
        try:
            yield
        finally:
            if self._connection.is_open:  # if not, the next opening discards what was written
                end_bulk_write(self.path)

    def _note_done(self, operation_id: str, kind: str, about: str) -> None:
        if self._replaying == threading.get_ident():
            return  # its line is what is being applied
        try:
            self._journal_of().append(DONE, operation_id, kind, {"about": about})
        except NotSaved as error:
            # It is stored; only the proof of it is not.
            _log.warning("no journal line for operation %s: %s", operation_id, error)

    def _attempt(self, operation_id: str, kind: str, work: Callable[[Cursor], T]) -> T:
        for attempt in range(1, TRIES + 1):
            try:
                return self._transact(operation_id, kind, work)
            except duckdb.Error as error:
                if attempt == TRIES or not engine.is_conflict(error):
                    raise self._verdict(operation_id, kind, error) from error
            time.sleep(random.uniform(0.005, 0.02) * 2**attempt)
        raise AssertionError("the last attempt returns or raises")

    def _transact(self, operation_id: str, kind: str, work: Callable[[Cursor], T]) -> T:
        with self._connection.plain_cursor() as cursor:
            self._in_work = True
            try:
                result = run_transaction(cursor, operation_id, kind, work)
            finally:
                self._in_work = False
        with self._connection.plain_cursor() as cursor:
            if load_outcome(cursor, operation_id) is None:
                raise NotSaved("Not saved: the store did not keep it. Send it again.")
        self.versions.note(operation_id, kind)
        return result

    def _verdict(self, operation_id: str, kind: str, error: duckdb.Error) -> ReviewError:
        """What became of a failed transaction: it may be stored although the engine failed."""
        # Whoever sent it is told of a full disk.
        level = logging.INFO if is_disk_full(error) else logging.ERROR
        _log.log(level, "operation %s failed: %s", operation_id, error)
        try:
            if isinstance(error, duckdb.FatalException):
                self._connection.reopen()
            with self._connection.plain_cursor() as cursor:
                found = load_outcome(cursor, operation_id)
        except (duckdb.Error, StoreUnavailable) as unavailable:
            _log.error("the store could not be asked: %s", unavailable)
            return build_not_saved_error(error)
        if found is None:
            return build_not_saved_error(error)
        self.versions.note(operation_id, kind)
        return AlreadyDone(operation_id, found[0])

    def _open(self) -> Cursor:
        """Open the file, then apply what the journal holds beyond it."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        opened = self._open_whole()
        self._connection.missing_tables = opened.missing_tables
        self._connection.adopt(opened.connection)
        self._file_number = self.path.stat().st_ino
        self.versions.grow(int(opened.connection.execute(_COUNT).fetchall()[0][0]))
        self.openings += 1
        said: list[str] = []
        if self.can_write:
            self._journal = Journal(get_sidecar_path(self.path, "journal"), opened.journal_end)
            said = self._replay(self._unsaid.without(opened.missing))
            self.note_state(None if opened.missing else opened.counts)
        elif opened.missing:
            said = [f"{len(opened.missing)} operations wait in the journal to be applied."]
        self.recovery = (*opened.report, *said)
        _log.info("store opened: %s", self.path)
        return opened.connection

    def _open_whole(self) -> Opened:
        """The connection, for reading only while a full disk keeps it from what writing needs.

        Raises:
            StoreUnavailable: nobody can read it before there is room again.
        """
        self._awaits_room = False
        try:
            return open_connection(self.path, read_only=self.read_only)
        except (OSError, ReviewError) as error:
            if self.read_only or not is_disk_full(error):
                raise
            if isinstance(error, StoreUnavailable) and not self.path.exists():
                raise
            _log.warning("the store opens for reading only: %s", error)
            try:
                opened = open_connection(self.path, read_only=True)
            except StoreUnavailable:
                raise StoreUnavailable(
                    f"{self.path}: the store must be repaired, and its disk is full: free some "
                    "space there, then try again."
                ) from error
            self._awaits_room = True
            return opened

    def _open_for_writing(self) -> None:
        if has_room(self.path):
            self._connection.reopen()
        if self._awaits_room:
            raise NotSaved(NOT_SAVED)

    def _replay(self, missing: Sequence[JournalEntry]) -> list[str]:
        self._replaying = threading.get_ident()
        try:
            said, left = replay.apply_missing_entries(self, missing)
        finally:
            self._replaying = 0
        self._settled = left[0].start if left else None
        return said

    def _journal_of(self) -> Journal:
        if self._journal is None:
            raise StoreUnavailable(f"{self.path}: the store is not open")
        return self._journal

    def _note_damage(self, error: duckdb.Error) -> None:
        _log.error("the store is damaged: %s", error)
        if not self.read_only:
            mark_suspect(self.path)


def _is_checkpointed(cursor: Cursor) -> bool:
    try:
        cursor.execute("checkpoint")
    except duckdb.TransactionException as error:
        _log.info("checkpoint put off: %s", error)
        return False
    return True
