"""How a statistic varies over items: drawn, left out and linearised say the same."""

import numpy as np
import pytest

from faithfulness.statistics import spread as spreads
from faithfulness.statistics.intervals import FEWEST_ITEMS, item_intervals
from faithfulness.statistics.resampling import RESAMPLES, SEED, left_out, linear_errors, resampled
from faithfulness.statistics.spread import MOST_DRAWN, Spread, item_spreads


def shares(sums):
    """Two ratios of sums, and one that is undefined without its third column."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "share": sums[:, 0] / sums[:, 1],
            "rare": np.where(sums[:, 2] > 0, sums[:, 0] / sums[:, 2], np.nan),
        }


def simulated(items, seed=0):
    rng = np.random.default_rng(seed)
    units = rng.integers(3, 18, items)
    good = rng.binomial(units, rng.beta(8, 2, items))
    return np.stack([good, units, rng.integers(0, 2, items)], axis=1)


def test_draws_are_those_of_gathered_rows():
    cells = simulated(37)
    rng = np.random.default_rng(SEED)
    rows = rng.integers(0, 37, (RESAMPLES, 37))
    gathered = cells[rows].sum(axis=1)
    assert resampled(cells, shares)["share"] == pytest.approx(gathered[:, 0] / gathered[:, 1])


def test_left_out_is_every_item_removed_by_itself(monkeypatch):
    monkeypatch.setattr("faithfulness.statistics.resampling._ROWS_AT_ONCE", 7)
    cells = simulated(25)
    expected = [shares(np.delete(cells, item, 0).sum(0)[None])["share"][0] for item in range(25)]
    assert left_out(cells, shares)["share"] == pytest.approx(expected)


def test_linear_error_of_a_ratio_is_the_textbook_one(monkeypatch):
    monkeypatch.setattr("faithfulness.statistics.resampling._ROWS_AT_ONCE", 100)
    cells = simulated(1_000)
    good, units = cells[:, 0], cells[:, 1]
    # Cochran (1977): the residuals good - share * units, over the mean of the units.
    residual = good - good.sum() / units.sum() * units
    expected = residual.std(ddof=1) / units.mean() / np.sqrt(1_000)
    assert linear_errors(cells, shares)["share"] == pytest.approx(expected, rel=1e-6)


def test_three_ways_to_the_error_agree():
    cells = simulated(2_000)
    drawn = resampled(cells, shares)["share"].std()
    found = item_spreads(cells, shares)["share"]
    linear = linear_errors(cells, shares)["share"]
    assert found.error == pytest.approx(linear, rel=0.01)
    assert drawn == pytest.approx(linear, rel=0.06)


def test_single_and_double_precision_draw_the_same():
    cells = simulated(60)
    assert np.array_equal(
        resampled(cells, shares)["share"], resampled(cells.astype(np.float64), shares)["share"]
    )


def test_interval_changes_little_where_drawing_ends(monkeypatch):
    cells = simulated(3_000)
    drawn = item_intervals(cells, shares)["share"]
    monkeypatch.setattr(spreads, "MOST_DRAWN", 1_000)
    linear = item_intervals(cells, shares)["share"]
    width = drawn.high - drawn.low
    assert (linear.low, linear.high) == pytest.approx((drawn.low, drawn.high), abs=0.06 * width)


def test_large_run_has_the_normal_interval():
    cells = simulated(MOST_DRAWN + 1)
    found = item_spreads(cells, shares)["share"]
    low, high, reason = found.bounds()
    assert found.ascending is None
    assert high - low == pytest.approx(2 * 1.959964 * found.error)
    assert reason == ""


def test_few_items_have_no_interval():
    found = item_intervals(simulated(FEWEST_ITEMS - 1), shares)["share"]
    assert found == (None, None, "no interval from fewer than 20 items")
    assert item_intervals(simulated(FEWEST_ITEMS), shares)["share"].low is not None


def test_empty_rows_are_no_items():
    cells = simulated(30)
    padded = np.concatenate([cells, np.zeros((40, 3), cells.dtype)])
    assert item_intervals(padded, shares) == item_intervals(cells, shares)
    few = np.concatenate([cells[:10], np.zeros((40, 3), cells.dtype)])
    assert item_intervals(few, shares)["share"].low is None


def test_number_that_no_item_changes_has_no_interval():
    cells = np.tile([4, 4, 1], (50, 1))
    for rows in (cells, np.tile(cells, (500, 1))):
        low, high, reason = item_intervals(rows, shares)["share"]
        assert (low, high) == (None, None)
        assert reason.startswith("no item changes it")


def test_number_on_one_item_has_no_interval():
    cells = simulated(50)
    cells[:, 2] = 0
    cells[3, 2] = 1
    assert item_intervals(cells, shares)["rare"].reason.startswith("it rests on a single item")
    assert item_intervals(cells, shares)["share"].low is not None


def test_undefined_number_has_no_interval():
    cells = simulated(50)
    cells[:, 2] = 0
    many = np.tile(cells, (500, 1))
    for rows in (cells, many):
        assert item_intervals(rows, shares)["rare"] == (
            None,
            None,
            "the number itself is undefined",
        )


def test_few_items_are_stretched_as_student_would():
    # 30 items: t(29) = 2.04523 over 1.95996, times sqrt(30 / 29): 1.0613; first order 1.060.
    assert spreads._stretch(30) == pytest.approx(2.04523 / 1.95996 * (30 / 29) ** 0.5, abs=2e-3)
    assert spreads._stretch(20_000) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("items", [25, 400, 30_000])
def test_interval_at_one_minus_p_just_excludes_the_truth(items):
    found = item_spreads(simulated(items), shares)["share"]
    for side in (-1.5, 1.0, 2.2):
        truth = found.value + side * found.error
        p = found.p_against(truth)
        low, high, _ = found.bounds(1 - p)
        nearest = low if side < 0 else high
        assert nearest == pytest.approx(truth, abs=0.03 * found.error)


def test_truth_beyond_all_resamples_is_as_surprising_as_it_is_far():
    found = item_spreads(simulated(200), shares)["share"]
    far, further = (found.p_against(found.value - away * found.error) for away in (5, 8))
    assert 0 < further < far < 1e-4


def test_without_interval_there_is_no_p():
    assert item_spreads(simulated(5), shares)["share"].p_against(0.5) is None
    assert Spread(value=0.4, error=0.1).p_against(float("nan")) is None


@pytest.mark.parametrize("items", [20, 60])
def test_interval_covers_the_truth_nineteen_times_in_twenty(items):
    hits = 0
    for seed in range(300):
        low, high, _ = item_intervals(simulated(items, seed), shares)["share"]
        hits += low <= 0.8 <= high
    assert 0.915 <= hits / 300 <= 0.985
