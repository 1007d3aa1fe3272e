"""Agreement coefficients and per-label scores, computed from tables of counts.

Every function takes tables with any leading batch axes, (..., K, K), with the reference's labels as
rows and the judge's as columns, and returns one number per table; nan means undefined.

Chance agreement uses only labels that occur, not all declared ones. Otherwise every additional
declared label would raise AC1, AC2 and Brennan and Prediger's coefficient on the same data.
"""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.tables import PairTables

Numbers = npt.NDArray[np.float64]

_CERTAIN = 1e-12  # chance agreement so close to 1 is both sides using the same single label


def divide(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Numbers:
    """The quotient; nan where the denominator is 0."""
    below = np.asarray(denominator, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Numbers = np.where(below != 0, np.asarray(numerator, np.float64) / below, np.nan)
    return found


def chance_corrected(observed: Numbers, expected: Numbers | float) -> Numbers:
    """The share of the agreement beyond chance that was reached; nan where chance leaves none."""
    beyond = 1 - np.asarray(expected, np.float64)
    return divide(observed - expected, np.where(beyond > _CERTAIN, beyond, 0))


def build_credit_matrix(size: int, kind: str) -> Numbers:
    """How much two labels of a declared scale agree: 1 for the same, less the further apart.

    Args:
        size: Labels on the scale, used or not.
        kind: "identity", "linear" or "quadratic".
    """
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) / max(size - 1, 1)
    lost = {"identity": np.ceil(apart), "linear": apart, "quadratic": apart**2}[kind]
    return np.asarray(1 - lost, np.float64)


class TableBatch:
    """A batch of tables with the sums that several formulas share, each computed once."""

    def __init__(self, tables: npt.ArrayLike, used: npt.ArrayLike | None = None) -> None:
        """Take the counts and the labels that occur.

        Args:
            tables: The counts, (..., K, K).
            used: Whether each label occurs, (K,). For resamples and slices it is what occurs in
                the comparison they belong to; where left out, what occurs in each table itself.
        """
        self.counts: Numbers = np.asarray(tables, np.float64)
        self.size = self.counts.shape[-1]
        self._used = used

    @cached_property
    def units(self) -> Numbers:
        found: Numbers = self.reference.sum(axis=-1)
        return found

    @cached_property
    def reference(self) -> Numbers:
        """How often the reference uses each label."""
        found: Numbers = self.counts.sum(axis=-1)
        return found

    @cached_property
    def judge(self) -> Numbers:
        """How often the judge uses each label."""
        found: Numbers = self.counts.sum(axis=-2)
        return found

    @cached_property
    def pooled(self) -> Numbers:
        """Each label's share among all labels given by either side."""
        return divide(self.reference + self.judge, 2 * self.units[..., None])

    @cached_property
    def used(self) -> npt.NDArray[np.bool_]:
        """Whether each label occurs."""
        found = self.pooled > 0 if self._used is None else self._used
        return np.asarray(found, np.bool_)

    @cached_property
    def used_n(self) -> npt.NDArray[np.int64]:
        """How many labels occur."""
        return np.asarray(self.used.sum(axis=-1), np.int64)

    def among_used(self, weights: Numbers) -> Numbers:
        """The weights, (..., K, K), 0 where a label does not occur."""
        return np.where(self.used[..., :, None] & self.used[..., None, :], weights, 0.0)

    @cached_property
    def agreed(self) -> Numbers:
        """How often both sides use each label on the same unit."""
        found: Numbers = np.diagonal(self.counts, axis1=-2, axis2=-1)
        return found

    def observed(self, weights: Numbers) -> Numbers:
        """The mean credit of a unit."""
        return divide(self.weighed(weights), self.units)

    def weighed(self, weights: Numbers) -> Numbers:
        """The sum over all cells, each times its weight, (K, K) for all tables alike."""
        flat = self.counts.reshape(*self.counts.shape[:-2], self.size**2)
        found: Numbers = flat @ weights.ravel()
        return found


def percent(tables: TableBatch) -> Numbers:
    return divide(tables.agreed.sum(axis=-1), tables.units)


def cohen_kappa(tables: TableBatch, weights: Numbers) -> Numbers:
    """Cohen (1960, 1968): by chance, each side keeps to its own shares of labels."""
    met = ((tables.reference @ weights) * tables.judge).sum(axis=-1)
    return chance_corrected(tables.observed(weights), divide(met, tables.units**2))


def scott_pi(tables: TableBatch, weights: Numbers) -> Numbers:
    """Scott (1955): by chance, both sides share one distribution of labels."""
    return chance_corrected(tables.observed(weights), _compute_pooled_chance(tables, weights))


def krippendorff_alpha(tables: TableBatch, weights: Numbers) -> Numbers:
    """Krippendorff (1970) for two authors: Scott's pi corrected for few units."""
    observed = tables.observed(weights)
    raised = observed + divide(1 - observed, 2 * tables.units)
    return chance_corrected(raised, _compute_pooled_chance(tables, weights))


def brennan_prediger(tables: TableBatch, weights: Numbers) -> Numbers:
    """Brennan and Prediger (1981): by chance, all labels that occur are equally likely."""
    even = divide(tables.among_used(weights).sum(axis=(-1, -2)), tables.used_n**2)
    return chance_corrected(tables.observed(weights), even)


def gwet_ac(tables: TableBatch, weights: Numbers) -> Numbers:
    """Gwet (2008): chance acts only on units that are hard to label; AC1, with weights AC2.

    Credit is counted from the two labels that lie furthest apart among those that occur, so that a
    scale with unused ends gives the same number as the scale without them.
    """
    if tables.size == 1:
        return np.full(tables.units.shape, np.nan)
    lost = tables.among_used(1 - weights)
    largest = lost.max(axis=(-1, -2))
    lost_by_chance = lost.sum(axis=(-1, -2)) / np.where(largest > 0, largest, 1)
    # With a single label that occurs both are 0: nothing is left to chance.
    possible = np.maximum(tables.used_n * (tables.used_n - 1), 1)
    uneven = (tables.pooled * (1 - tables.pooled)).sum(axis=-1)
    observed = 1 - (1 - tables.observed(weights)) / np.where(largest > 0, largest, 1)
    return chance_corrected(observed, (tables.used_n**2 - lost_by_chance) / possible * uneven)


def matthews(tables: TableBatch) -> Numbers:
    """Gorodkin's (2004) correlation of labels, for two labels Matthews' coefficient (MCC)."""
    squared = tables.units**2
    together = tables.agreed.sum(axis=-1) * tables.units
    spread = squared - (tables.reference**2).sum(axis=-1)
    spread = spread * (squared - (tables.judge**2).sum(axis=-1))
    by_chance = (tables.reference * tables.judge).sum(axis=-1)
    # Steps of the delta method may push a spread of 0 just below it.
    return divide(together - by_chance, np.sqrt(np.maximum(spread, 0)))


def baseline(tables: TableBatch) -> Numbers:
    """The agreement of a judge that always gives the reference's commonest label."""
    return divide(tables.reference.max(axis=-1), tables.units)


def precision(tables: TableBatch) -> Numbers:
    return divide(tables.agreed, tables.judge)


def recall(tables: TableBatch) -> Numbers:
    return divide(tables.agreed, tables.reference)


def f1(tables: TableBatch) -> Numbers:
    return divide(2 * tables.agreed, tables.reference + tables.judge)


def bias(tables: TableBatch) -> Numbers:
    """The judge's share of each label minus the reference's."""
    return divide(tables.judge - tables.reference, tables.units[..., None])


def _compute_pooled_chance(tables: TableBatch, weights: Numbers) -> Numbers:
    found: Numbers = ((tables.pooled @ weights) * tables.pooled).sum(axis=-1)
    return found


def _bind_weights(
    coefficient: Callable[[TableBatch, Numbers], Numbers], kind: str
) -> Callable[[TableBatch], Numbers]:
    return lambda tables: coefficient(tables, build_credit_matrix(tables.size, kind))


# In the order in which people read them.
ON_LABELS: Mapping[str, Callable[[TableBatch], Numbers]] = {
    "percent": percent,
    "kappa": _bind_weights(cohen_kappa, "identity"),
    "ac1": _bind_weights(gwet_ac, "identity"),
    "pi": _bind_weights(scott_pi, "identity"),
    "brennan_prediger": _bind_weights(brennan_prediger, "identity"),
    "alpha": _bind_weights(krippendorff_alpha, "identity"),
    "mcc": matthews,
    "baseline": baseline,
}
PER_LABEL: Mapping[str, Callable[[TableBatch], Numbers]] = {
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "bias": bias,
}
WEIGHTED: Mapping[str, Callable[[TableBatch], Numbers]] = {
    "kappa_linear": _bind_weights(cohen_kappa, "linear"),
    "kappa_quadratic": _bind_weights(cohen_kappa, "quadratic"),
    "ac2": _bind_weights(gwet_ac, "quadratic"),
    "alpha_interval": _bind_weights(krippendorff_alpha, "quadratic"),
}


def count_differences(tables: PairTables) -> dict[int, int]:
    """Units by how many steps the judge lies above the reference, from -(K-1) to K-1."""
    total, size = tables.total, len(tables.values)
    # The diagonal `step` of a table holds the pairs whose column is that far right of the row.
    return {step: int(np.trace(total, offset=step)) for step in range(1 - size, size)}


class Scores(TableBatch):
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
        return _count_ordered_pairs(self.counts), _count_ordered_pairs(self.counts[..., ::-1])

    def correlation(self, reference: Numbers, judge: Numbers) -> Numbers:
        """The product-moment correlation when labels stand at these places, (..., K) each."""
        centred = reference - divide((self.reference * reference).sum(-1), self.units)[..., None]
        centred_too = judge - divide((self.judge * judge).sum(-1), self.units)[..., None]
        together = ((self.counts @ centred_too[..., None])[..., 0] * centred).sum(-1)
        spread = (self.reference * centred**2).sum(-1) * (self.judge * centred_too**2).sum(-1)
        return divide(together, np.sqrt(np.maximum(spread, 0)))

    def _spread(self, places: Numbers) -> Numbers:
        """The sum of squares around the mean, of a whole number in every cell.

        Whole numbers throughout, divided once: no spread is exactly 0, not nearly.
        """
        square = self.units * self.weighed(places**2) - self.weighed(places) ** 2
        return divide(square, self.units)


def _count_ordered_pairs(counts: Numbers) -> Numbers:
    """Pairs of units of which one has both the higher row and the higher column."""
    reached = counts[..., ::-1, ::-1].cumsum(-1).cumsum(-2)[..., ::-1, ::-1]
    found: Numbers = (counts[..., :-1, :-1] * reached[..., 1:, 1:]).sum(axis=(-1, -2))
    return found


def _compute_midranks(uses: Numbers) -> Numbers:
    """The middle rank of each label's units, up to a constant that no formula here sees."""
    found: Numbers = uses.cumsum(axis=-1) - uses / 2
    return found


def alpha_ordinal(scores: Scores) -> Numbers:
    """Krippendorff's alpha with his ordinal metric: distance in pooled ranks, not in steps."""
    uses = scores.reference + scores.judge
    ranks = _compute_midranks(uses)
    labels = 2 * scores.units
    centred = ranks - divide((uses * ranks).sum(-1), labels)[..., None]
    squares = (centred[..., :, None] - centred[..., None, :]) ** 2
    disagreed = divide((scores.counts * squares).sum(axis=(-1, -2)), scores.units)
    by_chance = divide(2 * (uses * centred**2).sum(-1), labels - 1)
    return 1 - divide(disagreed, by_chance)


def within_one(scores: Scores) -> Numbers:
    return scores.observed((np.abs(scores.apart) <= 1).astype(np.float64))


def mean_difference(scores: Scores) -> Numbers:
    """How many steps the judge lies above the reference on average."""
    return divide((scores.judge - scores.reference) @ scores.positions, scores.units)


def sd_difference(scores: Scores) -> Numbers:
    residual: Numbers = np.sqrt(np.maximum(2 * scores.mean_squares[3], 0))
    return residual


def mae(scores: Scores) -> Numbers:
    return scores.observed(np.abs(scores.apart))


def pearson(scores: Scores) -> Numbers:
    places = np.broadcast_to(scores.positions, scores.reference.shape)
    return scores.correlation(places, places)


def spearman(scores: Scores) -> Numbers:
    return scores.correlation(_compute_midranks(scores.reference), _compute_midranks(scores.judge))


def tau_b(scores: Scores) -> Numbers:
    """Kendall's tau with its correction for ties."""
    same, opposite = scores.ordered_pairs
    untied = (scores.units**2 - (scores.reference**2).sum(-1)) / 2
    untied_too = (scores.units**2 - (scores.judge**2).sum(-1)) / 2
    return divide(same - opposite, np.sqrt(np.maximum(untied * untied_too, 0)))


def gamma(scores: Scores) -> Numbers:
    """Goodman and Kruskal's gamma: tau without the pairs that either side ties."""
    same, opposite = scores.ordered_pairs
    return divide(same - opposite, same + opposite)


def icc_1_1(scores: Scores) -> Numbers:
    """Shrout and Fleiss (1979), case 1: sides are drawn anew for every unit."""
    between, within, _, _ = scores.mean_squares
    return divide(between - within, between + within)


def icc_2_1(scores: Scores) -> Numbers:
    """Shrout and Fleiss (1979), case 2: a constant difference between the sides is error."""
    between, _, sides, residual = scores.mean_squares
    shifted = divide(2 * (sides - residual), scores.units)
    return divide(between - residual, between + residual + shifted)


def icc_3_1(scores: Scores) -> Numbers:
    """Shrout and Fleiss (1979), case 3: a constant difference between the sides is forgiven."""
    between, _, _, residual = scores.mean_squares
    return divide(between - residual, between + residual)


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
