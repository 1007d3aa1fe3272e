"""Disagreements page: units with differing labels, most severe first, and their decisions."""

from dataclasses import replace
from functools import partial

import streamlit as st

from components.runs.first_screen import show_nothing_stored
from components.triage.actions import Action, take_actions
from components.triage.card import format_card_key
from components.triage.cards import build_triage_cards
from components.triage.lists import (
    AUDIT,
    SORTS,
    STATES,
    build_chip_groups,
    filter_kinds,
    show_empty_list,
    show_meeting_buttons,
)
from components.triage.marks import take_marks
from components.triage.sources import send_texts
from components.triage.triage import (
    QueuePosition,
    begin,
    count_saved_since,
    get_list_start,
    offer_new_list,
    show_triage,
)
from components.ui.address import open_page, read_selection
from components.ui.chips.chips import show_chips
from components.ui.filter_bar import FilterChoice, show_filter_bar
from components.ui.filter_options import build_filter_choices, names, show_narrowing
from components.ui.frame import frame, heading
from components.ui.sample_notice import show_sample_left_out
from components.ui.saved_views import keep_address, keep_views, restore_address
from components.ui.url_widgets import bound_toggle, chosen, read_number
from data.access.shared_store import shared_store
from data.items import saved_views
from data.items.filters import load_filter_values
from data.items.loading import load_known_items
from data.items.sample_runs import find_left_out_sample_runs
from data.meetings.agendas import load_marks
from data.meetings.decide import decide
from data.meetings.marks import mark_units
from data.store.cache.import_cache_fill import still_counted
from data.store.store import Store
from data.triage.queue import PAGE as SIZE
from data.triage.triage import load_triage, load_triage_cases
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS

PAGE = "disagreements"
OFFER = ("run", "protocol", "label", "by", "author", "system", "slice")
ORDER = (FilterChoice(name="sort", label="Order", titles=SORTS),)


def store_action(store: Store, action: Action) -> int:
    return decide(store, **action.facts())


def show_all(store: Store) -> None:
    take_actions(partial(store_action, store), key="triage")
    take_marks("triage", partial(mark_units, store))
    restore_address(PAGE)
    with heading("Disagreements"):
        bound_toggle("baseline", "With offline baseline")
        offer_new_list()
        show_meeting_buttons(has_marks=bool(load_marks(store)))
        change = partial(saved_views.change_view, store)
        keep_views(PAGE, saved_views.load_saved_views(store), change, may_change=store.may("view"))
    known = load_filter_values(store)
    if known.empty:
        show_nothing_stored("nobody disagrees")
        return
    offer = build_filter_choices(known, PROTOCOLS, OFFER)
    selection = show_filter_bar(
        read_selection(), words="Words in the unit", offer=offer, order=ORDER
    )
    show_sample_left_out(find_left_out_sample_runs(store, selection))
    show_queue(store, replace(selection, unit="", at="", listed=""), names(offer))


def show_queue(store: Store, selection: Selection, called: dict[str, str]) -> None:
    state, sort = chosen("state", STATES), chosen("sort", SORTS)
    kinds = filter_kinds(st.query_params.get_all("kind"))
    baseline = st.query_params.get("baseline") == "true"
    audits = AUDIT in st.query_params.get_all("kind")
    signature = f"{selection} {state} {sort} {kinds} {audits} {baseline}"
    found = load_triage(
        store,
        selection,
        kinds=kinds,
        audits=audits,
        decided=state,
        sort=sort,
        page=read_number("page", 1),
        as_of=get_list_start(signature),
        with_baseline=baseline,
    )
    begin(signature, found.as_of)
    counts = {**{kind.value: n for kind, n in found.kinds.items()}, AUDIT: found.audit_count}
    on = [*(kind.value for kind in kinds), *([AUDIT] if audits else [])]
    show_chips(build_chip_groups(state, on, (found.states, counts), found.several), key="chips")
    show_narrowing("Disagreements", selection, called)
    if not found.total:
        unknown = "" if load_known_items(store, [selection.item]) else selection.item
        soon = partial(still_counted, store, selection.runs)
        show_empty_list(
            audits=audits, saved=count_saved_since(found.as_of), unknown=unknown, soon=soon
        )
        keep_address(PAGE)
        return
    shown = load_triage_cases(store, found, runs=selection.runs, with_baseline=baseline)
    cards = build_triage_cards(found.order, shown, {each[3:] for each in load_marks(store)})
    since = max(0, found.total - found.states[state])
    place = QueuePosition(
        page=found.page, pages=found.pages, total=found.total, size=SIZE, decided_since=since,
        order=SORTS[sort], only_open=state == "open",
    )  # fmt: skip
    asked = show_triage(cards, place, may=store.may)
    send_texts(((format_card_key(each), each) for each in shown.everything), key="triage")
    if asked:
        open_page(*asked[:2], shown=asked[2])
    keep_address(PAGE)


with frame("Disagreements", shared_store, own_heading=True) as store:
    show_all(store)
