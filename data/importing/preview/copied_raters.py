"""Warn before import about two raters of a run with the same answers on all shared units."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

ENOUGH = 20  # units two raters share; fewer may well agree by themselves
TELLING = 5  # of those: the same words, or another value than the commonest one
NO_WORDS = 0

Voice = tuple[str, str]  # the run's key, the rater's name
Heard = tuple[int, int, int]  # hashes: the unit, the value, the rationale (NO_WORDS: none)


def warn_of_copied_raters(said: Mapping[Voice, Sequence[Heard]]) -> Iterator[str]:
    """A warning for every two raters of a run with the same values on all units they share.

    Rationales must be the same wherever both give one. Where nearly everything has one value, two
    honest raters agree as well: some units must carry more than that.
    """
    runs: dict[str, dict[str, Any]] = {}
    for (run, name), answers in said.items():
        if len(answers) >= ENOUGH:
            runs.setdefault(run, {})[name] = _sort_answers(answers)
    for run, raters in runs.items():
        for first, second in combinations(sorted(raters), 2):
            shared = _count_copied_units(raters[first], raters[second])
            if shared:
                yield (
                    f"{first} and {second} give the same answers on all {shared} units they share"
                    f"{_describe_run(run, len(runs))}: is one a copy of the other?"
                )


def _count_copied_units(first: Any, second: Any) -> int:
    """How many units two raters share, when they are enough and everything is the same there."""
    units, mine, theirs = np.intersect1d(
        first[:, 0], second[:, 0], assume_unique=True, return_indices=True
    )
    if len(units) < ENOUGH:
        return 0
    one, other = first[mine], second[theirs]
    is_silent = (one[:, 2] == NO_WORDS) | (other[:, 2] == NO_WORDS)
    is_same = (one[:, 1] == other[:, 1]) & (is_silent | (one[:, 2] == other[:, 2]))
    values, counts = np.unique(one[:, 1], return_counts=True)
    is_telling = (one[:, 1] != values[counts.argmax()]) | ~is_silent
    return len(units) if is_same.all() and is_telling.sum() >= TELLING else 0


def _describe_run(key: str, runs: int) -> str:
    """Which run is meant, where there are several."""
    protocol, _, system = key.partition("\x1f")
    return f" in the run of {system or protocol}" if runs > 1 else ""


def _sort_answers(answers: Sequence[Heard]) -> Any:
    """Units in order, each once; the last answer on a unit counts."""
    last = {unit: (unit, value, words) for unit, value, words in answers}
    return np.array(sorted(last.values()), dtype=np.int64)
