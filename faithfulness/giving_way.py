"""People go first: work that can wait lets pages be drawn before it goes on."""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, get_ident

LONGEST = 3.0  # seconds; on a desk that is always busy the work still goes on
# So many pages in so many seconds are several people at work: one alone does not click as fast.
MANY, WITHIN = 10, 10.0

_nobody_waits = Condition()
_serving: list[int] = []  # the threads that draw a page now
_began: deque[float] = deque(maxlen=MANY)  # when each of the last pages was asked for


@contextmanager
def serving() -> Iterator[None]:
    """Somebody waits for a page as long as this lasts."""
    me = get_ident()
    with _nobody_waits:
        _serving.append(me)
        _began.append(time.monotonic())
    try:
        yield
    finally:
        with _nobody_waits:
            _serving.remove(me)
            _nobody_waits.notify_all()


def give_way(longest: float = LONGEST) -> None:
    """Return once nobody waits for another thread's page, or after so many seconds."""
    me = get_ident()
    with _nobody_waits:
        _nobody_waits.wait_for(lambda: all(each == me for each in _serving), longest)


def several_at_work() -> bool:
    """Whether pages are asked for so often that several people must be working."""
    with _nobody_waits:
        return len(_began) == MANY and time.monotonic() - _began[0] <= WITHIN
