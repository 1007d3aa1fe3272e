"""The alt-test: test whether a judge can replace a rater.

Every rater in turn is compared with the judge: which of the two is closer to the remaining raters
on a unit (Calderon, Reichart and Dror 2025)? The judge wins against a rater if the share of units
on which it is at least as close significantly exceeds the rater's share minus `epsilon`, a reward
for its lower cost. It passes if it wins against at least half of the raters. Units of one item are
not independent, so the test aggregates by item; with one unit per item it is the published t test.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.intervals import Range, compute_item_intervals
from faithfulness.statistics.many_tests import benjamini_yekutieli
from faithfulness.statistics.raters.rater_sums import Codes, find_distinct_patterns
from faithfulness.statistics.student import t_below
from faithfulness.statistics.tables import Numbers, Ratings

EPSILON = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
FEWEST_ITEMS = 30  # per rater; with fewer the t test does not hold
FEWEST_RATERS = 2  # besides the judge; the published advice is three
WINS_AT_LEAST = 0.5
_RANGES = {
    "judge_as_close": Range.SHARE,
    "rater_as_close": Range.SHARE,
    "rater_ahead": Range.DIFFERENCE,
}


def alt_test(
    ratings: Ratings,
    judge: Author,
    *,
    epsilon: float,
    raters: Sequence[Author] | None = None,
    false_alarms: float = 0.05,
    fewest_items: int = FEWEST_ITEMS,
) -> "AltTest":
    """Whether the judge may stand in for the raters, with one row per rater.

    Args:
        ratings: The labels of the judge and of the raters.
        judge: Who is to stand in.
        epsilon: By how much a rater may be better and still be replaced: 0.2 for experts, 0.15
            for skilled raters, 0.1 for a crowd. It decides the result, so it is shown with it.
        raters: Whom to compare with; all authors that are people where left out.
        false_alarms: The share of wins that may be false, over all raters (Benjamini-Yekutieli).
        fewest_items: Items a rater must share with the judge and with another rater.
    """
    people = [author for author in ratings.authors if author.kind is AuthorKind.RATER]
    chosen = [author for author in (people if raters is None else raters) if author != judge]
    missing = [author.name for author in (judge, *chosen) if author not in ratings.authors]
    if missing:
        return _make_undecided(epsilon, (), f"{', '.join(missing)} labelled nothing here")
    if len(chosen) < FEWEST_RATERS:
        return _make_undecided(epsilon, (), f"it takes at least {FEWEST_RATERS} raters")
    rows, columns, units = _compare_with_raters(
        ratings, judge, chosen, epsilon=epsilon, fewest_items=fewest_items
    )
    tested = [place for place, row in enumerate(rows) if row.p is not None]
    if not tested:
        return _make_undecided(epsilon, tuple(rows), _explain_too_few(fewest_items))
    corrected = benjamini_yekutieli([row.p for row in rows if row.p is not None])
    for place, p in zip(tested, corrected, strict=True):
        rows[place] = replace(rows[place], corrected_p=float(p), wins=bool(p <= false_alarms))
    winning = sum(rows[place].wins is True for place in tested) / len(tested)
    return AltTest(
        winning_rate=winning,
        **_average_over_raters(columns, units),
        passes=winning >= WINS_AT_LEAST,
        epsilon=epsilon,
        rows=tuple(rows),
        reason="" if len(tested) > 2 else "rests on fewer than three raters: read it with care",
    )


def _compare_with_raters(
    ratings: Ratings, judge: Author, raters: Sequence[Author], *, epsilon: float, fewest_items: int
) -> tuple[list["AgainstRater"], list[Numbers], int]:
    """The judge against each rater; columns of those who are tested, and their units.

    The columns of a rater, by item: units on which the judge is as close as the rater, units on
    which the rater is as close as the judge, units.
    """
    order = [ratings.authors.index(author) for author in (judge, *raters)]
    patterns, place = find_distinct_patterns(ratings.codes[:, order], len(ratings.values))
    _, item = np.unique(ratings.items, return_inverse=True)
    machine, people = patterns[:, 0], patterns[:, 1:]
    usable = (machine >= 0) & ((people >= 0).sum(axis=1) >= FEWEST_RATERS)
    rows: list[AgainstRater] = []
    columns: list[Numbers] = []
    tested = np.zeros(len(patterns), np.bool_)
    for column, author in enumerate(raters):
        own, others = people[:, column], np.delete(people, column, axis=1)
        counted = usable & (own >= 0)
        mine = np.where(counted[place], ratings.counts, 0).astype(np.float64)
        units = np.bincount(item, weights=mine).astype(np.float64)
        items = int(np.count_nonzero(units))
        row = AgainstRater(author=author, items=items, units=int(units.sum()))
        if items < fewest_items:
            rows.append(replace(row, reason=_explain_too_few(fewest_items)))
            continue
        near = _compute_closeness(machine, others, ordinal=ratings.ordinal)
        theirs = _compute_closeness(own, others, ordinal=ratings.ordinal)
        judge_wins = np.bincount(item, weights=(near >= theirs)[place] * mine).astype(np.float64)
        rater_wins = np.bincount(item, weights=(theirs >= near)[place] * mine).astype(np.float64)
        columns += [judge_wins, rater_wins, units]
        tested |= counted
        rows.append(
            replace(
                row,
                judge_as_close=float(judge_wins.sum() / units.sum()),
                rater_as_close=float(rater_wins.sum() / units.sum()),
                p=_compute_p_value(rater_wins - judge_wins, units, epsilon),
            )
        )
    return rows, columns, int(ratings.counts[tested[place]].sum())


def _average_over_raters(columns: Sequence[Numbers], units: int) -> dict[str, Estimate]:
    """How often judge and rater are as close as the other, as means over raters, with intervals."""
    cells = np.column_stack(columns)

    def shares(totals: Numbers) -> dict[str, Numbers]:
        with np.errstate(invalid="ignore", divide="ignore"):
            judge = (totals[:, 0::3] / totals[:, 2::3]).mean(axis=1)
            rater = (totals[:, 1::3] / totals[:, 2::3]).mean(axis=1)
        return {"judge_as_close": judge, "rater_as_close": rater, "rater_ahead": rater - judge}

    bounds = compute_item_intervals(cells, shares, _RANGES)
    return {
        name: Estimate(
            name=name,
            value=float(values[0]),
            low=bounds[name].low,
            high=bounds[name].high,
            items=int(np.count_nonzero(cells[:, 2::3].sum(axis=1))),
            units=units,
            reason=bounds[name].reason,
        )
        for name, values in shares(cells.sum(axis=0)[None]).items()
    }


def _compute_closeness(given: Codes, others: Codes, *, ordinal: bool) -> Numbers:
    """How close a label is to those of the others; on a scale by the root of squared steps."""
    said = others >= 0
    many = np.maximum(said.sum(axis=1), 1)
    if ordinal:
        steps = np.where(said, given[:, None].astype(np.float64) - others, 0.0)
        # Squares in place of roots: the order is the same, and ties stay exact.
        return np.asarray(-(steps**2).sum(axis=1) / many)
    return np.asarray(((given[:, None] == others) & said).sum(axis=1) / many)


def _compute_p_value(ahead: Numbers, units: Numbers, epsilon: float) -> float:
    """The p of "the rater is better by epsilon or more", from sums per item."""
    kept = units > 0
    ahead, units = ahead[kept], units[kept]
    items, total = len(units), units.sum()
    mean = ahead.sum() / total
    rest = ahead - mean * units
    error = np.sqrt(items / (items - 1) * (rest**2).sum()) / total
    if error <= 1e-12:
        return float(mean >= epsilon)
    return t_below(float((mean - epsilon) / error), items - 1)


def _explain_too_few(fewest_items: int) -> str:
    return f"fewer than {fewest_items} items with the judge, the rater and another rater"


def _make_undecided(epsilon: float, rows: tuple["AgainstRater", ...], reason: str) -> "AltTest":
    empty = Estimate(name="", value=None, low=None, high=None, items=0, units=0, reason=reason)
    return AltTest(
        winning_rate=None,
        judge_as_close=empty,
        rater_as_close=empty,
        rater_ahead=empty,
        passes=None,
        epsilon=epsilon,
        rows=rows,
        reason=reason,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class AgainstRater:
    """The judge against one rater.

    Attributes:
        author: The rater.
        items: Items with the judge, this rater and another one.
        units: Units of those items.
        judge_as_close: Share of units where the judge is at least as close to the other raters.
        rater_as_close: Share of units where this rater is.
        p: How surely the rater is not better by epsilon; small means the judge wins.
        corrected_p: The same, corrected for the number of raters.
        wins: Whether the judge wins.
        reason: Why there is no test, in plain words.
    """

    author: Author
    items: int
    units: int
    judge_as_close: float | None = None
    rater_as_close: float | None = None
    p: float | None = None
    corrected_p: float | None = None
    wins: bool | None = None
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class AltTest:
    """Whether a judge may stand in for a rater.

    Attributes:
        winning_rate: Share of the tested raters the judge wins against; None without a test.
        judge_as_close: Share of units where the judge is at least as close to the other raters as
            the rater is (advantage probability), mean over the tested raters.
        rater_as_close: The same of the rater.
        rater_ahead: The second minus the first, with the interval of the difference itself.
        passes: Whether it wins against at least half of them.
        epsilon: The reward that decided, to be shown with the result.
        rows: One per rater.
        reason: Why there is no result, or why to doubt it, in plain words.
    """

    winning_rate: float | None
    judge_as_close: Estimate
    rater_as_close: Estimate
    rater_ahead: Estimate
    passes: bool | None
    epsilon: float
    rows: tuple[AgainstRater, ...]
    reason: str = ""
