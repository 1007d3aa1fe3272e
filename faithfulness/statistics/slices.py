"""Agreement per slice of the items, lowest first, next to the value over all items."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.agreement import (
    Estimate,
    build_estimates,
    compute_pair_spreads,
    compute_pair_values,
)
from faithfulness.statistics.many_tests import benjamini_yekutieli
from faithfulness.statistics.tables import PairTables


@dataclass(frozen=True, kw_only=True, slots=True)
class Slice:
    """One number on one slice of the items.

    Attributes:
        value: What the items of this slice have in common, such as a system's name.
        estimate: The number with its interval.
        p: How surprising it is if the number over all items were the truth; None without interval.
        differs: Whether it still differs from the number over all items after all slices were
            looked at: its interval excludes that number, and so does its corrected p.
    """

    value: str
    estimate: Estimate
    p: float | None
    differs: bool = False


def slices(
    tables: PairTables, by: npt.ArrayLike, names: Iterable[str], *, level: float = 0.95
) -> tuple[Slice, ...]:
    """Each number on each slice, name by name, those with the lowest lower bound first.

    Slices without an interval stand last. Looking at many slices finds a strange one by luck; the
    p values are therefore corrected over the slices of a number (Benjamini and Yekutieli 2001).
    Chance counts the labels that occur over all items, so that slices can be compared.

    Args:
        tables: What was counted over all items.
        by: The slice of each row of `tables`.
        names: Which numbers, as in `pair_estimates`.
        level: How often intervals contain the truth; false alarms stay below the rest.
    """
    of_row = np.asarray(by, np.str_)
    if of_row.shape != tables.items.shape:
        raise ValueError(f"{len(of_row)} slice values do not fit {len(tables.items)} items")
    wanted = tuple(names)
    overall = compute_pair_values(tables.total, tables.values, tables.ordinal, wanted)
    rows: dict[str, list[Slice]] = {name: [] for name in wanted}
    for value in np.unique(of_row):
        part = tables.only(of_row == value)
        spreads = compute_pair_spreads(part, wanted, used=tables.used)
        for name, estimate in build_estimates(part, spreads, level=level).items():
            p = spreads[name].p_against(float(overall[name]))
            if estimate.low is None:
                p = None
            rows[name].append(Slice(value=str(value), estimate=estimate, p=p))
    return tuple(
        row
        for name, found in rows.items()
        for row in sorted(_mark_differing(found, float(overall[name]), level), key=_get_sort_key)
    )


def _mark_differing(found: list[Slice], overall: float, level: float) -> list[Slice]:
    """The same slices, each saying whether it differs from the number over all items."""
    tested = [row.p for row in found if row.p is not None]
    corrected = iter(benjamini_yekutieli(tested))
    marked = []
    for row in found:
        low, high = row.estimate.low, row.estimate.high
        if row.p is None or low is None or high is None:
            marked.append(row)
        else:
            excluded = not low <= overall <= high
            surprising = float(next(corrected)) <= 1 - level
            marked.append(replace(row, differs=excluded and surprising))
    return marked


def _get_sort_key(row: Slice) -> tuple[bool, float, float, str]:
    low, value = row.estimate.low, row.estimate.value
    missing = float("inf")
    return (
        low is None,
        missing if low is None else low,
        missing if value is None else value,
        row.value,
    )
