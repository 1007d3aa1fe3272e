"""Decide which sentences of a reply that are worded otherwise than the item's can be used."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Place(NamedTuple):
    """The units that one sentence of a reply is about, by their numbers in the item."""

    first: int
    last: int
    is_certain: bool  # known by its id or by its very words, not by similar ones

    @property
    def units(self) -> range:
        return range(self.first, self.last + 1)


def find_ambiguous(places: Sequence[Place | None], unit_count: int) -> set[int]:
    """Find the similar sentences whose position in the reply does not confirm their place.

    A position confirms a place in two cases. Between two certain neighbours, the similar sentences
    are about exactly the units that lie between them, in the same order. Or a single unit is left
    that no certain sentence is about.

    Args:
        places: of the reply's sentences in their order; None for one that resembles no unit.
        unit_count: how many units the item has.
    """
    taken = {unit for place in places if place and place.is_certain for unit in place.units}
    left = [unit for unit in range(unit_count) if unit not in taken]
    ambiguous: set[int] = set()
    similar: list[tuple[int, Place]] = []
    before = -1
    for number, place in enumerate([*places, Place(unit_count, unit_count, True)]):
        if place is None:
            continue
        if not place.is_certain:
            similar.append((number, place))
            continue
        between = [unit for unit in left if before < unit < place.first]
        if not _is_filled(between, [place for _, place in similar]):
            ambiguous |= {number for number, each in similar if list(each.units) != left}
        similar, before = [], place.last
    return ambiguous


def _is_filled(gap: Sequence[int], places: Sequence[Place]) -> bool:
    """Whether the places cover each unit of the gap and no other one, in order."""
    in_order = all(one.last <= other.first for one, other in pairwise(places))
    return in_order and {unit for place in places for unit in place.units} == set(gap)
