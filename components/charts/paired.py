"""Dot chart of paired differences between two sides, with intervals around zero."""

from collections.abc import Mapping, Sequence
from typing import Any

from components.charts.marks import draw_marks
from components.ui.numbers import NONE, format_count, number
from components.ui.numbers import signed as with_sign
from components.ui.statistics_document import paragraph
from faithfulness.statistics.comparison import Difference
from faithfulness.statistics.paired import LOWER_IS_BETTER, PairedNumber, format_p

LEAST_AXIS = 0.1
STEPS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0)
SIDES = "two-sides-on-the-same-items"  # in the document on statistics


def show_paired(
    measures: Sequence[PairedNumber],
    *,
    titles: Mapping[str, str],
    about: Mapping[str, str],
    judged: bool,
    label: str,
    key: str,
) -> None:
    """Draw one row a measure.

    Args:
        measures: Both sides' numbers with their difference.
        titles: What people call each measure.
        about: What each one means; opens at a click on its name.
        judged: Whether a higher number is better; then sure differences have a colour.
        label: What the chart shows, for those who do not see it.
        key: The chart's name on the page.
    """
    rows = [
        build_paired_row(each, titles[each.name], about.get(each.name, ""), judged)
        for each in measures
    ]
    ends = [abs(row[name]) for row in rows for name in ("value", "low", "high") if row[name]]
    step = choose_step(max([LEAST_AXIS, *ends]))
    far = 2 * step
    ticks = [step * at for at in range(-2, 3)]
    data = {
        "kind": "dots",
        "label": label,
        "domain": [-far, far],
        "ticks": [
            {"at": at, "text": with_sign(at, 2 if step < 1 else 0) if at else "0"} for at in ticks
        ],
        "lines": [{"at": 0.0, "text": "no difference"}],
        "rows": rows,
        "foot": "",
    }
    draw_marks(data, key=key, read=SIDES)


def choose_step(far: float) -> float:
    """Half of the shortest axis with round ticks that reaches this far."""
    return next((each for each in STEPS if 2 * each >= far), far / 2)


def build_paired_row(measure: PairedNumber, title: str, about: str, judged: bool) -> dict[str, Any]:
    """One row: both numbers in its title, the difference with its doubt at its end."""
    found = measure.difference
    both = f"A {number(measure.first)} → B {number(measure.second)}"
    facts = (format_count(found.items, "item"), format_p(found.p), found.reason)
    color = ""
    if judged and measure.is_sure and found.value:
        is_better = (found.value > 0) != (measure.name in LOWER_IS_BETTER)
        color = "blue" if is_better else "red"
    return {
        "id": "",
        "title": f"{title}: {both}",
        "note": "",
        "about": about,
        "read": paragraph(measure.name) if about else "",
        "on": False,
        "color": color,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "text": signed(found),
        "reason": " · ".join(each for each in facts if each),
    }


def signed(found: Difference) -> str:
    """A difference with its sign and interval: “+0.08 [+0.01, +0.15]”."""
    if found.value is None:
        return NONE
    said = with_sign(found.value)
    if found.low is None or found.high is None:
        return said
    return f"{said} [{with_sign(found.low)}, {with_sign(found.high)}]"
