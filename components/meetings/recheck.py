"""List of decisions whose guidance, prompt or answers have changed: confirm or discuss again."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import streamlit as st

from components.meetings.cells import (
    build_label_cell,
    build_unit_cell,
    format_unit_cell,
    get_protocol_title,
    parse_place,
)
from components.rating.profile import ask_name
from components.ui.numbers import format_count, format_day
from components.ui.table.table import Cell, Clicked, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_page
from faithfulness.review.meeting import Point

PAGE = 50
COLUMNS = (
    Column(title="Decided on"),
    Column(title="Decision", firm=True),
    Column(title="Changed since"),
    Column(title="Still right?", end=True),
    Column(title="Talk again?", end=True),
)
_AGAIN = "answered again"
_SHORT = 8  # letters of a fingerprint


class Offered(Protocol):
    """A decision to look at again, as `data.meetings.decisions.to_recheck` gives it."""

    @property
    def point(self) -> Point: ...
    @property
    def protocol(self) -> str: ...
    @property
    def external_id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def decided_by(self) -> str: ...
    @property
    def decided_at(self) -> datetime: ...
    @property
    def why(self) -> str: ...
    @property
    def guidance(self) -> tuple[str, str]: ...
    @property
    def prompt(self) -> tuple[str, str]: ...


def ask_confirmer() -> str:
    return ask_name("You confirm as", "That is me", "What you confirm is signed with this name.")


def show_recheck(offered: Sequence[Offered], *, marked: set[tuple[str, ...]]) -> Clicked | None:
    """Draw a page of them; answers "open", "confirm" or "mark" with the point of the row."""
    if not offered:
        st.info(
            "No decision needs another look: since each was made, neither its guidance nor its "
            "prompt has changed, and no judge answered it again under another prompt.",
            icon=":material/task_alt:",
        )
        return None
    st.caption(
        f"{format_count(len(offered), 'decision')} made under other words than are in force now. "
        "A decision that is confirmed counts as made under the words of today."
    )
    page = bound_page("page", -(-len(offered) // PAGE)) if len(offered) > PAGE else 1
    shown = offered[(page - 1) * PAGE : page * PAGE]
    groups = []
    for key in dict.fromkeys(each.protocol for each in shown):
        rows = [_build_row(each, marked) for each in shown if each.protocol == key]
        groups.append(Group(title=get_protocol_title(key), rows=rows))
    return show_table(COLUMNS, groups, key="recheck", label="Decisions to check again")


def describe_changes(each: Offered) -> list[tuple[str, str]]:
    """What differs from then: the old and the new fingerprint in short, and who answered again."""
    pairs = (("Guidance", each.guidance), ("Prompt", each.prompt))
    words = [
        (name, f"{before[:_SHORT]} → {now[:_SHORT]}")
        for name, (before, now) in pairs
        if before != now
    ]
    again = [part for part in each.why.split("; ") if part.startswith(_AGAIN)]
    return [*words, *(("Answers", part) for part in again)]


def _build_row(each: Offered, marked: set[tuple[str, ...]]) -> TableRow:
    point = each.point
    name = each.external_id or point.item_id[:8]
    is_marked = (each.protocol, point.item_id, point.unit_id) in marked
    note = f"{each.reason} ({each.decided_by}, {format_day(each.decided_at)})"
    row = "\x1f".join(point)
    return TableRow(
        id=row,
        cells=(
            build_unit_cell(
                each.text, f"{name} · {format_unit_cell(point.unit_id)}", parse_place(row)
            ),
            build_label_cell(each.protocol, point.criterion, each.value, note),
            Cell(text="", lines=describe_changes(each)),
            Cell(text="Confirm", action="confirm"),
            Cell(text="Marked") if is_marked else Cell(text="Mark", action="mark"),
        ),
    )
