"""Meetings page: past meetings, the next agenda, guideline notes and decisions to recheck."""

from functools import partial

import streamlit as st

from components.meetings import agenda, files, listing, notes, recheck, unanimous
from components.meetings.cells import place_of
from components.meetings.document.document import show_document
from components.runs.first_screen import nothing_stored
from components.triage.lists import about_from_url
from components.ui.address import open_page, selection_from_url
from components.ui.filter_options import names, offers, say_narrowed
from components.ui.frame import frame, heading, problems_in
from components.ui.sample_notice import say_sample_left_out
from components.ui.session import done, operation_id
from components.ui.url_widgets import bound_pills, bound_segments
from data import exporting
from data.access.shared_store import shared_store
from data.items.filters import offered
from data.items.sample_runs import sample_left_out
from data.meetings import agendas as agendas
from data.meetings import decisions as decisions
from data.meetings import meeting_desk
from data.meetings import meetings as questions
from data.meetings.marks import mark
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.meeting import Point
from faithfulness.review.minutes import blocks

VIEWS = {"": "Meetings", "new": "New meeting", "notes": "Guideline notes", "recheck": "Re-check"}
OFFER = ("run", "protocol", "label", "author", "system", "slice")


def show_meetings(store: Store) -> None:
    found = questions.meetings(store)
    if meeting_id := listing.asked_for(found):
        show_minutes(store, meeting_id, has_room=listing.has_points(found, meeting_id))
    elif found.empty:
        listing.say_none()
    elif clicked := listing.show_meetings(found):
        page = "meeting" if clicked.action == "room" else "meetings"
        open_page(page, Selection(), meeting=clicked.row)


def show_minutes(store: Store, meeting_id: str, *, has_room: bool) -> None:
    found = questions.minutes_of(store, meeting_id)
    name = exporting.file_name(f"minutes {found.began_at:%Y-%m-%d} {found.title}", "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        listing.lead_from_minutes(meeting_id, is_open=found.finished_at is None, has_room=has_room)
        files.offer_minutes(partial(exporting.minutes_bytes, store, meeting_id), name.rstrip("."))
    show_document(blocks(found), key=f"minutes_{meeting_id}", label="Minutes")


def new_meeting(store: Store) -> None:
    about = meeting_desk.AgendaScope(**about_from_url())
    say_sample_left_out(sample_left_out(store, about.selection))
    band = st.container(border=True, key="new_meeting")
    open_ones, marked = meeting_desk.open_ones(store, about), len(agendas.marked(store))
    source, first = agenda.choose_source(open_ones, marked)
    if source != meeting_desk.MARKED:
        called = names(offers(offered(store), PROTOCOLS, OFFER))
        say_narrowed("Disagreements", about.selection, called)
        agenda.say_kinds(about.kinds, audits=about.audits)
    found = meeting_desk.points_from(store, about, source, first)
    points = agenda.kept(found, f"{about} {source} {first}")
    clicked = agenda.show_agenda(points, partial(agendas.lines, store), source)
    agenda.offer_back(len(found) - len(points))
    if clicked and clicked.action == "off":
        agenda.take_off(clicked.row)
    elif clicked:
        open_page("item", place_of(clicked.row))
    with band, problems_in(band):
        known = questions.people(store, points, but=(host := agenda.who_hosts()))
        asked = agenda.ask_details(points, questions.pace(store), known, host)
        agenda.begin(asked, partial(meeting_desk.begin, store))
    adopt(store, about.selection, host)


def adopt(store: Store, selection: Selection, by: str) -> None:
    if unanimous.wants_unanimous():
        total, cases = agendas.unanimous_cases(
            store, protocol=selection.protocol, runs=selection.runs
        )
        unanimous.show_unanimous(total, cases, partial(agendas.lines, store))
        if cases and (shown := unanimous.to_adopt(cases, by)):
            unanimous.adopt(partial(meeting_desk.adopt, store, shown, by=by))


def chosen_runs(store: Store, what: str, protocol: str = "") -> tuple[str, ...]:
    """The runs that the address names, after saying which runs `what` is of."""
    runs = selection_from_url().runs
    say_sample_left_out(sample_left_out(store, Selection(protocol=protocol, runs=runs)))
    say_narrowed(what, Selection(runs=runs), names(offers(offered(store), PROTOCOLS, OFFER)))
    return runs


def show_notes(store: Store) -> None:
    protocol = bound_pills("protocol", "Protocol", {k: p.title for k, p in PROTOCOLS.items()})
    place = notes.show_notes(decisions.guideline_notes(store, protocol=protocol))
    runs = chosen_runs(store, "Confusions", protocol)
    notes.show_confusions(decisions.confusions(store, protocol=protocol, runs=runs))
    if place:
        open_page("item", place)


def show_recheck(store: Store) -> None:
    runs = chosen_runs(store, "Decisions")
    found = decisions.to_recheck(store, runs=runs)
    by = recheck.who_confirms() if found else ""
    clicked = recheck.show_recheck(found, marked={each[3:] for each in agendas.marks(store)})
    if clicked is None:
        return
    if clicked.action == "open":
        open_page("item", place_of(clicked.row))
    point, name = Point(*clicked.row.split("\x1f")), operation_id(str(clicked))
    if clicked.action == "mark":
        mark(store, [point[:3]], on=True, by=by, operation_id=name)
    else:
        meeting_desk.confirm(store, found, point, by=by, operation_id=name)
    done(str(clicked))
    st.rerun()


SHOW = {"": show_meetings, "new": new_meeting, "notes": show_notes, "recheck": show_recheck}

with frame("Meetings", shared_store, own_heading=True) as store:
    known, asked = offered(store), about_from_url()["selection"]
    called = names(offers(known, PROTOCOLS, OFFER))
    with heading("Meetings"):
        files.offer_parts(partial(exporting.selected_bytes, store), asked, called)
    if known.empty and questions.meetings(store).empty:
        nothing_stored("there is nothing to meet about")
    else:
        SHOW[bound_segments("view", "View", VIEWS)](store)
