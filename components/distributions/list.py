"""Paginated list of the units or items counted in a bar; a row opens the reader."""

from dataclasses import replace
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from components.charts.distribution_lines import (
    NOT_JUDGED,
    UNREAD,
    WITHOUT,
    ChartLine,
    assign_shades,
    describe_line,
)
from components.charts.spread import CLICKED, Bar
from components.ui.address import link, parse_author_key
from components.ui.label_colors import NOT_JUDGED as NOT_JUDGED_LOOK
from components.ui.label_colors import UNREAD as UNREAD_LOOK
from components.ui.numbers import format_count, format_percent, number
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.model.measure import Measure, format_bin
from faithfulness.model.selection import Selection

APART = {
    UNREAD: "Unread",
    NOT_JUDGED: "Not judged",
    WITHOUT: "Without a number",
}
LONGEST = 300


def explain_no_values(measure: Measure, *, numbers: bool) -> None:
    """Say why there is nothing to draw; `numbers` came with files that bring no answers."""
    told = (
        f"These runs bring numbers and no {measure.counts}s behind them."
        if numbers
        else f"Nobody gave a {measure.counts} under {measure.protocol.title} here. Widen the "
        "filter, or choose another protocol."
    )
    st.info(told, icon=":material/filter_alt_off:")


class ShownShare(Protocol):
    """What is said of a share."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def reason(self) -> str: ...


def show_list_heading(
    line: ChartLine, measure: Measure, bar: Bar, total: int, share: ShownShare | None
) -> None:
    """Say what the list holds and what part of its line that is, and offer to close it."""
    with st.container(horizontal=True, vertical_alignment="center", key="behind"):
        said = (
            f"{_format_bar_title(measure, bar.value)} {describe_line(line)}: "
            f"{_format_total(measure, bar, total)}"
        )
        st.subheader(plain(said), anchor=False, width="content")
        if st.button("Close the list", icon=":material/close:", type="tertiary"):
            for name in (*CLICKED, "page"):
                st.query_params.pop(name, None)
            st.rerun()
    if share is not None:
        sure = share.low is not None and share.high is not None
        edges = f"95 % interval {format_percent(share.low, 1)} to {format_percent(share.high, 1)}"
        st.caption(
            f"{format_percent(share.value, 1)} of {format_count(line.counted, measure.counts)}, "
            f"{edges if sure else share.reason}"
        )


def show_behind(
    found: pd.DataFrame, measure: Measure, bar: Bar, line: ChartLine, within: Selection
) -> Selection | None:
    """Draw one page; answers where to read on when a row was clicked."""
    number_column = measure.kind == "numbers"
    columns = (
        Column(title="Item"),
        Column(
            title="Response" if number_column else measure.protocol.unit.value.capitalize(),
            wide=True,
        ),
        Column(title="Number" if number_column else "Label", end=number_column),
        Column(title="Run" if number_column else "Said by", drop=True),
    )
    places = {
        str(at): _build_place(row, measure, bar, line, within)
        for at, row in enumerate(found.to_dict("records"))
    }
    rows = [
        _build_row(str(at), row, measure, places[str(at)])
        for at, row in enumerate(found.to_dict("records"))
    ]
    clicked = show_table(columns, [Group(rows=rows)], key="found", label="Behind the bar")
    return places.get(clicked.row) if clicked else None


def _format_bar_title(measure: Measure, value: str) -> str:
    if not value:
        return "Everything"
    if value in APART:
        return APART[value]
    if measure.criterion is None:
        return format_bin(value)
    look = assign_shades(measure)[value].look
    return f"Score {value} ({look.title})" if measure.kind == "scores" else look.title


def _format_total(measure: Measure, bar: Bar, total: int) -> str:
    is_value = bool(bar.value) and bar.value not in APART
    return format_count(
        total, measure.counts if is_value or measure.criterion is None else "answer"
    )


def _build_place(
    row: dict[Any, Any], measure: Measure, bar: Bar, line: ChartLine, within: Selection
) -> Selection:
    """The item, and the filter that leads on to the others of its run."""
    labelled = measure.criterion is not None and bar.value and bar.value not in APART
    one = parse_author_key(f"{line.kind}:{line.name}") if line.name else None
    return replace(
        within,
        protocol="",
        systems=(),
        runs=(str(row["run_id"]),),
        item=str(row["item_id"]),
        unit=str(row["unit_id"]) if isinstance(row["unit_id"], str) else "",
        criterion=measure.criterion.key if measure.criterion else "",
        labels=(bar.value,) if labelled else (),
        by=line.kind if labelled and one is None else "",
        authors=(one,) if one else within.authors,
        unread=bar.value == UNREAD,
    )


def _build_row(at: str, row: dict[Any, Any], measure: Measure, place: Selection) -> TableRow:
    text = str(row["text"])
    return TableRow(
        id=at,
        cells=(
            Cell(
                text=str(row["external_id"] or str(row["item_id"])[:8]),
                action="open",
                href=link("item", place),
                strong=True,
            ),
            Cell(
                text=f"{text[:LONGEST]}…" if len(text) > LONGEST else text, note=str(row["query"])
            ),
            _build_answer_cell(row, measure),
            Cell(text=str(row["run"]))
            if measure.kind == "numbers"
            else Cell(text=str(row["author"]), note=str(row["run"])),
        ),
    )


def _build_answer_cell(row: dict[Any, Any], measure: Measure) -> Cell:
    if measure.kind == "numbers":
        return Cell(text=number(row["value"]), strong=True)
    value = str(row["said"])
    if value == UNREAD:
        return Cell(
            text=UNREAD_LOOK.title, note=str(row["problem"]), glyph=UNREAD_LOOK.glyph, color="gray"
        )
    known = assign_shades(measure).get(value)
    look = known.look if known else NOT_JUDGED_LOOK
    return Cell(text=look.title, glyph=look.glyph, color=look.color)
