"""Correct p values for multiple tests (Benjamini-Yekutieli false discovery rate)."""

from collections.abc import Sequence

import numpy as np

from faithfulness.statistics.tables import Numbers


def benjamini_yekutieli(p: Sequence[float] | Numbers) -> Numbers:
    """Corrected p values in the same order, valid however the tests depend on each other.

    A corrected value of at most 0.05 keeps the expected share of false alarms at most 0.05
    (Benjamini and Yekutieli 2001).
    """
    given = np.asarray(p, np.float64)
    if not len(given):
        return given
    if not ((given >= 0) & (given <= 1)).all():
        raise ValueError("a p value lies outside 0 to 1; leave out tests without one")
    order = np.argsort(given)
    rank = np.arange(1, len(given) + 1)
    raised = given[order] * len(given) * (1 / rank).sum() / rank
    least = np.minimum.accumulate(raised[::-1])[::-1]
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(least, 1.0)
    return corrected
