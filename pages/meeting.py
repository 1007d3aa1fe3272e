"""Meeting page: discuss the points of an agenda one at a time and decide them by key."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import streamlit as st

from components.meetings.room.card import PointCard, build_point_card, build_similar_cases, is_blind
from components.meetings.room.closing import is_over, show_closing
from components.meetings.room.no_meeting import leave_room, show_no_meeting
from components.meetings.room.room import near, read_similar_request, room_key, show_room
from components.meetings.room.steps import key_of, parse_point_key, take_steps
from components.triage.card import parse_card_place
from components.triage.sources import send_texts
from components.ui.address import open_page
from components.ui.frame import frame, heading
from components.ui.plain import plain
from components.ui.session import get_login_name
from data.access.shared_store import shared_store
from data.exporting.minutes import write_minutes
from data.items.sample_runs import load_sample_runs
from data.meetings.meeting_actions import take_step
from data.meetings.meetings import has_meeting, load_meeting, minutes_of
from data.store.store import Store
from data.triage.point_cases import load_baseline_answers, load_point_cases
from data.triage.similar_cases import load_earlier_decisions, load_similar_cases
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.meeting import Meeting


def minutes(store: Store, meeting: Meeting, kind: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"minutes.{kind}"
        write_minutes(store, meeting.id, kind, path)
        return path.read_bytes()


def load_point_cards(store: Store, meeting: Meeting) -> list[PointCard]:
    """The point that is shown, and those that the next keys may lead to."""
    places = near(meeting, st.query_params.get("point", ""))
    found = load_point_cases(store, [each.point for each in places])
    known = [each for each in places if each.point in found]
    baseline = load_baseline_answers(store, [each.point for each in known])
    earlier = load_earlier_decisions(
        store, [found[each.point] for each in known], runs=meeting.runs
    )
    return [
        PointCard(
            place=each,
            found=found[each.point],
            earlier=told,
            protocol=PROTOCOLS[found[each.point].case.protocol],
            baseline=baseline.get(each.point),
        )
        for each, told in zip(known, earlier, strict=True)
    ]


def like(store: Store, meeting: Meeting) -> dict[str, Any] | None:
    asked = read_similar_request(meeting.id)
    if not asked:
        return None
    point = parse_point_key(asked)
    decided = load_point_cases(store, [point])[point]
    found = load_similar_cases(store, decided, runs=meeting.runs)
    return build_similar_cases(
        point, decided, found, runs=meeting.runs, samples=load_sample_runs(store)
    )


def show_meeting(store: Store, meeting: Meeting) -> None:
    heading(meeting.title or "Meeting")
    shown = load_point_cards(store, meeting)
    asked = show_room(
        meeting,
        [build_point_card(meeting, each) for each in shown],
        like=like(store, meeting),
        may_decide=store.may("adjudication"),
    )
    cases = ((key_of(each.place.point), each.found) for each in shown)
    send_texts(cases, key=room_key(meeting.id))
    page, _, key = asked.partition(" ")
    if page == "rerun":
        place = next(each for each in meeting.agenda if each.point == parse_point_key(key))
        hidden = {"names": "hidden"} if is_blind(meeting, place) else {}
        here = replace(parse_card_place(key), criterion=place.point.criterion)
        open_page(page, here, meeting=meeting.id, **hidden)
    elif page:
        leave_room()


with frame("Meeting", shared_store, own_heading=True) as store:
    asked = st.query_params.get("meeting", "")
    if not asked:
        show_no_meeting()
    elif not has_meeting(store, asked):
        show_no_meeting(
            f"The store has no meeting {plain(asked[:40])}; the link may be cut or old."
        )
    else:
        meeting = load_meeting(store, asked)
        if take_steps(partial(take_step, store, meeting, by=get_login_name()), key=room_key(asked)):
            meeting = load_meeting(store, asked)
        if is_over(meeting):
            held = load_meeting(store, asked, with_removed=True)
            show_closing(held, minutes_of(store, asked), partial(minutes, store, held))
        elif not meeting.agenda:
            show_no_meeting("The runs that its agenda was about were removed.")
        else:
            show_meeting(store, meeting)
