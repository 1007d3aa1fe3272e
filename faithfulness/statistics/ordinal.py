"""Agreement on an ordinal scale, from a table of counts: how far apart, how well in step.

Labels stand at 0, 1, 2… in the declared order. Tables, batches and nan are as in `coefficients`.
"""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from faithfulness.statistics.coefficients import WEIGHTED, Numbers, Tables, ratio
from faithfulness.statistics.tables import PairTables


def differences(tables: PairTables) -> dict[int, int]:
    """Units by how many steps the judge lies above the reference, from -(K-1) to K-1."""
    total, size = tables.total, len(tables.values)
    # The diagonal `step` of a table holds the pairs whose column is that far right of the row.
    return {step: int(np.trace(total, offset=step)) for step in range(1 - size, size)}


class Scores(Tables):
    """A batch of tables on an ordinal scale, with the moments and orders of the two sides."""

    @cached_property
    def positions(self) -> Numbers:
        return np.arange(self.size, dtype=np.float64)

    @cached_property
    def apart(self) -> Numbers:
        """Judge minus reference in every cell."""
        return np.subtract.outer(self.positions, self.positions).T

    @cached_property
    def mean_squares(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """Of the two-way analysis of variance: between units, within, between sides, residual."""
        apart, together = self.apart, np.add.outer(self.positions, self.positions)
        free = np.where(self.units > 1, self.units - 1, np.nan)
        within = self.observed(apart**2) / 2
        sides = self.units * self.observed(apart) ** 2 / 2
        return self._spread(together) / (2 * free), within, sides, self._spread(apart) / (2 * free)

    @cached_property
    def ordered_pairs(self) -> tuple[Numbers, Numbers]:
        """Pairs of units that both sides put in the same order, and in opposite order."""
        return _pairs_in_order(self.counts), _pairs_in_order(self.counts[..., ::-1])

    def correlation(self, reference: Numbers, judge: Numbers) -> Numbers:
        """The product-moment correlation when labels stand at these places, (..., K) each."""
        centred = reference - ratio((self.reference * reference).sum(-1), self.units)[..., None]
        centred_too = judge - ratio((self.judge * judge).sum(-1), self.units)[..., None]
        together = ((self.counts @ centred_too[..., None])[..., 0] * centred).sum(-1)
        spread = (self.reference * centred**2).sum(-1) * (self.judge * centred_too**2).sum(-1)
        return ratio(together, np.sqrt(np.maximum(spread, 0)))

    def _spread(self, places: Numbers) -> Numbers:
        """The sum of squares around the mean, of a whole number in every cell.

        Whole numbers throughout, divided once: no spread is exactly 0, not nearly.
        """
        square = self.units * self.weighed(places**2) - self.weighed(places) ** 2
        return ratio(square, self.units)


def _pairs_in_order(counts: Numbers) -> Numbers:
    """Pairs of units of which one has both the higher row and the higher column."""
    reached = counts[..., ::-1, ::-1].cumsum(-1).cumsum(-2)[..., ::-1, ::-1]
    found: Numbers = (counts[..., :-1, :-1] * reached[..., 1:, 1:]).sum(axis=(-1, -2))
    return found


def _midranks(uses: Numbers) -> Numbers:
    """The middle rank of each label's units, up to a constant that no formula here sees."""
    found: Numbers = uses.cumsum(axis=-1) - uses / 2
    return found


def alpha_ordinal(scores: Scores) -> Numbers:
    """Krippendorff's alpha with his ordinal metric: distance in pooled ranks, not in steps."""
    uses = scores.reference + scores.judge
    ranks = _midranks(uses)
    labels = 2 * scores.units
    centred = ranks - ratio((uses * ranks).sum(-1), labels)[..., None]
    squares = (centred[..., :, None] - centred[..., None, :]) ** 2
    disagreed = ratio((scores.counts * squares).sum(axis=(-1, -2)), scores.units)
    by_chance = ratio(2 * (uses * centred**2).sum(-1), labels - 1)
    return 1 - ratio(disagreed, by_chance)


def within_one(scores: Scores) -> Numbers:
    return scores.observed((np.abs(scores.apart) <= 1).astype(np.float64))


def mean_difference(scores: Scores) -> Numbers:
    """How many steps the judge lies above the reference on average."""
    return ratio((scores.judge - scores.reference) @ scores.positions, scores.units)


def sd_difference(scores: Scores) -> Numbers:
    residual: Numbers = np.sqrt(np.maximum(2 * scores.mean_squares[3], 0))
    return residual


def mae(scores: Scores) -> Numbers:
    return scores.observed(np.abs(scores.apart))


def pearson(scores: Scores) -> Numbers:
    places = np.broadcast_to(scores.positions, scores.reference.shape)
    return scores.correlation(places, places)


def spearman(scores: Scores) -> Numbers:
    return scores.correlation(_midranks(scores.reference), _midranks(scores.judge))


def tau_b(scores: Scores) -> Numbers:
    """Kendall's tau with its correction for ties."""
    same, opposite = scores.ordered_pairs
    untied = (scores.units**2 - (scores.reference**2).sum(-1)) / 2
    untied_too = (scores.units**2 - (scores.judge**2).sum(-1)) / 2
    return ratio(same - opposite, np.sqrt(np.maximum(untied * untied_too, 0)))


def gamma(scores: Scores) -> Numbers:
    """Goodman and Kruskal's gamma: tau without the pairs that either side ties."""
    same, opposite = scores.ordered_pairs
    return ratio(same - opposite, same + opposite)


def icc_1_1(scores: Scores) -> Numbers:
    """Shrout and Fleiss (1979), case 1: sides are drawn anew for every unit."""
    between, within, _, _ = scores.mean_squares
    return ratio(between - within, between + within)


def icc_2_1(scores: Scores) -> Numbers:
    """Shrout and Fleiss (1979), case 2: a constant difference between the sides is error."""
    between, _, sides, residual = scores.mean_squares
    shifted = ratio(2 * (sides - residual), scores.units)
    return ratio(between - residual, between + residual + shifted)


def icc_3_1(scores: Scores) -> Numbers:
    """Shrout and Fleiss (1979), case 3: a constant difference between the sides is forgiven."""
    between, _, _, residual = scores.mean_squares
    return ratio(between - residual, between + residual)


ON_SCORES: Mapping[str, Callable[[Scores], Numbers]] = {
    **WEIGHTED,
    "alpha_ordinal": alpha_ordinal,
    "within_one": within_one,
    "mean_difference": mean_difference,
    "sd_difference": sd_difference,
    "mae": mae,
    "pearson": pearson,
    "spearman": spearman,
    "tau_b": tau_b,
    "gamma": gamma,
    "icc_1_1": icc_1_1,
    "icc_2_1": icc_2_1,
    "icc_3_1": icc_3_1,
}
