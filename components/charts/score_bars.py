"""Bar charts of ordinal scores from worst to best, one panel per distribution."""

from collections.abc import Sequence
from typing import Any

from components.charts.distribution_lines import (
    ChartLine,
    apart,
    assign_shades,
    bars,
    drawn,
    make_mark_id,
    title,
)
from components.charts.spread import Bar, draw_spread
from components.ui.numbers import count, format_percent
from faithfulness.model.measure import Measure


def show_scores(
    lines: Sequence[ChartLine], measure: Measure, *, chosen: Bar, key: str = "scores"
) -> None:
    """Draw the panels; a click on a bar names it in the address."""
    looks = assign_shades(measure)
    feet = {value: (value, f"{value}, {each.look.title}") for value, each in looks.items()}
    colors = {value: each.look.color for value, each in looks.items()}
    said = [f"{value} {each.look.title}" for value, each in looks.items()]
    data = build_panels(lines, measure, chosen, feet=feet, colors=colors)
    data["foot"] = f"{' · '.join(said)}. Every panel has its own height; the count is above a bar."
    draw_spread(data, key=key, says=bars(lines, measure.values))


def build_panels(
    lines: Sequence[ChartLine],
    measure: Measure,
    chosen: Bar,
    *,
    feet: dict[str, tuple[str, str]],
    colors: dict[str, str],
) -> dict[str, Any]:
    """One panel a line: a bar for every value, also for those never given.

    Args:
        lines: Who gave what.
        measure: What is counted.
        chosen: The bar that the address names.
        feet: What stands below each value's bar, and its name in full.
        colors: The colour of each value's bar.
    """
    return {
        "kind": "multiples",
        "label": measure.title,
        "lines": [
            drawn(line, measure, marks=_build_marks(line, measure, at, chosen, feet, colors))
            for at, line in enumerate(lines)
        ],
    }


def _build_marks(
    line: ChartLine,
    measure: Measure,
    at: int,
    chosen: Bar,
    feet: dict[str, tuple[str, str]],
    colors: dict[str, str],
) -> list[dict[str, Any]]:
    beside = apart(line)
    highest = max([*line.counts.values(), *(each.many for each in beside), 1])
    who = title(line)[0]
    found = []
    for value, (foot, name) in feet.items():
        many = line.counts.get(value, 0)
        share = many / line.counted if line.counted else 0
        label = f"{who}: {name}, {count(many)} of {count(line.counted)} {measure.counts}s"
        found.append(
            _build_mark(
                at,
                value,
                many,
                highest,
                foot,
                colors[value],
                f"{label}, {format_percent(share, 1)}",
            )
        )
    for each in beside:
        label = f"{who}: {count(each.many)} {each.title}, counted apart"
        found.append(_build_mark(at, each.value, each.many, highest, each.glyph, "gray", label))
        found[-1]["gap"] = True
    for mark in found:
        mark["on"] = mark["id"] == make_mark_id(at, chosen.value) and chosen.line == line.key
    return found


def _build_mark(
    at: int, value: str, many: int, highest: int, foot: str, color: str, label: str
) -> dict[str, Any]:
    return {
        "id": make_mark_id(at, value) if many else "",
        "title": foot,
        "text": count(many),
        "share": many / highest,
        "color": color,
        "shade": "0",
        "label": label,
    }
