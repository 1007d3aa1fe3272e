"""Meetings page: past meetings, the next agenda, guideline notes and decisions to recheck."""

from functools import partial

import streamlit as st

from components.meetings import agenda, files, listing, notes, recheck, unanimous
from components.meetings.cells import parse_place
from components.meetings.document.document import show_document
from components.runs.first_screen import show_nothing_stored
from components.triage.lists import read_queue_filters
from components.ui.address import open_page, read_selection
from components.ui.filter_options import build_filter_choices, names, show_narrowing
from components.ui.frame import catch_problems, frame, heading
from components.ui.sample_notice import show_sample_left_out
from components.ui.session import done, operation_id
from components.ui.url_widgets import bound_pills, bound_segments
from data import exporting
from data.access.shared_store import shared_store
from data.items.filters import load_filter_values
from data.items.sample_runs import find_left_out_sample_runs
from data.meetings import agendas as agendas
from data.meetings import decisions as decisions
from data.meetings import meeting_desk
from data.meetings import meetings as questions
from data.meetings.marks import mark_units
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.meeting import Point
from faithfulness.review.minutes import build_blocks

VIEWS = {"": "Meetings", "new": "New meeting", "notes": "Guideline notes", "recheck": "Re-check"}
OFFER = ("run", "protocol", "label", "author", "system", "slice")


def show_meetings(store: Store) -> None:
    found = questions.load_meetings(store)
    if meeting_id := listing.read_meeting_id(found):
        show_minutes(store, meeting_id, has_room=listing.has_points(found, meeting_id))
    elif found.empty:
        listing.show_no_meetings()
    elif clicked := listing.show_meetings(found):
        page = "meeting" if clicked.action == "room" else "meetings"
        open_page(page, Selection(), meeting=clicked.row)


def show_minutes(store: Store, meeting_id: str, *, has_room: bool) -> None:
    found = questions.minutes_of(store, meeting_id)
    name = exporting.format_file_name(f"minutes {found.began_at:%Y-%m-%d} {found.title}", "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        listing.lead_from_minutes(meeting_id, is_open=found.finished_at is None, has_room=has_room)
        files.offer_minutes(partial(exporting.render_minutes, store, meeting_id), name.rstrip("."))
    show_document(build_blocks(found), key=f"minutes_{meeting_id}", label="Minutes")


def new_meeting(store: Store) -> None:
    about = meeting_desk.AgendaScope(**read_queue_filters())
    show_sample_left_out(find_left_out_sample_runs(store, about.selection))
    band = st.container(border=True, key="new_meeting")
    open_ones, marked = (
        meeting_desk.count_open_points(store, about),
        len(agendas.load_marked_points(store)),
    )
    source, first = agenda.choose_source(open_ones, marked)
    if source != meeting_desk.MARKED:
        called = names(build_filter_choices(load_filter_values(store), PROTOCOLS, OFFER))
        show_narrowing("Disagreements", about.selection, called)
        agenda.show_kinds(about.kinds, audits=about.audits)
    found = meeting_desk.choose_points(store, about, source, first)
    points = agenda.kept(found, f"{about} {source} {first}")
    clicked = agenda.show_agenda(points, partial(agendas.load_agenda_lines, store), source)
    agenda.offer_restore(len(found) - len(points))
    if clicked and clicked.action == "off":
        agenda.remove_point(clicked.row)
    elif clicked:
        open_page("item", parse_place(clicked.row))
    with band, catch_problems(band):
        known = questions.load_people(store, points, but=(host := agenda.ask_host()))
        asked = agenda.ask_details(points, questions.load_pace(store), known, host)
        agenda.begin(asked, partial(meeting_desk.start_meeting, store))
    adopt(store, about.selection, host)


def adopt(store: Store, selection: Selection, by: str) -> None:
    if unanimous.wants_unanimous():
        total, cases = agendas.find_unanimous_cases(
            store, protocol=selection.protocol, runs=selection.runs
        )
        unanimous.show_unanimous(total, cases, partial(agendas.load_agenda_lines, store))
        if cases and (shown := unanimous.confirm_adoption(cases, by)):
            unanimous.adopt(partial(meeting_desk.adopt_cases, store, shown, by=by))


def read_runs(store: Store, what: str, protocol: str = "") -> tuple[str, ...]:
    """The runs that the address names, after saying which runs `what` is of."""
    runs = read_selection().runs
    show_sample_left_out(find_left_out_sample_runs(store, Selection(protocol=protocol, runs=runs)))
    show_narrowing(
        what,
        Selection(runs=runs),
        names(build_filter_choices(load_filter_values(store), PROTOCOLS, OFFER)),
    )
    return runs


def show_notes(store: Store) -> None:
    protocol = bound_pills("protocol", "Protocol", {k: p.title for k, p in PROTOCOLS.items()})
    place = notes.show_notes(decisions.load_guideline_notes(store, protocol=protocol))
    runs = read_runs(store, "Confusions", protocol)
    notes.show_confusions(decisions.load_confusions(store, protocol=protocol, runs=runs))
    if place:
        open_page("item", place)


def show_recheck(store: Store) -> None:
    runs = read_runs(store, "Decisions")
    found = decisions.find_rechecks(store, runs=runs)
    by = recheck.ask_confirmer() if found else ""
    clicked = recheck.show_recheck(found, marked={each[3:] for each in agendas.load_marks(store)})
    if clicked is None:
        return
    if clicked.action == "open":
        open_page("item", parse_place(clicked.row))
    point, name = Point(*clicked.row.split("\x1f")), operation_id(str(clicked))
    if clicked.action == "mark":
        mark_units(store, [point[:3]], on=True, by=by, operation_id=name)
    else:
        meeting_desk.confirm_point(store, found, point, by=by, operation_id=name)
    done(str(clicked))
    st.rerun()


SHOW = {"": show_meetings, "new": new_meeting, "notes": show_notes, "recheck": show_recheck}

with frame("Meetings", shared_store, own_heading=True) as store:
    known, asked = load_filter_values(store), read_queue_filters()["selection"]
    called = names(build_filter_choices(known, PROTOCOLS, OFFER))
    with heading("Meetings"):
        files.offer_parts(partial(exporting.render_selected, store), asked, called)
    if known.empty and questions.load_meetings(store).empty:
        show_nothing_stored("there is nothing to meet about")
    else:
        SHOW[bound_segments("view", "View", VIEWS)](store)
