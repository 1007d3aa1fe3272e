"""Run judging batches in background threads, with one registry per process."""

import logging
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from data.items.loading import load_item
from data.judging import batches as stored
from data.judging.asked_items import AskedItem, AskedItems
from data.judging.batches import StoredBatch
from data.judging.save_rerun import keep_rerun, load_paid_groups, load_paid_samples, note_sample
from data.store.cache.versions import BATCH
from data.store.store import Store
from faithfulness.judging.batch import Batch, Progress, Task
from faithfulness.judging.judge import Judge, JudgeQuestion, question
from faithfulness.judging.pace import Pace
from faithfulness.judging.request_priority import give_way
from faithfulness.judging.rerun import Sample
from faithfulness.model.errors import JudgeFailed, NotSaved, ReviewError, StoreUnavailable
from faithfulness.model.prompt import Prompt
from faithfulness.model.protocol import ReplyReading
from faithfulness.protocols import protocol


class BatchRequests:
    """One batch's questions and replies, between its judge and the store."""

    def __init__(
        self, store: Store, about: StoredBatch, judge: Judge, edited: Mapping[str, str]
    ) -> None:
        self._store = store
        self._about = about
        self._judge = judge
        self._edited = edited
        self._prompt = stored.load_prompt(store, about.fingerprint)
        to_do = stored.load_to_do(store, about.batch_id)
        self._groups = {
            each.item_id: stored.build_group_id(about.batch_id, each.number) for each in to_do
        }
        self._numbers = {each.item_id: each.number for each in to_do}
        # Looked up once for all: each item is asked about once, so that none comes later.
        self._paid = load_paid_groups(store, about.batch_id)
        self._items = AskedItems(store, about.batch_id)
        self._asked: dict[str, AskedItem | None] = {}  # those whose replies are awaited

    def batch(self, pace: Pace) -> Batch:
        return Batch(
            [
                Task(item_id, partial(self._question, item_id), partial(self._have, item_id))
                for item_id in self._numbers
            ],
            self._judge,
            keep=self._keep,
            failed=self._fail,
            taken=self._take,
            samples=self._about.samples,
            pace=pace,
        )

    def _question(self, item_id: str) -> JudgeQuestion:
        give_way()  # a reply that has come is paid for, and is stored at once
        with self._of_one_item():
            known = self._asked[item_id] = self._items.look_up(item_id)
            item = load_item(self._store, item_id) if known is None else known.item
            return question(protocol(self._about.protocol), item, self._prompt)

    def _have(self, item_id: str, asked: JudgeQuestion) -> tuple[Sample, ...]:
        group = self._groups[item_id]
        if group not in self._paid:
            return ()
        return load_paid_samples(self._store, group, asked)[: self._about.samples]

    def _take(self, task: Task, asked: JudgeQuestion, number: int, sample: Sample) -> None:
        note_sample(self._store, self._groups[task.key], number, sample, asked)

    def _keep(
        self, task: Task, asked: JudgeQuestion, samples: tuple[Sample, ...], settled: ReplyReading
    ) -> None:
        group = self._groups[task.key]
        with self._of_one_item():
            try:
                keep_rerun(
                    self._store,
                    run_id=self._about.run_id,
                    item_id=task.key,
                    author=self._judge.author,
                    samples=samples,
                    settled=settled,
                    prompt=asked.prompt,
                    settings=self._judge.settings,
                    operation_id=f"{BATCH}{group}",
                    group_id=group,
                    asked=self._asked.pop(task.key, None),
                    **self._edited,  # the journal has it then, should the store be lost
                )
            except ReviewError:
                for number, sample in enumerate(samples):
                    self._take(task, asked, number, sample)
                raise

    @contextmanager
    def _of_one_item(self) -> Iterator[None]:
        """Let what is wrong with one item be its failure; what is wrong with the store ends all."""
        try:
            yield
        except (NotSaved, StoreUnavailable, JudgeFailed):
            raise
        except ReviewError as problem:
            stored.load_batch(self._store, self._about.batch_id)  # raises where the run is gone
            raise JudgeFailed(str(problem), kind="not_kept") from problem

    def _fail(self, task: Task, failure: JudgeFailed) -> None:
        self._asked.pop(task.key, None)
        stored.note_failure(self._store, self._about.batch_id, self._numbers[task.key], failure)


_log = logging.getLogger(__name__)

CLOSING = "Plumbline was stopped."
_KEPT = 30  # ended works that are remembered


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What a person wants asked, and of whom."""

    run_id: str
    item_ids: Sequence[str]
    judge: Judge
    prompt: Prompt
    samples: int = 1
    pace: Pace = field(default_factory=Pace)
    asked_by: str = ""
    # Of an edited prompt: what it was made from (based_on, a fingerprint), why (note), by whom
    # (made_by).
    edited: Mapping[str, str] = field(default_factory=dict)


class RunningBatch:
    """One batch in this process: its progress, and how to pause and stop it."""

    def __init__(
        self,
        store: Store,
        batch_id: str,
        judge: Judge,
        pace: Pace,
        edited: Mapping[str, str] | None = None,
    ) -> None:
        self.store = store
        self.about = stored.load_batch(store, batch_id)
        self.batch_id = batch_id
        asking = BatchRequests(store, self.about, judge, edited or {})
        self._batch: Batch | None = asking.batch(pace)
        self._told = self._batch.progress()
        self._thread = threading.Thread(
            target=self._run, args=(judge,), name=f"plumbline-batch-{batch_id[:8]}", daemon=True
        )

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    @property
    def earlier(self) -> int:
        """Items whose replies were stored before this work began."""
        return self.about.done

    def progress(self) -> Progress:
        batch = self._batch
        return self._told if batch is None else batch.progress()

    def start(self) -> None:
        self._thread.start()

    def pause(self) -> None:
        self._check()
        if batch := self._batch:
            batch.pause()
            stored.note_event(self.store, self.batch_id, "paused", "Paused by a person.")

    def go_on(self) -> None:
        self._check()
        if batch := self._batch:
            batch.go_on()
            stored.note_event(self.store, self.batch_id, stored.RESUMED)

    def stop(self, reason: str = "Stopped by a person.") -> None:
        self._check()
        if batch := self._batch:
            batch.stop(reason)

    def wait(self, seconds: float | None = None) -> None:
        self._thread.join(seconds)

    def _check(self) -> None:
        self.store.guard.check(stored.EVENT, {})  # before anything changes for the threads

    def _run(self, judge: Judge) -> None:
        batch = self._batch
        assert batch is not None
        try:
            ended = batch.run()
            _log.info("batch %s: %s", self.batch_id, ended.ending.value)
            stored.note_event(self.store, self.batch_id, ended.ending.value, ended.reason)
        except ReviewError as problem:
            # The store is gone or full: what is stored is stored, the rest is offered again.
            _log.error("the end of batch %s was not noted: %s", self.batch_id, problem)
        finally:
            self.store.versions.show_now()  # its last replies are seen at once
            close = getattr(judge, "close", None)  # judges with connections have it
            if close is not None:
                close()
            # An ended work is remembered for its numbers; its judge, and the key, are not.
            self._told = batch.progress()
            self._batch = None


_works: dict[str, RunningBatch] = {}
_changing = threading.RLock()


def start_batch(store: Store, order: Order, *, batch_id: str | None = None) -> RunningBatch:
    """Write the batch down and set it to work; the same id twice is one batch.

    Raises:
        ReviewError: the same judge is being asked about this run already, or nothing is to be done.
    """
    batch_id = batch_id or uuid.uuid4().hex
    with _changing:
        if batch_id in _works:
            return _works[batch_id]
        _refuse_second(store, order.run_id, order.judge)
        stored.open_batch(
            store,
            batch_id=batch_id,
            run_id=order.run_id,
            item_ids=order.item_ids,
            author=order.judge.author,
            prompt=order.prompt,
            settings=order.judge.settings,
            samples=order.samples,
            asked_by=order.asked_by,
            edited=order.edited,
        )
        return _start_work(store, batch_id, order.judge, order.pace, order.edited)


def resume_batch(
    store: Store, batch_id: str, judge: Judge, pace: Pace | None = None
) -> RunningBatch:
    """Go on with a batch that was stopped or killed; nothing stored is asked again.

    Raises:
        ReviewError: it runs already, nothing is left, or the judge is not the one it began with.
    """
    store.guard.check(stored.KIND, {})  # asking costs, and happens in a thread of its own
    with _changing:
        about = stored.load_batch(store, batch_id)
        if judge.author != about.author or not stored.are_same_settings(
            judge.settings, about.settings
        ):
            raise ReviewError(
                f"This batch was begun with {about.author.name} and other settings. Start a new "
                "batch to ask another judge."
            )
        _refuse_second(store, about.run_id, judge)
        if not about.left:
            raise ReviewError("Everything in this batch is settled; there is nothing to resume.")
        stored.note_event(store, batch_id, stored.RESUMED)
        return _start_work(store, batch_id, judge, pace or Pace())


def find_batch(batch_id: str) -> RunningBatch | None:
    return _works.get(batch_id)


def list_running_batches(store: Store) -> list[RunningBatch]:
    """The batches of a store that are at work now."""
    return [each for each in list(_works.values()) if each.running and each.store is store]


def stop_all_batches(reason: str = CLOSING, seconds: float = 10.0) -> None:
    """End every batch before the store closes; each can be resumed."""
    works = [each for each in list(_works.values()) if each.running]
    for each in works:
        each.stop(reason)
    for each in works:
        each.wait(seconds)


def _start_work(
    store: Store,
    batch_id: str,
    judge: Judge,
    pace: Pace,
    edited: Mapping[str, str] | None = None,
) -> RunningBatch:
    work = RunningBatch(store, batch_id, judge, pace, edited)
    ended = [key for key, each in _works.items() if not each.running]
    for key in ended[:-_KEPT]:
        del _works[key]
    _works.pop(batch_id, None)
    _works[batch_id] = work
    work.start()
    return work


def _refuse_second(store: Store, run_id: str, judge: Judge) -> None:
    for each in list_running_batches(store):
        if (each.about.run_id, each.about.author) == (run_id, judge.author):
            raise ReviewError(
                f"{judge.author.name} is being asked about this run already"
                f"{f' by {each.about.asked_by}' if each.about.asked_by else ''}. Wait for it, or "
                "stop it first."
            )
