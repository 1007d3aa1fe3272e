"""Disagreements page: units with differing labels, most severe first, and their decisions."""

from dataclasses import replace
from functools import partial

import streamlit as st

from components.runs.first_screen import nothing_stored
from components.triage.actions import Action, take_actions
from components.triage.card import key_of
from components.triage.cards import triage_cards
from components.triage.lists import (
    AUDIT,
    SORTS,
    STATES,
    chip_groups,
    chosen_kinds,
    meet_about_these,
    say_none,
)
from components.triage.marks import take_marks
from components.triage.sources import send_texts
from components.triage.triage import (
    QueuePosition,
    begin,
    begun,
    offer_anew,
    saved_since,
    show_triage,
)
from components.ui.address import open_page, selection_from_url
from components.ui.chips.chips import show_chips
from components.ui.filter_bar import FilterChoice, filter_bar
from components.ui.filter_options import names, offers, say_narrowed
from components.ui.frame import frame, heading
from components.ui.sample_notice import say_sample_left_out
from components.ui.saved_views import bring_back, keep_address, keep_views
from components.ui.url_widgets import asked_number, bound_toggle, chosen
from data.access.shared_store import shared_store
from data.items import saved_views
from data.items.filters import offered
from data.items.loading import known_items
from data.items.sample_runs import sample_left_out
from data.meetings.agendas import marks
from data.meetings.decide import decide
from data.meetings.marks import mark
from data.store.cache.import_cache_fill import still_counted
from data.store.store import Store
from data.triage.queue import PAGE as SIZE
from data.triage.triage import triage, triage_cases
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS

PAGE = "disagreements"
OFFER = ("run", "protocol", "label", "by", "author", "system", "slice")
ORDER = (FilterChoice(name="sort", label="Order", titles=SORTS),)


def store_action(store: Store, action: Action) -> int:
    return decide(store, **action.facts())


def show_all(store: Store) -> None:
    take_actions(partial(store_action, store), key="triage")
    take_marks("triage", partial(mark, store))
    bring_back(PAGE)
    with heading("Disagreements"):
        bound_toggle("baseline", "With offline baseline")
        offer_anew()
        meet_about_these(has_marks=bool(marks(store)))
        change = partial(saved_views.change_view, store)
        keep_views(PAGE, saved_views.saved_views(store), change, may_change=store.may("view"))
    known = offered(store)
    if known.empty:
        nothing_stored("nobody disagrees")
        return
    offer = offers(known, PROTOCOLS, OFFER)
    selection = filter_bar(
        selection_from_url(), words="Words in the unit", offer=offer, order=ORDER
    )
    say_sample_left_out(sample_left_out(store, selection))
    show_queue(store, replace(selection, unit="", at="", listed=""), names(offer))


def show_queue(store: Store, selection: Selection, called: dict[str, str]) -> None:
    state, sort = chosen("state", STATES), chosen("sort", SORTS)
    kinds = chosen_kinds(st.query_params.get_all("kind"))
    baseline = st.query_params.get("baseline") == "true"
    audits = AUDIT in st.query_params.get_all("kind")
    signature = f"{selection} {state} {sort} {kinds} {audits} {baseline}"
    found = triage(
        store,
        selection,
        kinds=kinds,
        audits=audits,
        decided=state,
        sort=sort,
        page=asked_number("page", 1),
        as_of=begun(signature),
        with_baseline=baseline,
    )
    begin(signature, found.as_of)
    counts = {**{kind.value: n for kind, n in found.kinds.items()}, AUDIT: found.audit_count}
    on = [*(kind.value for kind in kinds), *([AUDIT] if audits else [])]
    show_chips(chip_groups(state, on, (found.states, counts), found.several), key="chips")
    say_narrowed("Disagreements", selection, called)
    if not found.total:
        unknown = "" if known_items(store, [selection.item]) else selection.item
        soon = partial(still_counted, store, selection.runs)
        say_none(audits=audits, saved=saved_since(found.as_of), unknown=unknown, soon=soon)
        keep_address(PAGE)
        return
    shown = triage_cases(store, found, runs=selection.runs, with_baseline=baseline)
    cards = triage_cards(found.order, shown, {each[3:] for each in marks(store)})
    since = max(0, found.total - found.states[state])
    place = QueuePosition(
        page=found.page, pages=found.pages, total=found.total, size=SIZE, decided_since=since,
        order=SORTS[sort], only_open=state == "open",
    )  # fmt: skip
    asked = show_triage(cards, place, may=store.may)
    send_texts(((key_of(each), each) for each in shown.everything), key="triage")
    if asked:
        open_page(*asked[:2], shown=asked[2])
    keep_address(PAGE)


with frame("Disagreements", shared_store, own_heading=True) as store:
    show_all(store)
