"""Paginated list of the units behind a clicked chart element; a row opens the reader."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from components.ui.address import link, open_page
from components.ui.label_colors import Look
from components.ui.numbers import NONE, format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_page
from faithfulness.model.selection import Selection


def show_units(
    units: pd.DataFrame,
    total: int,
    *,
    looks: Mapping[str, Look],
    sides: tuple[str, str],
    heading: str,
    within: Selection,
    page: int,
    per_page: int,
    shown: str,
    key: str = "units",
) -> None:
    """Draw one page of units; a click on one opens the reader.

    Args:
        units: item_id, run_id, run, external_id, unit_id, unit_text, reference_value, judge_value
            and joined, as `data.agreement.pairs.cell_units` answers.
        total: How many units there are on all pages.
        looks: What each value looks like.
        sides: What people call the two sides.
        heading: What these units have in common.
        within: What the page is narrowed to; the reader is opened with it.
        page: Which page this is, from 1.
        per_page: How many units a page holds.
        shown: Whose labels the reader begins with, as its address names them.
        key: The list's name on the page.
    """
    st.subheader(plain(heading), anchor=False)
    if not total:
        st.caption("No unit is like this here.")
        return
    columns = (Column(title="Unit", wide=True), *(Column(title=each) for each in sides))
    places = [_build_place(each, within) for each in units.to_dict("records")]
    hrefs = [link("item", each, shown=shown) for each in places]
    rows = [
        _build_row(at, line, hrefs[at], looks) for at, line in enumerate(units.to_dict("records"))
    ]
    clicked = show_table(columns, [Group(rows=rows)], key=key, label=heading)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(format_count(total, "unit"), width="content")
        if total > per_page and bound_page("page", -(-total // per_page)) != page:
            st.rerun()
    if clicked and int(clicked.row) < len(places):
        open_page("item", places[int(clicked.row)], shown=shown)


def _build_place(line: Mapping[Any, Any], within: Selection) -> Selection:
    return replace(
        within, runs=(str(line["run_id"]),), item=str(line["item_id"]), unit=str(line["unit_id"])
    )


def _build_row(at: int, line: Mapping[Any, Any], href: str, looks: Mapping[str, Look]) -> TableRow:
    named = str(line["external_id"] or str(line["item_id"])[:8])
    note = f"{named} · {line['run']}"
    if line["joined"]:
        note += " · several of our units, taken as one piece by an author"
    return TableRow(
        id=str(at),
        cells=(
            Cell(
                text=str(line["unit_text"]) or "(the whole response)",
                note=note,
                action="open",
                href=href,
            ),
            _build_label_cell(line["reference_value"], looks),
            _build_label_cell(line["judge_value"], looks),
        ),
    )


def _build_label_cell(value: Any, looks: Mapping[str, Look]) -> Cell:
    if not isinstance(value, str) or value not in looks:
        return Cell(text=NONE)
    look = looks[value]
    glyph = "" if look.glyph == look.title else look.glyph
    return Cell(text=look.title, glyph=glyph, color=look.color)
