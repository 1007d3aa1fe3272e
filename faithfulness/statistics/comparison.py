"""Compare two judges, prompts or runs on the same items: differences with intervals.

Every difference is the second minus the first. Visual comparison of the two intervals would miss
most true differences; here the comparison is paired by item.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.agreement import compute_pair_values
from faithfulness.statistics.influence import Statistics
from faithfulness.statistics.intervals import (
    FEWEST_ITEMS,
    Bounds,
    Range,
    compute_item_intervals,
    compute_mean_interval,
)
from faithfulness.statistics.many_tests import benjamini_yekutieli
from faithfulness.statistics.swapping import compute_swap_p
from faithfulness.statistics.tables import Numbers, PairTables

__all__ = [
    "Difference",
    "ItemChange",
    "benjamini_yekutieli",
    "compare",
    "compare_means",
    "compute_difference_bounds",
    "list_changed_items",
    "select_common_items",
]


# Two judges seldom differ in scores that are more than a step apart: with fewer items those few
# decide, and no interval holds.
_FEWEST_OF = {"within_one": 100}


def select_common_items(first: PairTables, second: PairTables) -> tuple[PairTables, PairTables]:
    """Both tables on the items that have units in both, in the same order."""
    if (first.values, first.ordinal) != (second.values, second.ordinal):
        raise ValueError("two scales cannot be compared: collapse the labels to one scale first")
    one, other = _drop_empty_items(first), _drop_empty_items(second)
    _, mine, theirs = np.intersect1d(
        one.items, other.items, assume_unique=True, return_indices=True
    )
    return one.only(mine), other.only(theirs)


def compare(
    first: PairTables, second: PairTables, names: Iterable[str], *, level: float = 0.95
) -> dict[str, "Difference"]:
    """By how much the second agrees better with its reference than the first, per statistic.

    The interval is over items, the p value swaps the two on each item; both see the same items.
    Chance counts the labels that occur in either of the two.

    Args:
        first: One judge against the reference.
        second: The other judge, on the same scale.
        names: Which statistics, as in `pair_estimates`.
        level: How often the intervals contain the truth.
    """
    one, other = select_common_items(first, second)
    wanted = tuple(names)
    cells, differences = _stack_tables(one, other, wanted)
    if not len(cells):
        return {name: _make_undefined_difference(name, 0, "no item has both") for name in wanted}
    total = cells.sum(axis=0, dtype=np.float64)
    size = len(one.values)
    step = cells[:, size**2 :] - cells[:, : size**2]
    moved = np.concatenate([step, -step], axis=1)
    bounds = compute_difference_bounds(one, other, wanted, level=level)
    p = compute_swap_p(moved, lambda added: differences(total + added))
    result = {}
    for name, found in differences(total[None]).items():
        if not np.isfinite(found[0]):
            result[name] = _make_undefined_difference(
                name, len(cells), "undefined for at least one of the two"
            )
            continue
        result[name] = Difference(
            name=name,
            value=float(found[0]),
            low=bounds[name].low,
            high=bounds[name].high,
            p=float(p[name]),
            items=len(cells),
            reason=bounds[name].reason,
        )
    return result


def compute_difference_bounds(
    first: PairTables, second: PairTables, names: Iterable[str], *, level: float = 0.95
) -> dict[str, Bounds]:
    """The interval of each difference that `compare` tells, without its test.

    Args:
        first: One judge against the reference.
        second: The other judge on the same items, in the same order.
        names: Which statistics, as in `pair_estimates`.
        level: How often the intervals contain the truth.
    """
    wanted = tuple(names)
    cells, differences = _stack_tables(first, second, wanted)
    within = dict.fromkeys(wanted, Range.DIFFERENCE)
    found = compute_item_intervals(cells, differences, within, level=level)
    for name, fewest in _FEWEST_OF.items():
        if name in found and len(cells) < fewest:
            found[name] = Bounds(None, None, f"no interval from fewer than {fewest} items")
    return found


def _stack_tables(
    first: PairTables, second: PairTables, names: tuple[str, ...]
) -> tuple[npt.NDArray[np.int64], Statistics]:
    """What each item counts in both, and how much higher each number is in the second."""
    size, used = len(first.values), first.used | second.used

    def values(cells: Numbers) -> dict[str, Numbers]:
        tables = cells.reshape(*cells.shape[:-1], size, size)
        return compute_pair_values(tables, first.values, first.ordinal, names, used=used)

    def differences(both: Numbers) -> dict[str, Numbers]:
        before, after = values(both[..., : size**2]), values(both[..., size**2 :])
        return {name: after[name] - before[name] for name in names}

    return np.concatenate([first.cells, second.cells], axis=1).astype(np.int64), differences


def compare_means(
    first: Sequence[float | None] | Numbers,
    second: Sequence[float | None] | Numbers,
    *,
    name: str = "mean",
    level: float = 0.95,
) -> "Difference":
    """By how much the mean of an item's number (a share, an F1) is higher in the second.

    Both hold one number per item, in the same order; items without a number in either, None or
    nan, are left out.
    """
    before, after = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if before.shape != after.shape:
        raise ValueError(f"{before.shape} and {after.shape} numbers are not of the same items")
    apart = (after - before)[np.isfinite(before) & np.isfinite(after)]
    if not len(apart):
        return _make_undefined_difference(name, 0, "no item has both")
    total = apart.sum()
    p = compute_swap_p(
        -2 * apart[:, None], lambda added: {name: (total + added[:, 0]) / len(apart)}
    )
    interval = compute_mean_interval(apart, within=Range.DIFFERENCE, level=level)
    reason = ""
    if interval.low is None:
        reason = "every item differs by the same amount: an interval would look like certainty"
        if len(apart) < FEWEST_ITEMS:
            reason = f"no interval from fewer than {FEWEST_ITEMS} items"
    return Difference(
        name=name,
        value=interval.value,
        low=interval.low,
        high=interval.high,
        p=p[name],
        items=len(apart),
        reason=reason,
    )


def list_changed_items(first: PairTables, second: PairTables) -> "ItemChange":
    """The items whose tables differ, those with the most changed units first."""
    one, other = select_common_items(first, second)
    step = other.cells.astype(np.int64) - one.cells.astype(np.int64)
    units = np.maximum(np.maximum(step, 0).sum(axis=1), np.maximum(-step, 0).sum(axis=1))
    order = np.lexsort((one.items, -units))
    order = order[units[order] > 0]
    equal = np.eye(len(one.values), dtype=bool).ravel()
    return ItemChange(
        items=one.items[order],
        units=units[order],
        gained=step[:, equal].sum(axis=1)[order],
    )


def _drop_empty_items(tables: PairTables) -> PairTables:
    return tables.only(np.asarray(tables.cells.any(axis=1)))


def _make_undefined_difference(name: str, items: int, reason: str) -> "Difference":
    return Difference(
        name=name, value=None, low=None, high=None, p=None, items=items, reason=reason
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """How much higher a number is in the second than in the first, on the same items.

    Attributes:
        name: Which number.
        value: The second minus the first; None where either is undefined.
        low: Lower end of the interval; None where there is no honest one.
        high: Upper end of the interval.
        p: How often swapping the two at random gives a difference at least as large.
        items: Items that have both.
        reason: Why it is undefined, or why it has no interval, in plain words.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    items: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class ItemChange:
    """Where two judges differ: one row per item whose table changed.

    Attributes:
        items: The store's item numbers.
        units: At least so many units of the item changed.
        gained: Units that agree with the reference in the second, less those in the first.
    """

    items: npt.NDArray[np.int64]
    units: npt.NDArray[np.int64]
    gained: npt.NDArray[np.int64]
