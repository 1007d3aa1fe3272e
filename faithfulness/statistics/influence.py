"""Influence of single items on a statistic: jackknife and delta method.

A statistic is a function of sums over items. All leave-one-out values are computed by subtracting
one item's counts from the sums, so no row is read twice.
"""

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Cells = npt.NDArray[np.number]
Statistics = Callable[[Numbers], Mapping[str, Numbers]]
"""From sums over items, (batch, cells), each statistic's values, (batch,); nan is undefined."""

_ROWS_AT_ONCE = 65_536
_STEP = 1e-3  # of a count: small beside one unit, large beside the rounding of ten million


def compute_left_out(cells: Cells, statistics: Statistics) -> dict[str, Numbers]:
    """Each statistic without the first item, without the second, and so on (the jackknife)."""
    total = cells.sum(axis=0, dtype=np.float64)
    parts = [
        statistics(total - cells[start : start + _ROWS_AT_ONCE])
        for start in range(0, len(cells), _ROWS_AT_ONCE)
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def compute_linear_errors(cells: Cells, statistics: Statistics) -> dict[str, float]:
    """Each statistic's standard error over items, from its slope in every cell (delta method).

    It equals the jackknife's to first order. It needs one pass over the cells however many
    statistics there are: the slopes are taken at the sums, and the spread of the items enters as
    the matrix of their products.
    """
    items, size = cells.shape
    total = cells.sum(axis=0, dtype=np.float64)
    products = np.zeros((size, size))
    for start in range(0, items, _ROWS_AT_ONCE):
        rows = cells[start : start + _ROWS_AT_ONCE].astype(np.float64)
        products += rows.T @ rows
    spread = (products - np.outer(total, total) / items) * items / (items - 1)
    steps = _STEP * np.maximum(total, 1)
    moved = statistics(np.concatenate([total + np.diag(steps), total - np.diag(steps)]))
    errors = {}
    for name, value in moved.items():
        slopes = (value[:size] - value[size:]) / (2 * steps)
        errors[name] = float(np.sqrt(max(slopes @ spread @ slopes, 0.0)))
    return errors
