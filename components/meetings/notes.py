"""Guideline notes: proposed wording with its decisions, and confused label pairs."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components.meetings.cells import (
    label_cell,
    label_title,
    place_of,
    protocol_title,
    unit_cell,
)
from components.meetings.document.document import show_document
from components.ui.numbers import counted, day
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
            st.subheader(protocol_title(note.protocol), anchor=False)
            before = note.protocol
        asked = _note(note, f"note_{page}_{at}") or asked
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
                    label_cell(str(protocol), str(criterion), str(each["solved_as"])),
                    label_cell(str(protocol), str(criterion), str(each["confused_with"])),
                    Cell(text=f"{int(each['decisions']):,}"),
                    Cell(text=named_most(each["error_classes"], each["named"], each["decisions"])),
                ),
            )
            for at, each in enumerate(lines.to_dict("records"))
        ]
        title = protocol_title(str(protocol))
        groups.append(Group(title=title, note=str(criterion).replace("_", " "), rows=rows))
    show_table(CONFUSED, groups, key="confusions", label="Solved as, confused with")


def named_most(classes: Sequence[str], named: int, of: int) -> str:
    """What was named most often, with how often; several where they tie."""
    if not classes:
        return f"none named, n {of:,}"
    titles = [ERROR_CLASSES.get(each, each) for each in classes]
    each = " each" if len(titles) > 1 else ""
    return f"{', '.join(titles)} ({named:,} of {of:,}{each})"


def _note(note: GuidelineNote, key: str) -> Selection | None:
    with st.container(border=True, key=key):
        words = (Heading(text=note.section, level=3), DocumentQuote(text=note.wording))
        show_document(words, key=f"{key}_words", label=f"Wording for {note.section}")
        names = ", ".join(dict.fromkeys(each.by for each in note.proposals))
        first = min(each.proposed_at for each in note.proposals)
        behind = f"{counted(len(note.behind), 'decision')} behind it" if note.behind else ""
        said = (f"Proposed by {names}", day(first), behind or "no decision behind it yet")
        st.caption(plain(" · ".join(said)))
        if not note.behind:
            return None
        rows = [_behind(note.protocol, each) for each in note.behind]
        label = f"Decisions behind the wording for {note.section}"
        clicked = show_table(BEHIND, [Group(rows=rows)], key=f"{key}_rows", label=label)
    return place_of(clicked.row) if clicked else None


def _behind(protocol: str, each: Behind) -> TableRow:
    row = "\x1f".join((each.run_id, each.item_id, each.unit_id))
    others = [label_title(protocol, each.criterion, value) for value in each.confused_with]
    return TableRow(
        id=row,
        cells=(
            unit_cell(each.text, f"{each.external_id or each.item_id[:8]}", place_of(row)),
            label_cell(protocol, each.criterion, each.solved_as),
            Cell(text=", ".join(others) or "nobody differed"),
            Cell(text=each.reason, note=ERROR_CLASSES.get(each.error_class, each.error_class)),
        ),
    )
