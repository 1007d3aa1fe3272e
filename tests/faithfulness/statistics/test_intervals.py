"""Intervals cover the truth as often as they say, and are missing where none is honest."""

import numpy as np
import pytest
from scipy import special

from faithfulness.statistics.intervals import FEWEST_ITEMS, Range, compute_mean_interval


def test_no_items_have_no_mean():
    found = compute_mean_interval([])
    assert (found.value, found.low, found.high, found.counted) == (None, None, None, 0)


def test_few_items_have_a_mean_and_no_interval():
    found = compute_mean_interval([0.0, 1.0] * 9 + [1.0])
    assert found.counted == FEWEST_ITEMS - 1
    assert found.value == 10 / 19
    assert found.low is None
    assert found.high is None


def test_equal_items_have_no_interval():
    found = compute_mean_interval([1.0], [60])
    assert (found.value, found.low, found.high, found.counted) == (1.0, None, None, 60)


def test_histogram_and_single_values_say_the_same():
    rng = np.random.default_rng(1)
    values = rng.integers(1, 6, 200)
    distinct, counts = np.unique(values, return_counts=True)
    assert compute_mean_interval(values) == compute_mean_interval(distinct, counts)
    assert compute_mean_interval(values) == compute_mean_interval(values[::-1])
    # A value listed twice is one value, and one that occurs in no item is none.
    assert compute_mean_interval([1, 1, 2, 9], [10, 5, 15, 0]) == compute_mean_interval(
        [1, 2], [15, 15]
    )


def test_value_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="not a number"):
        compute_mean_interval([0.5, float("nan")])


@pytest.mark.parametrize("truth", [0.5, 0.85])
def test_interval_covers_the_truth_nineteen_times_in_twenty(truth):
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(300):
        # Eight sentences an item, harder and easier items: what shares of labels look like.
        ease = rng.beta(8 * truth, 8 * (1 - truth), 60)
        found = compute_mean_interval(rng.binomial(8, ease) / 8)
        hits += found.low <= truth <= found.high
    assert 0.90 <= hits / 300 <= 0.99


def test_mean_of_shares_has_the_interval_of_wilson():
    found = compute_mean_interval([0.0, 1.0], [10, 30])
    # The error over items, with Bessel's correction, is that of 39 independent units.
    quantile = float(special.stdtrit(39, 0.975))
    for end in (found.low, found.high):
        assert (end - 0.75) ** 2 == pytest.approx(quantile**2 * end * (1 - end) / 39, rel=1e-6)


def test_interval_of_shares_stays_between_0_and_1():
    found = compute_mean_interval([0.0, 1.0], [1, 99])
    assert 0.8 < found.low < 0.99 < found.high < 1


def test_mean_of_scores_has_the_interval_of_student():
    rng = np.random.default_rng(5)
    scores = rng.normal(3, 1, 400)
    found = compute_mean_interval(scores)
    error = scores.std(ddof=1) / 20
    assert found.high - found.value == pytest.approx(1.966 * error, rel=2e-3)
    assert found.value - found.low == pytest.approx(found.high - found.value)


def test_differences_between_0_and_1_are_no_shares():
    steps = np.linspace(0.1, 0.9, 30) ** 2
    as_shares, as_steps = (
        compute_mean_interval(steps),
        compute_mean_interval(steps, within=Range.DIFFERENCE),
    )
    assert as_steps.high - as_steps.value == pytest.approx(as_steps.value - as_steps.low)
    assert as_shares.high - as_shares.value > as_shares.value - as_shares.low


def test_many_items_have_the_usual_normal_interval():
    found = compute_mean_interval([0.0, 1.0], [20_000, 20_000])
    # Standard error 0.5 / sqrt(40000) = 0.0025; 1.959964 times that is 0.0049.
    assert found.low == pytest.approx(0.5 - 0.0049, abs=1e-6)
    assert found.high == pytest.approx(0.5 + 0.0049, abs=1e-6)


@pytest.mark.parametrize("size", [1e-200, 1e-100, 1e90, 1e160])
def test_huge_and_tiny_numbers_have_an_interval(size):
    values = np.tile([0.0, 1.0, 3.0], 10)
    plain = compute_mean_interval(values, within=Range.DIFFERENCE)
    found = compute_mean_interval(size * values, within=Range.DIFFERENCE)
    assert (found.low / size, found.high / size) == pytest.approx((plain.low, plain.high))
    assert compute_mean_interval(size * values).low is not None
