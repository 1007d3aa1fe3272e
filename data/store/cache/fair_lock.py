"""A reentrant lock that threads acquire in the order of their requests."""

from collections import deque
from threading import Lock, get_ident
from types import TracebackType


class FairLock:
    """One thread at a time, which may take it several times; the others follow in their order.

    Python's own locks favour whoever comes back first: a batch that stores one reply after another
    would keep a person who saves waiting for seconds.
    """

    def __init__(self) -> None:
        self._changing = Lock()
        self._owner = 0  # the thread that has it; 0 for nobody
        self._depth = 0
        self._waiting: deque[tuple[int, Lock]] = deque()

    def __enter__(self) -> None:
        me, turn = get_ident(), Lock()
        with self._changing:
            if self._owner in (0, me):
                self._owner = me
                self._depth += 1
                return
            turn.acquire()
            self._waiting.append((me, turn))
        try:
            turn.acquire()  # whoever leaves makes the next one the owner, then lets it through
        except BaseException:
            self._give_up(me, turn)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changing:
            self._leave()

    def _give_up(self, me: int, turn: Lock) -> None:
        with self._changing:
            if (me, turn) in self._waiting:
                self._waiting.remove((me, turn))
            else:  # it was given just now
                self._leave()

    def _leave(self) -> None:
        self._depth -= 1
        if self._depth:
            return
        self._owner = 0
        if self._waiting:
            self._owner, turn = self._waiting.popleft()
            self._depth = 1
            turn.release()
