"""Confidence intervals for means and other statistics, over items.

The items of one run are passed to `compute_mean_interval` as a histogram, the distinct values with
their
counts, because the store can count it quickly. Statistics that are not means over items, such as
coefficients, are passed to `compute_item_intervals` as the counts they are computed from, one row
per item.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.influence import Cells, Statistics
from faithfulness.statistics.spread import (
    FEWEST_ITEMS,
    Bounds,
    Range,
    Spread,
    compute_item_spreads,
    degrees_of_freedom,
)

__all__ = [
    "FEWEST_ITEMS",
    "Bounds",
    "Interval",
    "Range",
    "compute_item_intervals",
    "compute_mean_interval",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A mean with its interval; `low` and `high` are None where no honest interval exists."""

    value: float | None
    low: float | None
    high: float | None
    counted: int


def compute_mean_interval(
    values: npt.ArrayLike,
    counts: npt.ArrayLike | None = None,
    *,
    within: Range | None = None,
    level: float = 0.95,
) -> Interval:
    """The mean over items with its interval, from one value per item or from a histogram.

    There is none below 20 items, nor when all items have the same value: nothing tells how far
    another item could lie.

    Args:
        values: The items' numbers.
        counts: How many items have each of them; one where left out.
        within: Where a number can lie; a share if all of them lie between 0 and 1 where left out.
        level: How often such intervals contain the truth.
    """
    given = np.asarray(values, np.float64)
    many = np.ones(len(given)) if counts is None else np.asarray(counts, np.float64)
    found, where = np.unique(given, return_inverse=True)
    if not np.isfinite(found).all():
        raise ValueError("an item's value is not a number; items without one are left out instead")
    totals = np.bincount(where, weights=many, minlength=len(found)).astype(np.int64)
    kept = totals > 0
    return _compute_histogram_interval(found[kept].tobytes(), totals[kept].tobytes(), within, level)


def compute_item_intervals(
    cells: Cells, statistics: Statistics, within: Mapping[str, Range], *, level: float = 0.95
) -> dict[str, Bounds]:
    """The intervals of many statistics at once.

    The error is that of leaving out one item after the other (the jackknife), above 1,000 items
    that of the delta method. Rows without any count are no items. There is no interval below 20
    items, nor where it could only be a pretence: when no item changes the statistic, or when one
    item alone carries it.

    Args:
        cells: What each item counts, (items, cells).
        statistics: From sums over items, (batch, cells), each statistic's values, nan if undefined.
        within: Where each statistic can lie.
        level: How often such intervals contain the truth.
    """
    spreads = compute_item_spreads(cells, statistics, within)
    return {name: spread.bounds(level) for name, spread in spreads.items()}


# The arguments say everything about the result, so a home page that is opened again, and every run
# that did not change since, costs nothing.
@lru_cache(maxsize=4096)
def _compute_histogram_interval(
    values_raw: bytes, counts_raw: bytes, within: Range | None, level: float
) -> Interval:
    values = np.frombuffer(values_raw, np.float64)
    counts = np.frombuffer(counts_raw, np.int64)
    items = int(counts.sum())
    if items == 0:
        return Interval(value=None, low=None, high=None, counted=0)
    value = float(values @ counts / items)
    if items < FEWEST_ITEMS or len(values) == 1:
        return Interval(value=value, low=None, high=None, counted=items)
    apart = values - value
    largest = float(abs(apart).max())  # the square of a huge or tiny difference is no number
    if within is None:
        within = Range.SHARE if values[0] >= 0 and values[-1] <= 1 else Range.DIFFERENCE
    spread = Spread(
        value=value,
        error=largest * math.sqrt(float((apart / largest) ** 2 @ counts) / (items * (items - 1))),
        freedom=degrees_of_freedom(apart, within, counts.astype(np.float64)),
        within=within,
    )
    low, high = spread.ends(level)
    return Interval(value=value, low=low, high=high, counted=items)
