"""Reruns started from a meeting: hidden annotator names and the return to the meeting."""

from collections.abc import Sequence

import streamlit as st

from components.judging.running_questions import RunningQuestion
from components.ui.address import open_page
from components.ui.session import remember, remembered
from faithfulness.model.selection import Selection
from faithfulness.review.meeting import Point


def is_hidden() -> bool:
    """Whether it was asked from a point whose authors nobody may know yet."""
    return st.query_params.get("names") == "hidden"


def is_in_meeting() -> bool:
    return bool(st.query_params.get("meeting"))


def list_badges(protocol: str, run: str) -> Sequence[str]:
    """What stands beside the heading; a run is often called after the system behind it."""
    return (protocol,) if is_hidden() else (protocol, run)


def build_point(here: Selection, criterion: str) -> Point:
    """The point that somebody came from."""
    return Point(here.runs[0], here.item, here.unit, criterion)


def offer_way_back(asking: RunningQuestion | None) -> None:
    """A button to the meeting, also by key; what going back would lose is warned about once."""
    meeting = st.query_params.get("meeting", "")
    if not meeting:
        return
    if not st.button("Back to the meeting", icon=":material/meeting_room:", shortcut="M"):
        return
    if asking is not None and describe_unkept(asking) and not _is_warned(asking):
        remember(_make_warning_key(asking), True)
        return
    if asking is not None:
        asking.stop()  # nobody waits for it any more, and every sample may cost
    open_page("meeting", Selection(), meeting=meeting)


def describe_way_back() -> str:
    """For where the button is out of view; empty where nobody comes from a meeting."""
    return " M goes back to the meeting." if is_in_meeting() else ""


def describe_unkept(asking: RunningQuestion) -> str:
    """What is lost with this question if nobody keeps it, as a sentence; empty when nothing is."""
    if asking.kept:
        return ""
    if asking.work.running:
        return "The judge is still being asked. Press M once more to stop it and go back."
    if not asking.samples:
        return ""
    return (
        "The new answers are not kept. Keep them (K) or throw them away (T); "
        "M once more goes back without them."
    )


def warn_of_loss(asking: RunningQuestion) -> None:
    """Say what going back would lose, once somebody wanted to."""
    lost = describe_unkept(asking)
    if lost and _is_warned(asking):
        st.warning(lost, icon=":material/warning:")


def _make_warning_key(asking: RunningQuestion) -> str:
    return f"{asking.id} warned"


def _is_warned(asking: RunningQuestion) -> bool:
    return bool(remembered(_make_warning_key(asking)))
