"""Stacked bar chart of label shares, with unscored answers counted beside the bar."""

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


def show_shares(
    lines: Sequence[ChartLine], measure: Measure, *, chosen: Bar, key: str = "shares"
) -> None:
    """Draw the lines; a click on a segment names it in the address."""
    says = bars(lines, measure.values)
    draw_spread(build_share_lines(lines, measure, chosen), key=key, says=says)


def build_share_lines(lines: Sequence[ChartLine], measure: Measure, chosen: Bar) -> dict[str, Any]:
    """What is drawn: only labels that were given, in the order of the scale."""
    return {
        "kind": "shares",
        "label": f"{measure.title}: share of each label",
        "keys": [
            {
                "glyph": each.look.glyph,
                "title": each.look.title,
                "color": each.look.color,
                "shade": each.shade,
            }
            for each in assign_shades(measure).values()
        ],
        "lines": [
            drawn(
                line,
                measure,
                marks=_build_segments(line, measure, at, chosen),
                apart=_build_side_marks(line, measure, at, chosen),
                nothing="nothing has a label",
            )
            for at, line in enumerate(lines)
        ],
    }


def _build_segments(
    line: ChartLine, measure: Measure, at: int, chosen: Bar
) -> list[dict[str, Any]]:
    found = []
    for value, (look, shade) in assign_shades(measure).items():
        many = line.counts.get(value, 0)
        if not many:
            continue
        share = many / line.counted
        found.append(
            {
                "id": make_mark_id(at, value),
                "glyph": look.glyph,
                "title": look.title,
                "text": format_percent(share),
                "color": look.color,
                "shade": shade,
                "share": share,
                "on": chosen == Bar(line.key, value),
                "label": f"{title(line)[0]}: {look.title}, {count(many)} of {count(line.counted)} "
                f"{measure.counts}s, {format_percent(share, 1)}",
            }
        )
    return found


def _build_side_marks(
    line: ChartLine, measure: Measure, at: int, chosen: Bar
) -> list[dict[str, Any]]:
    return [
        {
            "id": make_mark_id(at, each.value),
            "glyph": each.glyph,
            "color": "gray",
            "text": f"{count(each.many)} {each.title}",
            "on": chosen == Bar(line.key, each.value),
            "label": f"{title(line)[0]}: {count(each.many)} {each.title}, not part of the shares",
        }
        for each in apart(line)
    ]
