"""Intervals around a number: how far it could lie from the truth with these many items.

Every interval resamples or sums items. The items of one run enter `mean_interval` as a histogram,
the distinct values with how often each occurs, because that is what the store can count quickly.
Everything that is no mean over items, such as a coefficient, enters `item_intervals` as the counts
it is computed from, one row per item.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.resampling import RESAMPLES, SEED, Cells, Statistics
from faithfulness.statistics.spread import FEWEST_ITEMS, Bounds, item_spreads, moved_sides

__all__ = [
    "FEWEST_ITEMS",
    "Bounds",
    "Interval",
    "item_intervals",
    "mean_interval",
]

MOST_RESAMPLED = 1_000  # above, the closed form below differs by less than the resampling's noise

Numbers = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Edges = tuple[float, float]

_NORMAL = NormalDist()
_DRAWS_PER_COUNT = 25  # drawing how often a value occurs costs as much as drawing so many items
_SURE = 1e-4  # keeps quantiles of the normal finite when all resamples lie on one side


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A mean with its interval; `low` and `high` are None where no honest interval exists."""

    value: float | None
    low: float | None
    high: float | None
    counted: int


def mean_interval(
    values: npt.ArrayLike, counts: npt.ArrayLike | None = None, *, level: float = 0.95
) -> Interval:
    """The mean over items with its interval, from one value per item or from a histogram.

    From 20 to 1,000 items the interval is the bias-corrected and accelerated (BCa) bootstrap over
    items; above, its closed form for a mean (ABC: the standard error with the same correction for
    skewness, DiCiccio and Efron 1992). There is none below 20 items, nor when all items have the
    same value: nothing can be resampled from it. The seed is fixed, so that the same items always
    show the same interval.
    """
    given = np.asarray(values, np.float64)
    many = np.ones(len(given)) if counts is None else np.asarray(counts, np.float64)
    found, where = np.unique(given, return_inverse=True)
    if not np.isfinite(found).all():
        raise ValueError("an item's value is not a number; items without one are left out instead")
    totals = np.bincount(where, weights=many, minlength=len(found)).astype(np.int64)
    kept = totals > 0
    return _of_histogram(found[kept].tobytes(), totals[kept].tobytes(), level)


def item_intervals(
    cells: Cells, statistics: Statistics, *, level: float = 0.95
) -> dict[str, Bounds]:
    """The intervals of many statistics at once, from the same draws of items.

    From 20 to 1,000 items the interval is the BCa bootstrap over items; above, the statistic plus
    and minus its standard error by the delta method. Rows without any count are no items. There is
    no interval below 20 items, nor where it could only be a pretence: when no item changes the
    statistic, or when one item alone carries it.

    Args:
        cells: What each item counts, (items, cells).
        statistics: From sums over items, (batch, cells), each statistic's values, nan if undefined.
        level: How often such intervals contain the truth.
    """
    spreads = item_spreads(cells, statistics)
    return {name: spread.bounds(level) for name, spread in spreads.items()}


# The arguments say everything about the result, so a home page that is opened again, and every run
# that did not change since, costs nothing.
@lru_cache(maxsize=4096)
def _of_histogram(values_raw: bytes, counts_raw: bytes, level: float) -> Interval:
    values = np.frombuffer(values_raw, np.float64)
    counts = np.frombuffer(counts_raw, np.int64)
    items = int(counts.sum())
    if items == 0:
        return Interval(value=None, low=None, high=None, counted=0)
    value = float(values @ counts / items)
    if items < FEWEST_ITEMS or len(values) == 1:
        return Interval(value=value, low=None, high=None, counted=items)
    bounds = _closed_form if items > MOST_RESAMPLED else _resampled
    low, high = bounds(values, counts, value, level)
    return Interval(value=value, low=low, high=high, counted=items)


def _closed_form(values: Numbers, counts: Counts, value: float, level: float) -> Edges:
    items = int(counts.sum())
    deviation = values - value
    error = float(deviation**2 @ counts) ** 0.5 / items
    acceleration = _acceleration(deviation, counts)
    edges = []
    for side in ((1 - level) / 2, (1 + level) / 2):
        # For a mean the bias correction equals the acceleration.
        moved = acceleration + _NORMAL.inv_cdf(side)
        edges.append(value + error * moved / (1 - acceleration * moved) ** 2)
    return edges[0], edges[1]


def _resampled(values: Numbers, counts: Counts, value: float, level: float) -> Edges:
    means = _resampled_means(values, counts)
    # Sums in another order differ in the last digits; such means are ties, not sides.
    tie = 1e-9 * float(np.ptp(values))
    below = float(np.mean(means < value - tie)) + float(np.mean(abs(means - value) <= tie)) / 2
    shift = _NORMAL.inv_cdf(min(max(below, _SURE), 1 - _SURE))
    acceleration = _acceleration(values - value, counts)
    low, high = np.quantile(means, moved_sides(shift, acceleration, level))
    return float(low), float(high)


def _acceleration(deviation: Numbers, counts: Counts) -> float:
    """How the mean's error changes with the mean; its jackknife is linear, so from the values."""
    squares, cubes = float(deviation**2 @ counts), float(deviation**3 @ counts)
    return cubes / (6 * math.sqrt(squares) ** 3)


def _resampled_means(values: Numbers, counts: Counts) -> Numbers:
    """Means of samples drawn from the items with replacement."""
    rng = np.random.default_rng(SEED)
    items = int(counts.sum())
    if len(values) * _DRAWS_PER_COUNT < items:
        drawn = rng.multinomial(items, counts / items, size=RESAMPLES)
        by_count: Numbers = drawn @ values / items
        return by_count
    each = np.repeat(values, counts)
    by_item: Numbers = each[rng.integers(0, items, (RESAMPLES, items), np.int32)].mean(axis=1)
    return by_item
