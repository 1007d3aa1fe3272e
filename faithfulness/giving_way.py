"""People go first: work that can wait lets pages be drawn before it goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

LONGEST = 3.0  # seconds; on a desk that is always busy the work still goes on

_nobody_waits = Condition()
_served = 0


@contextmanager
def serving() -> Iterator[None]:
    """Somebody waits for a page as long as this lasts."""
    global _served
    with _nobody_waits:
        _served += 1
    try:
        yield
    finally:
        with _nobody_waits:
            _served -= 1
            if not _served:
                _nobody_waits.notify_all()


def give_way(longest: float = LONGEST) -> None:
    """Return once nobody waits for a page, or after so many seconds."""
    with _nobody_waits:
        _nobody_waits.wait_for(lambda: not _served, longest)
