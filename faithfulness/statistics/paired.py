"""Paired statistics: both sides' values on their common items, and the difference."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from faithfulness.statistics.agreement import compute_pair_values
from faithfulness.statistics.comparison import (
    Difference,
    compare,
    compare_means,
    select_common_items,
)
from faithfulness.statistics.tables import PairTables

SURE = 0.05
ON_LABELS = ("percent", "kappa", "ac1")
ON_SCORES = ("percent", "kappa_quadratic", "within_one", "mae")
LOWER_IS_BETTER = frozenset({"mae"})


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedNumber:
    """One number of both sides; `difference` is the second minus the first."""

    name: str
    first: float | None
    second: float | None
    difference: Difference

    @property
    def is_sure(self) -> bool:
        """Whether test and interval both say that chance rarely gives such a difference."""
        return self._is_rare and self._leaves_out_zero is not False

    @property
    def is_on_the_edge(self) -> bool:
        """Whether the interval and the test, which are two methods, say opposite things."""
        return self._leaves_out_zero is not None and self._leaves_out_zero != self._is_rare

    @property
    def _is_rare(self) -> bool:
        p = self.difference.p
        return p is not None and p < SURE

    @property
    def _leaves_out_zero(self) -> bool | None:
        low, high = self.difference.low, self.difference.high
        return None if low is None or high is None else low > 0 or high < 0


def measure_number(name: str, numbers: npt.NDArray[np.float64]) -> PairedNumber:
    """The protocol's number, (2, items), on the items where both sides have one."""
    both = np.isfinite(numbers).all(axis=0)
    means = [float(side[both].mean()) if both.any() else None for side in numbers]
    found = compare_means(numbers[0], numbers[1], name=name)
    return PairedNumber(name=name, first=means[0], second=means[1], difference=found)


def measure_agreement(first: PairTables, second: PairTables) -> tuple[PairedNumber, ...]:
    """How far each side agrees with a reference, on the items that both share with it."""
    names = ON_SCORES if first.ordinal else ON_LABELS
    found = compare(first, second, names)
    both = select_common_items(first, second)
    used = both[0].used | both[1].used
    one, other = (_compute_values(each, names, used) for each in both)
    return tuple(
        PairedNumber(name=name, first=one[name], second=other[name], difference=found[name])
        for name in names
    )


def describe_difference(
    measure: PairedNumber, title: str, names: tuple[str, str], digits: int = 2
) -> str:
    """The difference as a sentence, with its doubt."""
    found = measure.difference
    if found.value is None or measure.first is None or measure.second is None:
        return f"{title} cannot be compared: {found.reason or 'it is undefined'}."
    where = f"On the {found.items:,} common items that have it, "
    if found.items == 1:
        where = "On the one common item that has it, "
    size = f"{abs(found.value):.{digits}f}"
    if float(size) == 0:
        return (
            f"{where}{title} is {measure.first:.{digits}f} for both {names[0]} and {names[1]}, "
            f"to {digits} digits{_format_interval(measure, digits)}."
        )
    way = "higher" if found.value > 0 else "lower"
    said = f"{title} is {size} {way} for {names[1]} than for {names[0]}"
    return f"{where}{said}{_format_doubt(measure, digits)}."


def drop_nan(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Those that are not nan."""
    return values[np.isfinite(values)]


def quantile(values: npt.NDArray[np.float64], share: float) -> float:
    """The value below which this share lies."""
    return float(np.quantile(values, share))


def format_p(p: float | None) -> str:
    if p is None:
        return ""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _format_doubt(measure: PairedNumber, digits: int) -> str:
    return f"{_format_interval(measure, digits)[:-1]}: {_describe_verdict(measure)})"


def _describe_verdict(measure: PairedNumber) -> str:
    if not measure.is_on_the_edge:
        return "more than chance would do" if measure.is_sure else "chance could do that"
    if (measure.difference.p or 0) < SURE:
        return "the test rules out chance, the interval does not leave out 0: on the edge"
    return "the interval leaves out 0, the test does not rule out chance: on the edge"


def _format_interval(measure: PairedNumber, digits: int) -> str:
    found = measure.difference
    between = ""
    if found.low is not None and found.high is not None:
        between = f"95 % interval {found.low:+.{digits}f} to {found.high:+.{digits}f}, "
    return f" ({between}{format_p(found.p)})".replace("-", "−")


def _compute_values(
    tables: PairTables, names: Sequence[str], used: npt.NDArray[np.bool_]
) -> dict[str, float | None]:
    if not len(tables.items):
        return dict.fromkeys(names)
    found = compute_pair_values(tables.total[None], tables.values, tables.ordinal, names, used=used)
    return {
        name: float(value[0]) if np.isfinite(value[0]) else None for name, value in found.items()
    }
