"""Standard errors of statistics over items, with the intervals and tests based on them.

A share has a Wilson interval, with the effective number of units that its error over items implies.
Other statistics have a Student's t interval on a scale on which the error is roughly constant:
Fisher's z for a coefficient, the logarithm for a distance. Degrees of freedom depend on how unequal
the items' influences are: if few items dominate, the error itself is uncertain.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from faithfulness.statistics.influence import (
    Cells,
    Numbers,
    Statistics,
    compute_left_out,
    compute_linear_errors,
)
from faithfulness.statistics.student import FEWEST_DEGREES, MOST_DEGREES, t_below, t_quantile

FEWEST_ITEMS = 20  # below, every interval covers too little: show counts instead
MOST_LEFT_OUT = 1_000  # above, leaving out every item takes longer than a page may

_NORMAL_PEAK = 3.0  # the mean fourth power of a normal distribution of variance 1
_STILL = 1e-12  # a statistic that moves less than this over all items does not move

FEW = f"no interval from fewer than {FEWEST_ITEMS} items"
SAME = "no item changes it: an interval would look like certainty"
SINGLE = "it rests on a single item, so no interval can be drawn"
UNDEFINED = "the number itself is undefined"


class Bounds(NamedTuple):
    """The two ends of an interval, or None twice with the reason in plain words."""

    low: float | None
    high: float | None
    reason: str = ""


class Range(StrEnum):
    """Where a number can lie, which decides on which scale its interval is counted."""

    SHARE = "share"  # 0 to 1
    COEFFICIENT = "coefficient"  # -1 to 1, such as kappa or a correlation
    DISTANCE = "distance"  # 0 or more
    DIFFERENCE = "difference"  # anywhere, on either side of 0


class _ErrorScale(NamedTuple):
    """Where a number's error is alike everywhere: the way there, the slope there, the way back."""

    holds: Callable[[float], bool]
    to: Callable[[float], float]
    slope: Callable[[float], float]
    back: Callable[[float], float]


_PLAIN = _ErrorScale(math.isfinite, lambda value: value, lambda value: 1.0, lambda value: value)
_SCALES = {
    Range.COEFFICIENT: _ErrorScale(
        lambda value: -1 < value < 1, math.atanh, lambda value: 1 / (1 - value**2), math.tanh
    ),
    Range.DISTANCE: _ErrorScale(
        lambda value: value > 0, math.log, lambda value: 1 / value, math.exp
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """One statistic, its value and how it varies over items.

    Attributes:
        value: The statistic on all items; nan where undefined.
        error: Its standard error over items.
        freedom: The degrees of freedom of that error.
        within: Where the statistic can lie.
        reason: Why there is no honest interval; empty where there is one.
    """

    value: float
    error: float = math.nan
    freedom: float = MOST_DEGREES
    within: Range = Range.DIFFERENCE
    reason: str = ""

    def bounds(self, level: float = 0.95) -> Bounds:
        """The interval that contains the truth this often."""
        if self.reason:
            return Bounds(None, None, self.reason)
        return Bounds(*self.ends(level))

    def ends(self, level: float = 0.95) -> tuple[float, float]:
        """Both ends of the interval of a number that has one."""
        quantile = t_quantile(level, self.freedom)
        if self._is_share(self.value):
            return self._ends_of_share(quantile)
        scale = self._scale(self.value)
        middle, reach = scale.to(self.value), quantile * self.error * scale.slope(self.value)
        low, high = scale.back(middle - reach), scale.back(middle + reach)
        # A coefficient below -1, as ICC has, is on no such scale, and still none is above 1.
        return low, min(high, 1.0) if self.within is Range.COEFFICIENT else high

    def p_against(self, truth: float) -> float | None:
        """How surprising the statistic is if this were the truth; agrees with the interval.

        The interval at level 1 - p just excludes that truth. None where there is no interval.
        """
        if self.reason or not math.isfinite(truth):
            return None
        if self._is_share(self.value) and self._is_share(truth):
            error = self.error * math.sqrt(
                _compute_unit_variance(truth) / _compute_unit_variance(self.value)
            )
            return 2 * t_below(-abs(truth - self.value) / error, self.freedom)
        scale = self._scale(self.value, truth)
        away = (scale.to(truth) - scale.to(self.value)) / (self.error * scale.slope(self.value))
        return 2 * t_below(-abs(away), self.freedom)

    def _ends_of_share(self, quantile: float) -> tuple[float, float]:
        """All shares that this one could stand for (Wilson 1927).

        The error says how many independent units would vary so much; a share nearer to 0 or 1
        would vary less.
        """
        weight = (quantile * self.error) ** 2 / _compute_unit_variance(self.value)
        middle = (self.value + weight / 2) / (1 + weight)
        reach = math.sqrt(weight * (_compute_unit_variance(self.value) + weight / 4)) / (1 + weight)
        return max(middle - reach, 0.0), min(middle + reach, 1.0)

    def _is_share(self, value: float) -> bool:
        return self.within is Range.SHARE and 0 < value < 1

    def _scale(self, *values: float) -> _ErrorScale:
        """The scale of this kind of number; none for a number at or beyond its ends."""
        scale = _SCALES.get(self.within, _PLAIN)
        return scale if all(map(scale.holds, values)) else _PLAIN


def _compute_unit_variance(share: float) -> float:
    """The variance of one unit that has something with this probability."""
    return share * (1 - share)


def compute_item_spreads(
    cells: Cells, statistics: Statistics, within: Mapping[str, Range]
) -> dict[str, Spread]:
    """How each of many statistics varies over items.

    Args:
        cells: What each item counts, (items, cells); rows without any count are no items.
        statistics: From sums over items, (batch, cells), each statistic's values, nan if undefined.
        within: Where each statistic can lie.
    """
    counted = cells[cells.any(axis=1)]
    total = counted.sum(axis=0, dtype=np.float64)
    values = {name: float(found[0]) for name, found in statistics(total[None]).items()}
    if len(counted) < FEWEST_ITEMS:
        return {name: Spread(value=value, reason=FEW) for name, value in values.items()}
    if len(counted) > MOST_LEFT_OUT:
        errors = compute_linear_errors(counted, statistics)
        return {
            name: _make_linear_spread(value, errors[name], within[name])
            for name, value in values.items()
        }
    without = compute_left_out(counted, statistics)
    return {
        name: _from_left_out(value, without[name], within[name]) for name, value in values.items()
    }


def degrees_of_freedom(influences: Numbers, within: Range, counts: Numbers | None = None) -> float:
    """How surely an error is known that was estimated from the items' influences.

    Satterthwaite's degrees of freedom: a variance estimated from n values of the normal
    distribution has n - 1, which is the most given here; values of which few are large say less
    (O'Neill 2014). Wilson's interval
    knows already that an error near 0 or 1 depends on the share, so a share is taken as if 20
    further items had influences like the normal distribution's.

    Args:
        influences: How much each item moves the number, their mean taken away.
        within: Where the number can lie.
        counts: How many items have each influence; one where left out.
    """
    many = np.ones(len(influences)) if counts is None else counts
    items = float(many.sum())
    # The size of the influences does not matter, and powers of huge or tiny ones are no numbers.
    scaled = influences / np.abs(influences).max()
    peaked = items * float(scaled**4 @ many) / float(scaled**2 @ many) ** 2
    if within is Range.SHARE:
        peaked = (items * peaked + FEWEST_ITEMS * _NORMAL_PEAK) / (items + FEWEST_ITEMS)
    uncertain = max(peaked - (items - 3) / (items - 1), 2 / items)
    return min(max(2 * items / uncertain, FEWEST_DEGREES), items - 1)


def _make_linear_spread(value: float, error: float, within: Range) -> Spread:
    if not math.isfinite(value) or not math.isfinite(error):
        return Spread(value=value, reason=UNDEFINED)
    return Spread(value=value, error=error, within=within, reason=SAME if error <= _STILL else "")


def _from_left_out(value: float, without: Numbers, within: Range) -> Spread:
    if not math.isfinite(value):
        return Spread(value=value, reason=UNDEFINED)
    if not np.isfinite(without).all():
        return Spread(value=value, reason=SINGLE)
    if np.ptp(without) <= _STILL:
        return Spread(value=value, reason=SAME)
    influences = without.mean() - without
    items = len(without)
    return Spread(
        value=value,
        error=math.sqrt(float(influences @ influences) * (items - 1) / items),
        freedom=degrees_of_freedom(influences, within),
        within=within,
    )
