"""Label changes between two sides: counts by direction, then a paginated list."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from components.charts.marks import draw_marks
from components.charts.paired import SIDES
from components.ui.address import link
from components.ui.label_colors import Look
from components.ui.numbers import NONE, count, format_count, number, signed
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_page, read_number
from faithfulness.model.comparability import ItemMatch, Moved
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import UnitKind

# Of different responses a lower label is worse; of the same response it is a stricter author.
BETWEEN_RESPONSES = {
    Moved.WORSE: "worse in B",
    Moved.BETTER: "better in B",
    Moved.OTHER: "another label",
    Moved.SAME: "the same",
    Moved.LOST: "label only in A",
    Moved.GAINED: "label only in B",
}
BETWEEN_AUTHORS = BETWEEN_RESPONSES | {Moved.WORSE: "B stricter", Moved.BETTER: "B milder"}
# Shades of the strip; the colours of labels stay with labels.
_SHADES = {
    Moved.WORSE: "main",
    Moved.BETTER: "second",
    Moved.OTHER: "odd",
    Moved.SAME: "rest",
}
_GLYPHS = {
    Moved.WORSE: "▼",
    Moved.BETTER: "▲",
    Moved.OTHER: "◆",
    Moved.SAME: "=",
    Moved.LOST: "−",
    Moved.GAINED: "+",
}
APART = "apart"
CUT_AT = 240


class ChangePage(Protocol):
    """A page of changes, and how many there are on all pages."""

    @property
    def rows(self) -> pd.DataFrame: ...
    @property
    def total(self) -> int: ...


def show_moves(
    counts: Mapping[Moved, int], chosen: Moved | None, titles: Mapping[Moved, str]
) -> None:
    """Draw the directions with their counts; a click lists only that one."""
    parts = [
        {
            "id": each.value if counts[each] else "",
            "text": count(counts[each]),
            "title": titles[each],
            "count": counts[each],
            "color": _SHADES.get(each, "rest"),
            "drawn": counts[each] > 0 and each in _SHADES,
            "on": each is chosen,
        }
        for each in titles
    ]
    data = {"kind": "parts", "label": "What changed from A to B", "parts": parts}
    says = {each.value: {APART: each.value} for each in titles}
    draw_marks(data, key="moves", says=says, read=SIDES)


def get_move_titles(match: ItemMatch) -> Mapping[Moved, str]:
    """What people call the directions: of the same response, an author is stricter or milder."""
    return BETWEEN_AUTHORS if match is ItemMatch.ITEM else BETWEEN_RESPONSES


def read_move() -> Moved | None:
    """The direction that the address names."""
    said = st.query_params.get(APART, "")
    return Moved(said) if said in set(Moved) else None


def read_page() -> int:
    return max(1, read_number("page", 1))


def show_changes(
    listed: ChangePage,
    *,
    looks: Mapping[str, Look],
    titles: Mapping[Moved, str],
    runs: tuple[str, str],
    within: Selection,
    per_page: int,
) -> Selection | None:
    """Draw one page of changes; answers what the reader shall show, once one is clicked.

    Args:
        listed: As `data.compare.changes.changed` answers.
        looks: What each label looks like.
        titles: What people call each direction here.
        runs: The runs of both sides, in which their items are opened.
        within: What the page is narrowed to; the reader is opened with it.
        per_page: How many rows a page holds.
    """
    rows, total = listed.rows, listed.total
    if not total:
        st.caption("Nothing here changed between A and B. Choose another direction or cell.")
        return None
    by_units = bool(rows["unit_id"].ne("").any())
    columns = (
        Column(title="Unit" if by_units else "Question", wide=True),
        Column(title="A", firm=by_units),
        Column(title="B", firm=by_units),
        Column(title="Change", firm=True),
    )
    lines = rows.to_dict("records")
    places = [_build_places(line, runs, within) for line in lines]
    drawn = [_build_row(at, line, places[at], looks, titles) for at, line in enumerate(lines)]
    clicked = show_table(columns, [Group(rows=drawn)], key="changes", label="What changed")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(format_count(total, "unit" if by_units else "item"), width="content")
        if total > per_page:
            bound_page("page", -(-total // per_page))
    if clicked is None or int(clicked.row) >= len(places):
        return None
    return places[int(clicked.row)][clicked.action == "second"]


def _build_places(
    line: Mapping[Any, Any], runs: tuple[str, str], within: Selection
) -> tuple[Selection, Selection]:
    first = replace(
        within, runs=(runs[0],), item=str(line["item_first"]), unit=str(line["unit_id"])
    )
    return first, replace(first, runs=(runs[1],), item=str(line["item_second"]))


def _build_row(
    at: int,
    line: Mapping[Any, Any],
    places: tuple[Selection, Selection],
    looks: Mapping[str, Look],
    titles: Mapping[Moved, str],
) -> TableRow:
    moved = Moved(line["moved"])
    same = places[0] == places[1]
    # The words are those of side A: of two different responses they open the one that holds them.
    of_words = int(places[0].item == places[1].item)
    text = _shorten_text(line["text"]) or "(the whole response)"
    return TableRow(
        id=str(at),
        cells=(
            Cell(
                text=text,
                note=_format_unit_place(line),
                action=("first", "second")[of_words],
                href=link("item", places[of_words]),
            ),
            _build_side_cell(line, "first", looks, "" if same else link("item", places[0])),
            _build_side_cell(line, "second", looks, "" if same else link("item", places[1])),
            Cell(
                text=_format_change(line, titles[moved]),
                glyph=_GLYPHS[moved],
                color="gray",
            ),
        ),
    )


def _format_unit_place(line: Mapping[Any, Any]) -> str:
    named = str(line["external_id"] or str(line["item_first"])[:8])
    if line["kind"] == UnitKind.SENTENCE.value:
        return f"{named} · Sentence {int(line['position']) + 1}"
    return named


def _build_side_cell(
    line: Mapping[Any, Any], side: str, looks: Mapping[str, Look], href: str
) -> Cell:
    """A side's label, or its item's number where units cannot be paired."""
    value, action = line[f"{side}_value"], side if href else ""
    if not line["unit_id"]:
        return Cell(text=number(line[f"{side}_number"]), action=action, href=href)
    if not isinstance(value, str) or value not in looks:
        return Cell(text=NONE, note="no label", action=action, href=href)
    look = looks[value]
    glyph = "" if look.glyph == look.title else look.glyph
    return Cell(text=look.title, glyph=glyph, color=look.color, action=action, href=href)


def _format_change(line: Mapping[Any, Any], title: str) -> str:
    if line["unit_id"]:
        return title
    step = line["second_number"] - line["first_number"]
    return f"{title} ({signed(step)})" if pd.notna(step) else title


def _shorten_text(text: Any) -> str:
    if not isinstance(text, str):
        return ""
    return f"{text[:CUT_AT]}…" if len(text) > CUT_AT else text
