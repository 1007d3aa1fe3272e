"""Dot chart of the agreement coefficients, with intervals and explanations."""

from collections.abc import Mapping, Sequence

from components.charts.dots import Dot, dots
from components.charts.marks import draw_marks
from components.ui.number_meanings import meaning
from components.ui.numbers import format_count
from components.ui.statistics_document import paragraph
from faithfulness.statistics.agreement import Estimate

SHARES = frozenset(
    {"percent", "baseline", "within_one", "judge_with_raters", "raters_with_raters", "unanimous"}
)


def show_coefficients(
    estimates: Sequence[Estimate],
    *,
    label: str,
    titles: Mapping[str, str] | None = None,
    key: str = "coefficients",
    read: str = "each-number",
) -> None:
    """Draw the numbers on one axis; a click on a name opens what it means and when it lies.

    Args:
        estimates: The numbers, in this order.
        label: What the list is about, for those who do not see it.
        titles: What people call the labels inside the names of numbers.
        key: The list's name on the page.
        read: The heading in the document on statistics that explains the list.
    """
    marks = [coefficient(each, titles or {}, estimates[0]) for each in estimates]
    data = dots(marks, label=label, percent=lambda row: row.estimate.name in SHARES)
    draw_marks(data, key=key, read=read)


def coefficient(
    estimate: Estimate, titles: Mapping[str, str], first: Estimate | None = None
) -> Dot:
    """A number as a row; where it rests on others than the `first` of the list, it says so."""
    said = meaning(estimate.name, titles.get(estimate.name.partition(":")[2], ""))
    return Dot(
        title=said.title,
        estimate=estimate,
        note="" if first is None else describe_other_basis(estimate, first.items, first.units),
        about=said.in_words,
        read=paragraph(estimate.name),
    )


def describe_other_basis(estimate: Estimate, items: int, units: int, unit: str = "unit") -> str:
    """What a number rests on, where that is not these items and units; counts tell their units."""
    if not estimate.items or (estimate.items, estimate.units) == (items, units):
        return ""
    if estimate.items != items:
        return format_count(estimate.items, "item")
    return "" if estimate.counts else format_count(estimate.units, unit)
