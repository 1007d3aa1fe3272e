"""Bias-corrected rate of a judge from a few human labels (prediction-powered inference).

Implements PPI++ (Angelopoulos, Duchi and Zrnic 2024) in its clustered form: a rate is a ratio of
sums over items, and its error comes from the variation between items. Intervals that treat
sentences as independent cover the true value 65 to 80 times in a hundred, not 95. **The labeled
items must be a random sample of all items**: this module cannot verify that, so the caller must
state the assumption next to the result.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.spread import (
    FEW,
    FEWEST_ITEMS,
    SAME,
    Range,
    Spread,
    degrees_of_freedom,
)
from faithfulness.statistics.student import t_quantile, t_quantiles
from faithfulness.statistics.tables import Numbers

EXTREME = 0.95  # above this rate, or below its mirror, a tuned power covers too little
ASSUMPTION = "holds only if the items people labelled are a random sample of all items"

_STILL = 1e-12
_UNLABELLED = "people labelled none of the items"
_ALL_LABELLED = "too few items are left to the judge: this is what people say"


def estimate_corrected_rate(
    labelled: "LabelledItems",
    others: "JudgedItems",
    *,
    power_tuning: float | None = None,
    level: float = 0.95,
) -> "Corrected":
    """The share of units with a label: by the judge alone, by people alone, and corrected.

    Args:
        labelled: Items that people labelled as well, a random sample of all items.
        others: Items that only the judge labelled.
        power_tuning: How far to trust the judge, 0 to 1. Where left out it is chosen to give the
            shortest interval, and is 1 for rates above 0.95 or below 0.05.
        level: How often the intervals contain the truth.
    """
    labelled, others = labelled.with_units(), others.with_units()
    n, units = len(labelled.units), int(labelled.units.sum())
    judged = _estimate_judge_only(labelled, others, level)
    if not n:
        people, corrected = (
            _make_empty_estimate(name, _UNLABELLED) for name in ("human_only", "corrected")
        )
        return Corrected(
            judge_only=judged, human_only=people, corrected=corrected, power_tuning=None
        )
    human_rate, rest = _compute_rate(labelled.human, labelled.units)
    people = _make_estimate("human_only", human_rate, _compute_error(rest), rest, units, level)
    if len(others.units) < FEWEST_ITEMS:
        told = f"{people.reason}; {_ALL_LABELLED}" if people.reason else _ALL_LABELLED
        corrected = replace(people, name="corrected", reason=told)
        return Corrected(
            judge_only=judged, human_only=people, corrected=corrected, power_tuning=None
        )
    spread = compute_rate_errors(labelled, others)
    tuning = spread.tuning(n, len(others.units)) if power_tuning is None else power_tuning
    value = spread.rate(tuning)
    _, judge_rest = _compute_rate(labelled.judge, labelled.units)
    error = math.sqrt(spread.variance(tuning, n, len(others.units)))
    if power_tuning is None:
        # A power that was chosen to give the shortest interval costs a degree of freedom.
        error *= math.sqrt((n - 1) / max(n - 2, 1))
    return Corrected(
        judge_only=judged,
        human_only=people,
        corrected=replace(
            _make_estimate("corrected", value, error, rest - tuning * judge_rest, units, level),
            items=n + len(others.units),
            units=units + int(others.units.sum()),
        ),
        power_tuning=tuning,
    )


def compute_labels_needed(
    labelled: "LabelledItems", others: "JudgedItems", margin: float, *, level: float = 0.95
) -> int | None:
    """How many more items people must label for a corrected rate within plus or minus `margin`.

    It takes the spread among the items labelled so far for that of all. None where there are too
    few of them to know it (20), or too few others (20), where they do not differ at all, or where
    labelling every item would not be enough.
    """
    labelled, others = labelled.with_units(), others.with_units()
    n, total = len(labelled.units), len(labelled.units) + len(others.units)
    if min(n, len(others.units)) < FEWEST_ITEMS:
        return None
    spread = compute_rate_errors(labelled, others)
    if spread.variance(spread.tuning(n, len(others.units)), n, len(others.units)) <= _STILL:
        return None
    more = np.arange(n, total)
    left = total - more
    tuning = spread.tunings(more, left)
    reach = t_quantiles(level, (more - 1).astype(np.float64)) * np.sqrt(
        spread.variances(tuning, more, left)
    )
    enough = np.flatnonzero(reach <= margin)
    if len(enough):
        return int(enough[0])
    everything = float(t_quantile(level, total - 1)) * math.sqrt(spread.human / total)
    return total - n if everything <= margin else None


def compute_rate_errors(
    labelled: "LabelledItems", others: "JudgedItems", ddof: int = 1
) -> "RateErrors":
    """The rates, and how much items differ around them."""
    human_rate, human = _compute_rate(labelled.human, labelled.units)
    judge_rate, judge = _compute_rate(labelled.judge, labelled.units)
    other_rate, other = _compute_rate(others.judge, others.units)
    return RateErrors(
        human_rate=human_rate,
        judge_rate=judge_rate,
        other_rate=other_rate,
        human=_compute_covariance(human, human, ddof),
        judge=_compute_covariance(judge, judge, ddof),
        together=_compute_covariance(human, judge, ddof),
        other=_compute_covariance(other, other, ddof),
    )


def _estimate_judge_only(
    labelled: "LabelledItems", others: "JudgedItems", level: float
) -> Estimate:
    judge = np.concatenate([labelled.judge, others.judge])
    units = np.concatenate([labelled.units, others.units])
    if not units.sum():
        return _make_empty_estimate("judge_only", "the judge labelled nothing here")
    rate, rest = _compute_rate(judge, units)
    return _make_estimate("judge_only", rate, _compute_error(rest), rest, int(units.sum()), level)


def _compute_rate(positive: Numbers, units: Numbers) -> tuple[float, Numbers]:
    """A ratio of sums, and what each item adds to its error (times the number of items)."""
    rate = float(positive.sum() / units.sum())
    return rate, (positive - rate * units) / units.mean()


def _compute_covariance(first: Numbers, second: Numbers, ddof: int) -> float:
    # The rest of a ratio sums to zero, so no mean has to be taken away.
    return float(first @ second) / max(len(first) - ddof, 1)


def _compute_error(rest: Numbers) -> float:
    return math.sqrt(_compute_covariance(rest, rest, 1) / len(rest))


def _make_empty_estimate(name: str, reason: str) -> Estimate:
    return Estimate(name=name, value=None, low=None, high=None, items=0, units=0, reason=reason)


def _make_estimate(
    name: str,
    value: float,
    error: float,
    influences: Numbers,
    units: int,
    level: float,
) -> Estimate:
    """A rate with its interval; `influences` is what each item that people labelled adds to it."""
    n, shown = len(influences), min(max(value, 0.0), 1.0)
    low = high = None
    reason = ""
    if n < FEWEST_ITEMS:
        reason = FEW
    elif error <= _STILL or float(abs(influences).max()) <= _STILL:
        # Only the judge's other items vary: how far the people's rate could lie is not known.
        reason = SAME
    else:
        freedom = degrees_of_freedom(influences, Range.SHARE)
        spread = Spread(value=value, error=error, freedom=freedom, within=Range.SHARE)
        low, high = (min(max(end, 0.0), 1.0) for end in spread.ends(level))
    return Estimate(
        name=name,
        value=shown,
        low=low,
        high=high,
        items=n,
        units=units,
        reason=reason,
    )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LabelledItems:
    """Items that people and the judge labelled, one entry per item.

    Attributes:
        human: Units with the label in question, by people.
        judge: Units with it, by the judge.
        units: Units that both labelled.
    """

    human: Numbers
    judge: Numbers
    units: Numbers

    def with_units(self) -> "LabelledItems":
        """Without the items of which no unit was labelled."""
        kept = self.units > 0
        return LabelledItems(human=self.human[kept], judge=self.judge[kept], units=self.units[kept])


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class JudgedItems:
    """Items that only the judge labelled, one entry per item.

    Attributes:
        judge: Units with the label in question.
        units: Units that the judge labelled.
    """

    judge: Numbers
    units: Numbers

    def with_units(self) -> "JudgedItems":
        """Without the items of which no unit was labelled."""
        kept = self.units > 0
        return JudgedItems(judge=self.judge[kept], units=self.units[kept])


@dataclass(frozen=True, kw_only=True, slots=True)
class RateErrors:
    """The three rates, and the variance of one item around each of them."""

    human_rate: float
    judge_rate: float
    other_rate: float
    human: float
    judge: float
    together: float
    other: float

    def rate(self, tuning: float) -> float:
        """The corrected rate: what people say, plus what the judge says of the other items."""
        return self.human_rate + tuning * (self.other_rate - self.judge_rate)

    def tuning(self, labelled: int, others: int) -> float:
        """How far to trust the judge with so many items of each kind."""
        return float(self.tunings(np.array(labelled), np.array(others)))

    def variance(self, tuning: float, labelled: int, others: int) -> float:
        """The squared error of the corrected rate with so many items of each kind."""
        return float(self.variances(np.array(tuning), np.array(labelled), np.array(others)))

    def tunings(
        self, labelled: npt.NDArray[np.integer], others: npt.NDArray[np.integer]
    ) -> Numbers:
        """As `tuning`, for many numbers of items."""
        if not 1 - EXTREME <= self.rate(1.0) <= EXTREME:
            return np.ones(labelled.shape)
        noise = self.judge / labelled + self.other / others
        if self.judge + self.other <= _STILL:
            return np.zeros(labelled.shape)
        return np.clip(self.together / labelled / noise, 0.0, 1.0)

    def variances(
        self,
        tuning: Numbers,
        labelled: npt.NDArray[np.integer],
        others: npt.NDArray[np.integer],
    ) -> Numbers:
        """As `variance`, for many numbers of items."""
        judged = tuning**2 * (self.other / others + self.judge / labelled)
        found = judged + (self.human - 2 * tuning * self.together) / labelled
        return np.asarray(np.maximum(found, 0.0))


@dataclass(frozen=True, kw_only=True, slots=True)
class Corrected:
    """One rate seen three ways, to be shown side by side.

    Attributes:
        judge_only: What the judge says; its interval knows nothing of the judge's errors.
        human_only: What people say on the items they labelled.
        corrected: What the judge says, set right by people.
        power_tuning: How far the judge was trusted, 0 to 1; None where nothing was corrected.
    """

    judge_only: Estimate
    human_only: Estimate
    corrected: Estimate
    power_tuning: float | None
