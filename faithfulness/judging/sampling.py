"""Draw random samples of items, plain or balanced by stratum, reproducible by seed."""

import random
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def draw_sample(items: Sequence[T], count: int, *, seed: int = 0) -> list[T]:
    """A random sample in the order of the items; all of them when there are no more."""
    if count >= len(items):
        return list(items)
    chosen = random.Random(seed).sample(range(len(items)), max(0, count))
    return [items[place] for place in sorted(chosen)]


def draw_evenly(
    items: Sequence[T], strata: Sequence[Hashable], count: int, *, seed: int = 0
) -> list[T]:
    """As many from every stratum as possible, so that rare ones are looked at too.

    A stratum that has fewer gives all it has, and the others share what it leaves.
    """
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, stratum in enumerate(strata):
        places[stratum].append(place)
    chance = random.Random(seed)
    groups = list(places.values())
    chance.shuffle(groups)  # so that none of equal size is favoured when a share is a fraction
    chosen: list[int] = []
    for nth, group in enumerate(sorted(groups, key=len)):
        # Rounded up: where a share is a fraction, the rarer strata have what is left over.
        share = -((len(chosen) - max(0, count)) // (len(groups) - nth))
        chosen += chance.sample(group, min(share, len(group)))
    return [items[place] for place in sorted(chosen)]
