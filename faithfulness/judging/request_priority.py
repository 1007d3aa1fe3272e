"""Let background work wait while pages are being rendered, up to a time limit."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, get_ident

LONGEST = 3.0  # seconds; on a desk that is always busy the work still goes on
# Pages of so many tabs in so many seconds are several people at work.
SEVERAL, WITHIN = 3, 10.0

_nobody_waits = Condition()
_serving: list[int] = []  # the threads that draw a page now
_asked: dict[str, float] = {}  # when each tab last asked for a page


@contextmanager
def mark_serving(tab: str = "") -> Iterator[None]:
    """Somebody waits for a page as long as this lasts; a part of one names no tab."""
    me = get_ident()
    with _nobody_waits:
        _serving.append(me)
        if tab:
            _remove_idle_tabs()
            _asked[tab] = time.monotonic()
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
    """Whether pages are asked for by several people, as far as tabs tell."""
    with _nobody_waits:
        _remove_idle_tabs()
        return len(_asked) >= SEVERAL


def _remove_idle_tabs() -> None:
    since = time.monotonic() - WITHIN
    for tab in [tab for tab, at in _asked.items() if at < since]:
        del _asked[tab]
