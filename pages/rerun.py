"""Rerun page: rerun a judge on one item n times, compare the answers, keep or discard them."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from components.judging import rerun_in_meeting
from components.judging import running_questions as askings
from components.judging.judge_form import build_judge, choose_judge_settings
from components.judging.rerun_kept import show_earlier, show_kept
from components.judging.rerun_steps import (
    decide,
    offer_ask,
    offer_items,
    show_answers,
    show_estimate,
    show_failure,
    show_rerun_heading,
    show_usage,
)
from components.judging.running_questions import RunningQuestion
from components.reader.neighbors import choose_place
from components.ui.address import read_selection
from components.ui.frame import catch_problems, frame
from components.ui.plain import plain
from data.access.shared_store import shared_store
from data.items.counted_runs import load_item_annotations
from data.items.loading import load_item
from data.items.sample_runs import find_left_out_sample_runs
from data.judging import judging_queries
from data.judging.save_rerun import keep_rerun
from data.meetings.meetings import load_meeting
from data.runs import queries
from data.store.store import Store
from data.triage.point_cases import load_point_cases
from faithfulness.judging.judge import question
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, Item
from faithfulness.protocols import protocol
from faithfulness.review.meeting import assign_aliases


def choose(store: Store, here: Selection, item: Item, key: str) -> None:
    """Which judge, which prompt, how often; what it will take; then ask."""
    rules = protocol(key)
    with st.container(border=True):
        choice = choose_judge_settings(rules, judging_queries.load_stored_prompts(store, key))
        asked = question(rules, item, choice.prompt) if choice else None
        if choice and asked:
            show_estimate(asked, choice)
        pressed = offer_ask(may_ask=choice is not None and store.may("rerun"))
        place = st.container()
    if pressed and choice and asked:
        with catch_problems(place):
            begun = RunningQuestion(
                asked,
                choice.judge(),
                samples=choice.samples,
                run_id=here.runs[0],
                before=load_item_annotations(store, item.id, here.runs[0]).in_run,
                edited=choice.edited,
            )
            askings.begin(begun)
    show_earlier(judging_queries.load_kept_reruns(store, here.runs[0], item.id))


def names(store: Store, here: Selection) -> Mapping[Author, str] | None:
    """What the room calls authors while it hides them; None where nobody is hidden."""
    if not rerun_in_meeting.is_hidden():
        return None
    point = rerun_in_meeting.build_point(here, read_selection().criterion)
    found = load_point_cases(store, [point]).get(point)
    began_at = load_meeting(store, st.query_params.get("meeting", "")).began_at
    return assign_aliases(found, began_at) if found else {}


def show_result(store: Store, here: Selection, asking: RunningQuestion) -> None:
    top = st.container(key="rerun_top")  # stays in view while the answers are read
    # What is kept is one write: samples that came after it could not be kept any more.
    if asking.failure and not asking.kept and show_failure(asking, asking.failure):
        with catch_problems(top):
            store.guard.check("rerun", {})  # asking costs
            asking.go_on(build_judge(asking.settings)).wait(1.0)
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
            with catch_problems(top):
                asking.keep(partial(keep_rerun, store))
                st.rerun()
    show_usage(asking)
    show_answers(asking, here.unit, names(store, here))


with frame("Rerun", shared_store, own_heading=True) as store:
    selection = read_selection()
    places = queries.load_item_runs(store, selection.item)
    if places.empty:
        gone = f"The store has no item {plain(selection.item)}." if selection.item else ""
        recent = judging_queries.load_recent_items(store, selection.runs)
        if recent.empty:  # the run is gone, or nobody answered about it yet
            recent = judging_queries.load_recent_items(store)
        offer_items(recent, gone, find_left_out_sample_runs(store, Selection(runs=selection.runs)))
    else:
        place, _ = choose_place(selection, places)
        item = load_item(store, selection.item)
        here = Selection(runs=(place.run_id,), item=item.id, unit=selection.unit)
        asking = askings.find_about(item.id, st.query_params.get("asking", ""))
        badges = rerun_in_meeting.list_badges(protocol(place.protocol).title, place.name)
        show_rerun_heading(place.external_id or item.id[:8], item, here, badges, asking)
        if asking is None:
            choose(store, here, item, place.protocol)
        elif asking.work.running:
            rerun_in_meeting.warn_of_loss(asking)
            askings.show_question_progress(asking)
        else:
            asking.work.outcome()
            show_result(store, here, asking)
