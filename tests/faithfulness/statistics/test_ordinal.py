"""Scores: distances, correlations and intraclass correlations against their definitions."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays
from scipy import stats

from faithfulness.statistics.agreement import compute_pair_values
from faithfulness.statistics.coefficients import count_differences
from faithfulness.statistics.tables import count_pairs

FOUR = tuple("1234")
calmly = settings(deadline=None, max_examples=60)  # a busy machine is no failure
tables_of_four = arrays.arrays(np.int64, (4, 4), elements=some.integers(0, 3)).filter(
    lambda table: table.sum() > 1
)


def scores_of(table):
    first, second = np.indices(table.shape).reshape(2, -1)
    return np.repeat(first, table.ravel()), np.repeat(second, table.ravel())


@calmly
@given(tables_of_four)
def test_distances_are_those_of_the_scores(table):
    first, second = scores_of(table)
    found = compute_pair_values(table, FOUR, True)
    apart = second - first
    assert found["mean_difference"] == pytest.approx(apart.mean())
    assert found["sd_difference"] == pytest.approx(apart.std(ddof=1), abs=1e-9)
    assert found["mae"] == pytest.approx(np.abs(apart).mean())
    assert found["within_one"] == pytest.approx((np.abs(apart) <= 1).mean())


@calmly
@given(tables_of_four)
def test_correlations_are_those_of_scipy(table):
    first, second = scores_of(table)
    found = compute_pair_values(table, FOUR, True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        expected = {
            "pearson": stats.pearsonr(first, second).statistic,
            "spearman": stats.spearmanr(first, second).statistic,
            "tau_b": stats.kendalltau(first, second).statistic,
        }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, nan_ok=True, abs=1e-9)


@calmly
@given(tables_of_four)
def test_gamma_counts_pairs_in_order(table):
    pairs = itertools.combinations(zip(*scores_of(table), strict=True), 2)
    signs = [np.sign((a - c) * (b - d)) for (a, b), (c, d) in pairs]
    ordered = sum(map(abs, signs))
    expected = sum(signs) / ordered if ordered else np.nan
    assert compute_pair_values(table, FOUR, True)["gamma"] == pytest.approx(expected, nan_ok=True)


@calmly
@given(tables_of_four)
def test_weighted_kappa_is_one_minus_observed_over_chance_distance(table):
    first, second = scores_of(table)
    found = compute_pair_values(table, FOUR, True)
    for name, power in (("kappa_linear", 1), ("kappa_quadratic", 2)):
        chance = (np.abs(first[:, None] - second) ** power).mean()
        observed = (np.abs(first - second) ** power).mean()
        expected = 1 - observed / chance if chance else np.nan
        assert found[name] == pytest.approx(expected, nan_ok=True, abs=1e-9)


@calmly
@given(tables_of_four)
def test_alphas_are_one_minus_observed_over_chance_distance(table):
    first, second = scores_of(table)
    pooled = np.concatenate([first, second])
    uses = np.bincount(pooled, minlength=4)

    def ordinal(low, high):
        # Krippendorff (2011): all values from one to the other, the two ends counted half.
        low, high = min(low, high), max(low, high)
        return (uses[low : high + 1].sum() - (uses[low] + uses[high]) / 2) ** 2 * (low != high)

    found = compute_pair_values(table, FOUR, True)
    for name, distance in (
        ("alpha_interval", lambda a, b: (a - b) ** 2),
        ("alpha_ordinal", ordinal),
    ):
        observed = np.mean([distance(a, b) for a, b in zip(first, second, strict=True)])
        chance = np.mean([distance(a, b) for a, b in itertools.permutations(pooled, 2)])
        expected = 1 - observed / chance if chance else np.nan
        assert found[name] == pytest.approx(expected, nan_ok=True, abs=1e-9)


@calmly
@given(tables_of_four)
def test_intraclass_correlations_are_those_of_the_analysis_of_variance(table):
    scores = np.stack(scores_of(table), axis=1).astype(float)
    units = len(scores)
    by_unit, by_side = scores.mean(axis=1), scores.mean(axis=0)
    between = 2 * ((by_unit - scores.mean()) ** 2).sum() / (units - 1)
    within = ((scores - by_unit[:, None]) ** 2).sum() / units
    sides = units * ((by_side - scores.mean()) ** 2).sum()
    residual = (within * units - sides) / (units - 1)
    expected = {
        "icc_1_1": (between - within, between + within),
        "icc_2_1": (between - residual, between + residual + 2 * (sides - residual) / units),
        "icc_3_1": (between - residual, between + residual),
    }
    found = compute_pair_values(table, FOUR, True)
    for name, (above, below) in expected.items():
        if below > 1e-9:
            assert found[name] == pytest.approx(above / below, abs=1e-6)
        else:
            assert np.isnan(found[name])


def test_constant_leniency_hides_from_correlation_and_shows_in_agreement():
    # The judge gives every unit one point more: 1->2, 2->3, 3->4, ten of each.
    table = np.zeros((4, 4))
    table[[0, 1, 2], [1, 2, 3]] = 10
    found = compute_pair_values(table, FOUR, True)
    assert found["spearman"] == pytest.approx(1)
    assert found["icc_3_1"] == pytest.approx(1)
    assert found["mean_difference"] == 1
    assert found["percent"] == 0
    # Variance of each side 2/3; MSR = 2 * 20/29, MSE = 0, MSC = 15:
    # ICC(2,1) = 40/29 / (40/29 + 2 * 15 / 30) = (40/29) / (69/29) = 40/69.
    assert found["icc_2_1"] == pytest.approx(40 / 69)


def test_differences_are_counted_step_by_step():
    tables = count_pairs(
        FOUR,
        True,
        items=[1, 1, 2, 3],
        reference=[0, 1, 3, 2],
        judge=[0, 2, 0, 3],
        counts=[5, 2, 1, 4],
    )
    assert count_differences(tables) == {-3: 1, -2: 0, -1: 0, 0: 5, 1: 6, 2: 0, 3: 0}
