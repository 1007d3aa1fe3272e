"""Locks by key, so that only one thread computes a result while others wait (single flight)."""

from collections.abc import Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock, RLock


class Turns:
    """A lock for each key for as long as somebody wants it."""

    def __init__(self) -> None:
        self._changing = Lock()
        self._wanted: dict[Hashable, int] = {}
        self._locks: dict[Hashable, AbstractContextManager[bool]] = {}

    @contextmanager
    def of(self, key: Hashable) -> Iterator[None]:
        """Wait until nobody else is at this key."""
        with self._changing:
            self._wanted[key] = self._wanted.get(key, 0) + 1
            lock = self._locks.setdefault(key, RLock())
        try:
            with lock:
                yield
        finally:
            with self._changing:
                self._wanted[key] -= 1
                if not self._wanted[key]:
                    del self._wanted[key], self._locks[key]
