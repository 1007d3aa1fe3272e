"""Asking: how a batch asks about each item, and where what comes of it goes."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from data.items.loading import load_item
from data.judging import batches as stored
from data.judging.asked_items import AskedItem, AskedItems
from data.judging.batches import StoredBatch
from data.judging.paid_samples import groups_paid, note_sample, paid_samples
from data.judging.save_rerun import keep_rerun
from data.store.cache.versions import BATCH
from data.store.store import Store
from faithfulness.judging.batch import Batch, Task
from faithfulness.judging.judge import Judge, Question, question
from faithfulness.judging.pace import Pace
from faithfulness.judging.request_priority import give_way
from faithfulness.judging.rerun import Sample
from faithfulness.model.errors import JudgeFailed, NotSaved, ReviewError, StoreUnavailable
from faithfulness.model.protocol import Reading
from faithfulness.protocols import protocol


class Asking:
    """One batch's questions and replies, between its judge and the store."""

    def __init__(
        self, store: Store, about: StoredBatch, judge: Judge, edited: Mapping[str, str]
    ) -> None:
        self._store = store
        self._about = about
        self._judge = judge
        self._edited = edited
        self._prompt = stored.load_prompt(store, about.fingerprint)
        to_do = stored.to_do(store, about.batch_id)
        self._groups = {
            each.item_id: stored.group_of(about.batch_id, each.number) for each in to_do
        }
        self._numbers = {each.item_id: each.number for each in to_do}
        # Looked up once for all: each item is asked about once, so that none comes later.
        self._paid = groups_paid(store, about.batch_id)
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

    def _question(self, item_id: str) -> Question:
        give_way()  # a reply that has come is paid for, and is stored at once
        with self._of_one_item():
            known = self._asked[item_id] = self._items.look_up(item_id)
            item = load_item(self._store, item_id) if known is None else known.item
            return question(protocol(self._about.protocol), item, self._prompt)

    def _have(self, item_id: str, asked: Question) -> tuple[Sample, ...]:
        group = self._groups[item_id]
        if group not in self._paid:
            return ()
        return paid_samples(self._store, group, asked)[: self._about.samples]

    def _take(self, task: Task, asked: Question, number: int, sample: Sample) -> None:
        note_sample(self._store, self._groups[task.key], number, sample, asked)

    def _keep(
        self, task: Task, asked: Question, samples: tuple[Sample, ...], settled: Reading
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
