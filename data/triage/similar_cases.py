"""Find earlier decisions and undecided cases similar to a disagreement."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from data.store.cache.item_filter_sql import between
from data.store.cache.run_cache import of_runs
from data.store.store import Store
from data.triage.cases import EXAMPLE_CASES, STANDING, build_decision, load_disagreements
from data.triage.disagreements import (
    CLASH_BITS,
    QUESTIONS,
    SECONDS,
    NumberedCriterion,
    all_disagreements,
)
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.review.disagreement import Decision, Disagreement, Earlier, count_votes

EXAMPLES = 3
_COMPARED = (
    *("question", "run_no", "rater_mask", "judge_mask", "clashes"),
    *("decided_no", "decided_place"),
)


class _CaseRun(NamedTuple):
    number: int
    id: str
    protocol: str
    is_sample: bool


class _CaseScope(NamedTuple):
    """Whose cases are looked at, and whose are left out, by the numbers of runs."""

    inside: list[int]
    left_out: list[int]


def load_earlier_decisions(
    store: Store,
    about: Sequence[Disagreement],
    *,
    runs: Collection[str] = (),
) -> list[Earlier]:
    """For each: how units with the same labels on both sides were decided, and how many wait.

    Examples whose clash is of the same kind come first, then the newest. What waits are the cases
    of `load_similar_cases` with the same `runs`. The offline baseline takes no side, so that it
    makes
    nothing alike or unlike: these are cases without it, as `queries_points.point_cases` gives them.
    """
    known = all_disagreements(store)
    columns = {name: _get_numbers(known, name) for name in _COMPARED}
    standing = _load_standing_runs(store)
    # Many cases of a screen have the same pattern, and the columns are long.
    patterns = [build_pattern(each) for each in about]
    alike = {labels: _select_alike(columns, *labels) for labels in set(patterns)}
    found, wanted = [], []
    for each, labels in zip(about, patterns, strict=True):
        at = alike[labels]
        same = at["clashes"] == _build_clash_mask(each)
        scope = _build_scope(standing, each, runs)
        counts_here = ~np.isin(at["run_no"], scope.left_out)
        decided = (
            (at["decided_no"] > 0) & (at["decided_no"] != _get_decision_number(each)) & counts_here
        )
        best = sorted(zip(same[decided], at["decided_no"][decided], strict=True), reverse=True)
        numbers = [int(number) for _, number in best[:EXAMPLES]]
        wanted.extend(numbers)
        values = each.criterion.scale.values
        places = Counter(at["decided_place"][decided].tolist())
        waits = at["run_no"][same & (at["decided_no"] == 0) & counts_here]
        # Its own run is always inside; a point on which nobody disagrees is in no list.
        itself = int(bool(each.kinds) and each.decided is None)
        like, here = len(waits) - itself, int(np.isin(waits, scope.inside).sum()) - itself
        # The engine gives rows in no order: equal counts stand as the scale has their labels.
        often = sorted(places.items(), key=lambda each: (-each[1], each[0]))
        counts = {values[place]: count for place, count in often}
        found.append((counts, numbers, max(0, like), max(0, here), len(scope.inside)))
    told = _load_examples(store, wanted)
    return [
        Earlier(
            values=counts,
            examples=tuple(told[number] for number in numbers if number in told),
            like=like,
            like_here=here,
            like_runs=of,
        )
        for counts, numbers, like, here, of in found
    ]


def load_similar_cases(
    store: Store,
    found: Disagreement,
    *,
    runs: Collection[str] = (),
    limit: int = 200,
) -> list[Disagreement]:
    """Undecided ones with the same labels on both sides and the same kind of clash.

    Those of its own run and of `runs` come first. Other runs of the sample count while nothing else
    is stored.
    """
    known = all_disagreements(store).to_pandas()
    question, raters, judges = build_pattern(found)
    scope = _build_scope(_load_standing_runs(store), found, runs)
    rows = known[
        (known["question"] == question)
        & (known["rater_mask"] == raters)
        & (known["judge_mask"] == judges)
        & (known["clashes"] == _build_clash_mask(found))
        & known["decided_no"].isna()
        & ~known["run_no"].isin(scope.left_out)
    ]
    rows = rows.assign(inside=rows["run_no"].isin(scope.inside)).sort_values(
        ["inside", "weight", "unit_no"], ascending=[False, False, True]
    )
    loaded = load_disagreements(store, rows.head(limit + 1))
    own = (found.case.item.id, found.case.unit.id)
    return [each for each in loaded if (each.case.item.id, each.case.unit.id) != own][:limit]


def build_pattern(found: Disagreement) -> tuple[int, int, int]:
    """The question, and a bit for each value that raters and that judges give."""
    question = QUESTIONS.index(NumberedCriterion(found.case.protocol, found.criterion))
    values = found.criterion.scale.values

    def mask(kind: AuthorKind) -> int:
        return sum(1 << values.index(value) for value in count_votes(found.said, kind))

    return question, mask(AuthorKind.RATER), mask(AuthorKind.JUDGE)


def _get_numbers(known: pa.Table, name: str) -> npt.NDArray[np.int64]:
    return np.asarray(known[name].fill_null(0).to_numpy(), np.int64)


def _select_alike(
    columns: Mapping[str, npt.NDArray[np.int64]], question: int, raters: int, judges: int
) -> dict[str, npt.NDArray[np.int64]]:
    same = (
        (columns["question"] == question)
        & (columns["rater_mask"] == raters)
        & (columns["judge_mask"] == judges)
    )
    return {name: column[same] for name, column in columns.items()}


def _get_decision_number(found: Disagreement) -> int:
    return found.decided.number if found.decided else 0


def _build_clash_mask(found: Disagreement) -> int:
    return sum(CLASH_BITS[each] for each in found.clashes)


def _load_standing_runs(store: Store) -> list[_CaseRun]:
    def ask(asked: Store) -> list[_CaseRun]:
        with asked.read() as cursor:
            return [_CaseRun(*row) for row in cursor.execute(STANDING).fetchall()]

    return of_runs(store, "standing", ask)


def _build_scope(
    standing: Sequence[_CaseRun], found: Disagreement, runs: Collection[str]
) -> _CaseScope:
    runs_of_protocol = [each for each in standing if each.protocol == found.case.protocol]
    named = {*runs, found.case.run_id}
    only_samples = all(each.is_sample for each in standing)
    return _CaseScope(
        inside=[each.number for each in runs_of_protocol if each.id in named],
        left_out=[
            each.number
            for each in runs_of_protocol
            if each.is_sample and each.id not in named and not only_samples
        ],
    )


def _load_examples(store: Store, numbers: list[int]) -> dict[int, Decision]:
    if not numbers:
        return {}
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(EXAMPLE_CASES, between(numbers)).fetchall()
    return {told[0]: replace(build_decision(told), of=of) for *told, of in rows}
