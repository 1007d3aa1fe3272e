"""Trend chart: mean per run in import order, one panel for all raters and one per judge."""

from collections.abc import Sequence
from typing import Any

from components.charts.distribution_lines import TOGETHER, ChartLine, describe_line
from components.charts.spread import Bar, draw_spread
from components.ui.numbers import count, interval, number
from faithfulness.model.measure import Measure

RUNS = 12  # the latest; more would not be told apart in one panel


def show_drift(
    lines: Sequence[ChartLine], measure: Measure, *, chosen: Bar, key: str = "drift"
) -> None:
    """Draw the panels; a click on a mean names its run and author in the address."""
    says = {str(at): Bar(line.key) for at, line in enumerate(lines)}
    draw_spread(build_drift_panels(lines, measure, chosen), key=key, says=says, rows="run")


def build_drift_panels(lines: Sequence[ChartLine], measure: Measure, chosen: Bar) -> dict[str, Any]:
    """Panels on one scale: that of the scores, or 0 to 1."""
    groups: dict[tuple[str, str], list[tuple[int, ChartLine]]] = {}
    for at, line in enumerate(lines):
        groups.setdefault((line.kind, line.name), []).append((at, line))
    domain = (1.0, 5.0) if measure.kind == "scores" else (0.0, 1.0)
    middle = sum(domain) / 2
    return {
        "kind": "drift",
        "label": "Mean of each run in the order of import",
        "domain": domain,
        "ticks": [{"at": each, "text": f"{each:g}"} for each in (domain[0], middle, domain[1])],
        "lines": [
            {
                "title": name or TOGETHER[kind],
                "note": _describe_left_out(len(found)),
                "marks": [_build_mark(at, line, chosen) for at, line in found[-RUNS:]],
            }
            for (kind, name), found in groups.items()
        ],
    }


def _describe_left_out(runs: int) -> str:
    return f"the latest {RUNS} of {runs} runs" if runs > RUNS else ""


def _build_mark(at: int, line: ChartLine, chosen: Bar) -> dict[str, Any]:
    mean = line.mean
    edges = interval(mean.low, mean.high)
    doubt = f" {edges}" if edges else ", without an interval"
    behind = f"over {count(mean.counted)} items {describe_line(line)}"
    return {
        "id": str(at),
        "title": line.part,
        "text": number(mean.value),
        "value": mean.value,
        "low": mean.low,
        "high": mean.high,
        "on": chosen == Bar(line.key),
        "label": f"Mean {number(mean.value)}{doubt} {behind}",
    }
