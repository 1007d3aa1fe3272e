"""Rerun: ask a judge again about one item, n times; before and after, then keep it or not."""

import streamlit as st

from components import asking as askings
from components.address import selection_from_url
from components.asking import Asking
from components.frame import frame, problems_in
from components.item_steps import read_in
from components.judge_form import judge_form, judge_from
from components.plain import plain
from components.rerun_steps import (
    decide,
    offer_items,
    rerun_heading,
    say_what_it_takes,
    say_what_it_took,
    show_answers,
    show_earlier,
    show_failure,
    show_kept,
)
from data import queries, queries_judging, records
from data.shared_store import shared_store
from data.store import Store
from faithfulness import rerun
from faithfulness.judges.judge import question
from faithfulness.protocols import protocol
from faithfulness.selection import Selection
from faithfulness.vocabulary import Item


def choose(store: Store, here: Selection, item: Item, key: str) -> None:
    """Which judge, which prompt, how often; what it will take; then ask."""
    rules = protocol(key)
    with st.container(border=True):
        choice = judge_form(rules, queries_judging.stored_prompts(store, key))
        asked = question(rules, item, choice.prompt) if choice else None
        if choice and asked:
            say_what_it_takes(asked, choice)
        pressed = st.button(
            "Ask", type="primary", icon=":material/send:", disabled=choice is None, key="ask"
        )
        place = st.container()
    if pressed and choice and asked:
        with problems_in(place):
            begun = Asking(
                asked,
                choice.judge(),
                samples=choice.samples,
                run_id=here.runs[0],
                before=records.load_annotations(store, item.id, here.runs[0]),
                edited=choice.edited,
            )
            askings.begin(begun)
    show_earlier(queries_judging.kept_reruns(store, here.runs[0], item.id))


def keep(store: Store, asking: Asking) -> None:
    samples = tuple(asking.samples)
    records.keep_rerun(
        store,
        run_id=asking.run_id,
        item_id=asking.question.item.id,
        author=asking.author,
        samples=samples,
        settled=rerun.settle(samples),
        prompt=asking.question.prompt,
        settings=asking.settings,
        operation_id=asking.id,
        group_id=asking.id,
        **asking.edited,
    )
    asking.kept = True


def show_result(store: Store, here: Selection, asking: Asking) -> None:
    top = st.container()
    # What is kept is one write: samples that came after it could not be kept any more.
    if asking.failure and not asking.kept and show_failure(asking, asking.failure):
        with problems_in(top):
            asking.go_on(judge_from(asking.settings)).wait(1.0)
            st.rerun()
    if not asking.samples:
        if st.button("Choose another judge", icon=":material/arrow_back:"):
            askings.leave(asking)
        return
    with top:
        todo = "" if asking.kept else decide(may_keep=not store.read_only)
        if todo == "discard" or (asking.kept and show_kept(asking, here)):
            askings.leave(asking)
        if todo == "keep":
            with problems_in(top):
                keep(store, asking)
                st.rerun()
        say_what_it_took(asking)
    show_answers(asking, here.unit)


with frame("Rerun", shared_store, own_heading=True) as store:
    selection = selection_from_url()
    places = queries.item_runs(store, selection.item)
    if places.empty:
        gone = f"The store has no item {plain(selection.item)}." if selection.item else ""
        offer_items(queries_judging.recent_items(store), gone)
    else:
        place, _ = read_in(selection, places)
        item = records.load_item(store, selection.item)
        here = Selection(runs=(place.run_id,), item=item.id, unit=selection.unit)
        badges = [protocol(place.protocol).title, place.name]
        rerun_heading(place.external_id or item.id[:8], item, here, badges)
        asking = askings.find(st.query_params.get("asking", ""))
        if asking is None or asking.question.item.id != item.id:
            choose(store, here, item, place.protocol)
        elif asking.work.running:
            askings.follow(asking)
        else:
            asking.work.outcome()
            show_result(store, here, asking)
