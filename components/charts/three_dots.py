"""Dot chart of a rate estimated in three ways: judge only, people only and corrected."""

from typing import Any

from components.charts.dots import Dot, dots
from components.charts.marks import draw_marks
from components.ui.numbers import format_count
from faithfulness.statistics.correction import Corrected


def show_three_dots(found: Corrected, *, key: str = "rate") -> None:
    draw_marks(build_three_dots(found), key=key, read="corrected")


def build_three_dots(found: Corrected) -> dict[str, Any]:
    """What `draw_marks` needs; only the corrected rate has the accent colour."""
    rows = (
        ("Judge only", found.judge_only, ""),
        ("People only", found.human_only, ""),
        ("Corrected", found.corrected, "teal"),
    )
    marks = [
        Dot(title=title, estimate=each, note=format_count(each.items, "item"), color=color)
        for title, each, color in rows
    ]
    return dots(marks, label="The rate by judge, by people, and corrected", percent=True)
