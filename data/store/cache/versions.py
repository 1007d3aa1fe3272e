"""Version number of cached results: increases at once or after a delay when data changes."""

import time
from threading import Lock

from faithfulness.judging.request_priority import several_at_work

# A judge at work stores several replies a second; with each of them every page would ask again.
# What it said is seen this many seconds later at most, what a person did at once. Where several
# people work, each asks for other pages: the same number then serves more of them.
SOON, SOON_ENOUGH = 3.0, 20.0
BATCH = "batch:"  # how the ids begin of what a batch stores reply by reply
# Of these kinds no kept answer is made: after a key press everybody's answers still hold, and after
# what a batch notes for itself.
UNSEEN = frozenset(("draft", "view", "save_mapping", "paid sample", "batch event"))


class CacheVersion:
    """A number that grows at once, or soon: several small changes are then seen as one."""

    def __init__(self) -> None:
        self._changing = Lock()
        self._number = 0
        self._due: float | None = None  # when a change that waits is to be seen

    def number(self) -> int:
        with self._changing:
            if self._due is not None and time.monotonic() >= self._due:
                self._number += 1
                self._due = None
            return self._number

    def show_now(self) -> None:
        """Let a change that waits be seen."""
        with self._changing:
            if self._due is not None:
                self._due = time.monotonic()

    def note(self, operation_id: str, kind: str) -> None:
        """Take note of a write that is stored."""
        if kind in UNSEEN:
            return
        if operation_id.startswith(BATCH):
            self._grow_soon()
        else:
            self.grow()

    def grow(self, at_least: int = 0) -> None:
        with self._changing:
            self._number = max(self._number + 1, at_least)
            self._due = None

    def _grow_soon(self) -> None:
        wait = SOON_ENOUGH if several_at_work() else SOON
        with self._changing:
            if self._due is None:
                self._due = time.monotonic() + wait
