"""How often each label is used, in the forms in which `correction` and the sentences need it."""

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.correction import JudgedItems, LabelledItems
from faithfulness.statistics.tables import Numbers, PairTables, Ratings


def rare_label(tables: PairTables) -> str:
    """The label the reference uses least, of those it uses; empty where it uses one only."""
    uses = tables.total.sum(axis=1)
    used = np.flatnonzero(uses)
    if len(used) < 2:
        return ""
    return tables.values[int(used[np.argmin(uses[used])])]


def commonest_label(tables: PairTables) -> str:
    """The label the reference uses most."""
    return tables.values[int(tables.total.sum(axis=1).argmax())]


def labelled_items(tables: PairTables, label: str) -> LabelledItems:
    """Items that both sides labelled: how many of their units each side gives this label."""
    size, place = len(tables.values), tables.values.index(label)
    counts = tables.cells.astype(np.float64).reshape(-1, size, size)
    return LabelledItems(
        human=counts[:, place, :].sum(axis=1),
        judge=counts[:, :, place].sum(axis=1),
        units=counts.sum(axis=(1, 2)),
    )


def judged_items(ratings: Ratings, tables: PairTables, label: str) -> JudgedItems:
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
        judge=_sums(item, counts * has_label, len(numbers)),
        units=_sums(item, counts, len(numbers)),
    )


def _sums(item: npt.NDArray[np.intp], counts: Numbers, items: int) -> Numbers:
    return np.bincount(item, weights=counts, minlength=items).astype(np.float64)
