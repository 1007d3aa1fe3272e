"""Simulated items whose units are alike: what the benchmark of intervals draws its samples from.

Each item has its own mixture of labels (or its own quality, on a scale) and its own difficulty,
which all who label it share. Sizes of items differ.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.correction import JudgedItems, LabelledItems
from faithfulness.statistics.tables import PairTables, Ratings, count_pairs

Codes = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

LABELS = ("supported", "unsupported", "contradictory", "no_rad")
SCORES = ("1", "2", "3", "4", "5")
SHARES = np.array([0.72, 0.18, 0.03, 0.07])
SLIPS = np.array([0.4, 0.4, 0.08, 0.12])  # what a slip says instead
LIKENESS = 6.0  # how much an item's own mixture of labels keeps to the shares over all items
OF_ONE_KIND = 1.5  # the same where most of an item has one label
GAP = 0.2  # of the units, that one of several raters did not label
JUDGE = Author(kind=AuthorKind.JUDGE, name="judge")
RATERS = tuple(Author(kind=AuthorKind.RATER, name=name) for name in ("ada", "ben", "cleo"))
JUDGED_ITEMS = 1_000  # that only the judge labelled


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredItems:
    """What items with scores from 1 to 5 are like.

    Attributes:
        units: The fewest and the most units of an item.
        cuts: Where one score ends and the next begins, in standard deviations of quality.
        noise: How far two scores of one unit fall apart.
    """

    units: tuple[int, int] = (3, 17)
    cuts: tuple[float, ...] = (-1.5, -0.6, 0.2, 1.0)
    noise: float = 0.6


SENTENCES = ScoredItems()
RESPONSES = ScoredItems(units=(1, 1), cuts=(-2.1, -1.4, -0.6, 0.4))  # one score a response
NEARLY_EQUAL = ScoredItems(units=(1, 6), noise=0.2)
HARD = ScoredItems(units=(5, 12), noise=1.2)
MOSTLY_GOOD = ScoredItems(units=(3, 8), cuts=(-2.6, -2.0, -1.2, -0.3), noise=0.5)


def labels(rng: np.random.Generator, items: int, columns: int = 2) -> tuple[Codes, Codes]:
    """The item of each unit and what each author says, (units, authors); the first slips least."""
    item = _item_of_units(rng, items, 3, 17)
    mixture = rng.gamma(LIKENESS * SHARES, size=(items, len(SHARES)))
    mixture /= mixture.sum(axis=1, keepdims=True)
    difficulty = rng.beta(1.5, 6, items)[item]
    edges = mixture.cumsum(axis=1)[:, :-1][item]
    true = (rng.random(len(item))[:, None] > edges).sum(axis=1)
    said = [_slipped(rng, true, 0.4 * difficulty)]
    said += [_slipped(rng, true, difficulty) for _ in range(columns - 1)]
    return item, np.stack(said, axis=1)


def counts_of_one_kind(rng: np.random.Generator, items: int) -> Numbers:
    """How often each item has each label, where most of an item has the same one."""
    mixture = rng.gamma(OF_ONE_KIND * SHARES, size=(items, len(SHARES)))
    mixture /= mixture.sum(axis=1, keepdims=True)
    return rng.multinomial(rng.integers(3, 18, items), mixture).astype(np.float64)


def label_tables(rng: np.random.Generator, items: int) -> PairTables:
    item, said = labels(rng, items)
    return count_pairs(LABELS, False, items=item, reference=said[:, 0], judge=said[:, 1])


def scores(
    rng: np.random.Generator, items: int, like: ScoredItems, columns: int = 2
) -> tuple[Codes, Codes]:
    """The item of each unit and each author's score; all but the first lean a little upwards."""
    item = _item_of_units(rng, items, *like.units)
    quality = rng.normal(0, 0.8, items)[item] + rng.normal(0, 0.7, len(item))
    noise = like.noise * np.sqrt(rng.gamma(2, 0.5, items))[item]
    said = []
    for column in range(columns):
        lean = rng.normal(0.15, 0.3, items)[item] if column else 0.0
        heard = quality + lean + noise * rng.normal(size=len(item))
        said.append(np.searchsorted(like.cuts, heard))
    return item, np.stack(said, axis=1)


def score_tables(rng: np.random.Generator, items: int, like: ScoredItems) -> PairTables:
    item, said = scores(rng, items, like)
    return count_pairs(SCORES, True, items=item, reference=said[:, 0], judge=said[:, 1])


def two_judges(
    rng: np.random.Generator, items: int, like: ScoredItems | None
) -> tuple[PairTables, PairTables]:
    """Two judges against one reference; on labels where no scores are asked for."""
    item, said = labels(rng, items, 3) if like is None else scores(rng, items, like, 3)
    values = LABELS if like is None else SCORES
    first, second = (
        count_pairs(values, like is not None, items=item, reference=said[:, 0], judge=said[:, at])
        for at in (1, 2)
    )
    return first, second


def ratings(
    rng: np.random.Generator, items: int, like: ScoredItems | None, *, gaps: bool = True
) -> Ratings:
    """Three raters and a judge."""
    item, said = labels(rng, items, 4) if like is None else scores(rng, items, like, 4)
    if gaps:
        missing = rng.random((len(item), len(RATERS))) < GAP
        said[:, : len(RATERS)][missing] = -1
    return Ratings(
        values=LABELS if like is None else SCORES,
        ordinal=like is not None,
        authors=(*RATERS, JUDGE),
        items=item,
        codes=said.astype(np.int8),
        counts=np.ones(len(item), np.int64),
    )


def raters_of(found: Ratings) -> Ratings:
    """The same labels without the judge's."""
    return Ratings(
        values=found.values,
        ordinal=found.ordinal,
        authors=RATERS,
        items=found.items,
        codes=found.codes[:, : len(RATERS)],
        counts=found.counts,
    )


def label_counts(rng: np.random.Generator, items: int) -> Numbers:
    """How often each item has each label."""
    item, said = labels(rng, items, 1)
    place = item * len(LABELS) + said[:, 0]
    counts = np.bincount(place, minlength=items * len(LABELS)).reshape(items, len(LABELS))
    return counts.astype(np.float64)


def shares_of_items(
    rng: np.random.Generator, items: int, good: float, rest: float, units: tuple[int, int]
) -> Numbers:
    """The share of each item's units with a label."""
    many = rng.integers(units[0], units[1] + 1, items)
    return np.asarray(rng.binomial(many, rng.beta(good, rest, items)) / many)


def mean_scores(rng: np.random.Generator, items: int) -> Numbers:
    """One score an item, from 1 to 5."""
    return np.searchsorted(RESPONSES.cuts, rng.normal(0, 1, items)) + 1.0


def score_steps(rng: np.random.Generator, items: int) -> Numbers:
    """By how much a second judge's score of the same item is higher."""
    _, said = scores(rng, items, RESPONSES)
    return (said[:, 1] - said[:, 0]).astype(np.float64)


def share_steps(rng: np.random.Generator, items: int) -> Numbers:
    """By how much a second judge's share of the same item is higher."""
    ease, many = rng.beta(4, 2, items), rng.integers(3, 12, items)
    first, second = (rng.binomial(many, ease * kept) / many for kept in (1.0, 0.95))
    return np.asarray(second - first)


def claims(rng: np.random.Generator, items: int) -> tuple[Codes, Codes, Codes, Codes]:
    """True and judged claims of the prediction, then of the reference, for each topic."""
    judged, judged_too = rng.integers(4, 20, (2, items))
    precise, covered = rng.beta(6, 2, items), rng.beta(4, 3, items)
    return rng.binomial(judged, precise), judged, rng.binomial(judged_too, covered), judged_too


def rated_sample(
    rng: np.random.Generator, items: int, others: int = JUDGED_ITEMS
) -> tuple[LabelledItems, JudgedItems]:
    """Items that people labelled too, and items that only the judge labelled."""
    units = rng.integers(3, 18, items + others)
    human = rng.binomial(units, rng.beta(8.5, 1.5, items + others))
    judge = rng.binomial(human, 0.93) + rng.binomial(units - human, 0.35)
    human, judge, units = (each.astype(np.float64) for each in (human, judge, units))
    return (
        LabelledItems(human=human[:items], judge=judge[:items], units=units[:items]),
        JudgedItems(judge=judge[items:], units=units[items:]),
    )


def _item_of_units(rng: np.random.Generator, items: int, fewest: int, most: int) -> Codes:
    return np.repeat(np.arange(items), rng.integers(fewest, most + 1, items))


def _slipped(rng: np.random.Generator, true: Codes, chance: Numbers) -> Codes:
    other = rng.choice(len(SHARES), len(true), p=SLIPS)
    return np.where(rng.random(len(true)) < chance, other, true)
