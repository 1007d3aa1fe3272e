"""Compare judge-rater agreement with rater-rater agreement, the ceiling for a judge.

A comparison of a judge with the majority of raters favors the judge over one rater compared with
another, because a majority makes fewer errors than its members. Both numbers are therefore
computed in the same way: pairs of labels on units labeled by the judge and at least two raters.
"""

from dataclasses import dataclass

import numpy as np

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.intervals import Range, compute_item_intervals
from faithfulness.statistics.tables import Numbers, Ratings

FEWEST_RATERS = 2
_RANGES = {
    "judge_with_raters": Range.SHARE,
    "raters_with_raters": Range.SHARE,
    "judge_below_raters": Range.DIFFERENCE,
}
_FEW = "no unit was labelled by the judge and by two raters"


def compute_ceiling(ratings: Ratings, judge: Author, *, level: float = 0.95) -> "Ceiling":
    """How often the judge and a rater say the same, how often two raters do, and the difference.

    Args:
        ratings: The labels of the raters and of the judge; a judge who is a rater is no rater here.
        judge: Who is compared with the raters.
        level: How often the intervals contain the truth.
    """
    raters = [
        place
        for place, author in enumerate(ratings.authors)
        if author.kind is AuthorKind.RATER and author != judge
    ]
    if judge not in ratings.authors or len(raters) < FEWEST_RATERS:
        return _make_empty_ceiling(len(raters))
    sums, units = _count_pairs_by_item(ratings, ratings.authors.index(judge), raters)
    items = int(np.count_nonzero(units))
    if not items:
        return _make_empty_ceiling(len(raters))
    found = _compute_shares(sums.sum(axis=0)[None])
    bounds = compute_item_intervals(sums, _compute_shares, _RANGES, level=level)
    made = {
        name: Estimate(
            name=name,
            value=float(values[0]),
            low=bounds[name].low,
            high=bounds[name].high,
            items=items,
            units=int(units.sum()),
            reason=bounds[name].reason,
        )
        for name, values in found.items()
    }
    return Ceiling(
        judge=made["judge_with_raters"],
        raters=made["raters_with_raters"],
        difference=made["judge_below_raters"],
        raters_n=len(raters),
    )


def _count_pairs_by_item(
    ratings: Ratings, judge: int, raters: list[int]
) -> tuple[Numbers, Numbers]:
    """Equal pairs and pairs, of judge and rater, then of rater and rater; and units, by item."""
    people, machine = ratings.codes[:, raters], ratings.codes[:, judge]
    said = people >= 0
    many = said.sum(axis=1).astype(np.float64)
    usable = (machine >= 0) & (many >= FEWEST_RATERS)
    equal = ((people == machine[:, None]) & said).sum(axis=1)
    votes = np.stack([(people == label).sum(axis=1) for label in range(len(ratings.values))], 1)
    alike = (votes * (votes - 1)).sum(axis=1) / 2
    columns = np.column_stack([equal, many, alike, many * (many - 1) / 2])
    weight = np.where(usable, ratings.counts, 0).astype(np.float64)
    _, item = np.unique(ratings.items, return_inverse=True)
    sums = [np.bincount(item, weights=column * weight) for column in columns.T]
    return np.column_stack(sums), np.bincount(item, weights=weight).astype(np.float64)


def _compute_shares(sums: Numbers) -> dict[str, Numbers]:
    with np.errstate(invalid="ignore", divide="ignore"):
        judge, raters = sums[:, 0] / sums[:, 1], sums[:, 2] / sums[:, 3]
    return {
        "judge_with_raters": judge,
        "raters_with_raters": raters,
        "judge_below_raters": judge - raters,
    }


def _make_empty_ceiling(raters: int) -> "Ceiling":
    reason = _FEW if raters >= FEWEST_RATERS else f"it takes at least {FEWEST_RATERS} raters"
    empty = Estimate(name="", value=None, low=None, high=None, items=0, units=0, reason=reason)
    return Ceiling(judge=empty, raters=empty, difference=empty, raters_n=raters)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ceiling:
    """A judge beside the raters, on the same units.

    Attributes:
        judge: Share of pairs of the judge and a rater with the same label.
        raters: Share of pairs of two raters with the same label.
        difference: The first minus the second, with the interval of the difference itself.
        raters_n: How many raters there are.
    """

    judge: Estimate
    raters: Estimate
    difference: Estimate
    raters_n: int
