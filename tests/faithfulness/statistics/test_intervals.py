"""Intervals cover the truth as often as they say, and are missing where none is honest."""

import numpy as np
import pytest

from faithfulness.statistics import intervals
from faithfulness.statistics.intervals import FEWEST_ITEMS, MOST_RESAMPLED, mean_interval


def test_no_items_have_no_mean():
    found = mean_interval([])
    assert (found.value, found.low, found.high, found.counted) == (None, None, None, 0)


def test_few_items_have_a_mean_and_no_interval():
    found = mean_interval([0.0, 1.0] * 9 + [1.0])
    assert found.counted == FEWEST_ITEMS - 1
    assert found.value == 10 / 19
    assert found.low is None
    assert found.high is None


def test_equal_items_have_no_interval():
    found = mean_interval([1.0], [60])
    assert (found.value, found.low, found.high, found.counted) == (1.0, None, None, 60)


def test_histogram_and_single_values_say_the_same():
    rng = np.random.default_rng(1)
    values = rng.integers(1, 6, 200)
    distinct, counts = np.unique(values, return_counts=True)
    assert mean_interval(values) == mean_interval(distinct, counts)
    assert mean_interval(values) == mean_interval(values[::-1])
    # A value listed twice is one value, and one that occurs in no item is none.
    assert mean_interval([1, 1, 2, 9], [10, 5, 15, 0]) == mean_interval([1, 2], [15, 15])


def test_value_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="not a number"):
        mean_interval([0.5, float("nan")])


@pytest.mark.parametrize("truth", [0.5, 0.85])
def test_interval_covers_the_truth_nineteen_times_in_twenty(truth):
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(300):
        # Eight sentences an item, harder and easier items: what shares of labels look like.
        ease = rng.beta(8 * truth, 8 * (1 - truth), 60)
        found = mean_interval(rng.binomial(8, ease) / 8)
        hits += found.low <= truth <= found.high
    assert 0.90 <= hits / 300 <= 0.99


def test_skewed_items_stretch_the_interval_to_their_side():
    found = mean_interval([0.0, 0.5, 1.0], [3, 5, 52])
    assert found.value - found.low > found.high - found.value
    assert found.high < 1


def test_both_ways_of_drawing_agree(monkeypatch):
    values, counts = np.arange(6) / 5, np.array([3, 10, 20, 60, 120, 200])
    plain = {}
    for draws in (0, 10**9):
        monkeypatch.setattr(intervals, "_DRAWS_PER_COUNT", draws)
        mean = float(values @ counts / counts.sum())
        plain[draws] = intervals._resampled(values, counts, mean, 0.95)
    width = plain[0][1] - plain[0][0]
    assert plain[0] == pytest.approx(plain[10**9], abs=0.04 * width)


@pytest.mark.parametrize("tail", [0.02, 0.3])
def test_closed_form_meets_the_resampling_where_it_takes_over(tail):
    rng = np.random.default_rng(3)
    values = np.where(rng.random(MOST_RESAMPLED) < tail, rng.random(MOST_RESAMPLED), 1.0)
    distinct, counts = np.unique(values.round(2), return_counts=True)
    mean = float(distinct @ counts / counts.sum())
    resampled = intervals._resampled(distinct, counts, mean, 0.95)
    closed = intervals._closed_form(distinct, counts, mean, 0.95)
    # 2,000 resamples leave some 3 % of the width to chance.
    assert closed == pytest.approx(resampled, abs=0.05 * (resampled[1] - resampled[0]))


def test_many_items_have_the_usual_normal_interval():
    found = mean_interval([0.0, 1.0], [20_000, 20_000])
    # Standard error 0.5 / sqrt(40000) = 0.0025; 1.959964 times that is 0.0049.
    assert found.low == pytest.approx(0.5 - 0.0049, abs=1e-6)
    assert found.high == pytest.approx(0.5 + 0.0049, abs=1e-6)
