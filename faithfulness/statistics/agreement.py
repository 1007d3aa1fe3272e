"""Agreement of a judge with a reference: every number with its interval, or why it has none."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A number with its doubt; value None where undefined, low and high None without interval.

    Attributes:
        name: Which number this is, as in `pair_estimates`.
        value: The number; None where it is undefined.
        low: Lower end of the interval; None where there is no honest one.
        high: Upper end of the interval.
        items: Items it was computed from.
        units: Units it was computed from.
        reason: Why it is undefined, or why it has no interval, in plain words.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    items: int
    units: int
    reason: str = ""
