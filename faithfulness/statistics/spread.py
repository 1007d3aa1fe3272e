"""How far a statistic would move with other items, and the interval and test that follow."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from faithfulness.statistics.resampling import (
    Cells,
    Numbers,
    Statistics,
    left_out,
    linear_errors,
    resampled,
)

FEWEST_ITEMS = 20  # below, every interval covers too little: show counts instead
MOST_DRAWN = 1_000  # above, drawing takes longer than a page may, and changes no digit shown

_NORMAL = NormalDist()
_FEWEST_DEFINED = 0.75  # of the resamples; below, those left say more about luck than about doubt
_STILL = 1e-12  # a statistic that moves less than this over all items does not move
_SURE = 1e-4  # keeps quantiles of the normal finite when all resamples lie on one side

FEW = f"no interval from fewer than {FEWEST_ITEMS} items"
SAME = "no item changes it: an interval would look like certainty"
SINGLE = "it rests on a single item, so no interval can be drawn"
UNDEFINED = "the number itself is undefined"


class Bounds(NamedTuple):
    """The two ends of an interval, or None twice with the reason in plain words."""

    low: float | None
    high: float | None
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Spread:
    """One statistic, its value and how it varies over items.

    Attributes:
        value: The statistic on all items; nan where undefined.
        error: Its standard error over items.
        ascending: Its values on resamples in ascending order; None where none were drawn.
        shift: By how much the resamples lie to one side, in normal quantiles.
        acceleration: How the standard error changes with the statistic.
        stretch: By how much few items make intervals longer than normal quantiles say.
        reason: Why there is no honest interval; empty where there is one.
    """

    value: float
    error: float = math.nan
    ascending: Numbers | None = None
    shift: float = 0.0
    acceleration: float = 0.0
    stretch: float = 1.0
    reason: str = ""

    def bounds(self, level: float = 0.95) -> Bounds:
        """The interval that contains the truth this often."""
        if self.reason:
            return Bounds(None, None, self.reason)
        if self.ascending is None:
            reach = _NORMAL.inv_cdf((1 + level) / 2) * self.error
            return Bounds(self.value - reach, self.value + reach)
        low, high = moved_sides(self.shift, self.acceleration, level, self.stretch)
        return Bounds(_quantile(self.ascending, low), _quantile(self.ascending, high))

    def p_against(self, truth: float) -> float | None:
        """How surprising the statistic is if this were the truth; agrees with the interval.

        The interval at level 1 - p just excludes that truth. None where there is no interval.
        """
        if self.reason or not math.isfinite(truth):
            return None
        away = (truth - self.value) / self.error
        if self.ascending is not None:
            away = self._corrected(self.ascending, truth, away)
        return 2 * _NORMAL.cdf(-abs(away) / self.stretch)

    def _corrected(self, drawn: Numbers, truth: float, away: float) -> float:
        """The distance in normal quantiles after the corrections for bias and skewness."""
        below = _share_below(drawn, truth)
        found = _NORMAL.inv_cdf(min(max(below, 0.5 / len(drawn)), 1 - 0.5 / len(drawn)))
        if below in (0, 1) and abs(away) > abs(found):
            # No resample went so far; beyond the last of them the normal tail has to do.
            found = away
        moved = found - self.shift
        return moved / max(1 + self.acceleration * moved, 0.1) - self.shift


def item_spreads(cells: Cells, statistics: Statistics) -> dict[str, Spread]:
    """How each of many statistics varies over items, from the same draws.

    Args:
        cells: What each item counts, (items, cells); rows without any count are no items.
        statistics: From sums over items, (batch, cells), each statistic's values, nan if undefined.
    """
    counted = cells[cells.any(axis=1)]
    total = counted.sum(axis=0, dtype=np.float64)
    values = {name: float(found[0]) for name, found in statistics(total[None]).items()}
    if len(counted) < FEWEST_ITEMS:
        return {name: Spread(value=value, reason=FEW) for name, value in values.items()}
    if len(counted) > MOST_DRAWN:
        errors = linear_errors(counted, statistics)
        return {name: _linear(value, errors[name]) for name, value in values.items()}
    drawn, without = resampled(counted, statistics), left_out(counted, statistics)
    return {
        name: _from_resamples(value, drawn[name], without[name]) for name, value in values.items()
    }


def moved_sides(
    shift: float, acceleration: float, level: float, stretch: float = 1.0
) -> tuple[float, float]:
    """Which quantiles of the resamples an interval ends at (BCa, Efron 1987)."""
    reach = stretch * _NORMAL.inv_cdf((1 + level) / 2)
    low, high = (
        shift + moved / (1 - acceleration * moved) for moved in (shift - reach, shift + reach)
    )
    return _NORMAL.cdf(low), _NORMAL.cdf(high)


def _stretch(items: int) -> float:
    """Student's t over the normal quantile, times the variance that resampling misses.

    Resamples vary by (items - 1) / items too little, and the spread itself is only estimated; both
    shorten intervals of few items (Hesterberg 2015). The quotient of the quantiles at 95 % is
    taken to first order, so that the interval and its p agree at every level.
    """
    squared = _NORMAL.inv_cdf(0.975) ** 2
    return math.sqrt(items / (items - 1)) * (1 + (squared + 1) / (4 * (items - 1)))


def _linear(value: float, error: float) -> Spread:
    if not math.isfinite(value) or not math.isfinite(error):
        return Spread(value=value, reason=UNDEFINED)
    return Spread(value=value, error=error, reason=SAME if error <= _STILL else "")


def _from_resamples(value: float, drawn: Numbers, without: Numbers) -> Spread:
    if not math.isfinite(value):
        return Spread(value=value, reason=UNDEFINED)
    ascending = np.sort(drawn[np.isfinite(drawn)])
    if not np.isfinite(without).all() or len(ascending) < _FEWEST_DEFINED * len(drawn):
        return Spread(value=value, reason=SINGLE)
    deviation = without.mean() - without
    squares = float((deviation**2).sum())
    if np.ptp(without) <= _STILL:
        return Spread(value=value, reason=SAME)
    below = min(max(_share_below(ascending, value), _SURE), 1 - _SURE)
    return Spread(
        value=value,
        error=math.sqrt(squares * (len(without) - 1) / len(without)),
        ascending=ascending,
        shift=_NORMAL.inv_cdf(below),
        acceleration=float((deviation**3).sum()) / (6 * squares**1.5),
        stretch=_stretch(len(without)),
    )


def _share_below(ascending: Numbers, value: float) -> float:
    """The share below, ties counted half."""
    # Sums in another order differ in the last digits; such values are ties, not sides.
    tie = 1e-9 * max(1.0, abs(value))
    first, last = np.searchsorted(ascending, (value - tie, value + tie))
    return float(first + last) / 2 / len(ascending)


def _quantile(ascending: Numbers, share: float) -> float:
    """As numpy finds it, without the third of all time that numpy takes to look for surprises."""
    place = share * (len(ascending) - 1)
    below = min(int(place), len(ascending) - 2)
    step = ascending[below + 1] - ascending[below]
    return float(ascending[below] + (place - below) * step)
