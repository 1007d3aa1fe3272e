"""Permutation tests for paired answers on the same items.

Under the null hypothesis, the two answers on an item are exchangeable. Up to 13 items, all possible
swaps are tried; above that, a limited number of random ones with a fixed seed.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.tables import Numbers

SEED = 20_240_101
MOST_TRIED = 13
MOST_DRAWN, FEWEST_DRAWN = 9_999, 999
_SWAPS_AT_ONCE = 4_000_000
_SWAPS_IN_ALL = 40_000_000
_TIE = 1e-9  # sums in another order differ in the last digits; such differences are equal

Swaps = npt.NDArray[np.uint8]
Differences = Callable[[Numbers], Mapping[str, Numbers]]


def generate_swaps(items: int) -> Iterator[Swaps]:
    """Which items are swapped, (ways, items), in portions; all ways where they are few."""
    if items <= MOST_TRIED:
        ways = np.arange(2**items)[:, None]
        yield (ways >> np.arange(items) & 1).astype(np.uint8)
        return
    rng = np.random.default_rng(SEED)
    drawn = min(MOST_DRAWN, max(FEWEST_DRAWN, _SWAPS_IN_ALL // items))
    at_once = max(1, _SWAPS_AT_ONCE // items)
    for start in range(0, drawn, at_once):
        many = min(at_once, drawn - start)
        bits = np.frombuffer(rng.bytes(many * ((items + 7) // 8)), np.uint8)
        yield np.unpackbits(bits.reshape(many, -1), axis=1, count=items)


def compute_swap_p(moved: npt.NDArray[np.number], differences: Differences) -> dict[str, float]:
    """How often a random swap gives a difference at least as large, for many statistics at once.

    Args:
        moved: What swapping each item adds to the sums, (items, cells).
        differences: From what was added, (ways, cells), each statistic's difference. Ways that
            leave a statistic undefined say nothing about it.

    Returns:
        The two-sided p of each statistic; nan where the difference itself is undefined.
    """
    seen = {
        name: float(found[0]) for name, found in differences(np.zeros((1, moved.shape[1]))).items()
    }
    larger = dict.fromkeys(seen, 0)
    tried = dict.fromkeys(seen, 0)
    whole = np.issubdtype(moved.dtype, np.integer) and np.abs(moved).sum() < 2**24
    cells: npt.NDArray[np.floating] = moved.astype(np.float32 if whole else np.float64)
    for ways in generate_swaps(len(moved)):
        for name, found in differences((ways @ cells).astype(np.float64)).items():
            defined = np.abs(found[np.isfinite(found)])
            tried[name] += len(defined)
            larger[name] += int((defined >= abs(seen[name]) - _TIE).sum())
    # Of drawn ways the one that was seen is one more; among all ways it stands already.
    own = int(len(moved) > MOST_TRIED)
    return {
        name: (larger[name] + own) / (tried[name] + own) if np.isfinite(value) else np.nan
        for name, value in seen.items()
    }
