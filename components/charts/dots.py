"""Dot chart: one value with its interval per row on a common axis, also as text."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from components.ui.numbers import NONE, interval, number
from faithfulness.model.wording import capitalize_first
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.sentence import format_share


@dataclass(frozen=True, kw_only=True, slots=True)
class Dot:
    """One row; `id` makes its title a button, `about` makes it an explanation that opens.

    `note` stands below the title, or below the number where an explanation opens.
    `read` is the address at which the explanation goes on.
    """

    title: str
    estimate: Estimate
    note: str = ""
    about: str = ""
    read: str = ""
    id: str = ""
    on: bool = False
    color: str = ""


def format_estimate(estimate: Estimate, digits: int = 2) -> str:
    """A number with its interval: “0.71 [0.64, 0.78]”; counts where too few cases carry it."""
    if estimate.counts:
        return estimate.counts
    said = number(estimate.value, digits)
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return said
    return f"{said} {interval(estimate.low, estimate.high, digits)}"


def format_percent(estimate: Estimate) -> str:
    return format_share(estimate)


def dots(
    rows: Sequence[Dot],
    *,
    label: str,
    lines: Sequence[tuple[float, str]] = (),
    percent: bool | Callable[[Dot], bool] = False,
) -> dict[str, Any]:
    """What `draw_marks` needs for these rows; the axis grows where a number lies beyond it."""
    ends = [each for row in rows for each in _list_ends(row.estimate)] + [each for each, _ in lines]
    low, high = _compute_axis(ends)
    as_percent = percent if callable(percent) else lambda _: bool(percent)
    every = isinstance(percent, bool) and percent
    reason = find_common_reason([each.estimate for each in rows])
    step = 0.25 if high - low <= 1.5 else 0.5
    steps = [low + step * at for at in range(round((high - low) / step) + 1)]
    return {
        "kind": "dots",
        "label": label,
        "domain": [low, high],
        "ticks": [{"at": at, "text": _format_tick(at, every)} for at in steps],
        "lines": [{"at": at, "text": text} for at, text in lines],
        "rows": [_build_row(each, as_percent(each), reason) for each in rows],
        "foot": f"{capitalize_first(reason)}." if reason else "",
    }


def find_common_reason(estimates: Sequence[Estimate]) -> str:
    """Why none of these numbers has an interval, where it is the same for all: said once.

    A number that is shown as counts keeps its own reason.
    """
    numbers = [each for each in estimates if not each.counts]
    found = {each.reason for each in numbers}
    defined = all(each.value is not None for each in numbers)
    return found.pop() if defined and len(found) == 1 and len(numbers) > 1 else ""


def _compute_axis(ends: Sequence[float]) -> tuple[float, float]:
    """From 0 to 1, and down to whole quarters or halves below 0 where a number lies there."""
    least = min([0.0, *ends])
    step = 0.25 if least >= -0.5 else 0.5
    return step * math.floor(least / step), 1.0


def _format_tick(at: float, percent: bool) -> str:
    return f"{100 * at:.0f} %" if percent else number(at).rstrip("0").rstrip(".")


def _build_row(row: Dot, percent: bool, said_below: str) -> dict[str, Any]:
    found = row.estimate
    return {
        "id": row.id,
        "title": row.title,
        "note": row.note,
        "about": row.about,
        "read": row.read,
        "on": row.on,
        "color": row.color,
        "value": None if found.counts else found.value,
        "low": found.low,
        "high": found.high,
        "text": NONE if found.value is None else _format_value(found, percent),
        "reason": "" if found.reason == said_below else found.reason,
    }


def _format_value(found: Estimate, percent: bool) -> str:
    return format_percent(found) if percent else format_estimate(found)


def _list_ends(found: Estimate) -> list[float]:
    return [each for each in (found.value, found.low, found.high) if each is not None]
