"""Numeric value per item and side: stored with the item, or computed from its labels."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from data.agreement.cells import SECONDS, get_or_make
from data.agreement.codes import ABSENT, UNREAD
from data.compare import compare_sql as sql
from data.compare.compare import (
    ItemNumbers,
    Numbers,
    SideLabels,
    Whole,
    load_side_labels,
    load_stored_numbers,
)
from data.store.store import Store
from faithfulness.model.comparability import Party
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import Answer, Author, Item, Unit

NOTHING = ItemNumbers(name="", items=np.zeros(0, np.int64), values=np.zeros(0))


@dataclass(frozen=True, kw_only=True, slots=True)
class Duel:
    """What is compared: two parties under one criterion of a protocol."""

    protocol: Protocol
    criterion: Criterion
    first: Party
    second: Party

    @property
    def key(self) -> tuple[str, str, Party, Party]:
        return self.protocol.key, self.criterion.key, self.first, self.second

    def apart(self, party: Party) -> tuple[Author, ...]:
        """The rater on the other side, who does not vote in a majority on this one."""
        other = self.second if party == self.first else self.first
        return party.side.voters_apart(other.side)


def load_item_numbers(store: Store, duel: Duel, party: Party) -> ItemNumbers:
    """The number of each item of one side, under a name that the other side has as well.

    The protocol's own where both have it. Numbers of different names are never compared: where no
    name is common there is none.
    """
    other = duel.second if party == duel.first else duel.first
    mine = _load_all_numbers(store, duel, party)
    common = {each.name for each in _load_all_numbers(store, duel, other)}
    own = duel.protocol.summarise(Item(id="", fields=(), units=()), ()).name
    found = sorted((each for each in mine if each.name in common), key=lambda n: n.name != own)
    return found[0] if found else NOTHING


def compute_common_numbers(
    store: Store,
    duel: Duel,
    sides: tuple[SideLabels, SideLabels],
    own: tuple[ItemNumbers, ItemNumbers],
    items: Whole,
) -> tuple[Numbers, Whole]:
    """Both sides' numbers of the same responses, and how many units each side and both labelled.

    A response on which both labelled the same units keeps its numbers. Elsewhere they would stand
    on other units: they are counted again, unless they are not the labels' own numbers.
    """
    values = np.stack([get_item_values(each, items) for each in own])
    mine, theirs = (each.units[each.codes >= 0] for each in sides)
    common = np.intersect1d(mine, theirs)
    labelled = np.stack(
        [_count_units(each, each.codes >= 0, items) for each in sides]
        + [_count_units(sides[0], np.isin(sides[0].units, common), items)]
    )
    uneven = (labelled[:2] > 0).all(axis=0) & (labelled[:2] != labelled[2]).any(axis=0)
    if not uneven.any():
        return values, labelled
    again = [
        _summarize_units(store, duel, _keep_items(each, items[uneven]), common) for each in sides
    ]
    if any(new.name != old.name for new, old in zip(again, own, strict=True)):
        return values, np.zeros_like(labelled)
    values[:, uneven] = [get_item_values(each, items[uneven]) for each in again]
    return values, labelled


def get_item_values(found: ItemNumbers, items: Whole) -> Numbers:
    """The number of each of these items, nan where there is none."""
    values = np.full(len(items), np.nan)
    if len(found.items):
        at = np.minimum(np.searchsorted(found.items, items), len(found.items) - 1)
        there = found.items[at] == items
        values[there] = found.values[at[there]]
    return values


def _load_all_numbers(store: Store, duel: Duel, party: Party) -> tuple[ItemNumbers, ...]:
    """The stored ones of one author under a protocol's first criterion.

    Of a majority, of a single prompt, or under another criterion, they are counted from the
    labels, by the protocol's own rule. What a majority has no labels for is the raters' mean.
    """
    first = duel.criterion is duel.protocol.criteria[0]
    alone = party.side.author is not None
    if first and alone and not party.prompt:
        return load_stored_numbers(store, party)
    but = duel.apart(party)
    said = load_side_labels(store, duel.protocol, duel.criterion, party, but)
    if not first:
        return (_mean_scores(duel.criterion, said),) if duel.criterion.scale.ordinal else ()
    given = () if alone else load_stored_numbers(store, party, but)
    if not (said.codes != ABSENT).any():
        return given
    key = ("compare summaries", duel.protocol.key, party, but)
    own = get_or_make(store, key, lambda: _summarised(store, duel, said), lambda made: made.nbytes)
    return (own, *(each for each in given if each.name != own.name))


def _summarize_units(store: Store, duel: Duel, said: SideLabels, units: Whole) -> ItemNumbers:
    """The numbers that a side's labels come to if it had labelled these units only."""
    only = replace(said, codes=np.where(np.isin(said.units, units), said.codes, ABSENT))
    if duel.criterion is duel.protocol.criteria[0]:
        return _summarised(store, duel, only)
    return _mean_scores(duel.criterion, only)


def _count_units(said: SideLabels, here: npt.NDArray[np.bool_], items: Whole) -> Whole:
    """How many units of each item are among those that are meant."""
    mine = said.items[here & np.isin(said.items, items)]
    return np.bincount(np.searchsorted(items, mine), minlength=len(items)).astype(np.int64)


def _keep_items(said: SideLabels, items: Whole) -> SideLabels:
    here = np.isin(said.items, items)
    return replace(said, items=said.items[here], units=said.units[here], codes=said.codes[here])


def _mean_scores(criterion: Criterion, said: SideLabels) -> ItemNumbers:
    scores = np.array([float(value) for value in criterion.scale.values])
    here = said.codes >= 0
    items, where = np.unique(said.items[here], return_inverse=True)
    total = np.bincount(where, weights=scores[said.codes[here]], minlength=len(items))
    count = np.bincount(where, minlength=len(items))
    return ItemNumbers(
        name=criterion.key.replace("_", " ").capitalize(), items=items, values=total / count
    )


def _summarised(store: Store, duel: Duel, said: SideLabels) -> ItemNumbers:
    """The protocol's summary of every item; items with equal counts are summarised once."""
    fields = _load_field_positions(store, duel.protocol, said)
    kinds, reviewed = len(duel.criterion.scale.values) + 2, tuple(duel.protocol.checked_against)
    items, where = np.unique(said.items, return_inverse=True)
    # Unread first, then everything else without a label, then the labels.
    state = np.where(said.codes >= 0, said.codes + 2, said.codes != UNREAD).astype(np.int64)
    column = fields * kinds + state
    width = kinds * len(reviewed)
    table = np.bincount(where * width + column, minlength=len(items) * width)
    patterns, of_item = np.unique(table.reshape(len(items), width), axis=0, return_inverse=True)
    name, found = "", []
    for pattern in patterns:
        summary = duel.protocol.summarise(*_build_example(duel, pattern, kinds, reviewed))
        name = summary.name
        found.append(np.nan if summary.value is None else summary.value)
    return ItemNumbers(name=name, items=items, values=np.array(found)[of_item.ravel()])


def _load_field_positions(store: Store, protocol: Protocol, said: SideLabels) -> Whole:
    """For each unit, the position of its field among those the protocol reviews."""
    if len(protocol.checked_against) < 2:
        return np.zeros(len(said.units), np.int64)
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(sql.UNIT_FIELDS, {"items": np.unique(said.items).tolist()}).df()
    place = {name: at for at, name in enumerate(protocol.checked_against)}
    fields = rows.set_index("unit_no")["field"].map(place).reindex(said.units)
    return np.asarray(fields, np.int64)


def _build_example(
    duel: Duel, pattern: npt.NDArray[np.int64], kinds: int, reviewed: tuple[str, ...]
) -> tuple[Item, list[Answer]]:
    """An item with as many units of each field and label as the pattern counts."""
    units, answers = [], []
    values = duel.criterion.scale.values
    for column, many in enumerate(pattern):
        field, code = reviewed[column // kinds], column % kinds - 2
        for nth in range(int(many)):
            unit_id = f"{column}.{nth}"
            kind = duel.protocol.unit
            units.append(Unit(id=unit_id, kind=kind, field=field, text="", span=None))
            answers.append(
                Answer(
                    unit_id=unit_id,
                    criterion=duel.criterion.key,
                    value=values[code] if code >= 0 else None,
                    problem="unread" if code == -2 else "",
                )
            )
    return Item(id="", fields=(), units=tuple(units)), answers
