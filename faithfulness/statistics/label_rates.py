"""Rates of label use per item, as input for corrected rates and summary sentences."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faithfulness.model.scale import Label, Scale, Tone
from faithfulness.statistics.coefficients import divide
from faithfulness.statistics.correction import JudgedItems, LabelledItems
from faithfulness.statistics.intervals import Bounds, Range, compute_item_intervals
from faithfulness.statistics.tables import Numbers, PairTables, Ratings

FEWEST_EITHER_WAY = 5  # items with a label, and items with another: fewer decide its share alone
FEW_EITHER_WAY = (
    f"no interval where fewer than {FEWEST_EITHER_WAY} items have it, or have anything else"
)


class Telling(NamedTuple):
    """The label whose F1 says most about a judge: how often the reference uses it, and why it."""

    value: str
    uses: int
    why: str


# What labels of each rank do; the last ones say nothing against the text.
_ONE_DOES = ("claims a contradiction", "says something is wrong", "leaves doubt")
_SEVERAL_DO = ("claim a contradiction", "say something is wrong", "leave doubt")


def find_telling_label(tables: PairTables, scale: Scale) -> Telling | None:
    """The gravest label that the reference uses, of several equally grave ones the rarest.

    How rare a label is does not say that it matters: of a set in which nearly everything needs
    attribution, the rarest may be the one for small talk. None where the reference uses one only.
    """
    uses = tables.total.sum(axis=1)
    used = np.flatnonzero(uses)
    if len(used) < 2:
        return None
    ranks = {place: _rank_label(scale.label(tables.values[place])) for place in map(int, used)}
    place = min(ranks, key=lambda each: (ranks[each], uses[each], each))
    alike = [int(uses[each]) for each in ranks if ranks[each] == ranks[place]]
    return Telling(tables.values[place], int(uses[place]), _explain_choice(ranks[place], alike))


def _explain_choice(rank: int, uses: Sequence[int]) -> str:
    """Why this label: what only it does, or how rare it is among the equally grave ones in use."""
    if len(uses) == 1 and rank < len(_ONE_DOES):
        return f"{_ONE_DOES[rank]}, and no other label in use does"
    rarest = "the rarest" if uses.count(min(uses)) == 1 else "one of the rarest"
    if rank < len(_SEVERAL_DO):
        return f"is {rarest} of the {len(uses)} labels in use that {_SEVERAL_DO[rank]}"
    return f"is {rarest}: none that speaks against the text is used"


def _rank_label(label: Label) -> int:
    if label.contradicts:
        return 0
    return {Tone.BAD: 1, Tone.DOUBT: 2}.get(label.tone, 3)


def find_commonest_label(tables: PairTables) -> str:
    """The label the reference uses most."""
    return tables.values[int(tables.total.sum(axis=1).argmax())]


def compute_share_bounds(cells: Numbers) -> list[Bounds]:
    """The interval of each label's share, from how often each item has each label.

    A label that few items have, or that few lack, has none: at 20 and 30 items it would hold in 90
    to 92 of a hundred cases where sentences of one item are much alike.
    """
    places = [str(at) for at in range(cells.shape[1])]

    def shares(sums: Numbers) -> dict[str, Numbers]:
        parts = divide(sums, sums.sum(axis=1, keepdims=True))
        return dict(zip(places, parts.T, strict=True))

    found = compute_item_intervals(cells, shares, dict.fromkeys(places, Range.SHARE))
    with_label = np.count_nonzero(cells, axis=0)
    with_another = np.count_nonzero(cells.sum(axis=1, keepdims=True) - cells, axis=0)
    enough = np.minimum(with_label, with_another) >= FEWEST_EITHER_WAY
    return [
        found[place] if sure or found[place].reason else Bounds(None, None, FEW_EITHER_WAY)
        for place, sure in zip(places, enough, strict=True)
    ]


def count_labeled_items(tables: PairTables, label: str) -> LabelledItems:
    """Items that both sides labelled: how many of their units each side gives this label."""
    size, place = len(tables.values), tables.values.index(label)
    counts = tables.cells.astype(np.float64).reshape(-1, size, size)
    return LabelledItems(
        human=counts[:, place, :].sum(axis=1),
        judge=counts[:, :, place].sum(axis=1),
        units=counts.sum(axis=(1, 2)),
    )


def count_judged_items(ratings: Ratings, tables: PairTables, label: str) -> JudgedItems:
    """Items of which people labelled nothing, by the judge's labels alone.

    Args:
        ratings: The labels of the judge, its only author.
        tables: What both labelled; their items are left out here.
        label: The label in question.
    """
    place = ratings.values.index(label)
    alone = ~np.isin(ratings.items, tables.items)
    said = alone & (ratings.codes[:, 0] >= 0)
    numbers, item = np.unique(ratings.items[said], return_inverse=True)
    counts = ratings.counts[said].astype(np.float64)
    has_label = (ratings.codes[said, 0] == place).astype(np.float64)
    return JudgedItems(
        judge=_sum_by_item(item, counts * has_label, len(numbers)),
        units=_sum_by_item(item, counts, len(numbers)),
    )


def _sum_by_item(item: npt.NDArray[np.intp], counts: Numbers, items: int) -> Numbers:
    return np.bincount(item, weights=counts, minlength=items).astype(np.float64)
