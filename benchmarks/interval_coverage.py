"""How often the shipped intervals contain the truth, for every statistic that has one.

Run `python -m benchmarks.interval_coverage [--repeats N] [--only WORD]`. Items are simulated, 20,
30, 100 and 300 at a time (`benchmarks/clustered_items.py`); the truth is the number over 200,000
items of the same kind. An interval that is not given, such as that of a label with too few items,
is not counted; where fewer than half of the samples have one, they are a selection of samples and
a dash is shown.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks import clustered_items as simulated
from benchmarks.claims import claim
from faithfulness.statistics.agreement import pair_estimates
from faithfulness.statistics.alt_test import alt_test
from faithfulness.statistics.ceiling import compute_ceiling
from faithfulness.statistics.claims import claim_f1
from faithfulness.statistics.comparison import compute_difference_bounds, select_common_items
from faithfulness.statistics.correction import estimate_corrected_rate
from faithfulness.statistics.intervals import Range, compute_mean_interval
from faithfulness.statistics.label_rates import compute_share_bounds
from faithfulness.statistics.paired import ON_LABELS, ON_SCORES
from faithfulness.statistics.raters.several_raters import estimate_coefficients

SIZES = (20, 30, 100, 300)
REPEATS = 2_000
TRUTH_ITEMS = 200_000
BAR = (0.93, 0.97)
SELDOM = 0.5  # of the samples; those with an interval that is given less often are a selection


class Found(NamedTuple):
    """A number with the interval that is shown with it."""

    value: float | None
    low: float | None
    high: float | None


class Study(NamedTuple):
    """One kind of items, and the numbers that are shown of them."""

    title: str
    sample: Callable[[np.random.Generator, int], Any]
    numbers: Callable[[Any], Mapping[str, Found]]


class Measured(NamedTuple):
    """How often the intervals of one number held; None where they are seldom given."""

    name: str
    items: int
    share: float | None


class Tally:
    """How often the intervals of one statistic were given and right."""

    def __init__(self) -> None:
        self.given = self.right = 0

    def add(self, found: Found, truth: float) -> None:
        if found.low is not None and found.high is not None:
            self.given += 1
            self.right += found.low <= truth <= found.high

    def share(self, repeats: int) -> float | None:
        return self.right / self.given if self.given >= SELDOM * repeats else None


def studies() -> Iterable[Study]:
    yield Study("labels, 3 to 17 units an item", simulated.label_tables, of_pair)
    for title, like in (
        ("scores, 3 to 17 units an item", simulated.SENTENCES),
        ("scores, one unit an item, most of them high", simulated.RESPONSES),
        ("scores, nearly equal", simulated.NEARLY_EQUAL),
        ("scores, hardly alike", simulated.HARD),
        ("scores, most of them high", simulated.MOSTLY_GOOD),
    ):
        yield Study(title, _of(simulated.score_tables, like), of_pair)
    yield Study("labels by three raters with gaps", _of(simulated.ratings, None), of_raters)
    for title, like in (
        ("scores by three raters with gaps", simulated.SENTENCES),
        ("scores by three raters, one unit an item", simulated.RESPONSES),
    ):
        yield Study(title, _of(simulated.ratings, like), of_raters)
    yield Study(
        "scores by three raters without gaps",
        lambda rng, items: simulated.ratings(rng, items, simulated.SENTENCES, gaps=False),
        of_raters,
    )
    yield Study("two judges on labels", _of(simulated.two_judges, None), of_two)
    yield Study("two judges on scores", _of(simulated.two_judges, simulated.SENTENCES), of_two)
    yield Study(
        "two judges on one score an item", _of(simulated.two_judges, simulated.RESPONSES), of_two
    )
    yield from studies_of_means()
    yield Study("shares of labels", simulated.label_counts, of_label_counts)
    yield Study(
        "shares of labels, each item of one kind", simulated.counts_of_one_kind, of_label_counts
    )
    yield Study("claims", simulated.claims, of_claims)
    yield Study("corrected rates", simulated.rated_sample, of_rated_sample)


def studies_of_means() -> Iterable[Study]:
    for title, good, rest, units in (
        ("a run's mean share, 0.80", 8.0, 2.0, (3, 17)),
        ("a run's mean share, 0.91, 1 to 5 units", 6.0, 0.6, (1, 5)),
        ("a run's mean share, 0.95", 9.0, 0.5, (3, 17)),
    ):
        yield Study(title, _of(simulated.shares_of_items, good, rest, units), of_mean)
    yield Study("a run's mean score", simulated.mean_scores, of_mean)
    yield Study("difference of two mean shares", simulated.share_steps, of_steps)
    yield Study("difference of two mean scores", simulated.score_steps, of_steps)


def of_pair(tables: Any) -> Mapping[str, Found]:
    return {name: _shown(each) for name, each in pair_estimates(tables).items()}


def of_raters(found: Any) -> Mapping[str, Found]:
    numbers = {
        f"raters: {name}": each
        for name, each in estimate_coefficients(simulated.raters_of(found)).items()
    }
    beside = compute_ceiling(found, simulated.JUDGE)
    numbers["judge with raters"] = beside.judge
    numbers["raters with raters"] = beside.raters
    numbers["judge below raters"] = beside.difference
    test = alt_test(found, simulated.JUDGE, epsilon=0.15)
    numbers["stand-in: judge as close"] = test.judge_as_close
    numbers["stand-in: rater as close"] = test.rater_as_close
    numbers["stand-in: rater ahead"] = test.rater_ahead
    return {name: _shown(each) for name, each in numbers.items()}


def of_two(both: Any) -> Mapping[str, Found]:
    first, second = select_common_items(*both)
    names = ON_SCORES if first.ordinal else ON_LABELS
    before, after = (pair_estimates(each, names) for each in (first, second))
    found = {}
    for name, bounds in compute_difference_bounds(first, second, names).items():
        one, other = before[name].value, after[name].value
        value = None if one is None or other is None else other - one
        found[f"difference of {name}"] = Found(value, bounds.low, bounds.high)
    return found


def of_mean(values: Any) -> Mapping[str, Found]:
    return {"mean of items": _shown(compute_mean_interval(values))}


def of_steps(values: Any) -> Mapping[str, Found]:
    return {"difference of means": _shown(compute_mean_interval(values, within=Range.DIFFERENCE))}


def of_label_counts(cells: Any) -> Mapping[str, Found]:
    shares = cells.sum(axis=0) / cells.sum()
    return {
        f"share: {label}": Found(float(share), bounds.low, bounds.high)
        for label, share, bounds in zip(
            simulated.LABELS, shares, compute_share_bounds(cells), strict=True
        )
    }


def of_claims(counts: Any) -> Mapping[str, Found]:
    return {f"claim_{name}": _shown(each) for name, each in claim_f1(*counts).items()}


def of_rated_sample(both: Any) -> Mapping[str, Found]:
    found = estimate_corrected_rate(*both)
    return {
        f"rate {each.name}": _shown(each)
        for each in (found.judge_only, found.human_only, found.corrected)
    }


def measure(study: Study, items: int, repeats: int, truth: Mapping[str, float]) -> dict[str, Tally]:
    rng = np.random.default_rng(items)
    tallies = {name: Tally() for name in truth}
    for _ in range(repeats):
        for name, found in study.numbers(study.sample(rng, items)).items():
            if name in tallies:
                tallies[name].add(found, truth[name])
    return tallies


def truth_of(study: Study) -> dict[str, float]:
    numbers = study.numbers(study.sample(np.random.default_rng(0), TRUTH_ITEMS))
    return {name: each.value for name, each in numbers.items() if each.value is not None}


def report(study: Study, repeats: int) -> list[Measured]:
    """Print every number of one kind of items."""
    truth = truth_of(study)
    began = time.process_time()
    tallies = {items: measure(study, items, repeats, truth) for items in SIZES}
    seconds = time.process_time() - began
    print(f"\n{study.title} ({seconds:.0f} s of processor time)")
    measured = []
    for name, value in truth.items():
        shares = [tallies[items][name].share(repeats) for items in SIZES]
        measured += [Measured(name, *each) for each in zip(SIZES, shares, strict=True)]
        if any(share is not None for share in shares):
            print(f"  {name:28s} {value:7.3f}  {' '.join(map(_cell, shares))}", flush=True)
    claim_range(study.title, measured, repeats)
    return measured


def summarize(measured: Sequence[Measured]) -> None:
    """Print a table with one row for each number: the lowest and the highest of all items."""
    print(f"\n| Number | {' | '.join(f'{items} items' for items in SIZES)} |")
    print("|---|" + "---|" * len(SIZES))
    for kind in dict.fromkeys(_kind(each.name) for each in measured):
        cells = []
        for items in SIZES:
            shares = [
                100 * each.share
                for each in measured
                if each.share is not None and (_kind(each.name), each.items) == (kind, items)
            ]
            ends = (f"{min(shares):.1f}", f"{max(shares):.1f}") if shares else ("—",)
            cells.append(" to ".join(dict.fromkeys(ends)))
        if set(cells) != {"—"}:
            print(f"| {kind} | {' | '.join(cells)} |")


def _kind(name: str) -> str:
    """The number without the label it is about."""
    first, _, rest = name.partition(":")
    return name if rest.startswith(" ") and first != "share" else first


def claim_range(title: str, measured: Sequence[Measured], repeats: int) -> None:
    """A row for the lowest and one for the highest of a kind of items, so the table stays short."""
    known = sorted((each.share, each) for each in measured if each.share is not None)
    for word, (share, each) in (("lowest", known[0]), ("highest", known[-1])):
        claim(
            f"95 % intervals of {title}, {repeats:,} times: {word} of {len(known)} "
            f"({each.name}, {each.items} items)",
            100 * share,
            "%",
            at_most=100 * BAR[1],
            at_least=100 * BAR[0],
        )


def _cell(share: float | None) -> str:
    if share is None:
        return "     — "
    return f"{100 * share:6.1f}{' ' if BAR[0] <= share <= BAR[1] else '*'}"


def _shown(estimate: Any) -> Found:
    return Found(estimate.value, estimate.low, estimate.high)


def _of(sample: Callable[..., Any], *given: Any) -> Callable[[np.random.Generator, int], Any]:
    return lambda rng, items: sample(rng, items, *given)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--only", default="", help="only kinds of items with this word")
    asked = parser.parse_args()
    print(f"{asked.repeats} repetitions, nominal 95 %, bar {BAR[0]:.0%} to {BAR[1]:.0%}")
    print(f"number, truth, and contained of {', '.join(map(str, SIZES))} items")
    asked_for = [study for study in studies() if asked.only in study.title]
    summarize([each for study in asked_for for each in report(study, asked.repeats)])


if __name__ == "__main__":
    main()
