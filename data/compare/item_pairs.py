"""Match the items of two sides and compare their labels and numbers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.agreement.cells import get_or_make
from data.agreement.items import is_among, load_chosen_items
from data.compare.compare import (
    ItemNumbers,
    Numbers,
    SideLabels,
    Whole,
    load_item_keys,
    load_side_labels,
)
from data.compare.numbers import Duel, compute_common_numbers, get_item_values, load_item_numbers
from data.store.store import Store
from faithfulness.model.comparability import ItemMatch, Party
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY
from faithfulness.model.vocabulary import UnitKind

# As long as this share of the pairs are the same responses, comparing units is worth more.
ENOUGH_THE_SAME = 0.5


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Pairs:
    """Two sides laid beside each other; all arrays are in the order of the pairs.

    Attributes:
        match: by what items were paired; `offers` says how many pairs each way gives.
        first, second: the items of each pair, in the order of the first side's items.
        only_first, only_second: items without a partner.
        numbers: the number of each pair's items, nan where there is none; (2, pairs). Of the same
            response it is counted on the units that both sides labelled.
        labelled: how many units of each pair the first side, the second and both labelled, where
            the numbers are counted so; (3, pairs).
        name: what that number is called, and whether it is a mean of several raters' numbers.
        unit_pair: for each pair of units, the pair of items it is in; empty where units of
            different responses cannot be paired.
        units: the numbers of paired units; (2, unit pairs).
        codes: their labels, below zero for none; (2, unit pairs).
        are_units: whether units could be paired at all.
    """

    match: ItemMatch
    offers: dict[ItemMatch, int]
    first: Whole
    second: Whole
    only_first: Whole
    only_second: Whole
    numbers: Numbers
    labelled: Whole
    name: str
    unit_pair: Whole
    units: Whole
    codes: npt.NDArray[np.int8]
    are_units: bool

    @property
    def has_labels(self) -> bool:
        """Whether any pair of units has a label on both sides."""
        return bool((self.codes >= 0).all(axis=0).any())

    @property
    def nbytes(self) -> int:
        arrays = (self.first, self.second, self.numbers, self.labelled, self.unit_pair, self.units)
        return sum(each.nbytes for each in (*arrays, self.codes))


def load_item_pairs(store: Store, duel: Duel, match: ItemMatch | None = None) -> Pairs:
    """Both sides beside each other, by the surest match that leaves most of the pairs."""
    return get_or_make(
        store,
        ("compare pairs", *duel.key, match),
        lambda: _build_pairs(store, duel, match),
        lambda made: made.nbytes,
    )


def select_pairs(
    store: Store, duel: Duel, found: Pairs, selection: Selection
) -> npt.NDArray[np.bool_]:
    """Which pairs a selection leaves, by the first side's items."""
    items = _load_wanted_items(store, duel, duel.first, selection)
    return np.ones(len(found.first), np.bool_) if items is None else is_among(found.first, items)


def load_own_numbers(
    store: Store, duel: Duel, found: Pairs, selection: Selection, *, common: bool
) -> tuple[Numbers, Numbers]:
    """Each side's numbers by itself: of the common items, or of all that it speaks about."""
    if common:
        wanted = select_pairs(store, duel, found, selection)
        return found.numbers[0][wanted], found.numbers[1][wanted]
    one, other = (
        _load_side_numbers(store, duel, party, selection) for party in (duel.first, duel.second)
    )
    return one, other


def count_units(found: Pairs, wanted: npt.NDArray[np.bool_]) -> tuple[int, int, int]:
    """How many units the first side, the second and both labelled, where both have a number."""
    here = wanted & np.isfinite(found.numbers).all(axis=0)
    first, second, both = found.labelled[:, here].sum(axis=1)
    return int(first), int(second), int(both)


def count_labels(
    store: Store, duel: Duel, found: Pairs, wanted: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """How often each side gives each label on the pairs; (2, labels)."""
    size = len(duel.criterion.scale.values)
    counts = []
    for pair, _, codes in list_side_units(store, duel, found):
        here = wanted[pair] & (codes >= 0)
        counts.append(np.bincount(codes[here], minlength=size))
    return np.array(counts, np.float64)


def list_side_units(
    store: Store, duel: Duel, found: Pairs
) -> list[tuple[Whole, Whole, npt.NDArray[np.int8]]]:
    """Pair, unit and label of everything both sides said on the pairs."""
    if found.are_units:
        both = (found.codes >= 0).all(axis=0)
        return [
            (found.unit_pair[both], units[both], codes[both])
            for units, codes in zip(found.units, found.codes, strict=True)
        ]
    sides = []
    for party, items in ((duel.first, found.first), (duel.second, found.second)):
        said = load_side_labels(store, duel.protocol, duel.criterion, party, duel.apart(party))
        order = np.argsort(items, kind="stable")
        at = np.minimum(np.searchsorted(items[order], said.items), max(len(items) - 1, 0))
        here = np.zeros(len(said.items), np.bool_)
        if len(items):
            here = items[order][at] == said.items
        sides.append((order[at[here]], said.units[here], said.codes[here]))
    return sides


def _load_side_numbers(store: Store, duel: Duel, party: Party, selection: Selection) -> Numbers:
    found = load_item_numbers(store, duel, party)
    items = _load_wanted_items(store, duel, party, selection)
    return found.values if items is None else found.values[is_among(found.items, items)]


def _load_wanted_items(
    store: Store, duel: Duel, party: Party, selection: Selection
) -> Whole | None:
    """The items of a side's run that a selection leaves; None for all of them."""
    if not (selection.words or selection.slices):
        return None
    narrow = Selection(runs=(party.run,), words=selection.words, slices=selection.slices)
    return get_or_make(
        store,
        ("compare chosen", duel.protocol.key, narrow),
        lambda: load_chosen_items(store, narrow, duel.protocol),
        lambda made: made.nbytes,
    )


def _build_pairs(store: Store, duel: Duel, match: ItemMatch | None) -> Pairs:
    one, other = (
        load_side_labels(store, duel.protocol, duel.criterion, party, duel.apart(party))
        for party in (duel.first, duel.second)
    )
    mine, theirs = (
        load_item_numbers(store, duel, duel.first),
        load_item_numbers(store, duel, duel.second),
    )
    spoken = np.union1d(one.items, mine.items), np.union1d(other.items, theirs.items)
    ways = _find_matches(
        load_item_keys(store, duel.first.run), load_item_keys(store, duel.second.run), *spoken
    )
    offers = {way: len(found[0]) for way, found in ways.items() if len(found[0])}
    if duel.first.run == duel.second.run:  # every item is its own partner
        offers = {ItemMatch.ITEM: len(ways[ItemMatch.ITEM][0])}
    chosen = match if match in offers else _choose_match(offers)
    first, second = ways[chosen]
    unit_pair, rows, are_units = _pair_units(duel, chosen, one, other, first, second)
    values = np.stack([get_item_values(mine, first), get_item_values(theirs, second)])
    labelled = np.zeros((3, len(first)), np.int64)
    if chosen is ItemMatch.ITEM:
        values, labelled = compute_common_numbers(store, duel, (one, other), (mine, theirs), first)
    return Pairs(
        match=chosen,
        offers=offers,
        first=first,
        second=second,
        only_first=np.setdiff1d(spoken[0], first),
        only_second=np.setdiff1d(spoken[1], second),
        numbers=values,
        labelled=labelled,
        name=_name_number(duel, mine, theirs),
        unit_pair=unit_pair,
        units=np.stack([one.units[rows[0]], other.units[rows[1]]]),
        codes=np.stack([one.codes[rows[0]], other.codes[rows[1]]]),
        are_units=are_units,
    )


def _name_number(duel: Duel, mine: ItemNumbers, theirs: ItemNumbers) -> str:
    """The name of the number; of raters also how they come to one, which Runs does by a mean."""
    name = mine.name or theirs.name
    if not name or MAJORITY not in (duel.first.side, duel.second.side):
        return name
    if mine.averaged or theirs.averaged:
        return f"{name} (of raters the mean of their own)"
    return f"{name} (of raters by their majority labels)"


def _choose_match(offers: dict[ItemMatch, int]) -> ItemMatch:
    most = max(offers.values(), default=0)
    if offers.get(ItemMatch.ITEM, 0) >= ENOUGH_THE_SAME * most:
        return ItemMatch.ITEM
    return next(way for way in ItemMatch if offers.get(way, 0) == most)


def _find_matches(
    one: pd.DataFrame, other: pd.DataFrame, mine: Whole, theirs: Whole
) -> dict[ItemMatch, tuple[Whole, Whole]]:
    same = np.intersect1d(mine, theirs)
    one, other = (_keep_items(each, items) for each, items in ((one, mine), (other, theirs)))
    found = {ItemMatch.ITEM: (same, same)}
    for way, column in ((ItemMatch.SOURCES, "sources"), (ItemMatch.QUERY, "query")):
        found[way] = _match_by_column(one[one[column] != 0], other[other[column] != 0], column)
    named = [each[each["external_id"] != ""] for each in (one, other)]
    first, second = _match_by_column(named[0], named[1], "external_id")
    # Ids may be line numbers: where both have a question, it must be the same one.
    asked = [
        each.set_index("item_no")["query"].reindex(items).to_numpy()
        for each, items in ((one, first), (other, second))
    ]
    fits = (asked[0] == asked[1]) | (asked[0] == 0) | (asked[1] == 0)
    found[ItemMatch.ID] = (first[fits], second[fits])
    return found


def _keep_items(found: pd.DataFrame, items: Whole) -> pd.DataFrame:
    return found[found["item_no"].isin(items)]


def _match_by_column(one: pd.DataFrame, other: pd.DataFrame, column: str) -> tuple[Whole, Whole]:
    """Items whose key occurs once on each side; a key that occurs twice says nothing."""
    one, other = (
        each.drop_duplicates(column, keep=False)[["item_no", column]] for each in (one, other)
    )
    met = one.merge(other, on=column, suffixes=("", "_other")).sort_values("item_no")
    return met["item_no"].to_numpy(np.int64), met["item_no_other"].to_numpy(np.int64)


def _pair_units(
    duel: Duel, match: ItemMatch, one: SideLabels, other: SideLabels, first: Whole, second: Whole
) -> tuple[Whole, tuple[Whole, Whole], bool]:
    none = np.zeros(0, np.int64)
    if match is ItemMatch.ITEM:
        _, mine, theirs = np.intersect1d(
            one.units, other.units, assume_unique=True, return_indices=True
        )
        return np.searchsorted(first, one.items[mine]), (mine, theirs), True
    if duel.protocol.unit is not UnitKind.RESPONSE:
        return none, (none, none), False
    frames = [
        pd.DataFrame({"item": each.items, "row": np.arange(len(each.items))}).drop_duplicates(
            "item"
        )
        for each in (one, other)
    ]
    together = pd.DataFrame({"first": first, "second": second, "pair": np.arange(len(first))})
    met = together.merge(frames[0], left_on="first", right_on="item").merge(
        frames[1], left_on="second", right_on="item", suffixes=("", "_other")
    )
    rows = (met["row"].to_numpy(np.int64), met["row_other"].to_numpy(np.int64))
    return met["pair"].to_numpy(np.int64), rows, True
