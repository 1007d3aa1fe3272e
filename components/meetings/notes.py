"""Guideline notes: proposed wording with its decisions, and confused label pairs."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components.meetings.cells import (
    build_label_cell,
    build_unit_cell,
    format_label,
    get_protocol_title,
    parse_place,
)
from components.meetings.document.document import show_document
from components.ui.numbers import format_count, format_day
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_page
from faithfulness.model.selection import Selection
from faithfulness.review.disagreement import ERROR_CLASSES
from faithfulness.review.document import DocumentQuote, Heading
from faithfulness.review.guideline_notes import Behind, GuidelineNote

PAGE = 10
BEHIND = (
    Column(title="Decided on"),
    Column(title="Solved as", firm=True),
    Column(title="Confused with", firm=True),
    Column(title="Reason"),
)
CONFUSED = (
    Column(title="Solved as", firm=True),
    Column(title="Confused with", firm=True),
    Column(title="Decisions", end=True),
    Column(title="What went wrong, most often"),
)


def show_notes(notes: Sequence[GuidelineNote]) -> Selection | None:
    """Draw a page of notes under their protocols and sections; answers the place to be read."""
    if not notes:
        st.info(
            "No wording is proposed yet. In a meeting, whoever decides can propose wording for the "
            "guidance; it gathers here, with the decisions behind it.",
            icon=":material/edit_note:",
        )
        return None
    page = bound_page("page", -(-len(notes) // PAGE)) if len(notes) > PAGE else 1
    asked = None
    before = ""
    for at, note in enumerate(notes[(page - 1) * PAGE : page * PAGE]):
        if note.protocol != before:
            st.subheader(get_protocol_title(note.protocol), anchor=False)
            before = note.protocol
        asked = _show_note(note, f"note_{page}_{at}") or asked
    return asked


def show_confusions(found: pd.DataFrame) -> None:
    """What decisions that stand solved, by protocol and question."""
    st.subheader("Solved as, confused with", anchor=False)
    if found.empty:
        st.caption("No decision stands yet on which somebody had said otherwise.")
        return
    st.caption(
        "Every decision that stands, also outside meetings: what it was solved as, and what others "
        "had said."
    )
    groups = []
    for (protocol, criterion), lines in found.groupby(["protocol", "criterion"], sort=False):
        rows = [
            TableRow(
                id=str(at),
                cells=(
                    build_label_cell(str(protocol), str(criterion), str(each["solved_as"])),
                    build_label_cell(str(protocol), str(criterion), str(each["confused_with"])),
                    Cell(text=f"{int(each['decisions']):,}"),
                    Cell(
                        text=format_most_named(
                            each["error_classes"], each["named"], each["decisions"]
                        )
                    ),
                ),
            )
            for at, each in enumerate(lines.to_dict("records"))
        ]
        title = get_protocol_title(str(protocol))
        groups.append(Group(title=title, note=str(criterion).replace("_", " "), rows=rows))
    show_table(CONFUSED, groups, key="confusions", label="Solved as, confused with")


def format_most_named(classes: Sequence[str], named: int, of: int) -> str:
    """What was named most often, with how often; several where they tie."""
    if not classes:
        return f"none named, n {of:,}"
    titles = [ERROR_CLASSES.get(each, each) for each in classes]
    each = " each" if len(titles) > 1 else ""
    return f"{', '.join(titles)} ({named:,} of {of:,}{each})"


def _show_note(note: GuidelineNote, key: str) -> Selection | None:
    with st.container(border=True, key=key):
        words = (Heading(text=note.section, level=3), DocumentQuote(text=note.wording))
        show_document(words, key=f"{key}_words", label=f"Wording for {note.section}")
        names = ", ".join(dict.fromkeys(each.by for each in note.proposals))
        first = min(each.proposed_at for each in note.proposals)
        behind = f"{format_count(len(note.behind), 'decision')} behind it" if note.behind else ""
        said = (f"Proposed by {names}", format_day(first), behind or "no decision behind it yet")
        st.caption(plain(" · ".join(said)))
        if not note.behind:
            return None
        rows = [_build_decision_row(note.protocol, each) for each in note.behind]
        label = f"Decisions behind the wording for {note.section}"
        clicked = show_table(BEHIND, [Group(rows=rows)], key=f"{key}_rows", label=label)
    return parse_place(clicked.row) if clicked else None


def _build_decision_row(protocol: str, each: Behind) -> TableRow:
    row = "\x1f".join((each.run_id, each.item_id, each.unit_id))
    others = [format_label(protocol, each.criterion, value) for value in each.confused_with]
    return TableRow(
        id=row,
        cells=(
            build_unit_cell(each.text, f"{each.external_id or each.item_id[:8]}", parse_place(row)),
            build_label_cell(protocol, each.criterion, each.solved_as),
            Cell(text=", ".join(others) or "nobody differed"),
            Cell(text=each.reason, note=ERROR_CLASSES.get(each.error_class, each.error_class)),
        ),
    )
