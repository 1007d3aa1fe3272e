"""Dot chart of one metric per slice of the items; a click selects the slice."""

from collections.abc import Mapping, Sequence

from components.charts.dots import Dot, dots
from components.charts.marks import draw_marks
from components.ui.numbers import format_count
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.sentence import format_share
from faithfulness.statistics.slices import Slice

UNKNOWN = "(not said)"


def show_slices(
    rows: Sequence[Slice],
    overall: Estimate,
    *,
    titles: Mapping[str, str],
    chosen: str | None,
    percent: bool,
    key: str = "slices",
) -> None:
    """Draw the slices, lowest lower bound first; only those that surely differ have a colour.

    Args:
        rows: The slices, as `faithfulness.statistics.slices` sorts them.
        overall: The number over all items, drawn as a line.
        titles: What people call a slice, where not by its value.
        chosen: The slice that the address names.
        percent: Whether the number is a share.
        key: The chart's name on the page.
    """
    marks = [build_slice_dot(each, overall, titles, chosen) for each in rows]
    lines = []
    if overall.value is not None:
        said = format_share(overall) if percent else f"{overall.value:.2f}"
        lines = [(overall.value, f"all items: {said}")]
    data = dots(marks, label="Agreement by slice", lines=lines, percent=percent)
    says = {str(at): {"part": each.value} for at, each in enumerate(rows)}
    for at, row in enumerate(data["rows"]):
        row["id"] = str(at) if rows[at].value else ""
    draw_marks(data, key=key, says=says, read="slices")


def build_slice_dot(
    row: Slice, overall: Estimate, titles: Mapping[str, str], chosen: str | None
) -> Dot:
    found = row.estimate
    lower = found.value is not None and overall.value is not None and found.value < overall.value
    verdict = (" · lower than all" if lower else " · higher than all") if row.differs else ""
    return Dot(
        title=titles.get(row.value, row.value) or UNKNOWN,
        estimate=found,
        note=f"{format_count(found.items, 'item')}, {format_count(found.units, 'unit')}{verdict}",
        on=bool(row.value) and row.value == chosen,
        color=("red" if lower else "blue") if row.differs else "",
    )
