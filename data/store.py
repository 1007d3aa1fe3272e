"""The store: one DuckDB file, read through own cursors and written one operation at a time.

    store = open_store(Path("store/plumbline.duckdb"))
    with store.read() as cursor:
        rows = cursor.execute(QUESTION, {"run_id": run_id}).fetchall()
    store.write(operation_id, "mapping", lambda cursor: cursor.execute(…) and None)
    store.write_journaled(operation_id, "rating", payload, work)  # see data.journal

What `work` returns must be plain JSON: it is stored as the operation's outcome. `work` may run
more than once (a conflict is tried again), calls neither `st.*` nor a network, and lets the
engine's errors pass.
"""

import contextlib
import logging
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from data import engine, replay
from data.beside import side
from data.engine import Cursor
from data.journal import CANCELLED, DONE, SIGNED, Journal
from data.lock import StoreLock
from data.opening import check_path, is_writable, open_connection
from data.transactions import not_saved, outcome_of, transact
from faithfulness.errors import AlreadyDone, NotSaved, StoreUnavailable

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
    read_only = read_only or not is_writable(path)
    lock = None if read_only else StoreLock(path)
    try:
        return Store(path, lock)
    except BaseException:
        if lock is not None:
            lock.release()
        raise


class Store:
    """An open store; safe to share between threads."""

    def __init__(self, path: Path, lock: StoreLock | None) -> None:
        self.path = path
        self.read_only = lock is None
        self.recovery: tuple[str, ...] = ()
        self._lock = lock
        self._writing = threading.RLock()
        self._in_work = False
        self._readers = threading.Condition()
        self._reading: set[Cursor] = set()
        self._connection: Cursor | None = None
        self._journal: Journal | None = None
        self._version = 0
        self._file = 0
        self._log_file = 0
        self._open()

    def version(self) -> int:
        """A number that grows with every write: the key under which answers may be cached."""
        return self._version

    @contextlib.contextmanager
    def read(self, *, seconds: float | None = None) -> Iterator[Cursor]:
        """A cursor of one's own, closed afterwards; ended by force after so many seconds.

        Raises:
            StoreUnavailable: the file is damaged or out of reach, or the time was not enough.
        """
        cursor = self._cursor()
        timer = threading.Timer(seconds, cursor.interrupt) if seconds else None
        if timer:
            timer.start()
        try:
            yield cursor
        except duckdb.InterruptException as error:
            raise StoreUnavailable(
                f"The question took longer than {seconds} seconds and was stopped; ask for less."
            ) from error
        finally:
            if timer:
                timer.cancel()
            cursor.close()

    def write(self, operation_id: str, kind: str, work: Callable[[Cursor], T]) -> T:
        """Do the work in one transaction and return only when it is stored.

        Raises:
            AlreadyDone: the operation is stored already; carries its outcome.
            NotSaved: nothing was stored.
        """
        with self._one_write(operation_id):
            result = self._attempt(operation_id, kind, work)
            self._journal_of().append(DONE, operation_id, kind)
            return result

    def write_journaled(
        self, operation_id: str, kind: str, payload: Mapping[str, Any], work: Callable[[Cursor], T]
    ) -> T:
        """Like `write`, with everything needed to do it again on disk before it begins."""
        with self._one_write(operation_id):
            journal = self._journal_of()
            journal.append(SIGNED, operation_id, kind, payload)
            try:
                return self._attempt(operation_id, kind, work)
            except BaseException:
                journal.append(CANCELLED, operation_id, kind)
                raise

    def close(self) -> None:
        """Write everything into the file itself and give the store back."""
        with self._writing:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            if self._journal is not None:
                self._journal.close()
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    @contextlib.contextmanager
    def _one_write(self, operation_id: str) -> Iterator[None]:
        if self.read_only:
            raise NotSaved(f"Not saved: {self.path} can only be read here.")
        with self._writing:
            if self._in_work:
                raise RuntimeError("a write inside a write would be half of two operations")
            with self.read() as cursor:
                found = outcome_of(cursor, operation_id)
            if found is not None:
                raise AlreadyDone(operation_id, found[0])
            yield

    def _attempt(self, operation_id: str, kind: str, work: Callable[[Cursor], T]) -> T:
        for attempt in range(1, TRIES + 1):
            try:
                return self._transact(operation_id, kind, work)
            except duckdb.Error as error:
                if attempt == TRIES or not engine.is_conflict(error):
                    raise not_saved(error) from error
            time.sleep(random.uniform(0.005, 0.02) * 2**attempt)
        raise AssertionError("the last attempt returns or raises")

    def _transact(self, operation_id: str, kind: str, work: Callable[[Cursor], T]) -> T:
        self._in_work = True
        cursor = self._cursor()
        try:
            result = transact(cursor, operation_id, kind, work)
        finally:
            cursor.close()
            self._in_work = False
        with self.read() as check:
            if outcome_of(check, operation_id) is None:
                raise NotSaved("Not saved: the store did not keep it. Send it again.")
        self._version += 1
        return result

    def _cursor(self) -> Cursor:
        if self._connection is None:
            raise StoreUnavailable(f"{self.path}: the store is closed; open it again")
        return self._connection.cursor()

    def _journal_of(self) -> Journal:
        if self._journal is None:
            raise StoreUnavailable(f"{self.path}: the store is closed; open it again")
        return self._journal

    def _open(self) -> None:
        opened = open_connection(self.path, read_only=self.read_only)
        self._connection = opened.connection
        if not self.read_only:
            self._journal = Journal(side(self.path, "journal"), opened.journal_end)
        with self.read() as cursor:
            self._version = max(self._version, int(cursor.execute(_COUNT).fetchall()[0][0]))
        said, _ = replay.apply(self, opened.missing)
        self.recovery = (*opened.report, *said)
        _log.info("store opened: %s", self.path)
