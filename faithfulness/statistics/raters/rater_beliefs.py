"""How often each rater is right by Dawid and Skene's model, where there is enough to say so.

The model has no reference: it believes those who agree with each other. So it is fitted to units
that two raters labelled, on which they can agree at all, and says nothing of a rater with few.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from faithfulness.model.vocabulary import Author
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.intervals import FEWEST_ITEMS
from faithfulness.statistics.raters.dawid_skene import FEWEST_AUTHORS, DawidSkene, dawid_skene
from faithfulness.statistics.tables import Numbers, Ratings

NAME = "dawid_skene"
FEWEST_UNITS = 10  # believed to have a label, before a share of them is told
NO_INTERVAL = (
    "no interval: drawing items again would not show the larger doubt, whether raters err "
    "independently as the model takes for granted"
)


def rater_beliefs(ratings: Ratings) -> "Beliefs":
    """The model's belief about each rater, or the reason why it is not asked."""
    shared = _shared(ratings)
    enough = [place for place in range(len(shared.authors)) if _items(shared, place) > 0]
    if len(enough) < FEWEST_AUTHORS:
        return Beliefs(
            raters=(),
            reason=f"it takes at least {FEWEST_AUTHORS} raters with labels on shared units",
        )
    if max(_items(shared, place) for place in enough) < FEWEST_ITEMS:
        return Beliefs(raters=(), reason=f"no rater shares {FEWEST_ITEMS} items with another rater")
    model = dawid_skene(shared)
    return Beliefs(
        raters=tuple(_belief(shared, model, place) for place in enough), reason=model.reason
    )


def _shared(ratings: Ratings) -> Ratings:
    """The units that at least two labelled."""
    rows = (ratings.codes >= 0).sum(axis=1) >= 2
    return Ratings(
        values=ratings.values,
        ordinal=ratings.ordinal,
        authors=ratings.authors,
        items=ratings.items[rows],
        codes=ratings.codes[rows],
        counts=ratings.counts[rows],
    )


def _items(ratings: Ratings, place: int) -> int:
    return len(np.unique(ratings.items[ratings.codes[:, place] >= 0]))


def _belief(ratings: Ratings, model: DawidSkene, place: int) -> "Belief":
    table, items = model.confusions[place], _items(ratings, place)
    said = ratings.codes[:, place] >= 0
    units = int(ratings.counts[said].sum())
    few = f"fewer than {FEWEST_ITEMS} items" if items < FEWEST_ITEMS else ""
    found = {}
    for label, value in enumerate(model.values):
        believed = float(table[label].sum())
        rare = f"fewer than {FEWEST_UNITS} units are believed to be {value}"
        found[value] = _estimate(
            f"{NAME}:{value}",
            part=float(table[label, label]),
            whole=believed,
            items=items,
            units=round(believed),
            why_not=few or (rare if believed < FEWEST_UNITS else ""),
            doubt=model.reason,
        )
    right = _estimate(
        NAME,
        part=float(table.trace()),
        whole=units,
        items=items,
        units=units,
        why_not=few,
        doubt=model.reason,
    )
    return Belief(
        author=model.authors[place], right=right, finds=found, confusion=table, told=not few
    )


def _estimate(
    name: str, *, part: float, whole: float, items: int, units: int, why_not: str, doubt: str
) -> Estimate:
    return Estimate(
        name=name,
        value=None if why_not else part / whole,
        low=None,
        high=None,
        items=items,
        units=units,
        reason=why_not or "; ".join(part for part in (doubt, NO_INTERVAL) if part),
    )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Belief:
    """What the model believes about one rater.

    Attributes:
        author: The rater.
        right: Share of this rater's labels that the model takes for right.
        finds: Per label of the scale, the share of units believed to have it to which this rater
            gives it; `units` is how many are believed to have it.
        confusion: Believed units by true label and the label this rater gave.
        told: Whether there is enough of this rater to say anything.
    """

    author: Author
    right: Estimate
    finds: dict[str, Estimate]
    confusion: npt.NDArray[np.float64]
    told: bool

    def commonest_error(self) -> tuple[int, int, float] | None:
        """The true label, the label given in its place, and on how many units; None without one."""
        apart: Numbers = np.where(np.eye(len(self.confusion), dtype=bool), 0, self.confusion)
        if not self.told or apart.max() < 0.5:
            return None
        true, given = divmod(int(apart.argmax()), len(apart))
        return true, given, float(apart[true, given])


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Beliefs:
    """All raters by the model; nobody where `reason` says why it was not fitted.

    Attributes:
        raters: One for each rater who shares a unit with another.
        reason: Why there is nothing, or why to doubt what there is, in plain words.
    """

    raters: tuple[Belief, ...]
    reason: str
