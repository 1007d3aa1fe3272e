"""How a statistic varies over items, and the interval that follows."""

import math

import numpy as np
import pytest
from scipy import special

from faithfulness.statistics import spread as spreads
from faithfulness.statistics.influence import compute_left_out, compute_linear_errors
from faithfulness.statistics.intervals import FEWEST_ITEMS, compute_item_intervals
from faithfulness.statistics.spread import (
    MOST_LEFT_OUT,
    Range,
    Spread,
    compute_item_spreads,
    degrees_of_freedom,
)

RANGES = {"share": Range.SHARE, "rare": Range.DISTANCE}


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


def test_left_out_is_every_item_removed_by_itself(monkeypatch):
    monkeypatch.setattr("faithfulness.statistics.influence._ROWS_AT_ONCE", 7)
    cells = simulated(25)
    expected = [shares(np.delete(cells, item, 0).sum(0)[None])["share"][0] for item in range(25)]
    assert compute_left_out(cells, shares)["share"] == pytest.approx(expected)


def test_linear_error_of_a_ratio_is_the_textbook_one(monkeypatch):
    monkeypatch.setattr("faithfulness.statistics.influence._ROWS_AT_ONCE", 100)
    cells = simulated(1_000)
    good, units = cells[:, 0], cells[:, 1]
    # Cochran (1977): the residuals good - share * units, over the mean of the units.
    residual = good - good.sum() / units.sum() * units
    expected = residual.std(ddof=1) / units.mean() / np.sqrt(1_000)
    assert compute_linear_errors(cells, shares)["share"] == pytest.approx(expected, rel=1e-6)


def test_both_ways_to_the_error_agree():
    cells = simulated(1_000)
    left = compute_item_spreads(cells, shares, RANGES)["share"]
    assert left.error == pytest.approx(compute_linear_errors(cells, shares)["share"], rel=0.01)


def test_interval_changes_little_where_leaving_out_ends(monkeypatch):
    cells = simulated(MOST_LEFT_OUT)
    left = compute_item_intervals(cells, shares, RANGES)["share"]
    monkeypatch.setattr(spreads, "MOST_LEFT_OUT", MOST_LEFT_OUT - 1)
    linear = compute_item_intervals(cells, shares, RANGES)["share"]
    width = left.high - left.low
    assert (linear.low, linear.high) == pytest.approx((left.low, left.high), abs=0.01 * width)


@pytest.mark.parametrize(
    ("within", "value", "to"),
    [
        (Range.COEFFICIENT, 0.8, math.atanh),
        (Range.COEFFICIENT, -0.3, math.atanh),
        (Range.DISTANCE, 0.4, math.log),
        (Range.DIFFERENCE, -1.7, float),
    ],
)
def test_interval_is_even_on_the_scale_of_the_number(within, value, to):
    spread = Spread(value=value, error=0.05, freedom=12, within=within)
    low, high, reason = spread.bounds()
    reach = special.stdtrit(12, 0.975) * 0.05 * derivative(to, value)
    assert to(high) - to(value) == pytest.approx(reach, rel=1e-5)
    assert to(value) - to(low) == pytest.approx(reach, rel=1e-5)
    assert reason == ""


def test_share_of_independent_units_has_the_interval_of_wilson():
    # 19 of 25 units, an item each: the error is that of 24 units, Bessel's correction included.
    spread = Spread(value=0.76, error=math.sqrt(0.76 * 0.24 / 24), within=Range.SHARE)
    low, high, _ = spread.bounds()
    for end in (low, high):
        assert abs(end - 0.76) == pytest.approx(1.959964 * math.sqrt(end * (1 - end) / 24))


@pytest.mark.parametrize("within", [Range.SHARE, Range.COEFFICIENT, Range.DISTANCE])
def test_interval_stays_in_the_range_of_the_number(within):
    low, high, _ = Spread(value=0.97, error=0.3, within=within).bounds()
    assert (-1 if within is Range.COEFFICIENT else 0) <= low < 0.97 < high
    assert high <= 1 or within is Range.DISTANCE


def test_influences_of_a_few_items_leave_the_error_uncertain():
    normal = special.ndtri((np.arange(60) + 0.5) / 60)
    even = np.tile([-1.0, 1.0], 30)
    few = np.where(np.arange(60) < 3, 1.0, -3 / 57)
    found = [degrees_of_freedom(each, Range.DIFFERENCE) for each in (few, normal, even)]
    assert found == sorted(found)
    assert found[0] < 10 < 50 < found[1] <= found[2] == 59
    assert degrees_of_freedom(few, Range.SHARE) > found[0]
    counted = degrees_of_freedom(np.array([1.0, -3 / 57]), Range.DIFFERENCE, np.array([3.0, 57.0]))
    assert counted == pytest.approx(found[0])


def derivative(function, value):
    return (function(value + 1e-6) - function(value - 1e-6)) / 2e-6


def test_few_items_have_no_interval():
    found = compute_item_intervals(simulated(FEWEST_ITEMS - 1), shares, RANGES)["share"]
    assert found == (None, None, "no interval from fewer than 20 items")
    assert compute_item_intervals(simulated(FEWEST_ITEMS), shares, RANGES)["share"].low is not None


def test_empty_rows_are_no_items():
    cells = simulated(30)
    padded = np.concatenate([cells, np.zeros((40, 3), cells.dtype)])
    assert compute_item_intervals(padded, shares, RANGES) == compute_item_intervals(
        cells, shares, RANGES
    )
    few = np.concatenate([cells[:10], np.zeros((40, 3), cells.dtype)])
    assert compute_item_intervals(few, shares, RANGES)["share"].low is None


def test_number_that_no_item_changes_has_no_interval():
    cells = np.tile([4, 4, 1], (50, 1))
    for rows in (cells, np.tile(cells, (500, 1))):
        low, high, reason = compute_item_intervals(rows, shares, RANGES)["share"]
        assert (low, high) == (None, None)
        assert reason.startswith("no item changes it")


def test_number_on_one_item_has_no_interval():
    cells = simulated(50)
    cells[:, 2] = 0
    cells[3, 2] = 1
    assert compute_item_intervals(cells, shares, RANGES)["rare"].reason.startswith(
        "it rests on a single item"
    )
    assert compute_item_intervals(cells, shares, RANGES)["share"].low is not None


def test_undefined_number_has_no_interval():
    cells = simulated(50)
    cells[:, 2] = 0
    many = np.tile(cells, (500, 1))
    for rows in (cells, many):
        assert compute_item_intervals(rows, shares, RANGES)["rare"] == (
            None,
            None,
            "the number itself is undefined",
        )


@pytest.mark.parametrize("items", [25, 400, 30_000])
def test_interval_at_one_minus_p_just_excludes_the_truth(items):
    found = compute_item_spreads(simulated(items), shares, RANGES)["share"]
    for side in (-1.5, 1.0, 2.2):
        truth = found.value + side * found.error
        p = found.p_against(truth)
        low, high, _ = found.bounds(1 - p)
        nearest = low if side < 0 else high
        assert nearest == pytest.approx(truth, abs=0.03 * found.error)


def test_truth_is_as_surprising_as_it_is_far():
    found = compute_item_spreads(simulated(200), shares, RANGES)["share"]
    far, further = (found.p_against(found.value - away * found.error) for away in (5, 8))
    assert 0 < further < far < 1e-4


def test_without_interval_there_is_no_p():
    assert compute_item_spreads(simulated(5), shares, RANGES)["share"].p_against(0.5) is None
    assert Spread(value=0.4, error=0.1).p_against(float("nan")) is None


@pytest.mark.parametrize("items", [20, 60])
def test_interval_covers_the_truth_nineteen_times_in_twenty(items):
    hits = 0
    for seed in range(300):
        low, high, _ = compute_item_intervals(simulated(items, seed), shares, RANGES)["share"]
        hits += low <= 0.8 <= high
    assert 0.915 <= hits / 300 <= 0.985


@pytest.mark.parametrize("value", [-3.0, -0.5, 0.9, 0.999])
def test_coefficient_is_never_above_1(value):
    low, high, _ = Spread(value=value, error=2.0, freedom=20, within=Range.COEFFICIENT).bounds()
    assert low < value < high <= 1
