"""Closing view of a meeting: outcome per point, downloadable minutes, and a reopen button."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import streamlit as st

from components.meetings.room.room import room_key
from components.ui.address import PAGES, open_page
from components.ui.frame import heading
from components.ui.numbers import format_count
from components.ui.plain import plain
from components.ui.session import remember, remembered
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.model.selection import Selection
from faithfulness.model.wording import format_unit
from faithfulness.review.disagreement import ERROR_CLASSES
from faithfulness.review.meeting import Meeting, PointState
from faithfulness.review.minutes import Minutes
from faithfulness.review.minutes_words import format_removed

_FILES = {"md": ("Minutes, Markdown", "D"), "html": ("Minutes, HTML to print", "H")}


def is_over(meeting: Meeting) -> bool:
    """Whether it is finished, and nobody in this tab went back in since."""
    back = remembered(f"{room_key(meeting.id)} back")
    return meeting.finished_at is not None and meeting.finished_at != back


def show_closing(meeting: Meeting, minutes: Minutes, write: Callable[[str], bytes]) -> None:
    """What came of each point, and the minutes as files; `write` makes a file of a kind."""
    heading(meeting.title or "Meeting")
    many = Counter(each.state for each in meeting.agenda)
    st.success(
        f"The meeting is finished and stored: {many[PointState.DECIDED]} of "
        f"{format_count(len(meeting.agenda), 'point')} decided, {many[PointState.DEFERRED]} "
        "deferred, "
        f"{many[PointState.OPEN]} not reached.",
        icon=":material/check:",
    )
    st.markdown(f"Present: {plain(', '.join(meeting.present))}")
    with st.container(horizontal=True):
        for kind, (title, key) in _FILES.items():
            st.download_button(
                title,
                partial(write, kind),
                file_name=f"minutes-{meeting.began_at:%Y-%m-%d}-{meeting.id[:8]}.{kind}",
                key=f"minutes_{kind}",
                icon=":material/download:",
                on_click="ignore",
                shortcut=key,
            )
    with st.container(horizontal=True):
        if (PAGES / "meetings.py").is_file() and st.button(
            "Minutes and other meetings", icon=":material/groups:", shortcut="M"
        ):
            open_page("meetings", Selection(), view="meetings", meeting=meeting.id)
        if st.button("Agreement", icon=":material/grid_on:"):
            open_page("agreement", Selection())
        st.button(
            "Go on with the meeting",
            icon=":material/meeting_room:",
            on_click=_go_back_in,
            args=(meeting,),
            shortcut="G",
        )
    columns = [Column(title="Point"), Column(title="Outcome", firm=True)]
    columns.append(Column(title="Why", wide=True))
    groups = [Group(rows=list(_build_rows(minutes)))]
    show_table(columns, groups, key="outcome", label="What came of each point")
    st.caption(
        "Decisions are the adjudicated reference from now on: agreement can be measured against "
        "them. What was deferred or not reached is still open under Disagreements."
    )


def _build_rows(minutes: Minutes) -> Iterator[TableRow]:
    told = [
        (each.matter, each.value or "", ERROR_CLASSES.get(each.error_class, ""), each.reason)
        for each in minutes.rulings
        if each.stands and each.value is not None
    ]
    told += [(matter, "Deferred", "", why) for matter, why in minutes.deferred]
    told += [(matter, "Not reached", "", "") for matter in minutes.untouched]
    for nth, (matter, outcome, note, why) in enumerate(told):
        place = f"{matter.external_id or matter.item_id[:8]} · {format_unit(matter.unit_id)}"
        cells = [
            Cell(text=f"{place}{format_removed(matter)}", note=matter.text[:120]),
            Cell(text=outcome, note=note, strong=True),
            Cell(text=why),
        ]
        yield TableRow(id=str(nth), cells=cells)


def _go_back_in(meeting: Meeting) -> None:
    key = room_key(meeting.id)
    remember(f"{key} back", meeting.finished_at)
    remember(f"{key} at", None)  # where it ended is settled: what is left comes first
