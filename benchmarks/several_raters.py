"""How much faster several raters are read as patterns than row by row; prints ratios.

Every side starts from the same rows, one per unit, and gives the same numbers, which is checked.
CPU time of one thread is compared, the least of three runs; slow peers run on a part and are
scaled up, which the line then says.

Run: OPENBLAS_NUM_THREADS=1 python -m benchmarks.several_raters
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.claims import claim
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.raters.dawid_skene import dawid_skene, fit_model
from faithfulness.statistics.raters.rater_sums import compute_coefficients, sum_by_item
from faithfulness.statistics.raters.several_raters import (
    build_profiles,
    estimate_coefficients,
    find_duplicates,
)
from faithfulness.statistics.tables import Ratings

LABELS, RATERS, UNITS_PER_ITEM, GAPS = 4, 5, 10, 0.3
UNITS, PART = 1_000_000, 50_000
RESAMPLES = 2_000


def ratings_of(units: int) -> Ratings:
    rng = np.random.default_rng(5)
    truth = rng.choice(LABELS, units, p=[0.7, 0.15, 0.05, 0.1]).astype(np.int8)
    guess = rng.integers(0, LABELS, (units, RATERS), np.int8)
    codes = np.where(rng.random((units, RATERS)) < 0.85, truth[:, None], guess)
    codes[rng.random((units, RATERS)) < GAPS] = -1
    return Ratings(
        values=tuple("abcd"),
        ordinal=False,
        authors=tuple(Author(kind=AuthorKind.RATER, name=str(n)) for n in range(RATERS)),
        items=np.arange(units) // UNITS_PER_ITEM,
        codes=codes,
        counts=np.ones(units, np.int64),
    )


def cpu(work: Callable[[], Any], repeats: int = 3) -> tuple[float, Any]:
    best, result = float("inf"), None
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return best, result


def alpha_by_patterns(ratings: Ratings) -> float:
    sums = sum_by_item(ratings).sum(axis=0)
    return float(compute_coefficients(sums, LABELS, ordinal=False)["alpha"])


def alpha_of(met: Any) -> float:
    used, n = met.sum(axis=0), met.sum()
    return float(1 - (n - 1) * (n - np.trace(met)) / (n**2 - (used**2).sum()))


def alpha_row_by_row(codes: Any) -> float:
    met = np.zeros((LABELS, LABELS))
    for row in codes.tolist():
        said = [code for code in row if code >= 0]
        for place, one in enumerate(said):
            for other in said[:place] + said[place + 1 :]:
                met[one, other] += 1 / (len(said) - 1)
    return alpha_of(met)


def alpha_of_rows(codes: Any) -> float:
    """All rows at once: the outer product of the votes on every unit."""
    votes = (codes[:, :, None] == np.arange(LABELS)).sum(axis=1).astype(float)
    votes = votes[votes.sum(axis=1) >= 2]
    pairs = votes[:, :, None] * votes[:, None, :]
    pairs[:, range(LABELS), range(LABELS)] -= votes
    return alpha_of((pairs / (votes.sum(axis=1) - 1)[:, None, None]).sum(axis=0))


def interval_of_rows(ratings: Ratings, resamples: int) -> Any:
    """The item bootstrap by gathering the rows of the drawn items."""
    rng = np.random.default_rng(1)
    items = len(ratings.codes) // UNITS_PER_ITEM
    by_item = ratings.codes.reshape(items, UNITS_PER_ITEM, RATERS)
    drawn = [
        alpha_of_rows(by_item[rng.integers(0, items, items)].reshape(-1, RATERS))
        for _ in range(resamples)
    ]
    return np.quantile(drawn, [0.025, 0.975])


def fit_of_rows(ratings: Ratings) -> Any:
    votes = (ratings.codes[:, :, None] == np.arange(LABELS)).astype(float)
    seen = votes.any(axis=(1, 2))
    return fit_model(votes[seen], np.ones(int(seen.sum())))[1]


def line(name: str, own: float, peer: float, note: str = "") -> None:
    claim(name, peer / own, "times as fast", peer=note or "measured side by side")
    print(f"{name:<46}{own * 1e3:>10.1f} ms{peer * 1e3:>12.1f} ms{peer / own:>9.1f} x  {note}")


def main() -> None:
    many, part = ratings_of(UNITS), ratings_of(PART)
    scale = UNITS / PART
    print(f"{UNITS:,} units, {RATERS} raters, {GAPS:.0%} gaps")
    print(f"{'CPU time':<46}{'patterns':>13}{'peer':>15}{'ratio':>11}")
    own, alpha = cpu(lambda: alpha_by_patterns(many))
    peer, same = cpu(lambda: alpha_of_rows(many.codes))
    assert abs(alpha - same) < 1e-9
    line("alpha and seven more; peer: alpha of all rows", own, peer)
    peer, same = cpu(lambda: alpha_row_by_row(part.codes), 1)
    assert abs(alpha_by_patterns(part) - same) < 1e-9
    line("alpha and seven more; peer: alpha row by row", own, peer * scale, "peer scaled up")
    own, _ = cpu(lambda: estimate_coefficients(many))
    print(f"{'with intervals (by the standard error)':<46}{own * 1e3:>10.1f} ms")
    own, found = cpu(lambda: estimate_coefficients(part))
    peer = cpu(lambda: interval_of_rows(part, 10), 1)[0] * RESAMPLES / 10
    line(
        f"with intervals, {PART // UNITS_PER_ITEM:,} items; the peer resamples",
        own,
        peer,
        "peer scaled up",
    )
    low, high = interval_of_rows(part, 200)
    print(
        f"  interval of alpha {found['alpha'].low:.4f} to {found['alpha'].high:.4f}, "
        f"by rows (200 resamples) {low:.4f} to {high:.4f}"
    )
    own, model = cpu(lambda: dawid_skene(many))
    peer, marginals = cpu(lambda: fit_of_rows(many), 1)
    assert np.abs(model.marginals - marginals).max() < 1e-6
    line("Dawid and Skene; peer: the same on rows", own, peer)
    print(f"{'rater profiles':<46}{cpu(lambda: build_profiles(many))[0] * 1e3:>10.1f} ms")
    print(f"{'copied raters':<46}{cpu(lambda: find_duplicates(many))[0] * 1e3:>10.1f} ms")


if __name__ == "__main__":
    main()
