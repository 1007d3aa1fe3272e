"""Run a judge on many items with several workers, until all are stored or it is stopped."""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import count
from typing import NamedTuple

from faithfulness.judging import rerun, traps
from faithfulness.judging.judge import Judge, JudgeQuestion
from faithfulness.judging.pace import Pace, PacedJudge
from faithfulness.judging.request_priority import several_at_work
from faithfulness.judging.rerun import Sample
from faithfulness.model.errors import JudgeFailed, ReviewError
from faithfulness.model.protocol import ReplyReading

IN_A_ROW = 5  # failed items after which the endpoint, and not the items, is taken to be at fault
_WINDOW = 40  # finished items from which the present rate is told

# About this item alone; the next one may well be answered.
_OF_THE_ITEM = frozenset({"cannot_judge", "too_long", "too_large"})


def _load_no_samples(question: JudgeQuestion) -> tuple[Sample, ...]:
    return ()


class Task(NamedTuple):
    """One item to ask about; its question is made when its turn comes.

    `have` gives the samples that an earlier try already paid for.
    """

    key: str
    question: Callable[[], JudgeQuestion]
    have: Callable[[JudgeQuestion], tuple[Sample, ...]] = _load_no_samples


class Ending(StrEnum):
    """How a batch ended; all but `finished` leave items to do."""

    FINISHED = "finished"
    STOPPED = "stopped"  # by a person, or because every further question would fail
    PAUSED = "paused"  # the endpoint wants a longer rest than anybody waits for


class Ended(NamedTuple):
    """The end of a batch, and why."""

    ending: Ending
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How far a batch is; `cost` counts replies with a known price, `unpriced` the others."""

    total: int
    done: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)  # items by kind of failure
    unread: int = 0  # items with at least one Unread answer
    trapped: int = 0  # replies that answered a trap wrongly
    silent: int = 0  # replies whose traps were not answered
    replies: int = 0
    cost: float = 0.0
    unpriced: int = 0
    maybe_paid: int = 0  # failed calls for which the endpoint may charge
    seconds: float = 0.0
    per_minute: float | None = None
    seconds_left: float | None = None
    waiting: float = 0.0  # seconds of the shared back-off that are left
    paused: bool = False
    gives_way: bool = False  # it asks less often, because several people work
    ended: Ended | None = None

    @property
    def left(self) -> int:
        return self.total - self.done - sum(self.failed.values())


# Keeps one item's samples and what they settle to; it returns when they are stored for good.
Keep = Callable[[Task, JudgeQuestion, tuple[Sample, ...], ReplyReading], None]
Fail = Callable[[Task, JudgeFailed], None]
# Is given each of several samples as it comes, with its number and what was asked.
Take = Callable[[Task, JudgeQuestion, int, Sample], None]


class Batch:
    """One judge and many items; `run` blocks, everything else may be called from other threads."""

    def __init__(
        self,
        tasks: Sequence[Task],
        judge: Judge,
        *,
        keep: Keep,
        failed: Fail | None = None,
        taken: Take | None = None,
        samples: int = 1,
        pace: Pace | None = None,
    ) -> None:
        self._pace = pace or Pace()
        self._judge = PacedJudge(judge, self._pace)
        self._samples = samples
        self._keep = keep
        self._failed = failed or _ignore_failure
        self._taken = taken
        self._total = len(tasks)
        self._tasks: Iterator[Task] = iter(tasks)
        self._lock = threading.Lock()
        self._ended: Ended | None = None
        self._counts: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._in_a_row = 0
        self._cost = 0.0
        self._began = 0.0
        self._over = 0.0
        self._finished: deque[float] = deque(maxlen=_WINDOW)

    def run(self) -> Ended:
        """Ask until nothing is left, somebody stops it, or going on makes no sense.

        A JudgeFailed is the failure of its item, also where making its question or keeping its
        answers raises it. What else is raised there ends the batch: a ReviewError as its reason,
        others loudly.
        """
        self._began = time.monotonic()
        at_once = max(1, min(self._pace.at_once, self._total))
        with ThreadPoolExecutor(at_once, thread_name_prefix="plumbline-batch") as pool:
            workers = [pool.submit(self._work) for _ in range(at_once)]
            try:
                for worker in as_completed(workers):
                    worker.result()
            except BaseException:
                self.stop("An unexpected error ended it; see the log.")
                raise
            finally:
                self._over = time.monotonic()
        self._end(Ended(Ending.FINISHED))
        assert self._ended is not None
        return self._ended

    def pause(self) -> None:
        """Ask nothing new until `go_on`; replies under way are kept."""
        self._judge.pause()

    def go_on(self) -> None:
        self._judge.go_on()

    def stop(self, reason: str = "") -> None:
        """End now: calls under way are ended too, and may be charged for."""
        self._end(Ended(Ending.STOPPED, reason))
        self._judge.stop()

    def progress(self) -> Progress:
        with self._lock:
            now = self._over or time.monotonic()
            counts, rate = self._counts, self._rate(now)
            told = Progress(
                total=self._total,
                done=counts["done"],
                failed=dict(self._failures),
                unread=counts["unread"],
                trapped=counts["trapped"],
                silent=counts["silent"],
                replies=counts["replies"],
                cost=self._cost,
                unpriced=counts["unpriced"],
                maybe_paid=counts["maybe_paid"],
                seconds=now - self._began if self._began else 0.0,
                per_minute=rate,
                waiting=self._judge.waiting,
                paused=self._judge.paused,
                gives_way=several_at_work(),
                ended=self._ended,
            )
        if not rate or told.ended:
            return told
        return replace(told, seconds_left=60 * told.left / rate)

    def _work(self) -> None:
        try:
            while (task := self._next()) is not None:
                self._one(task)
        except ReviewError as problem:
            self._end(Ended(Ending.STOPPED, str(problem)))

    def _next(self) -> Task | None:
        with self._lock:
            return None if self._ended is not None else next(self._tasks, None)

    def _one(self, task: Task) -> None:
        try:
            settled = self._asked(task)
        except JudgeFailed as failure:
            self._on_failure(task, failure)
            return
        with self._lock:
            self._in_a_row = 0
            self._counts["done"] += 1
            self._counts["unread"] += any(each.is_unread for each in settled.answers)
            self._finished.append(time.monotonic())

    def _asked(self, task: Task) -> ReplyReading:
        question = task.question()
        have = task.have(question)
        numbers = count(len(have))

        def taken(sample: Sample) -> None:
            self._count_sample(sample)
            # One sample alone is kept at once with its answers.
            if self._taken is not None and self._samples > 1:
                self._taken(task, question, next(numbers), sample)

        samples = rerun.ask_judge(
            question, self._judge, samples=self._samples, have=have, taken=taken
        )
        settled = rerun.settle_samples(samples, question.protocol)
        self._keep(task, question, samples, settled)
        return settled

    def _count_sample(self, sample: Sample) -> None:
        with self._lock:
            self._counts["replies"] += 1
            self._counts["trapped"] += bool(traps.list_failures(sample.reading.notes))
            self._counts["silent"] += traps.has_unanswered_traps(sample.reading.notes)
            self._counts["unpriced"] += sample.cost is None
            self._cost += sample.cost or 0.0

    def _on_failure(self, task: Task, failure: JudgeFailed) -> None:
        with self._lock:
            self._counts["maybe_paid"] += failure.may_be_paid
        if failure.kind == "stopped":
            return  # the item stays to do, and nothing is wrong with it
        with self._lock:
            self._failures[failure.kind] += 1
            self._in_a_row += failure.kind not in _OF_THE_ITEM
            too_many = self._in_a_row >= IN_A_ROW
            self._finished.append(time.monotonic())
        if failure.stops_batch:
            self._end(Ended(Ending.STOPPED, str(failure)))
        elif self._judge.is_too_long(failure):
            self._end(
                Ended(Ending.PAUSED, f"{failure} {_format_resume_time(failure.retry_after or 0.0)}")
            )
        elif too_many:
            said = f"{IN_A_ROW} items in a row failed, so no more were asked. The last one: "
            self._end(Ended(Ending.STOPPED, said + str(failure)))
        self._failed(task, failure)

    def _end(self, ended: Ended) -> None:
        """The first reason to end counts; replies under way still come and are kept."""
        with self._lock:
            self._ended = self._ended or ended
        self._judge.close_gate()

    def _rate(self, now: float) -> float | None:
        """Items a minute: of late while it runs, over all when it is over."""
        if self._over:
            count = self._counts["done"] + sum(self._failures.values())
            seconds = self._over - self._began
        else:
            count = len(self._finished)
            first = self._finished[0] if count == _WINDOW else self._began
            seconds = now - first
        return 60 * count / seconds if count and seconds > 0 else None


def _format_resume_time(seconds: float) -> str:
    when = datetime.now(UTC) + timedelta(seconds=seconds)
    return f"Nothing is asked before {when:%d %b %Y, %H:%M} UTC; resume it then."


def _ignore_failure(task: Task, failure: JudgeFailed) -> None:
    """Failures are only counted."""
