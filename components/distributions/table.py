"""Table view of a distribution: shares with counts, intervals and explanations."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.charts.distribution_lines import ChartLine, apart, assign_shades, title
from components.distributions.list import ShownShare
from components.ui.number_meanings import meaning
from components.ui.numbers import count, format_percent
from components.ui.statistics_document import paragraph
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_toggle
from faithfulness.model.measure import Measure, format_bin


def ask_table(*names: str) -> bool:
    """Whether the table is wanted, beside what its numbers mean."""
    with st.container(horizontal=True, vertical_alignment="center", key="about"):
        wanted = bound_toggle("table", "As a table, with intervals")
        _show_meanings(names, "shares-and-scores")
    return wanted


def explained(heading: str, *names: str) -> None:
    """A heading, beside what the numbers below it mean."""
    with st.container(horizontal=True, vertical_alignment="center", key="explained"):
        st.subheader(heading, anchor=False, width="content")
        _show_meanings(names, names[0])


def _show_meanings(names: Sequence[str], read: str) -> None:
    with st.popover("What this means", icon=":material/help:", type="tertiary"):
        for name in names:
            said = meaning(name)
            st.markdown(f"**{said.title}.** {said.says}")
            st.caption(said.lies)
        st.markdown(f"[How to read this]({paragraph(read)})")


def show_shares_table(
    lines: Sequence[ChartLine], measure: Measure, shares: Mapping[tuple[str, str], ShownShare]
) -> None:
    """Draw one group a line; `shares` are those of a line's key and a value."""
    columns = (
        Column(title=measure.counts.capitalize()),
        Column(title="Share", end=True),
        Column(title="95 % interval", end=True),
        Column(title="Counted", end=True),
    )
    groups = []
    for line in lines:
        who, note = title(line)
        beside = "; ".join(f"{count(each.many)} {each.title}" for each in apart(line))
        rows = [
            _build_row(line, value, measure, shares[line.key, value])
            for value in measure.values
            if (line.key, value) in shares
        ]
        told = " · ".join(each for each in (note, beside) if each)
        groups.append(Group(title=who, note=told, rows=rows))
    show_table(columns, groups, key="as_table", label=f"{measure.title} as a table")


def _build_row(line: ChartLine, value: str, measure: Measure, share: ShownShare) -> TableRow:
    look = assign_shades(measure)[value].look if measure.criterion else None
    edges = share.reason
    if share.low is not None and share.high is not None:
        edges = f"{100 * share.low:.1f} to {100 * share.high:.1f} %"
    return TableRow(
        id=f"{line.key} {value}",
        cells=(
            Cell(text=look.title, glyph=look.glyph, color=look.color)
            if look
            else Cell(text=format_bin(value)),
            Cell(text=format_percent(share.value, 1), strong=True),
            Cell(text=edges),
            Cell(text=f"{count(line.counts.get(value, 0))} of {count(line.counted)}"),
        ),
    )
