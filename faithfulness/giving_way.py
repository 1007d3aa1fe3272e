"""People go first: work that can wait lets pages be drawn before it goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, get_ident

LONGEST = 3.0  # seconds; on a desk that is always busy the work still goes on

_nobody_waits = Condition()
_serving: list[int] = []  # the threads that draw a page now


@contextmanager
def serving() -> Iterator[None]:
    """Somebody waits for a page as long as this lasts."""
    me = get_ident()
    with _nobody_waits:
        _serving.append(me)
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
