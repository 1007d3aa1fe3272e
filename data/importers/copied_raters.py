"""Copied raters: two raters whose answers are the same everywhere, reported before storing."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

ENOUGH = 20  # units two raters share; fewer may well agree by themselves


def copied_raters(said: Mapping[str, Sequence[tuple[int, int]]]) -> Iterator[str]:
    """A warning for every pair of raters with the same values and rationales on all they share.

    `said` maps a rater to pairs of hashes: the unit, and what was said about it.
    """
    ready = {name: _sorted(answers) for name, answers in said.items() if len(answers) >= ENOUGH}
    for first, second in combinations(sorted(ready), 2):
        units, mine, theirs = np.intersect1d(
            ready[first][:, 0], ready[second][:, 0], assume_unique=True, return_indices=True
        )
        if len(units) < ENOUGH:
            continue
        if (ready[first][mine, 1] == ready[second][theirs, 1]).all():
            yield (
                f"{first} and {second} give the same answers with the same words on all "
                f"{len(units)} units they share: is one a copy of the other?"
            )


def _sorted(
    answers: Sequence[tuple[int, int]],
) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    """Units in order, each once; the last answer on a unit counts."""
    last = dict(answers)
    return np.array(sorted(last.items()), dtype=np.int64)
