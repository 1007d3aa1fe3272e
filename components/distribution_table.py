"""A distribution as a table: every share with its count and interval, and what they mean."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.bound import bound_toggle
from components.distribution_lines import Line, apart, shaded, title
from components.distribution_list import Share
from components.meanings import meaning
from components.numbers import NONE, count
from components.table.table import Cell, Column, Group, Row, show_table
from faithfulness.measure import Measure, bin_title


def ask_table(*names: str) -> bool:
    """Whether the table is wanted, beside what its numbers mean."""
    with st.container(horizontal=True, vertical_alignment="center", key="about"):
        wanted = bound_toggle("table", "As a table, with intervals")
        _explain(names)
    return wanted


def explained(heading: str, *names: str) -> None:
    """A heading, beside what the numbers below it mean."""
    with st.container(horizontal=True, vertical_alignment="center", key="explained"):
        st.subheader(heading, anchor=False, width="content")
        _explain(names)


def _explain(names: Sequence[str]) -> None:
    with st.popover("What this means", icon=":material/help:", type="tertiary"):
        for name in names:
            said = meaning(name)
            st.markdown(f"**{said.title}.** {said.says}")
            st.caption(said.lies)


def show_shares_table(
    lines: Sequence[Line], measure: Measure, shares: Mapping[tuple[str, str], Share]
) -> None:
    """Draw one row a line; `shares` are those of a line's key and a value."""
    looks = shaded(measure)
    titles = [looks[value].look.title if looks else bin_title(value) for value in measure.values]
    columns = (
        Column(title="Line"),
        *(Column(title=each, end=True) for each in titles),
        Column(title="Apart", end=True),
    )
    rows = [
        Row(
            id=line.key,
            cells=(
                Cell(text=title(line)[0], note=title(line)[1], strong=True),
                *(_share(line, value, shares.get((line.key, value))) for value in measure.values),
                Cell(
                    text="; ".join(f"{count(each.many)} {each.title}" for each in apart(line))
                    or NONE
                ),
            ),
        )
        for line in lines
    ]
    show_table(columns, [Group(rows=rows)], key="as_table", label=f"{measure.title} as a table")
    reasons = {share.reason for share in shares.values() if share.reason}
    if reasons:
        st.caption(f"A share without an interval: {'; '.join(sorted(reasons))}.")


def _share(line: Line, value: str, share: Share | None) -> Cell:
    many = line.counts.get(value, 0)
    if not many or share is None:
        return Cell(text="0" if line.counted else NONE)
    note = f"{count(many)} of {count(line.counted)}"
    if share.low is not None and share.high is not None:
        note = f"{100 * share.low:.1f} to {100 * share.high:.1f} % · {note}"
    return Cell(text=f"{100 * share.value:.1f} %", note=note)
