"""What a statistic would have been with other items: drawn again, one left out, weighed a bit more.

A statistic is a function of sums over items. So all statistics of all resamples come out of one
product, how often each item was drawn times what each item counts, and no row is gathered twice.
"""

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

RESAMPLES = 2_000
SEED = 20_240_101

Numbers = npt.NDArray[np.float64]
Cells = npt.NDArray[np.number]
Statistics = Callable[[Numbers], Mapping[str, Numbers]]
"""From sums over items, (batch, cells), each statistic's values, (batch,); nan is undefined."""

_DRAWS_AT_ONCE = 4_000_000  # 32 MB of draws: more is no faster
_ROWS_AT_ONCE = 65_536
_ALONE = 250_000  # multiplications that OpenBLAS does without waking threads, which costs far more
_EXACT_IN_SINGLE = (
    2**22
)  # resampled sums of whole numbers up to here stay exact in single precision
_STEP = 1e-3  # of a count: small beside one unit, large beside the rounding of ten million


def resampled(
    cells: Cells, statistics: Statistics, *, resamples: int = RESAMPLES
) -> dict[str, Numbers]:
    """Each statistic on samples of the items drawn with replacement; the draws are always the same.

    Draws follow from the number of items alone. Two calls with equally many rows therefore draw the
    same rows, and a difference between two judges can be taken resample by resample.
    """
    rng = np.random.default_rng(SEED)
    items = len(cells)
    whole = np.issubdtype(cells.dtype, np.integer) and cells.sum() < _EXACT_IN_SINGLE
    kind: np.dtype[np.floating] = np.dtype(np.float32 if whole else np.float64)
    counted = cells.astype(kind)
    sums = np.empty((resamples, cells.shape[1]))
    at_once = max(1, _DRAWS_AT_ONCE // items)
    for start in range(0, resamples, at_once):
        many = min(at_once, resamples - start)
        drawn = rng.integers(0, items, (many, items)) + np.arange(many)[:, None] * items
        weights = np.bincount(drawn.ravel(), minlength=many * items).reshape(many, items)
        _multiply(weights.astype(kind), counted, into=sums[start : start + many])
    return dict(statistics(sums))


def _multiply(
    weights: npt.NDArray[np.floating], counted: npt.NDArray[np.floating], *, into: Numbers
) -> None:
    """The product, in blocks of rows small enough for one thread as long as rows are short."""
    rows = _ALONE // max(counted.size, 1)
    step = rows if rows >= 8 else len(weights)
    for start in range(0, len(weights), step):
        into[start : start + step] = weights[start : start + step] @ counted


def left_out(cells: Cells, statistics: Statistics) -> dict[str, Numbers]:
    """Each statistic without the first item, without the second, and so on (the jackknife)."""
    total = cells.sum(axis=0, dtype=np.float64)
    parts = [
        statistics(total - cells[start : start + _ROWS_AT_ONCE])
        for start in range(0, len(cells), _ROWS_AT_ONCE)
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def linear_errors(cells: Cells, statistics: Statistics) -> dict[str, float]:
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
