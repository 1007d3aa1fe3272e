"""Agreement of several annotators with missing labels, and outliers among them."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from faithfulness.model.vocabulary import Author
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.intervals import FEWEST_ITEMS, Range, compute_item_intervals
from faithfulness.statistics.raters.rater_sums import (
    compute_coefficients,
    count_paired_units,
    count_votes,
    find_distinct_patterns,
    find_used_labels,
    sum_by_item,
)
from faithfulness.statistics.tables import Numbers, PairTables, Ratings, count_pairs

NAMES = ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k")
GAPS = "some units lack an author's score: use interval alpha"


def icc(
    matrix: npt.ArrayLike,
    *,
    items: npt.ArrayLike | None = None,
    counts: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """All six forms from scores, (units, authors); a gap, nan, leaves them undefined.

    Args:
        matrix: The scores.
        items: The item of each row; each row is its own item where left out.
        counts: How many units each row stands for; one where left out.
        level: How often the intervals contain the truth.
    """
    scores = np.asarray(matrix, np.float64)
    rows, authors = scores.shape
    many = np.ones(rows) if counts is None else np.asarray(counts, np.float64)
    each = np.arange(rows) if items is None else np.asarray(items)
    numbers, place = np.unique(each, return_inverse=True)
    units = int(many.sum())
    problem = _find_problem(scores, units)
    if problem:
        return {
            name: Estimate(
                name=name,
                value=None,
                low=None,
                high=None,
                items=len(numbers),
                units=units,
                reason=problem,
            )
            for name in NAMES
        }
    # Counted from the middle of the scores, squares stay small beside their differences.
    centred = scores - scores.mean()
    columns = [np.ones(rows), (centred**2).sum(axis=1), centred.sum(axis=1) ** 2, *centred.T]
    sums = np.stack([np.bincount(place, weights=column * many) for column in columns], axis=1)

    def forms(totals: Numbers) -> dict[str, Numbers]:
        return _compute_icc_forms(totals, authors)

    values = {name: float(found[0]) for name, found in forms(sums.sum(axis=0)[None]).items()}
    bounds = compute_item_intervals(
        sums, forms, dict.fromkeys(NAMES, Range.COEFFICIENT), level=level
    )
    return {
        name: Estimate(
            name=name,
            value=values[name] if np.isfinite(values[name]) else None,
            low=bounds[name].low,
            high=bounds[name].high,
            items=len(numbers),
            units=units,
            reason=bounds[name].reason
            if np.isfinite(values[name])
            else "the scores do not vary between units",
        )
        for name in NAMES
    }


def estimate_icc(ratings: Ratings, *, level: float = 0.95) -> dict[str, Estimate]:
    """All six forms from ratings on an ordinal scale, whose labels count 1, 2, 3 and so on."""
    labelled = (ratings.codes >= 0).any(axis=1)
    codes = ratings.codes[labelled]
    scores = np.where(codes >= 0, codes + 1.0, np.nan)
    return icc(scores, items=ratings.items[labelled], counts=ratings.counts[labelled], level=level)


def _find_problem(scores: Numbers, units: int) -> str:
    if scores.shape[1] < 2:
        return "it takes two authors"
    if np.isnan(scores).any():
        return GAPS
    return "" if units >= 2 else "it takes two units that everybody scored"


def _compute_icc_forms(totals: Numbers, authors: int) -> dict[str, Numbers]:
    """The forms from sums with any leading axes: units, squares, squared row sums, columns."""
    units, squares, rows = totals[..., 0], totals[..., 1], totals[..., 2]
    columns = totals[..., 3:]
    with np.errstate(all="ignore"):
        middle = columns.sum(-1) ** 2 / (units * authors)
        between = rows / authors - middle
        by_author = (columns**2).sum(-1) / units - middle
        within = squares - rows / authors
        target = between / (units - 1)
        inside = within / (units * (authors - 1))
        bias = by_author / (authors - 1)
        error = (within - by_author) / ((units - 1) * (authors - 1))
        apart = (bias - error) / units
        found = {
            "icc_1_1": (target - inside) / (target + (authors - 1) * inside),
            "icc_2_1": (target - error) / (target + (authors - 1) * error + authors * apart),
            "icc_3_1": (target - error) / (target + (authors - 1) * error),
            "icc_1_k": (target - inside) / target,
            "icc_2_k": (target - error) / (target + apart),
            "icc_3_k": (target - error) / target,
        }
        # Scores that never vary leave rounding over rounding.
        flat = between <= 1e-12 * np.maximum(squares, 1e-300)
        return {name: np.where(flat, np.nan, value) for name, value in found.items()}


# The name shown, and the coefficient it is. "fleiss" follows Gwet's rule for gaps, "fleiss_pairs"
# weighs every pair of labels alike; without gaps they are the same.
NOMINAL = {
    "alpha": "alpha",
    "percent": "percent",
    "ac1": "ac1",
    "fleiss": "fleiss",
    "brennan_prediger": "brennan_prediger",
    "unanimous": "unanimous",
    "percent_pairs": "percent_pairs",
    "fleiss_pairs": "fleiss_pairs",
}
ORDINAL = {
    "alpha_ordinal": "alpha_ordinal",
    "alpha_interval": "alpha_interval",
    "ac2": "ac2_quadratic",
    "fleiss_quadratic": "fleiss_quadratic",
}
SHARES = frozenset({"percent", "unanimous", "percent_pairs"})
_FEWEST_OF = {"ac2": 100}  # with fewer items the lowest score often does not occur
ENOUGH_SHARED = 20  # units two authors share; fewer may well be equal by themselves
TELLING = 5  # of those with another label than the commonest: where labels are skewed all agree
EQUAL = 0.99  # a copy may have been corrected here and there

_NOBODY = "no unit was labelled by two authors"
_ONE_LABEL = "only one label was used, so agreement by chance cannot be told from agreement"


def choose_headline(ratings: Ratings) -> str:
    """The name of the coefficient to show first: alpha that knows the order where there is one."""
    return "alpha_ordinal" if ratings.ordinal else "alpha"


def estimate_coefficients(ratings: Ratings, *, level: float = 0.95) -> dict[str, Estimate]:
    """Every coefficient for all authors together, with its interval over items."""
    found = _estimate_values(ratings, sum_by_item(ratings), level)
    return found | estimate_icc(ratings, level=level) if ratings.ordinal else found


def leave_one_out(ratings: Ratings, *, level: float = 0.95) -> tuple["LeftOut", ...]:
    """How well the others agree without each author, on the coefficient shown first."""
    name = choose_headline(ratings)
    whole = _compute_values(ratings, sum_by_item(ratings).sum(axis=0)[None])[name][0]
    rows = []
    for place, author in enumerate(ratings.authors):
        others = _estimate_values(ratings, sum_by_item(ratings, without=place), level)[name]
        change = None
        if others.value is not None and np.isfinite(whole):
            change = others.value - float(whole)
        rows.append(LeftOut(author=author, others=others, change=change))
    return tuple(rows)


def build_pair_tables(ratings: Ratings) -> tuple[tuple[Author, Author, PairTables], ...]:
    """The tables of every two authors; rows are the first one's labels."""
    return tuple(
        (
            ratings.authors[first],
            ratings.authors[second],
            _build_pair_table(ratings, ratings.codes[:, first], ratings.codes[:, second]),
        )
        for first, second in itertools.combinations(range(len(ratings.authors)), 2)
    )


def build_profiles(ratings: Ratings) -> tuple["RaterProfile", ...]:
    """Each author against the majority of the others: the label of more than half, else a tie."""
    labels = len(ratings.values)
    patterns, place = find_distinct_patterns(ratings.codes, labels)
    units = np.bincount(place, weights=ratings.counts, minlength=len(patterns))
    rows = []
    for column, author in enumerate(ratings.authors):
        own = patterns[:, column]
        votes = count_votes(np.delete(patterns, column, axis=1), labels)
        most, voters = votes.max(axis=1, initial=0), votes.sum(axis=1)
        tied = 2 * most <= voters
        said = own >= 0
        majority = np.where(tied, -1, votes.argmax(axis=1)).astype(np.int8)
        rows.append(
            RaterProfile(
                author=author,
                against=_build_pair_table(ratings, majority[place], ratings.codes[:, column]),
                tied=int(units[said & tied & (voters > 0)].sum()),
                alone=int(units[said & (voters == 0)].sum()),
            )
        )
    return tuple(rows)


def find_duplicates(ratings: Ratings) -> tuple["Copied", ...]:
    """Every two authors whose labels are so equal that one may be a copy of the other.

    They share at least 20 units, give the same label on 99 of 100, and agree on at least 5 units
    whose label is not their commonest one: where nearly everything has one label, two honest
    authors agree as well. It is a question to people, never a verdict.
    """
    return tuple(_find_copied(ratings))


def _find_copied(ratings: Ratings) -> Iterator["Copied"]:
    labels = len(ratings.values)
    patterns, place = find_distinct_patterns(ratings.codes, labels)
    units = np.bincount(place, weights=ratings.counts, minlength=len(patterns))
    for first, second in itertools.combinations(range(len(ratings.authors)), 2):
        one, other = patterns[:, first], patterns[:, second]
        both, same = (one >= 0) & (other >= 0), (one >= 0) & (one == other)
        shared, equal = int(units[both].sum()), int(units[same].sum())
        by_label = np.bincount(one[same], weights=units[same], minlength=labels)
        telling = equal - int(by_label.max(initial=0))
        if shared >= ENOUGH_SHARED and equal >= EQUAL * shared and telling >= TELLING:
            yield Copied(
                first=ratings.authors[first],
                second=ratings.authors[second],
                units=shared,
                equal=equal,
            )


def _build_pair_table(
    ratings: Ratings, reference: npt.NDArray[np.int8], judge: npt.NDArray[np.int8]
) -> PairTables:
    both = (reference >= 0) & (judge >= 0)
    return count_pairs(
        ratings.values,
        ratings.ordinal,
        items=ratings.items[both],
        reference=reference[both],
        judge=judge[both],
        counts=ratings.counts[both],
    )


def _compute_values(
    ratings: Ratings, sums: Numbers, occurring: npt.NDArray[np.bool_] | None = None
) -> dict[str, Numbers]:
    found = compute_coefficients(
        sums, len(ratings.values), ordinal=ratings.ordinal, occurring=occurring
    )
    names = NOMINAL | (ORDINAL if ratings.ordinal else {})
    return {shown: found[name] for shown, name in names.items()}


def _estimate_values(ratings: Ratings, sums: Numbers, level: float) -> dict[str, Estimate]:
    occurring = find_used_labels(sums.sum(axis=0), len(ratings.values))

    def statistics(totals: Numbers) -> dict[str, Numbers]:
        return _compute_values(ratings, totals, occurring)

    units = count_paired_units(sums, len(ratings.values))
    items = int(np.count_nonzero(units))
    found = statistics(sums.sum(axis=0)[None])
    within = {name: Range.SHARE if name in SHARES else Range.COEFFICIENT for name in found}
    bounds = compute_item_intervals(sums, statistics, within, level=level)
    estimates = {}
    for name, values in found.items():
        value = float(values[0]) if np.isfinite(values[0]) else None
        low, high, reason = bounds[name]
        if value is None:
            low, high, reason = None, None, _ONE_LABEL if items else _NOBODY
        elif items < (fewest := _FEWEST_OF.get(name, FEWEST_ITEMS)):
            low, high = None, None
            reason = f"no interval from fewer than {fewest} items"
        estimates[name] = Estimate(
            name=name,
            value=value,
            low=low,
            high=high,
            items=items,
            units=int(units.sum()),
            reason=reason,
        )
    return estimates


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """How well the others agree without one author.

    Attributes:
        author: Who is left out.
        others: The coefficient without this author.
        change: By how much it is higher than with this author; None where either is undefined.
    """

    author: Author
    others: Estimate
    change: float | None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class RaterProfile:
    """One author against the majority of the others.

    Attributes:
        author: Whose profile this is.
        against: Rows the majority, columns this author.
        tied: Units left out because no label has more than half of the others.
        alone: Units left out because nobody else labelled them.
    """

    author: Author
    against: PairTables
    tied: int
    alone: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Copied:
    """Two authors with nearly the same labels on all units they share."""

    first: Author
    second: Author
    units: int
    equal: int
