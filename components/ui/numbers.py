"""Format numbers, differences, intervals and counts; undefined values become a dash."""

import math

from faithfulness.model.wording import NONE, format_count, format_day, format_percent

__all__ = [
    "NONE",
    "count",
    "format_count",
    "format_day",
    "format_percent",
    "interval",
    "number",
    "signed",
    "size",
]


def number(value: float | None, digits: int = 2) -> str:
    """A number, or a dash: an undefined number is never shown as 0."""
    return NONE if value is None or math.isnan(value) else _replace_minus(f"{value:.{digits}f}")


def signed(value: float | None, digits: int = 2) -> str:
    """A difference with its sign, or a dash; what rounds to 0 has none."""
    if value is None or math.isnan(value):
        return NONE
    said = number(value, digits)
    return f"+{said}" if value > 0 and said != number(0.0, digits) else said


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """An interval as it stands behind its number everywhere: “[0.64, 0.78]”."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    return f"[{number(low, digits)}, {number(high, digits)}]"


def count(value: int) -> str:
    return f"{value:,}"


def size(count_of_bytes: int) -> str:
    """A file's size in the unit people read it in."""
    if count_of_bytes < 1024:
        return format_count(count_of_bytes, "byte")
    if count_of_bytes < 1024**2:
        return f"{count_of_bytes / 1024:.0f} KB"
    return f"{count_of_bytes / 1024**2:.1f} MB"


def _replace_minus(said: str) -> str:
    """The true minus sign, and none before a number that rounds to 0."""
    return said.replace("-", "−") if said.strip("-0.") else said.removeprefix("-")
