"""Differences between two sides on the same items: a dot and its interval around no difference."""

from collections.abc import Mapping, Sequence

from components.charts.dots import Dot, dots
from components.charts.marks import draw_marks
from components.numbers import NONE, counted, number
from faithfulness.paired import LOWER_IS_BETTER, Measure, p_in_words
from faithfulness.statistics.agreement import Estimate


def show_paired(
    measures: Sequence[Measure],
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
        paired_dot(each, titles[each.name], about.get(each.name, ""), judged) for each in measures
    ]
    ends = [
        abs(each)
        for row in rows
        for each in (row.estimate.value, row.estimate.low, row.estimate.high)
        if each is not None
    ]
    far = max([0.1, *ends]) * 1.05
    data = dots(rows, label=label, domain=(-far, far), lines=[(0.0, "no difference")])
    for row, dot in zip(data["rows"], rows, strict=True):
        row["text"] = signed(dot.estimate)
    draw_marks(data, key=key)


def signed(found: Estimate) -> str:
    """A difference with its sign and interval: “+0.08 [+0.01, +0.15]”."""
    if found.value is None:
        return NONE
    said = f"{found.value:+.2f}"
    if found.low is not None and found.high is not None:
        said = f"{said} [{found.low:+.2f}, {found.high:+.2f}]"
    return said.replace("-", "−")


def paired_dot(measure: Measure, title: str, about: str, judged: bool) -> Dot:
    found = measure.difference
    both = f"A {number(measure.first)} → B {number(measure.second)}"
    facts = [counted(found.items, "item"), p_in_words(found.p)]
    reason = " · ".join(each for each in (*facts, found.reason) if each)
    color = ""
    if judged and measure.is_sure and found.value:
        is_better = (found.value > 0) != (measure.name in LOWER_IS_BETTER)
        color = "blue" if is_better else "red"
    return Dot(
        title=f"{title}: {both}" if measure.first is not None else f"{title}: {NONE}",
        about=about,
        color=color,
        estimate=Estimate(
            name=measure.name,
            value=found.value,
            low=found.low,
            high=found.high,
            items=found.items,
            units=0,
            reason=reason,
        ),
    )
