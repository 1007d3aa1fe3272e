"""Intraclass correlation of scores by several authors (Shrout and Fleiss 1979), without gaps.

(1,1) takes the authors of every unit as drawn anew, (2,1) counts a lenient author as error, (3,1)
does not; the forms with k are about the mean of all k authors.
"""

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.intervals import Range, item_intervals
from faithfulness.statistics.tables import Numbers, Ratings

NAMES = ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k")
GAPS = "some units lack an author's score: use interval alpha"


def icc(
    matrix: npt.ArrayLike,
    *,
    items: npt.ArrayLike | None = None,
    counts: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """All six forms from scores, (units, authors); a gap, nan, leaves them undefined.

    Args:
        matrix: The scores.
        items: The item of each row; each row is its own item where left out.
        counts: How many units each row stands for; one where left out.
        level: How often the intervals contain the truth.
    """
    scores = np.asarray(matrix, np.float64)
    rows, authors = scores.shape
    many = np.ones(rows) if counts is None else np.asarray(counts, np.float64)
    each = np.arange(rows) if items is None else np.asarray(items)
    numbers, place = np.unique(each, return_inverse=True)
    units = int(many.sum())
    problem = _problem(scores, units)
    if problem:
        return {
            name: Estimate(
                name=name,
                value=None,
                low=None,
                high=None,
                items=len(numbers),
                units=units,
                reason=problem,
            )
            for name in NAMES
        }
    # Counted from the middle of the scores, squares stay small beside their differences.
    centred = scores - scores.mean()
    columns = [np.ones(rows), (centred**2).sum(axis=1), centred.sum(axis=1) ** 2, *centred.T]
    sums = np.stack([np.bincount(place, weights=column * many) for column in columns], axis=1)

    def forms(totals: Numbers) -> dict[str, Numbers]:
        return _forms(totals, authors)

    values = {name: float(found[0]) for name, found in forms(sums.sum(axis=0)[None]).items()}
    bounds = item_intervals(sums, forms, dict.fromkeys(NAMES, Range.COEFFICIENT), level=level)
    return {
        name: Estimate(
            name=name,
            value=values[name] if np.isfinite(values[name]) else None,
            low=bounds[name].low,
            high=bounds[name].high,
            items=len(numbers),
            units=units,
            reason=bounds[name].reason
            if np.isfinite(values[name])
            else "the scores do not vary between units",
        )
        for name in NAMES
    }


def icc_of(ratings: Ratings, *, level: float = 0.95) -> dict[str, Estimate]:
    """All six forms from ratings on an ordinal scale, whose labels count 1, 2, 3 and so on."""
    labelled = (ratings.codes >= 0).any(axis=1)
    codes = ratings.codes[labelled]
    scores = np.where(codes >= 0, codes + 1.0, np.nan)
    return icc(scores, items=ratings.items[labelled], counts=ratings.counts[labelled], level=level)


def _problem(scores: Numbers, units: int) -> str:
    if scores.shape[1] < 2:
        return "it takes two authors"
    if np.isnan(scores).any():
        return GAPS
    return "" if units >= 2 else "it takes two units that everybody scored"


def _forms(totals: Numbers, authors: int) -> dict[str, Numbers]:
    """The forms from sums with any leading axes: units, squares, squared row sums, columns."""
    units, squares, rows = totals[..., 0], totals[..., 1], totals[..., 2]
    columns = totals[..., 3:]
    with np.errstate(all="ignore"):
        middle = columns.sum(-1) ** 2 / (units * authors)
        between = rows / authors - middle
        by_author = (columns**2).sum(-1) / units - middle
        within = squares - rows / authors
        target = between / (units - 1)
        inside = within / (units * (authors - 1))
        bias = by_author / (authors - 1)
        error = (within - by_author) / ((units - 1) * (authors - 1))
        apart = (bias - error) / units
        found = {
            "icc_1_1": (target - inside) / (target + (authors - 1) * inside),
            "icc_2_1": (target - error) / (target + (authors - 1) * error + authors * apart),
            "icc_3_1": (target - error) / (target + (authors - 1) * error),
            "icc_1_k": (target - inside) / target,
            "icc_2_k": (target - error) / (target + apart),
            "icc_3_k": (target - error) / target,
        }
        # Scores that never vary leave rounding over rounding.
        flat = between <= 1e-12 * np.maximum(squares, 1e-300)
        return {name: np.where(flat, np.nan, value) for name, value in found.items()}
