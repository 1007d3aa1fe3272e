"""Precision, recall and F1 of claims over topics, with intervals over whole topics.

A claim of the prediction is correct if the reference supports it (precision); a claim of the
reference is covered if the prediction supports it (recall). A claim without a label is excluded
from both: it does not count as false. For several raters, the score is the mean over raters in
every topic.
"""

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.coefficients import Numbers, divide
from faithfulness.statistics.intervals import (
    FEWEST_ITEMS,
    Bounds,
    Range,
    compute_item_intervals,
    compute_mean_interval,
)
from faithfulness.statistics.spread import FEW, SAME

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
    topics: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """The numbers of the claim protocol, from four counts per topic.

    "precision", "recall" and "f1" pool all judged claims (micro); "precision_macro", "recall_macro"
    and "f1_macro" are means over the topics that were judged on both sides, all three over the same
    topics. Each estimate says how many topics (`items`) and judged claims (`units`) it rests on.

    `topics` names the topic of each row where several raters have a row about the same topic. A
    topic's score is then the mean over the raters who judged both sides of it.
    """
    given = (prediction_true, prediction_judged, reference_true, reference_judged)
    by_row = np.stack([np.asarray(each, np.float64) for each in given], axis=1)
    if (by_row[:, 0] > by_row[:, 1]).any() or (by_row[:, 2] > by_row[:, 3]).any():
        raise ValueError("a topic has more true claims than judged ones")
    of_row = np.arange(len(by_row)) if topics is None else np.asarray(topics)
    counts = _sum_by_topic(by_row, of_row)
    judged, judged_too = counts[:, 1] > 0, counts[:, 3] > 0
    enough = min(judged.sum(), judged_too.sum()) >= FEWEST_ITEMS
    found = {
        "precision": _estimate_score("precision", counts[judged], level, sides=[1]),
        "recall": _estimate_score("recall", counts[judged_too], level, sides=[3]),
        "f1": _estimate_score(
            "f1", counts[judged | judged_too], level, sides=[1, 3], enough=enough
        ),
    }
    both = (by_row[:, 1] > 0) & (by_row[:, 3] > 0)
    scores = _compute_row_scores(by_row[both])
    for place, (name, sides) in enumerate(
        {"precision_macro": [1], "recall_macro": [3], "f1_macro": [1, 3]}.items()
    ):
        units = int(by_row[both][:, sides].sum())
        found[name] = _average_over_topics(name, scores[:, place], of_row[both], units, level)
    return found


def _sum_by_topic(by_row: Numbers, of_row: npt.NDArray[np.int64]) -> Numbers:
    topics, place = np.unique(of_row, return_inverse=True)
    sums = [np.bincount(place, weights=column, minlength=len(topics)) for column in by_row.T]
    return np.column_stack(sums).astype(np.float64)


def _average_over_topics(
    name: str, scores: Numbers, of_row: npt.NDArray[np.int64], units: int, level: float
) -> Estimate:
    """The mean over topics of the mean over raters, with the interval that Runs shows."""
    topics, place, rows = np.unique(of_row, return_inverse=True, return_counts=True)
    by_topic = np.bincount(place, weights=scores, minlength=len(topics)) / rows
    found = compute_mean_interval(by_topic, level=level)
    reason = ""
    if found.value is None:
        reason = _NOT_JUDGED[name]
    elif found.low is None:
        reason = FEW if len(topics) < FEWEST_ITEMS else SAME
    return Estimate(
        name=name,
        value=found.value,
        low=found.low,
        high=found.high,
        items=len(topics),
        units=units,
        reason=_replace_item_words(reason),
    )


def _estimate_score(
    name: str, counts: Numbers, level: float, *, sides: list[int], enough: bool = True
) -> Estimate:
    value = float(_compute_pooled_scores(counts.sum(axis=0)[None])[name][0])
    if np.isnan(value):
        shown, bounds = None, Bounds(None, None, _NOT_JUDGED[name])
    else:
        shown = value
        bounds = compute_item_intervals(
            counts,
            lambda sums: {"": _compute_pooled_scores(sums)[name]},
            {"": Range.SHARE},
            level=level,
        )[""]
    if shown is not None and not enough:
        few = f"no interval from fewer than {FEWEST_ITEMS} topics judged on each side"
        bounds = Bounds(None, None, few)
    return Estimate(
        name=name,
        value=shown,
        low=bounds.low,
        high=bounds.high,
        items=len(counts),
        units=int(counts[:, sides].sum()),
        reason=_replace_item_words(bounds.reason),
    )


def _replace_item_words(reason: str) -> str:
    return reason.replace("items", "topics").replace("item", "topic")


def _compute_row_scores(counts: Numbers) -> Numbers:
    """Precision, recall and F1 of each row."""
    return np.column_stack(list(_compute_pooled_scores(counts).values()))


def _compute_pooled_scores(sums: Numbers) -> dict[str, Numbers]:
    """Precision, recall and F1 from four counts."""
    precision = divide(sums[:, 0], sums[:, 1])
    recall = divide(sums[:, 2], sums[:, 3])
    return {
        "precision": precision,
        "recall": recall,
        "f1": _compute_harmonic_mean(precision, recall),
    }


def _compute_harmonic_mean(precision: Numbers, recall: Numbers) -> Numbers:
    """F1; 0 where both are 0, undefined where either is."""
    both = precision + recall
    return divide(2 * precision * recall, np.where(both == 0, 1, both))
