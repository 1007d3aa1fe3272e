"""Sums over units with labels by several annotators; all coefficients derive from them.

The sums are additive over units and items: an item is one row, a subset of the items is a selection
of rows, and leaving one out is a subtraction. Missing labels follow Gwet (2014): agreement uses
units with two or more labels, prevalence units with one or more. Krippendorff's alpha uses units
with two or more throughout. Chance agreement uses only labels that occur, as in
`compute_coefficients`.
"""

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.tables import Numbers, Ratings

Codes = npt.NDArray[np.int8]
Places = npt.NDArray[np.intp]

_SCALARS = 7
_UNITS = 4  # which of them counts the units with two or more labels
_LISTED = 2**20  # possible patterns that are listed rather than sorted
_TINY = 1e-12  # a chance agreement this near to certainty leaves nothing to be corrected


def find_distinct_patterns(codes: Codes, labels: int) -> tuple[Codes, Places]:
    """The different rows of `codes`, and which of them each row is."""
    size = labels + 1
    if codes.shape[1] * np.log2(size) >= 62:
        kept, place = np.unique(codes, axis=0, return_inverse=True)
        return kept, place.ravel()
    key = np.zeros(len(codes), np.int64)
    for column in codes.T:
        key *= size
        key += column
        key += 1
    if size ** codes.shape[1] > _LISTED:
        _, first, place = np.unique(key, return_index=True, return_inverse=True)
        return codes[first], place
    # Few patterns are possible: listing them all is several times faster than sorting rows.
    found = np.flatnonzero(np.bincount(key, minlength=1))
    listed = np.zeros(found.max(initial=0) + 1, np.intp)
    listed[found] = np.arange(len(found))
    powers = size ** np.arange(codes.shape[1])[::-1]
    kept = (found[:, None] // powers % size - 1).astype(np.int8)
    return kept, listed[key]


def count_votes(codes: Codes, labels: int) -> Numbers:
    """How many authors chose each label, (patterns, labels)."""
    return np.stack([(codes == label).sum(axis=1) for label in range(labels)], axis=1).astype(
        np.float64
    )


def compute_unit_sums(votes: Numbers, *, ordinal: bool) -> Numbers:
    """What one unit with these votes adds to each sum, (patterns, sums)."""
    labels = votes.shape[1]
    raters = votes.sum(axis=1)
    paired = raters >= 2
    pairs = np.where(paired, raters * (raters - 1), 0.0)
    per_pair = np.divide(1.0, pairs, out=np.zeros_like(pairs), where=paired)
    per_rater = np.divide(1.0, raters, out=np.zeros_like(raters), where=raters > 0)
    same = (votes * (votes - 1)).sum(axis=1) * paired
    columns = [
        votes * paired[:, None],
        votes * per_rater[:, None],
        np.stack(
            [
                same * per_pair * raters,
                same * per_pair,
                same,
                pairs,
                paired,
                raters > 0,
                paired & (votes.max(axis=1, initial=0) == raters),
            ],
            axis=1,
        ),
    ]
    if ordinal:
        low, high = np.triu_indices(labels, 1)
        met = votes[:, low] * votes[:, high] * per_pair[:, None]
        columns += [met * raters[:, None], met]
    return np.concatenate(columns, axis=1)


def sum_by_item(ratings: Ratings, without: int | None = None) -> Numbers:
    """The sums of each item, in the order of the item numbers; one author may be left out."""
    labels = len(ratings.values)
    patterns, place = find_distinct_patterns(ratings.codes, labels)
    kept = patterns if without is None else np.delete(patterns, without, axis=1)
    each = compute_unit_sums(count_votes(kept, labels), ordinal=ratings.ordinal)
    numbers, item = np.unique(ratings.items, return_inverse=True)
    summed = np.empty((len(numbers), each.shape[1]))
    # Column by column: all columns of all rows at once would be the largest array of the product.
    for column in range(each.shape[1]):
        weights = each[:, column][place] * ratings.counts
        summed[:, column] = np.bincount(item, weights=weights, minlength=len(numbers))
    return summed


def count_paired_units(sums: Numbers, labels: int) -> Numbers:
    """How many units of each item have two or more labels."""
    return sums[..., 2 * labels + _UNITS]


def find_used_labels(sums: Numbers, labels: int) -> npt.NDArray[np.bool_]:
    """Whether each label occurs, (..., labels)."""
    return np.asarray(sums[..., labels : 2 * labels] > 0)


def compute_coefficients(
    sums: Numbers, labels: int, *, ordinal: bool, occurring: npt.NDArray[np.bool_] | None = None
) -> dict[str, Numbers]:
    """Every coefficient from sums with any leading axes; nan where it is undefined.

    Args:
        sums: What `compute_unit_sums` gives, added up.
        labels: How many labels are declared.
        ordinal: Whether they have an order.
        occurring: Whether each label occurs in the data that these sums are resamples of; what
            occurs in each row of sums itself where left out.
    """
    occurs = find_used_labels(sums, labels) if occurring is None else occurring
    many = occurs.sum(axis=-1)
    used, prevalence = sums[..., :labels], sums[..., labels : 2 * labels]
    same, share, agreeing, pairs, units, seen, alike = np.moveaxis(
        sums[..., 2 * labels : 2 * labels + _SCALARS], -1, 0
    )
    with np.errstate(all="ignore"):
        shares = prevalence / seen[..., None]
        among = used / used.sum(-1)[..., None]
        percent, by_pairs = share / units, agreeing / pairs
        found = {
            "alpha": _alpha_nominal(used, same),
            "fleiss": _correct_for_chance(percent, (shares**2).sum(-1)),
            "ac1": _correct_for_chance(
                percent, (shares * (1 - shares)).sum(-1) / np.maximum(many - 1, 1)
            ),
            "brennan_prediger": _correct_for_chance(percent, 1 / many + np.zeros_like(percent)),
            "percent": percent,
            "unanimous": alike / units,
            "percent_pairs": by_pairs,
            "fleiss_pairs": _correct_for_chance(by_pairs, (among**2).sum(-1)),
        }
        if ordinal:
            met, apart = np.split(sums[..., 2 * labels + _SCALARS :], 2, axis=-1)
            found |= _compute_scale_alphas(used, met)
            found |= _compute_weighted_coefficients(shares, apart / units[..., None], occurs)
    return found


def _correct_for_chance(agreement: Numbers, chance: Numbers) -> Numbers:
    left: Numbers = np.where(1 - chance > _TINY, (agreement - chance) / (1 - chance), np.nan)
    return left


def _alpha_nominal(used: Numbers, same: Numbers) -> Numbers:
    n = used.sum(-1)
    expected = n**2 - (used**2).sum(-1)
    alpha: Numbers = np.where(expected > 0, 1 - (n - 1) * (n - same) / expected, np.nan)
    return alpha


def _compute_scale_alphas(used: Numbers, met: Numbers) -> dict[str, Numbers]:
    """Krippendorff's alpha by distance; the scale counts 1, 2, 3 and so on."""
    labels = used.shape[-1]
    low, high = np.triu_indices(labels, 1)
    passed = np.cumsum(used, axis=-1)
    ordinal = passed[..., high] - passed[..., low] + (used[..., low] - used[..., high]) / 2
    steps = (high - low).astype(np.float64)
    distances = {
        "alpha_ordinal": ordinal**2,
        "alpha_interval": steps**2,
        "alpha_linear": steps,
        "alpha_ratio": (steps / (low + high + 2)) ** 2,
    }
    found = {}
    for name, distance in distances.items():
        expected = (used[..., low] * used[..., high] * distance).sum(-1)
        seen = (met * distance).sum(-1) * (used.sum(-1) - 1)
        found[name] = np.where(expected > 0, 1 - seen / expected, np.nan)
    return found


def _compute_weighted_coefficients(
    shares: Numbers, apart: Numbers, occurs: npt.NDArray[np.bool_]
) -> dict[str, Numbers]:
    """Gwet's weighted coefficients, from how often labels i < j meet among two ratings.

    Distances are counted in steps between the outermost labels that occur.
    """
    low, high = np.triu_indices(occurs.shape[-1], 1)
    both = occurs[..., low] & occurs[..., high]
    furthest = np.max((high - low) * both, axis=-1, initial=1)
    steps = (high - low) / furthest[..., None]
    many = occurs.sum(axis=-1)
    spread = (shares * (1 - shares)).sum(-1)
    found = {}
    for name, loss in (("linear", steps), ("quadratic", steps**2)):
        agreement = 1 - 2 * (apart * loss).sum(-1)
        weights = many**2 - 2 * (loss * both).sum(-1)
        by_labels = 1 - 2 * (shares[..., low] * shares[..., high] * loss).sum(-1)
        gwet = weights / np.maximum(many * (many - 1), 1) * spread
        found[f"percent_{name}"] = agreement
        found[f"ac2_{name}"] = _correct_for_chance(agreement, gwet)
        found[f"fleiss_{name}"] = _correct_for_chance(agreement, by_labels)
        uniform = weights / many**2 + np.zeros_like(agreement)
        found[f"brennan_prediger_{name}"] = _correct_for_chance(agreement, uniform)
    return found
