"""DuckDB connection of a store: cursors for concurrent threads, and reopening after a failure."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import duckdb

from data.store import engine
from data.store.cache.fair_lock import FairLock
from data.store.cache.time_limit import time_limit
from data.store.engine import Cursor
from faithfulness.model.errors import StoreUnavailable
from faithfulness.model.full_disk import is_disk_full

# How long a reopening waits for questions that are still being answered.
DRAIN_SECONDS = 10.0

_CLOSED = "The store was closed meanwhile. Try once more."

_log = logging.getLogger(__name__)


class Connection:
    """Hands out cursors one each, and replaces the engine's instance when it has failed.

    After a full disk during a checkpoint every cursor of the instance answers with an error, and
    the instance stays in the process until its last cursor is closed; so they are counted.
    """

    def __init__(
        self,
        open_again: Callable[[], Cursor],
        on_damage: Callable[[duckdb.Error], None],
    ) -> None:
        self._open_again = open_again
        self._on_damage = on_damage
        self.missing_tables = ""  # SQL that each cursor needs on an older store that is only read
        self._connection: Cursor | None = None
        self._changed = threading.Condition()
        self._in_use: dict[int, Cursor] = {}
        self._is_closed = False

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    def open(self) -> None:
        try:
            self._open_again()
        except OSError as error:
            self._let_go()
            raise StoreUnavailable(
                f"The store's files cannot be used now ({error.strerror or error}). Look after "
                "their disk, then try again."
            ) from error
        except BaseException:
            self._let_go()
            raise

    def adopt(self, connection: Cursor) -> None:
        """Use this connection from now on; called while opening, so that replay can write."""
        self._connection = connection

    def close(self) -> None:
        self._is_closed = True
        self._drain()
        self._let_go()

    def reopen(self) -> None:
        """Close the failed instance and open a new one; the caller holds the write lock.

        Raises:
            StoreUnavailable: it cannot be opened now; the next question tries again.
        """
        failed, self._connection = self._connection, None
        if failed is not None:
            self._drain()
            failed.close()
        self.open()

    @contextlib.contextmanager
    def cursor(self, writing: FairLock, seconds: float | None) -> Iterator[Cursor]:
        """A cursor whose failures are told in words for people."""
        if self._connection is None:
            self._open_under(writing)
        asked = self._connection
        try:
            with (
                self.plain_cursor() as cursor,
                time_limit(seconds, partial(_interrupt_cursor, cursor)),
            ):
                yield cursor
        except duckdb.FatalException as error:
            self._reopen_under(writing, error)
            shortage = _describe_shortage(error)
            raise StoreUnavailable(
                shortage or "The store had to be opened again. Try once more."
            ) from error
        except duckdb.ConnectionException as error:
            raise StoreUnavailable(_CLOSED) from error
        except duckdb.InterruptException as error:
            raise StoreUnavailable(self._why_stopped(asked)) from error
        except duckdb.Error as error:
            if shortage := _describe_shortage(error):
                raise StoreUnavailable(shortage) from error
            if not engine.is_damage(error):
                raise
            self._on_damage(error)
            raise StoreUnavailable(
                "A part of the store is damaged. Restart Plumbline: it then checks every part, "
                "puts the damaged file aside and restores the last backup and the journal."
            ) from error

    @contextlib.contextmanager
    def plain_cursor(self) -> Iterator[Cursor]:
        """A cursor that is counted and closed; errors pass as the engine raises them."""
        connection = self._connection
        if connection is None:
            raise StoreUnavailable("The store is not open.")
        with self._changed:
            cursor = connection.cursor()
            self._in_use[id(cursor)] = cursor
        try:
            if self.missing_tables:
                cursor.execute(self.missing_tables)
            yield cursor
        finally:
            cursor.close()
            with self._changed:
                del self._in_use[id(cursor)]
                self._changed.notify_all()

    def _why_stopped(self, asked: Cursor | None) -> str:
        if self._is_closed or self._connection is not asked:
            return _CLOSED
        return "The question took too long and was stopped. Ask for less at once."

    def _open_under(self, writing: FairLock) -> None:
        if self._is_closed:
            raise StoreUnavailable("The store is closed.")
        with writing:
            if self._connection is None:
                self.open()

    def _reopen_under(self, writing: FairLock, error: duckdb.Error) -> None:
        failed = self._connection
        with writing:
            if self._connection is failed and not self._is_closed:
                # Whoever asked is told of a full disk.
                level = logging.INFO if is_disk_full(error) else logging.ERROR
                _log.log(level, "the engine stopped: %s", error)
                self.reopen()

    def _drain(self) -> None:
        end = time.monotonic() + DRAIN_SECONDS
        with self._changed:
            while self._in_use and time.monotonic() < end:
                for cursor in self._in_use.values():
                    _interrupt_cursor(cursor)
                self._changed.wait(0.1)

    def _let_go(self) -> None:
        closing, self._connection = self._connection, None
        if closing is not None:
            closing.close()


def _describe_shortage(error: duckdb.Error) -> str:
    """What a question had too little of; empty for any other trouble."""
    if isinstance(error, duckdb.OutOfMemoryException):
        return (
            "The question needs more memory than the store may use. Ask for less at once, or "
            f"raise {engine.MEMORY_VARIABLE}."
        )
    if is_disk_full(error):
        return "The question needs room on a disk that is full: free some space, then try again."
    return ""


def _interrupt_cursor(cursor: Cursor) -> None:
    """Stop what it answers; one that is closed, but counted a moment longer, answers nothing."""
    with contextlib.suppress(duckdb.ConnectionException):
        cursor.interrupt()
