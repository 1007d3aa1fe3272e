"""How numbers are written: with what was counted, and a dash where there is none."""

import math
from datetime import datetime

from faithfulness.wording import NONE, counted, percent

__all__ = ["NONE", "count", "counted", "day", "interval", "number", "percent", "size"]


def number(value: float | None, digits: int = 2) -> str:
    """A number, or a dash: an undefined number is never shown as 0."""
    if value is None or math.isnan(value):
        return NONE
    return f"{value:.{digits}f}"


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    return f"{low:.{digits}f} to {high:.{digits}f}"


def count(value: int) -> str:
    return f"{value:,}"


def day(when: datetime) -> str:
    """A moment of the store, which keeps UTC: said, because the reader's clock may differ."""
    return f"{when.day} {when:%b %Y, %H:%M}\u00a0UTC"


def size(count_of_bytes: int) -> str:
    """A file's size in the unit people read it in."""
    if count_of_bytes < 1024:
        return counted(count_of_bytes, "byte")
    if count_of_bytes < 1024**2:
        return f"{count_of_bytes / 1024:.0f} KB"
    return f"{count_of_bytes / 1024**2:.1f} MB"
