"""Comparability check: shared items, item matching and the differences between two sides."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.charts.marks import draw_marks
from components.charts.paired import SIDES
from components.ui.numbers import count, format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_choice, bound_toggle
from faithfulness.model.comparability import MATCHED_BY, ItemMatch, Remark, summarize_remarks
from faithfulness.model.wording import capitalize_first

COLUMNS = (
    Column(title="What"),
    Column(title="A", firm=True),
    Column(title="B", firm=True),
    Column(title="What that means", wide=True, firm=True),
)
_STATES = {False: ("≠", "gray", "differs"), None: ("?", "gray", "not known")}


def show_strip(
    remarks: Sequence[Remark], common: int, only: tuple[int, int], offers: Mapping[ItemMatch, int]
) -> bool:
    """Draw the strip; answers whether only the common items are to be looked at."""
    st.markdown(f"**{plain(summarize_remarks(remarks))}**")
    draw_marks(coverage(common, only), key="coverage", read=SIDES)
    alone = False
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="matching"):
        if len(offers) > 1:
            likely = {each: MATCHED_BY[each] for each in offers}
            titles = {"": "Match: as it fits best"} | {
                each.value: f"Match: {title} ({count(offers[each])})"
                for each, title in likely.items()
            }
            bound_choice("match", "Match items by", titles)
        if any(only) and common:
            alone = bound_toggle("common", f"The {format_count(common, 'common item')} only")
    differ = [each for each in remarks if each.same is not True]
    if differ:
        rows = [TableRow(id=each.aspect, cells=_build_cells(each)) for each in differ]
        show_table(COLUMNS, [Group(rows=rows)], key="remarks", label="What differs between A and B")
    same = [each.aspect.lower() for each in remarks if each.same is True]
    if same:
        st.caption(f"The same on both sides: {', '.join(same)}.")
    return alone


def coverage(common: int, only: tuple[int, int]) -> dict[str, Any]:
    """How many items have a partner, as parts of one strip."""
    parts = (
        (common, "common items" if common != 1 else "common item", "main"),
        (only[0], "only in A", "second"),
        (only[1], "only in B", "odd"),
    )
    return {
        "kind": "parts",
        "label": "Items by which side has them",
        "parts": [
            {
                "id": "",
                "text": count(many),
                "title": title,
                "count": many,
                "color": color,
                "drawn": many > 0,
                "on": False,
            }
            for many, title, color in parts
        ],
    }


def _build_cells(remark: Remark) -> tuple[Cell, ...]:
    glyph, color, state = _STATES[bool(remark.same) if remark.same is not None else None]
    return (
        Cell(text=remark.aspect, note=state, glyph=glyph, color=color, strong=True),
        Cell(text=remark.first),
        Cell(text=remark.second),
        Cell(text=capitalize_first(remark.means)),
    )
