"""Clickable bar chart of score differences (judge minus reference) in scale steps."""

from collections.abc import Mapping
from typing import Any

from components.charts.marks import draw_marks
from components.ui.numbers import format_count, format_percent

STEPS = "steps"


def show_differences(
    units: Mapping[int, int], *, chosen: int | None, key: str = "differences"
) -> None:
    """Draw one bar a difference; a click names it in the address."""
    draw_marks(
        build_difference_bars(units, chosen),
        key=key,
        says={str(step): {STEPS: str(step)} for step in units},
        read="differences-of-scores",
    )


def build_difference_bars(units: Mapping[int, int], chosen: int | None) -> dict[str, Any]:
    """The bars from the lowest difference to the highest; the highest bar fills its place."""
    highest, total = max(units.values(), default=0) or 1, sum(units.values()) or 1
    return {
        "kind": "bars",
        "label": "Units by judge minus reference, in steps of the scale",
        "bars": [
            {
                "id": str(step) if many else "",
                "title": f"+{step}" if step > 0 else str(step).replace("-", "−"),
                "text": f"{many:,}",
                "share": many / highest,
                "color": "blue" if step == 0 else "gray",
                "on": chosen == step,
                "label": f"{_describe_step(step)}: {format_count(many, 'unit')}, "
                f"{format_percent(many / total)}",
            }
            for step, many in sorted(units.items())
        ],
        "ends": ["◂ judge lower (stricter)", "equal", "judge higher (milder) ▸"],
    }


def parse_step(text: str, size: int) -> int | None:
    """The difference that an address names; None where it names none of this scale."""
    digits = text.removeprefix("-")
    if not digits.isdecimal() or len(digits) > 2 or int(digits) >= size:
        return None
    return int(text)


def _describe_step(step: int) -> str:
    if not step:
        return "Equal"
    return f"Judge {abs(step)} {'higher' if step > 0 else 'lower'}"
