"""Empty state of the meeting page, with a link to the meetings or the disagreements."""

from typing import NoReturn

import streamlit as st

from components.ui.address import PAGES, open_page
from components.ui.frame import heading
from faithfulness.model.selection import Selection


def show_no_meeting(why: str = "No meeting is named in the address.") -> None:
    """Say why nothing is shown, and lead on."""
    heading("Meeting")
    st.info(
        f"{why} A meeting begins with an agenda of disagreements; one that is open or finished "
        "stands in the list of meetings.",
        icon=":material/groups:",
    )
    if st.button("To the meetings", icon=":material/groups:"):
        leave_room()


def leave_room() -> NoReturn:
    """To the list of meetings, or to the disagreements they are about."""
    listed = "meetings" if (PAGES / "meetings.py").is_file() else "disagreements"
    open_page(listed, Selection())
