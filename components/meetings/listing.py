"""List of meetings with date, participants, number of points and outcome."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from components.ui.address import open_page
from components.ui.numbers import count, format_count, format_day
from components.ui.plain import plain
from components.ui.table.table import Cell, Clicked, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_page
from faithfulness.model.selection import Selection

PAGE = 50
COLUMNS = (
    Column(title="Meeting"),
    Column(title="Began", firm=True),
    Column(title="Points", firm=True),
    Column(title="Room", end=True),
    Column(title="Record", end=True),
)
PEOPLE_SHOWN = 6


def show_meetings(meetings: pd.DataFrame) -> Clicked | None:
    """Draw a page of them; answers "room" or "minutes" with the meeting's id."""
    start = 0
    if len(meetings) > PAGE:
        st.caption(f"{format_count(len(meetings), 'meeting')}, {PAGE} on a page")
        start = PAGE * (bound_page("page", -(-len(meetings) // PAGE)) - 1)
    rows = [_build_row(each) for each in meetings.iloc[start : start + PAGE].to_dict("records")]
    return show_table(COLUMNS, [Group(rows=rows)], key="meetings", label="Meetings")


def read_meeting_id(meetings: pd.DataFrame) -> str:
    """The meeting that the address names; one that is not there is told, and counts as none."""
    asked = st.query_params.get("meeting", "")
    if not asked or asked in set(meetings["meeting_id"]):
        return asked
    st.warning(
        f"The store has no meeting {plain(asked[:40])}; the link may be cut or old. These are "
        "the meetings that were held.",
        icon=":material/link_off:",
    )
    return ""


def show_no_meetings() -> None:
    """Say that nobody met yet, and lead to a first meeting."""
    st.info(
        "No meeting was held yet. A meeting takes disagreements one by one, with names hidden, and "
        "leaves minutes, decisions that agreement can use, and proposals for the guidance.",
        icon=":material/groups:",
    )
    if st.button("Make an agenda", type="primary", icon=":material/add:"):
        open_page("meetings", Selection(), view="new")


def has_points(meetings: pd.DataFrame, meeting_id: str) -> bool:
    """Whether a meeting has points that its room can show: those of removed runs are in minutes."""
    found = meetings[meetings["meeting_id"] == meeting_id]
    return bool((found["points"] > found["removed"]).any())


def lead_from_minutes(meeting_id: str, *, is_open: bool, has_room: bool) -> None:
    """The ways from the minutes of a meeting back to all meetings, and into its room."""
    if st.button("All meetings", icon=":material/arrow_back:"):
        open_page("meetings", Selection())
    if has_room and st.button(
        "Continue" if is_open else "Open again", icon=":material/meeting_room:"
    ):
        open_page("meeting", Selection(), meeting=meeting_id)


def format_meeting_title(title: str, began_at: datetime) -> str:
    return title or f"Meeting of {began_at.day} {began_at:%b %Y}"


def _build_row(meeting: Mapping[Any, Any]) -> TableRow:
    name = str(meeting["meeting_id"])
    goes_on = pd.isna(meeting["finished_at"])
    room = "Continue" if goes_on or int(meeting["open"]) else "Open again"
    ended = "not finished" if goes_on else f"to {format_day(meeting['finished_at'])}"
    became = [f"{count(int(meeting[name]))} {name}" for name in ("decided", "deferred", "open")]
    if int(meeting["removed"]):
        became.append(f"{count(int(meeting['removed']))} of a removed run")
    return TableRow(
        id=name,
        cells=(
            Cell(
                text=format_meeting_title(str(meeting["title"]), meeting["began_at"]),
                note=_format_people(str(meeting["host"]), list(meeting["people"])),
                action="minutes",
                href=f"/meetings?meeting={name}",
                strong=True,
            ),
            Cell(text=format_day(meeting["began_at"]), note=ended),
            Cell(text=count(int(meeting["points"])), note=" · ".join(became)),
            Cell(text=room, action="room", href=f"/meeting?meeting={name}")
            if int(meeting["points"]) > int(meeting["removed"])
            else Cell(text=""),
            Cell(text="Minutes", action="minutes", href=f"/meetings?meeting={name}"),
        ),
    )


def _format_people(host: str, people: list[str]) -> str:
    others = [each for each in people if each != host]
    shown, left = others[:PEOPLE_SHOWN], len(others) - PEOPLE_SHOWN
    more = f" and {left} more" if left > 0 else ""
    beside = f", with {', '.join(shown)}{more}" if shown else ""
    return f"hosted by {host}{beside}"
