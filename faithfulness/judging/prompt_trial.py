"""Try a prompt on a few disputed items; results stay in memory until a person decides."""

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from faithfulness.judging.batch import Batch, Ended, Progress, Task
from faithfulness.judging.judge import Judge, JudgeQuestion, question
from faithfulness.judging.pace import Pace
from faithfulness.judging.rerun import Sample
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.prompt import Prompt
from faithfulness.model.protocol import Criterion, Protocol, ReplyReading
from faithfulness.model.vocabulary import Item
from faithfulness.statistics.paired import PairedNumber, measure_agreement
from faithfulness.statistics.tables import PairTables, count_pairs

BEFORE, AFTER = "before", "after"
Labels = Mapping[tuple[str, str], str]  # by item and unit


class TrialItem(NamedTuple):
    """One item of a trial, and the run under which its answers would be kept."""

    run_id: str
    item: Item
    external_id: str = ""


class Tried(NamedTuple):
    """What the judge said about one case."""

    question: JudgeQuestion
    samples: tuple[Sample, ...]
    settled: ReplyReading


class Trial:
    """Cases put to one judge with one prompt, or with two side by side; `run` blocks."""

    def __init__(
        self,
        protocol: Protocol,
        cases: Sequence[TrialItem],
        judge: Judge,
        prompts: Mapping[str, Prompt],
        *,
        samples: int = 1,
        pace: Pace | None = None,
    ) -> None:
        self.protocol = protocol
        self.cases = {each.item.id: each for each in cases}
        self.prompts = dict(prompts)
        self._tried: dict[tuple[str, str], Tried] = {}
        self._failures: dict[tuple[str, str], JudgeFailed] = {}
        self._lock = threading.Lock()
        # Item by item, so that a trial stopped half way has both prompts on the same items.
        tasks = [
            Task(f"{arm} {item_id}", partial(self._question, item_id, arm))
            for item_id in self.cases
            for arm in self.prompts
        ]
        self._batch = Batch(
            tasks, judge, keep=self._take, failed=self._fail, samples=samples, pace=pace
        )

    def run(self) -> Ended:
        return self._batch.run()

    def stop(self) -> None:
        self._batch.stop("Stopped by a person.")

    def progress(self) -> Progress:
        return self._batch.progress()

    def tried(self, arm: str) -> dict[str, Tried]:
        """What came for one prompt, by item, in the order of the cases."""
        with self._lock:
            return {
                item_id: self._tried[arm, item_id]
                for item_id in self.cases
                if (arm, item_id) in self._tried
            }

    def failures(self) -> dict[str, list[str]]:
        """Why there is no answer, in words, and on which items; those in the order of the cases."""
        with self._lock:
            why = {place: str(failure) for place, failure in self._failures.items()}
        places = [(arm, item_id) for item_id in self.cases for arm in self.prompts]
        found: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for place in filter(why.__contains__, places):
            found[why[place]][place[1]] = None
        return {words: list(items) for words, items in found.items()}

    def labels(self, arm: str, criterion: str) -> dict[tuple[str, str], str]:
        """What the judge said under one prompt, by item and unit."""
        return {
            (item_id, each.unit_id): each.value
            for item_id, tried in self.tried(arm).items()
            for each in tried.settled.answers
            if each.criterion == criterion and each.value is not None
        }

    def _question(self, item_id: str, arm: str) -> JudgeQuestion:
        return question(self.protocol, self.cases[item_id].item, self.prompts[arm])

    def _take(
        self, task: Task, asked: JudgeQuestion, samples: tuple[Sample, ...], settled: ReplyReading
    ) -> None:
        with self._lock:
            self._tried[_parse_task_place(task)] = Tried(asked, samples, settled)

    def _fail(self, task: Task, failure: JudgeFailed) -> None:
        with self._lock:
            self._failures[_parse_task_place(task)] = failure


class LabelChange(NamedTuple):
    """One unit whose label changed, beside what the raters say."""

    item_id: str
    unit_id: str
    reference: str
    before: str
    after: str

    @property
    def gain(self) -> int:
        """1 where it came to agree with the raters, -1 where it ceased to, 0 otherwise."""
        return (self.after == self.reference) - (self.before == self.reference)


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """Agreement with the raters before and after, on units that all three labelled."""

    items: int
    units: int
    agreed_before: int
    agreed_after: int
    measures: tuple[PairedNumber, ...]  # empty where nothing can be compared
    steps: tuple[LabelChange, ...]  # the losses first, then the gains
    lost: int  # units with a label before and none after
    found: int  # units with a label after and none before


def compare_outcomes(
    criterion: Criterion, reference: Labels, before: Labels, after: Labels
) -> Outcome:
    """Compare two sets of labels with the raters' on the same units."""
    rated = set(reference)
    places = sorted(rated & set(before) & set(after))
    items = {item: at for at, item in enumerate(dict.fromkeys(item for item, _ in places))}

    def counted(labels: Labels) -> PairTables:
        return _count_label_pairs(criterion, places, items, reference, labels)

    steps = [
        LabelChange(*place, reference[place], before[place], after[place])
        for place in places
        if before[place] != after[place]
    ]
    return Outcome(
        items=len(items),
        units=len(places),
        agreed_before=sum(before[each] == reference[each] for each in places),
        agreed_after=sum(after[each] == reference[each] for each in places),
        measures=measure_agreement(counted(before), counted(after)) if places else (),
        steps=tuple(sorted(steps, key=lambda each: (each.gain == 0, each.gain))),
        lost=len(rated & set(before) - set(after)),
        found=len(rated & set(after) - set(before)),
    )


def _count_label_pairs(
    criterion: Criterion,
    places: Sequence[tuple[str, str]],
    items: Mapping[str, int],
    reference: Labels,
    labels: Labels,
) -> PairTables:
    order = {value: at for at, value in enumerate(criterion.scale.values)}
    return count_pairs(
        criterion.scale.values,
        criterion.scale.ordinal,
        items=[items[item] for item, _ in places],
        reference=[order[reference[each]] for each in places],
        judge=[order[labels[each]] for each in places],
    )


def _parse_task_place(task: Task) -> tuple[str, str]:
    arm, _, item_id = task.key.partition(" ")
    return arm, item_id
