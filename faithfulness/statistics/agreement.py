"""Agreement of a judge with a reference: every statistic with its interval or a reason."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.coefficients import (
    ON_LABELS,
    ON_SCORES,
    PER_LABEL,
    Scores,
    count_differences,
)
from faithfulness.statistics.homogeneity import (
    bowker,
    marginal_homogeneity,
    mcnemar,
    stuart_maxwell,
)
from faithfulness.statistics.spread import FEWEST_ITEMS, Bounds, Range, Spread, compute_item_spreads
from faithfulness.statistics.tables import Numbers, PairTables

NO_ORDER = "the labels have no order"

_ONE_OF_THEM_IS_ENOUGH = frozenset({"mcc", "pearson", "spearman", "tau_b"})


def explain_undefined(name: str, total: Numbers, values: tuple[str, ...]) -> str:
    """The reason why this number has no value on this table, (K, K), rows the reference."""
    kind, _, label = name.partition(":")
    if not total.sum():
        return "no unit has both"
    if label:
        return {
            "precision": f"the judge never says {label}",
            "recall": f"the reference never says {label}",
        }.get(kind, f"neither ever says {label}")
    if total.sum() == 1:
        return "only one unit has both"
    if len(values) == 1:
        return "the scale has one label only"
    if kind == "gamma":
        return "no two units differ on both sides"
    return _describe_constant_side(kind, total)


def _describe_constant_side(kind: str, total: Numbers) -> str:
    reference = np.count_nonzero(total.sum(axis=1)) == 1
    judge = np.count_nonzero(total.sum(axis=0)) == 1
    if reference and judge:
        return "both use one label only"
    if kind in _ONE_OF_THEM_IS_ENOUGH and reference:
        return "the reference uses one label only"
    return "the judge uses one label only"


__all__ = [
    "FEWEST_CASES",
    "Estimate",
    "bowker",
    "build_estimates",
    "compute_pair_spreads",
    "compute_pair_values",
    "count_differences",
    "list_pair_names",
    "marginal_homogeneity",
    "mcnemar",
    "pair_estimates",
    "stuart_maxwell",
]

FEWEST_CASES = 10  # units of the reference with a label; below, its F1 says more about luck
FEW_CASES = f"fewer than {FEWEST_CASES} reference cases, so counts are shown"
FEW_WITH_LABEL = f"no interval from fewer than {FEWEST_ITEMS} items with this label"
LARGEST_SHARE = "no interval holds for the largest share where two labels are about as common"

# Numbers that a few far misses decide: with fewer items no interval holds.
_FEWEST_OF = {"ac2": 100, "gamma": 100, "sd_difference": 100, "within_one": 100}


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A number with its doubt; value None where undefined, low and high None without interval.

    Attributes:
        name: Which number this is, as in `pair_estimates`.
        value: The number; None where it is undefined.
        low: Lower end of the interval; None where there is no honest one.
        high: Upper end of the interval.
        items: Items with a unit that it was computed from.
        units: Units it was computed from; of a label's precision those that have it by the judge.
        reason: Why it is undefined, or why it has no interval, in plain words.
        counts: What is shown in place of an F1 of fewer than ten reference cases; else empty.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    items: int
    units: int
    reason: str = ""
    counts: str = ""


def list_pair_names(values: tuple[str, ...], ordinal: bool) -> tuple[str, ...]:
    """The names of all numbers there are on this scale, in the order in which people read them."""
    per_label = [f"{name}:{value}" for name in PER_LABEL for value in values]
    return (*ON_LABELS, *per_label, *(ON_SCORES if ordinal else ()))


def compute_pair_values(
    total: npt.ArrayLike,
    values: tuple[str, ...],
    ordinal: bool,
    names: Iterable[str] | None = None,
    *,
    used: npt.ArrayLike | None = None,
) -> dict[str, Numbers]:
    """Each number of the tables, (..., K, K), rows the reference; nan where it is undefined.

    Args:
        total: The tables.
        values: The declared scale in its order.
        ordinal: Whether that order runs from worst to best.
        names: Which numbers; all that exist on this scale where left out.
        used: Whether each label occurs in the comparison that these tables are parts or resamples
            of, (K,); what occurs in each table itself where left out.
    """
    scores = Scores(total, used)
    found: dict[str, Numbers] = {}
    for name in list_pair_names(values, ordinal) if names is None else names:
        kind, _, label = name.partition(":")
        if label:
            found[name] = PER_LABEL[kind](scores)[..., values.index(label)]
        elif name in ON_SCORES:
            undefined = np.full(scores.units.shape, np.nan)
            found[name] = ON_SCORES[name](scores) if ordinal else undefined
        else:
            found[name] = ON_LABELS[name](scores)
    return found


def pair_estimates(
    tables: PairTables, names: Iterable[str] | None = None, *, level: float = 0.95
) -> dict[str, Estimate]:
    """Numbers of agreement with their intervals over items.

    Args:
        tables: What was counted.
        names: Which numbers; all that exist on this scale where left out. A number that needs an
            order is undefined on labels without one.
        level: How often such intervals contain the truth.

    Returns:
        "percent" (share of units with the same label), "kappa" (Cohen), "ac1" (Gwet), "pi" (Scott),
        "brennan_prediger", "alpha" (Krippendorff, nominal), "mcc", "baseline" (percent of a judge
        that always gives the reference's commonest label); for every label "precision:LABEL",
        "recall:LABEL", "f1:LABEL" and "bias:LABEL" (judge's share minus reference's); on ordinal
        scales "kappa_linear", "kappa_quadratic", "ac2" (quadratic), "alpha_interval",
        "alpha_ordinal", "within_one", "mean_difference" (judge minus reference), "sd_difference",
        "mae", "pearson", "spearman", "tau_b", "gamma", "icc_1_1", "icc_2_1", "icc_3_1".
    """
    return build_estimates(tables, compute_pair_spreads(tables, names), level=level)


def build_estimates(
    tables: PairTables, spreads: Mapping[str, Spread], *, level: float = 0.95
) -> dict[str, Estimate]:
    """The estimates that follow from how the numbers of these tables vary."""
    total, whole = tables.total, (tables.items_n, tables.units_n)
    estimates = {}
    for name, spread in spreads.items():
        low, high, reason = _clip_difference(name, spread.bounds(level))
        value: float | None = spread.value
        if not math.isfinite(spread.value):
            needs_order = name in ON_SCORES and not tables.ordinal
            reason = NO_ORDER if needs_order else explain_undefined(name, total, tables.values)
            value = None
        items, units = _count_base(tables, name) or whole
        counts = "" if value is None else _format_few_counts(name, total, tables.values)
        if counts:
            low, high, reason = None, None, FEW_CASES
        estimates[name] = Estimate(
            name=name,
            value=value,
            low=low,
            high=high,
            items=items,
            units=units,
            reason=reason,
            counts=counts,
        )
    return estimates


def _format_few_counts(name: str, total: Numbers, values: tuple[str, ...]) -> str:
    """What an F1 is made of, where the reference gives the label too rarely for a share."""
    kind, _, label = name.partition(":")
    if kind != "f1":
        return ""
    at = values.index(label)
    cases = int(total[at].sum())
    if cases >= FEWEST_CASES:
        return ""
    return f"{int(total[at, at])} of {cases} found, {int(total[:, at].sum())} given"


def compute_pair_spreads(
    tables: PairTables,
    names: Iterable[str] | None = None,
    *,
    used: npt.NDArray[np.bool_] | None = None,
) -> dict[str, Spread]:
    """How each number varies over items; `value` is nan where the number is undefined.

    Args:
        tables: What was counted.
        names: Which numbers; all that exist on this scale where left out.
        used: Whether each label occurs in the comparison that these tables are a part of; the
            labels of these tables where left out.
    """
    scale, size = tables.values, len(tables.values)
    wanted = list_pair_names(scale, tables.ordinal) if names is None else tuple(names)
    occurring = tables.used if used is None else used

    def statistics(sums: Numbers) -> dict[str, Numbers]:
        total = sums.reshape(-1, size, size)
        return compute_pair_values(total, scale, tables.ordinal, wanted, used=occurring)

    spreads = compute_item_spreads(
        tables.cells, statistics, {name: _get_range(name) for name in wanted}
    )
    reasons = {
        name: spread.reason or _explain_no_interval(tables, name)
        for name, spread in spreads.items()
    }
    return {name: replace(spread, reason=reasons[name]) for name, spread in spreads.items()}


def _get_range(name: str) -> Range:
    kind = name.partition(":")[0]
    if kind in _SHARES:
        return Range.SHARE
    return _OTHER_RANGES.get(kind, Range.COEFFICIENT)


def _explain_no_interval(tables: PairTables, name: str) -> str:
    """Why no interval of this number would hold; empty where one does."""
    if name == "baseline":
        return LARGEST_SHARE
    fewest = _FEWEST_OF.get(name, FEWEST_ITEMS)
    if tables.items_n < fewest:
        return f"no interval from fewer than {fewest} items"
    with_label = _count_with_label(tables, name)
    return FEW_WITH_LABEL if with_label is not None and with_label[0] < FEWEST_ITEMS else ""


def _count_base(tables: PairTables, name: str) -> tuple[int, int] | None:
    """Items and units that a number is counted from; None for all of them."""
    # A bias is a difference of shares of all units.
    return None if name.startswith("bias:") else _count_with_label(tables, name)


def _count_with_label(tables: PairTables, name: str) -> tuple[int, int] | None:
    """Items and units with the label that a number is about; None where it is about all labels.

    Precision looks at the units that the judge gives the label, recall at those of the reference,
    F1 and bias at those of either.
    """
    kind, _, label = name.partition(":")
    if not label:
        return None
    at = np.arange(len(tables.values)) == tables.values.index(label)
    by_reference, by_judge = _OF_A_LABEL[kind]
    wanted = (at[:, None] & by_reference) | (at[None, :] & by_judge)
    units = tables.cells[:, wanted.ravel()].sum(axis=1, dtype=np.float64)
    return int(np.count_nonzero(units)), int(units.sum())


# Whether the label of the reference, and that of the judge, puts a unit into the share.
_OF_A_LABEL = {
    "precision": (False, True),
    "recall": (True, False),
    "f1": (True, True),
    "bias": (True, True),
}
_SHARES = frozenset({"percent", "baseline", "within_one", "precision", "recall", "f1"})
_OTHER_RANGES = {
    "bias": Range.DIFFERENCE,
    "mean_difference": Range.DIFFERENCE,
    "sd_difference": Range.DISTANCE,
    "mae": Range.DISTANCE,
}


def _clip_difference(name: str, bounds: Bounds) -> Bounds:
    """The interval of a difference of two shares, which may reach beyond what that can be."""
    if bounds.low is None or bounds.high is None or not name.startswith("bias:"):
        return bounds
    return Bounds(max(bounds.low, -1.0), min(bounds.high, 1.0))
