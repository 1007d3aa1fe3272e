"""Ctrl-C at a known place: a real signal to this process when a log line is written."""

import contextlib
import logging
import os
import signal
from collections.abc import Iterator


class _Stops(logging.Handler):
    """Sends the signal at every line with these words."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words

    def emit(self, record: logging.LogRecord) -> None:
        if self._words in record.getMessage():
            os.kill(os.getpid(), signal.SIGINT)


@contextlib.contextmanager
def stopped_at(name: str, words: str) -> Iterator[None]:
    """Stop what runs in the main thread when the log of this name writes these words."""
    log, handler = logging.getLogger(name), _Stops(words)
    level = log.level
    # Whoever was started in the background of a shell does not hear Ctrl-C otherwise.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        signal.signal(signal.SIGINT, before)
