"""Rerun page: rerun a judge on one item n times, compare the answers, keep or discard them."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from components.judging import rerun_in_meeting
from components.judging import running_questions as askings
from components.judging.judge_form import judge_form, judge_from
from components.judging.rerun_kept import show_earlier, show_kept
from components.judging.rerun_steps import (
    decide,
    offer_ask,
    offer_items,
    rerun_heading,
    say_what_it_takes,
    say_what_it_took,
    show_answers,
    show_failure,
)
from components.judging.running_questions import RunningQuestion
from components.reader.neighbors import read_in
from components.ui.address import selection_from_url
from components.ui.frame import frame, problems_in
from components.ui.plain import plain
from data.access.shared_store import shared_store
from data.items.counted_runs import load_said
from data.items.loading import load_item
from data.items.sample_runs import sample_left_out
from data.judging import judging_queries
from data.judging.save_rerun import keep_rerun
from data.meetings.meetings import load_meeting
from data.runs import queries
from data.store.store import Store
from data.triage.point_cases import point_cases
from faithfulness.judging.judge import question
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, Item
from faithfulness.protocols import protocol
from faithfulness.review.meeting import called


def choose(store: Store, here: Selection, item: Item, key: str) -> None:
    """Which judge, which prompt, how often; what it will take; then ask."""
    rules = protocol(key)
    with st.container(border=True):
        choice = judge_form(rules, judging_queries.stored_prompts(store, key))
        asked = question(rules, item, choice.prompt) if choice else None
        if choice and asked:
            say_what_it_takes(asked, choice)
        pressed = offer_ask(may_ask=choice is not None and store.may("rerun"))
        place = st.container()
    if pressed and choice and asked:
        with problems_in(place):
            begun = RunningQuestion(
                asked,
                choice.judge(),
                samples=choice.samples,
                run_id=here.runs[0],
                before=load_said(store, item.id, here.runs[0]).in_run,
                edited=choice.edited,
            )
            askings.begin(begun)
    show_earlier(judging_queries.kept_reruns(store, here.runs[0], item.id))


def names(store: Store, here: Selection) -> Mapping[Author, str] | None:
    """What the room calls authors while it hides them; None where nobody is hidden."""
    if not rerun_in_meeting.is_hidden():
        return None
    point = rerun_in_meeting.asked_about(here, selection_from_url().criterion)
    found = point_cases(store, [point]).get(point)
    began_at = load_meeting(store, st.query_params.get("meeting", "")).began_at
    return called(found, began_at) if found else {}


def show_result(store: Store, here: Selection, asking: RunningQuestion) -> None:
    top = st.container(key="rerun_top")  # stays in view while the answers are read
    # What is kept is one write: samples that came after it could not be kept any more.
    if asking.failure and not asking.kept and show_failure(asking, asking.failure):
        with problems_in(top):
            store.guard.check("rerun", {})  # asking costs
            asking.go_on(judge_from(asking.settings)).wait(1.0)
            st.rerun()
    if not asking.samples:
        if st.button("Choose another judge", icon=":material/arrow_back:"):
            askings.leave(asking)
        return
    with top:
        rerun_in_meeting.warn_of_loss(asking)
        todo = "" if asking.kept else decide(may_keep=store.may("rerun"))
        if todo == "discard" or (asking.kept and show_kept(asking, here)):
            askings.leave(asking)
        if todo == "keep":
            with problems_in(top):
                asking.keep(partial(keep_rerun, store))
                st.rerun()
    say_what_it_took(asking)
    show_answers(asking, here.unit, names(store, here))


with frame("Rerun", shared_store, own_heading=True) as store:
    selection = selection_from_url()
    places = queries.item_runs(store, selection.item)
    if places.empty:
        gone = f"The store has no item {plain(selection.item)}." if selection.item else ""
        recent = judging_queries.recent_items(store, selection.runs)
        if recent.empty:  # the run is gone, or nobody answered about it yet
            recent = judging_queries.recent_items(store)
        offer_items(recent, gone, sample_left_out(store, Selection(runs=selection.runs)))
    else:
        place, _ = read_in(selection, places)
        item = load_item(store, selection.item)
        here = Selection(runs=(place.run_id,), item=item.id, unit=selection.unit)
        asking = askings.find_about(item.id, st.query_params.get("asking", ""))
        badges = rerun_in_meeting.badges(protocol(place.protocol).title, place.name)
        rerun_heading(place.external_id or item.id[:8], item, here, badges, asking)
        if asking is None:
            choose(store, here, item, place.protocol)
        elif asking.work.running:
            rerun_in_meeting.warn_of_loss(asking)
            askings.follow(asking)
        else:
            asking.work.outcome()
            show_result(store, here, asking)
