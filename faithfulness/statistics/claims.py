"""Precision, recall and F1 of claims over topics, with intervals that draw whole topics.

A claim of the prediction is right when the reference supports it (precision), a claim of the
reference is covered when the prediction supports it (recall). A claim that nobody judged counts on
neither side: it is not false.
"""

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.coefficients import Numbers, ratio
from faithfulness.statistics.intervals import FEWEST_ITEMS, Bounds, item_intervals

_NOT_JUDGED = {
    "precision": "no claim of the prediction was judged",
    "recall": "no claim of the reference was judged",
    "f1": "no claim was judged on one of the two sides",
    "precision_macro": "no topic was judged on both sides",
    "recall_macro": "no topic was judged on both sides",
    "f1_macro": "no topic was judged on both sides",
}


def claim_f1(
    prediction_true: npt.ArrayLike,
    prediction_judged: npt.ArrayLike,
    reference_true: npt.ArrayLike,
    reference_judged: npt.ArrayLike,
    *,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """The numbers of the claim protocol, from four counts per topic.

    "precision", "recall" and "f1" pool all judged claims (micro); "precision_macro", "recall_macro"
    and "f1_macro" are means over the topics that were judged on both sides, all three over the same
    topics. Each estimate says how many topics (`items`) and judged claims (`units`) it rests on.
    """
    given = (prediction_true, prediction_judged, reference_true, reference_judged)
    counts = np.stack([np.asarray(each, np.float64) for each in given], axis=1)
    if (counts[:, 0] > counts[:, 1]).any() or (counts[:, 2] > counts[:, 3]).any():
        raise ValueError("a topic has more true claims than judged ones")
    judged, judged_too = counts[:, 1] > 0, counts[:, 3] > 0
    enough = min(judged.sum(), judged_too.sum()) >= FEWEST_ITEMS
    found = {
        "precision": _estimate("precision", counts[judged], level, sides=[1]),
        "recall": _estimate("recall", counts[judged_too], level, sides=[3]),
        "f1": _estimate("f1", counts[judged | judged_too], level, sides=[1, 3], enough=enough),
    }
    both = counts[judged & judged_too]
    for name, sides in (("precision_macro", [1]), ("recall_macro", [3]), ("f1_macro", [1, 3])):
        found[name] = _estimate(name, both, level, sides=sides)
    return found


def _estimate(
    name: str, counts: Numbers, level: float, *, sides: list[int], enough: bool = True
) -> Estimate:
    topics, units = len(counts), int(counts[:, sides].sum())
    columns = np.column_stack([counts, _by_topic(counts), np.ones(topics)])
    value = float(_pooled(columns.sum(axis=0)[None])[name][0])
    if np.isnan(value):
        shown, bounds = None, Bounds(None, None, _NOT_JUDGED[name])
    else:
        shown = value
        bounds = item_intervals(columns, lambda sums: {"": _pooled(sums)[name]}, level=level)[""]
    if shown is not None and not enough:
        few = f"no interval from fewer than {FEWEST_ITEMS} topics judged on each side"
        bounds = Bounds(None, None, few)
    return Estimate(
        name=name,
        value=shown,
        low=bounds.low,
        high=bounds.high,
        items=topics,
        units=units,
        reason=bounds.reason.replace("items", "topics").replace("item", "topic"),
    )


def _by_topic(counts: Numbers) -> Numbers:
    """Precision, recall and F1 of each topic; 0 where undefined, which no mean here includes."""
    precision = ratio(counts[:, 0], counts[:, 1])
    recall = ratio(counts[:, 2], counts[:, 3])
    return np.nan_to_num(np.column_stack([precision, recall, _harmonic(precision, recall)]))


def _pooled(sums: Numbers) -> dict[str, Numbers]:
    """All numbers from sums over topics: four counts, three numbers per topic, the topics."""
    precision = ratio(sums[:, 0], sums[:, 1])
    recall = ratio(sums[:, 2], sums[:, 3])
    topics = sums[:, 7]
    return {
        "precision": precision,
        "recall": recall,
        "f1": _harmonic(precision, recall),
        "precision_macro": ratio(sums[:, 4], topics),
        "recall_macro": ratio(sums[:, 5], topics),
        "f1_macro": ratio(sums[:, 6], topics),
    }


def _harmonic(precision: Numbers, recall: Numbers) -> Numbers:
    """F1; 0 where both are 0, undefined where either is."""
    both = precision + recall
    return ratio(2 * precision * recall, np.where(both == 0, 1, both))
