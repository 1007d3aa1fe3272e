"""Time limits for queries and other operations, enforced by one watcher thread."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# A thread for each limit has to be started and waited for: on a busy machine that takes longer
# than most questions.
_changed = threading.Condition()
_running: dict[object, tuple[float, Callable[[], None]]] = {}  # when it is over, and how to stop it
_wakes_at = math.inf
_watcher: threading.Thread | None = None


@contextmanager
def time_limit(seconds: float | None, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` once this has lasted so many seconds, never afterwards.

    It must be quick and raise nothing: the thread that calls it watches over all other limits too.
    """
    if seconds is None:
        yield
        return
    own, over_at = object(), time.monotonic() + seconds
    with _changed:
        _running[own] = (over_at, stop)
        _watch_until(over_at)
    try:
        yield
    finally:
        with _changed:
            _running.pop(own, None)


def _watch_until(over_at: float) -> None:
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = threading.Thread(target=_watch, name="time limits", daemon=True)
        _watcher.start()
    elif over_at < _wakes_at:
        _changed.notify()


def _watch() -> None:
    global _wakes_at
    with _changed:
        while True:
            now = time.monotonic()
            late = [own for own, (over_at, _) in _running.items() if over_at <= now]
            for own in late:
                _running.pop(own)[1]()
            _wakes_at = min((over_at for over_at, _ in _running.values()), default=math.inf)
            # With nobody to wait for, the next limit wakes it.
            _changed.wait(None if _wakes_at == math.inf else _wakes_at - time.monotonic())
