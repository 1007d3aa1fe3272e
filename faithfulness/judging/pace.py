"""Rate limiting and retries for one judge that several threads share."""

import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from faithfulness.judging.judge import Judge, JudgeQuestion
from faithfulness.judging.request_priority import several_at_work
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.vocabulary import Author, Reply

# Asked again by itself. A timeout is not: the endpoint may have done the work, and a person should
# decide whether to pay for it once more.
RETRIED = frozenset({"rate_limit", "server", "connection"})
# Seconds from one question to the next while several people work: reading and storing a reply, and
# what pages count anew after it, take time from them.
BESIDE_PEOPLE = 1.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """How fast a judge is asked, and how often again after a failure that may pass."""

    at_once: int = 4
    per_minute: float = 0.0  # calls; 0 sets no limit
    tries: int = 4  # calls for one sample, the first included
    first_wait: float = 1.0  # seconds; doubles with every further failure
    longest_wait: float = 120.0  # an endpoint that asks for more is left alone


class PacedJudge:
    """A judge with one gate for all threads: pace, pauses, and one back-off shared by everybody.

    Until a reply has come, and again after a failure that may pass, one thread asks alone until it
    has a reply or gives up: a wrong key costs one call and not as many as run at once.
    """

    def __init__(self, judge: Judge, pace: Pace) -> None:
        self._judge = judge
        self._pace = pace
        self._turn = threading.Condition()
        self._proven = False
        self._alone: int | None = None  # the thread that tries while the others wait
        self._under_way = 0
        self._not_before = 0.0  # the shared back-off
        self._next_slot = 0.0
        self._paused = False
        self._stopped = False

    @property
    def author(self) -> Author:
        return self._judge.author

    @property
    def settings(self) -> Mapping[str, str]:
        return self._judge.settings

    @property
    def waiting(self) -> float:
        """Seconds for which nobody is asked, because the endpoint wants a rest."""
        return max(0.0, self._not_before - time.monotonic())

    @property
    def paused(self) -> bool:
        return self._paused

    def ask(self, question: JudgeQuestion, *, sample: int = 0) -> Reply:
        """The reply, asked for when it is this call's turn, again where that may help."""
        for attempt in range(1, self._pace.tries + 1):
            self._enter()
            try:
                reply = self._judge.ask(question, sample=sample)
            except JudgeFailed as failure:
                goes_on = attempt < self._pace.tries and self.asks_again(failure)
                self._leave(failure, attempt, goes_on=goes_on)
                if not goes_on:
                    raise
            except BaseException:
                self._leave(None, attempt)
                raise
            else:
                self._leave(None, attempt, proven=True)
                return reply
        raise AssertionError("the last attempt returns or raises")

    def asks_again(self, failure: JudgeFailed) -> bool:
        """Whether a failure is waited out; one that asks for a long wait is for people to see."""
        return failure.may_retry and failure.kind in RETRIED and not self.is_too_long(failure)

    def is_too_long(self, failure: JudgeFailed) -> bool:
        return (failure.retry_after or 0.0) > self._pace.longest_wait

    def pause(self) -> None:
        """Ask nothing new; replies under way still come."""
        with self._turn:
            self._paused = True

    def go_on(self) -> None:
        with self._turn:
            self._paused = False
            self._turn.notify_all()

    def stop(self) -> None:
        """Ask nothing more and end the calls under way, where the judge can."""
        self.close_gate()
        stop = getattr(self._judge, "stop", None)
        if stop is not None:
            stop()

    def close_gate(self) -> None:
        """Ask nothing more; replies under way still come."""
        with self._turn:
            self._stopped = True
            self._turn.notify_all()

    def _enter(self) -> None:
        with self._turn:
            while (wait := self._seconds_to_wait()) is None or wait > 0:
                self._turn.wait(wait)
            self._next_slot = max(time.monotonic(), self._next_slot) + self._gap()
            self._under_way += 1

    def _gap(self) -> float:
        """Seconds from this question to the next."""
        asked = 60 / self._pace.per_minute if self._pace.per_minute > 0 else 0.0
        return max(asked, BESIDE_PEOPLE) if several_at_work() else asked

    def _seconds_to_wait(self) -> float | None:
        """Seconds until this call may go; None until somebody says so."""
        if self._stopped:
            raise JudgeFailed("Stopped before the next question was asked.", kind="stopped")
        others = self._under_way or self._alone not in (None, threading.get_ident())
        if self._paused or (not self._proven and others):
            return None
        return max(self._not_before, self._next_slot) - time.monotonic()

    def _leave(
        self,
        failure: JudgeFailed | None,
        attempt: int,
        *,
        proven: bool = False,
        goes_on: bool = False,
    ) -> None:
        with self._turn:
            self._under_way -= 1
            if proven:
                self._proven = True
            elif failure is not None and failure.may_retry:
                self._proven = False
            if goes_on and failure is not None:
                self._back_off(failure, attempt)
                self._alone = self._alone or threading.get_ident()
            elif self._alone == threading.get_ident():
                self._alone = None
            self._turn.notify_all()

    def _back_off(self, failure: JudgeFailed, attempt: int) -> None:
        wait = failure.retry_after
        if wait is None:
            # Unequal waits keep other programs that were refused at the same moment apart.
            doubled = self._pace.first_wait * 2 ** (attempt - 1)
            wait = min(doubled, self._pace.longest_wait) * random.uniform(1.0, 1.2)
        self._not_before = max(self._not_before, time.monotonic() + wait)
