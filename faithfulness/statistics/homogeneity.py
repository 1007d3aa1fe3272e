"""Tests of marginal homogeneity: equal label shares for judge and reference."""

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.swapping import compute_swap_p
from faithfulness.statistics.tables import Numbers, PairTables

MANY = 1_000  # items that differ, above which chi-squared says the same as drawing

Test = tuple[float | None, int, float | None]
"""The statistic, its degrees of freedom and p; None, 0, None where there is nothing to test."""


def marginal_homogeneity(tables: PairTables) -> Test:
    """Whether both sides use every label equally often: a permutation test over items.

    Sentences of one item are alike, so items are what varies here: a test over sentences, such as
    Stuart and Maxwell's, rejects equal judges five times too often. Few items decide nothing: of
    eight that differ all ways round are 256, so that p cannot be below 2 of 256. Chi-squared, which
    knows no such bound, counts only where the items are many.
    """
    more = _compute_label_surplus(tables)
    if len(more) < 2:
        return None, 0, None
    statistic, freedom, p = _wald(more.sum(axis=0), more.T @ more)
    if len(more) > MANY:
        return statistic, freedom, p
    inverse = np.linalg.pinv(more.T @ more, hermitian=True)

    def apart(moved: Numbers) -> dict[str, Numbers]:
        total = more.sum(axis=0) + moved
        return {"apart": np.einsum("wi,ij,wj->w", total, inverse, total)}

    return statistic, freedom, compute_swap_p(-2 * more, apart)["apart"]


def count_differing_items(tables: PairTables) -> int:
    """On how many items one side uses a label more often: those that such a test is about."""
    return len(_compute_label_surplus(tables))


def _compute_label_surplus(tables: PairTables) -> npt.NDArray[np.int64]:
    """By how much the judge has more of each label, of items with a difference.

    An item with equal counts is the same either way round.
    """
    size = len(tables.values)
    counts = tables.cells.reshape(-1, size, size)
    more: npt.NDArray[np.int64] = counts.sum(axis=1, dtype=np.int64)
    more = more - counts.sum(axis=2, dtype=np.int64)
    return more[more.any(axis=1)]


def stuart_maxwell(table: npt.ArrayLike) -> Test:
    """The same question over units, as if each were an item of its own (Stuart 1955)."""
    counts = np.asarray(table, np.float64)
    reference, judge = counts.sum(axis=1), counts.sum(axis=0)
    spread = np.diag(reference + judge) - counts - counts.T
    return _wald(judge - reference, spread)


def bowker(table: npt.ArrayLike) -> Test:
    """Whether every confusion is as common as its reverse, over units (Bowker 1948)."""
    counts = np.asarray(table, np.float64)
    upper = np.triu_indices(len(counts), 1)
    there, back = counts[upper], counts.T[upper]
    met = there + back > 0
    statistic = float(((there - back)[met] ** 2 / (there + back)[met]).sum())
    return _add_p_value(statistic, int(met.sum()))


def mcnemar(table: npt.ArrayLike) -> tuple[float | None, float | None, float | None]:
    """For two labels over units: chi-squared, the same with continuity correction, the exact p."""
    from scipy.special import bdtr  # here, because its import takes longer than most pages

    counts = np.asarray(table, np.float64)
    there, back = float(counts[0, 1]), float(counts[1, 0])
    confused = there + back
    if not confused:
        return None, None, None
    exact = min(1.0, 2 * float(bdtr(min(there, back), int(confused), 0.5)))
    apart = abs(there - back)
    return apart**2 / confused, max(apart - 1, 0) ** 2 / confused, exact


def _wald(difference: npt.NDArray[np.number], spread: npt.NDArray[np.number]) -> Test:
    # The differences add up to 0, and a label that nobody confuses adds nothing: the rank says how
    # many of them can vary, and the pseudo-inverse leaves out the others.
    rank = int(np.linalg.matrix_rank(spread, hermitian=True))
    inverse = np.linalg.pinv(spread, hermitian=True)
    return _add_p_value(float(difference @ inverse @ difference), rank)


def _add_p_value(statistic: float, freedom: int) -> Test:
    if not freedom:
        return None, 0, None
    from scipy.special import gammaincc  # here, because its import takes longer than most pages

    return statistic, freedom, float(gammaincc(freedom / 2, statistic / 2))
