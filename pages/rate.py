"""Rate page: a rater's queue and rating form; answers of other annotators stay hidden."""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.rating import form, queue_bar
from components.rating.profile import ask_rater
from components.rating.turn import Complaints, Deeds, take_turn
from components.runs.first_screen import show_nothing_stored
from components.ui.frame import catch_problems, frame, heading
from components.ui.not_found import warn_if_unknown
from data.access.shared_store import shared_store
from data.items.loading import load_item
from data.rating import rating_desk as desk
from data.rating import rating_queries as questions
from data.rating.assignments import Purpose, assign_items
from data.rating.drafts import DraftStep, Sheet
from data.store.store import Store
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import Item
from faithfulness.protocols import PROTOCOLS, protocol
from faithfulness.review import rating


def open_sheet(store: Store, sheet: Sheet, item: Item, asked: Protocol) -> form.Start:
    if shown := form.shown(sheet):  # also when its run was removed, and it cannot be read any more
        return shown
    found = desk.read_sheet(store, sheet, asked)
    advice = rating.give_advice(found.states, item, asked)
    return form.opened(sheet, found.last) or form.open_anew(sheet, found, advice)


@st.fragment
def work(store: Store, sheet: Sheet, asked: Protocol, listed: Sequence[str]) -> None:
    with catch_problems(st.container()):  # a fragment is drawn anew outside the frame
        item = load_item(store, sheet.item_id)
        start = open_sheet(store, sheet, item, asked)
        wish = take_turn(start, form.pending(start), build_deeds(store, sheet, item, asked, start))
        beside = queue_bar.find_next_item(listed, sheet.item_id, wish)
        if wish.signed or (wish.go and beside):
            form.close(sheet)
            queue_bar.go_to(beside, signed=wish.signed)
        form.show_rating_form(sheet, item, asked.key, start, store=str(store.path))
        if wish.guide:
            queue_bar.show_guidance(asked)


def build_deeds(
    store: Store, sheet: Sheet, item: Item, asked: Protocol, start: form.Start
) -> Deeds:
    def keep(changes: Sequence[form.FormEntry]) -> None:
        steps = [
            DraftStep(each.id, each.unit, each.kind, each.state, each.seconds) for each in changes
        ]
        desk.keep_steps(store, sheet, item, asked, steps)

    def sign(entry: form.FormEntry) -> Complaints:
        seen = (start.last, start.visit)
        return desk.sign(store, sheet, item, asked, seen=seen, times=entry.times)

    advise = partial(desk.load_advice, store, sheet, item, asked)
    return Deeds(keep=keep, sign=sign, advise=advise)


def show_assignment(store: Store, run_id: str, rater: str) -> None:
    place = st.container()
    asked = queue_bar.ask_assignment(run_id)
    if asked is None:
        return
    with catch_problems(place):
        pairs = assign_items(
            store,
            run_id,
            asked.raters,
            items=asked.items,
            overlap=asked.overlap,
            purpose=Purpose.CALIBRATION if asked.is_calibration else Purpose.SHARE,
            assigned_by=rater,
            operation_id=asked.operation_id,
        )
        queue_bar.show_assigned(run_id, pairs)


def rate(store: Store, rater: str, row: DeltaGenerator) -> None:
    runs = questions.load_rating_runs(store)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="rate_bar"):
        run_id = queue_bar.choose_run(runs, PROTOCOLS, questions.find_last_run(store, rater))
        listed, overlap = queue_bar.choose_list()
    warn_if_unknown("run", "run", set(runs["run_id"]), "The newest run is shown instead.")
    queue = questions.load_queue(store, run_id, rater, overlap)
    asked = protocol(str(runs.set_index("run_id").loc[run_id, "protocol"]))
    with row:
        queue_bar.show_progress(queue, questions.load_own_times(store, run_id, rater))
        queue_bar.offer_guidance(asked)
        show_assignment(store, run_id, rater)
    waiting = queue_bar.waiting(queue, listed)
    item_id = queue_bar.choose_item(queue, waiting)
    if item_id:
        work(store, Sheet(run_id, item_id, rater), asked, waiting)
    else:
        queue_bar.show_nothing_left(listed)


with frame("Rate", shared_store, own_heading=True) as store:
    with (row := heading("Rate")):
        rater = ask_rater(partial(questions.is_sample_rater, store))
    runs = questions.load_rating_runs(store)
    if left := form.find_orphaned_sheet(set(runs["run_id"])):
        queue_bar.show_removed_run(partial(form.close, left[0]))
        work(store, Sheet(*left[0]), protocol(left[1]), ())
    elif runs.empty:
        show_nothing_stored("there is nothing to rate")
    elif not store.may("sheet"):
        queue_bar.show_rating_off(read_only=store.read_only)
    elif not rater:
        queue_bar.show_name_first()
    else:
        rate(store, rater, row)
