"""Intervals around a run's number: how far it could lie from the truth with these many items.

Every interval resamples or sums items. The items of one run enter as a histogram, the distinct
values with how often each occurs, because that is what the store can count quickly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

FEWEST_ITEMS = 20  # below, every interval covers too little: show counts instead
MOST_RESAMPLED = 20_000  # above, the normal interval is the same to the eye and much cheaper
RESAMPLES = 2_000
SEED = 20_240_101

Numbers = npt.NDArray[np.float64]

_NORMAL = NormalDist()
_SURE = 1e-4  # keeps quantiles of the normal finite when all resamples lie on one side


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A mean with its interval; `low` and `high` are None where no honest interval exists."""

    value: float | None
    low: float | None
    high: float | None
    counted: int


def mean_interval(
    values: Sequence[float], counts: Sequence[int] | None = None, *, level: float = 0.95
) -> Interval:
    """The mean over items with its interval, from one value per item or from a histogram.

    From 20 to 20,000 items the interval is the bias-corrected and accelerated (BCa) bootstrap over
    items; above, the mean plus and minus normal quantiles of its standard error. There is none
    below 20 items, nor when all items have the same value: nothing can be resampled from it.
    The seed is fixed, so that the same items always show the same interval.
    """
    many = np.ones(len(values), np.int64) if counts is None else np.asarray(counts, np.int64)
    found, where = np.unique(np.asarray(values, np.float64), return_inverse=True)
    if not np.isfinite(found).all():
        raise ValueError("an item's value is not a number; items without one are left out instead")
    totals = np.bincount(where, weights=many, minlength=len(found)).astype(np.int64)
    kept = totals > 0
    return _of_histogram(found[kept].tobytes(), totals[kept].tobytes(), level)


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
    bounds = _delta if items > MOST_RESAMPLED else _bca
    low, high = bounds(values, counts, value, level)
    return Interval(value=value, low=low, high=high, counted=items)


def _delta(
    values: Numbers, counts: npt.NDArray[np.int64], value: float, level: float
) -> tuple[float, float]:
    items = int(counts.sum())
    spread = float(((values - value) ** 2) @ counts) / (items - 1)
    reach = _NORMAL.inv_cdf((1 + level) / 2) * (spread / items) ** 0.5
    return value - reach, value + reach


def _bca(
    values: Numbers, counts: npt.NDArray[np.int64], value: float, level: float
) -> tuple[float, float]:
    means = _resampled_means(values, counts)
    # Sums in another order differ in the last digits; such means are ties, not sides.
    tie = 1e-9 * float(np.ptp(values))
    below = float(np.mean(means < value - tie)) + float(np.mean(abs(means - value) <= tie)) / 2
    shift = _NORMAL.inv_cdf(min(max(below, _SURE), 1 - _SURE))
    deviation = values - value
    # The jackknife of a mean is linear in the values, so its skewness is theirs.
    acceleration = float(deviation**3 @ counts) / (6 * float(deviation**2 @ counts) ** 1.5)
    edges = []
    for side in ((1 - level) / 2, (1 + level) / 2):
        moved = shift + _NORMAL.inv_cdf(side)
        edges.append(_NORMAL.cdf(shift + moved / (1 - acceleration * moved)))
    low, high = np.quantile(means, edges)
    return float(low), float(high)


def _resampled_means(values: Numbers, counts: npt.NDArray[np.int64]) -> Numbers:
    """Means of samples drawn from the items with replacement, by how often each value is drawn."""
    rng = np.random.default_rng(SEED)
    items = int(counts.sum())
    drawn = rng.multinomial(items, counts / items, size=RESAMPLES)
    means: Numbers = drawn @ values / items
    return means
