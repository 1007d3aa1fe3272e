"""How often the shipped intervals contain the truth: simulated items, 30, 100 and 300 at a time.

Run `python -m benchmarks.interval_coverage [--repeats N]`. Sentences of one simulated item are
alike: each item has its own mixture of labels and its own difficulty, which both sides share. The
truth is the number over 400,000 items of the same kind. An interval that is not given (a label that
rests on one item) is not counted, and how often that happens is printed.
"""

import argparse
import time

import numpy as np
import numpy.typing as npt

from benchmarks.claims import claim
from faithfulness.statistics.agreement import pair_estimates, pair_values
from faithfulness.statistics.tables import PairTables, count_pairs

LABELS = ("supported", "unsupported", "contradictory", "no_rad")
SHARES = np.array([0.72, 0.18, 0.03, 0.07])
NAMES = ("percent", "kappa", "ac1", "f1:unsupported", "f1:contradictory")
SIZES = (30, 100, 300)
TRUTH_ITEMS = 400_000
LIKENESS = 6.0  # how much an item's own mixture of labels keeps to the shares over all items
BAR = (0.93, 0.97)

Codes = npt.NDArray[np.int64]


def simulate(rng: np.random.Generator, items: int) -> PairTables:
    sentences = rng.integers(3, 18, items)
    item = np.repeat(np.arange(items), sentences)
    mixture = rng.gamma(LIKENESS * SHARES, size=(items, len(SHARES)))
    mixture /= mixture.sum(axis=1, keepdims=True)
    difficulty = rng.beta(1.5, 6, items)[item]
    true = drawn(rng, mixture[item])
    reference = slipped(rng, true, 0.4 * difficulty)
    judge = slipped(rng, true, difficulty)
    return count_pairs(LABELS, False, items=item, reference=reference, judge=judge)


def drawn(rng: np.random.Generator, shares: npt.NDArray[np.float64]) -> Codes:
    edges = shares.cumsum(axis=1)[:, :-1]
    return (rng.random(len(shares))[:, None] > edges).sum(axis=1)


def slipped(rng: np.random.Generator, true: Codes, chance: npt.NDArray[np.float64]) -> Codes:
    other = rng.choice(len(SHARES), len(true), p=[0.4, 0.4, 0.08, 0.12])
    return np.where(rng.random(len(true)) < chance, other, true)


def coverage(truth: dict[str, float], items: int, repeats: int) -> None:
    rng = np.random.default_rng(items)
    hits = dict.fromkeys(NAMES, 0)
    given = dict.fromkeys(NAMES, 0)
    width = dict.fromkeys(NAMES, 0.0)
    seconds = 0.0
    for _ in range(repeats):
        tables = simulate(rng, items)
        started = time.process_time()
        found = pair_estimates(tables, NAMES)
        seconds += time.process_time() - started
        for name, estimate in found.items():
            if estimate.low is not None and estimate.high is not None:
                given[name] += 1
                hits[name] += estimate.low <= truth[name] <= estimate.high
                width[name] += estimate.high - estimate.low
    for name in NAMES:
        share = hits[name] / max(given[name], 1)
        claim(
            f"95 % intervals of {name} on {items} items contain the truth ({repeats:,} times)",
            100 * share,
            "%",
            at_most=100 * BAR[1],
            at_least=100 * BAR[0],
        )
        inside = "" if BAR[0] <= share <= BAR[1] else "  outside the bar"
        print(
            f"{items:5d}  {name:18s} {truth[name]:7.3f} {share:9.1%} "
            f"{width[name] / max(given[name], 1):7.3f} {repeats - given[name]:8d}{inside}"
        )
    print(f"       {1e3 * seconds / repeats:.1f} ms of processor time for these five")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=2_000)
    repeats = parser.parse_args().repeats
    large = simulate(np.random.default_rng(0), TRUTH_ITEMS)
    truth = {
        name: float(value) for name, value in pair_values(large.total, LABELS, False, NAMES).items()
    }
    print(f"{repeats} repetitions, nominal 95 %, bar {BAR[0]:.0%} to {BAR[1]:.0%}")
    print("items  number               truth  contained  width  not given")
    for items in SIZES:
        coverage(truth, items, repeats)


if __name__ == "__main__":
    main()
