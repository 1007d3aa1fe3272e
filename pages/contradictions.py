"""Contradictions page: contradicted units beside the source excerpts that contradict them."""

from dataclasses import replace
from functools import partial

import streamlit as st

from components.contradictions.cards import show_cards
from components.runs.first_screen import nothing_stored
from components.ui.address import open_page, selection_from_url
from components.ui.chips.chips import show_chips
from components.ui.contradiction_lists import (
    GROUPS,
    LISTS,
    SORTS,
    about,
    chip_groups,
    group_titles,
    in_words,
    voice_of,
)
from components.ui.filter_bar import FilterChoice, filter_bar
from components.ui.filter_options import names, offers
from components.ui.frame import frame, heading
from components.ui.import_in_progress import wait_for_counted
from components.ui.sample_notice import say_sample_left_out
from components.ui.saved_views import bring_back, keep_address, keep_views
from components.ui.url_widgets import asked_number, chosen
from data.access.shared_store import shared_store
from data.contradictions import contradictions as questions
from data.items import saved_views
from data.items.cases import load_cases
from data.items.filters import offered
from data.items.sample_runs import sample_left_out
from data.items.unit_findings import with_contradictions
from data.store.cache.import_cache_fill import still_counted
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS

PAGE = "contradictions"
OFFER = ("run", "author", "label", "by", "protocol", "system", "slice")
ORDER = (
    FilterChoice(name="sort", label="Order", titles=SORTS),
    FilterChoice(name="group", label="Groups", titles=GROUPS),
)


def show_all(store: Store) -> None:
    bring_back(PAGE)
    with heading("Contradictions"):
        keep_views(
            PAGE,
            saved_views.saved_views(store),
            partial(saved_views.change_view, store),
            may_change=store.may("view"),
        )
    known = offered(store)
    if known.empty:
        nothing_stored("nothing is contradicted")
        return
    offer = offers(known, PROTOCOLS, OFFER)
    selection = filter_bar(
        selection_from_url(), words="Words in unit or quote", offer=offer, order=ORDER
    )
    say_sample_left_out(sample_left_out(store, selection))
    show_found(store, replace(selection, item="", unit="", at=""), names(offer))


def show_found(store: Store, selection: Selection, called: dict[str, str]) -> None:
    which, group = chosen("list", LISTS), chosen("group", GROUPS)
    asked = partial(
        questions.contradicted_units,
        store,
        selection,
        which=which,
        sort=chosen("sort", SORTS),
        group=group,
    )
    page = max(1, asked_number("page", 1))
    found = asked(page=page)
    pages = max(1, -(-found.total // questions.PAGE))
    if page > pages:
        page = pages
        found = asked(page=page)
    show_chips(chip_groups(which, found.lists, found.counts, selection), key="chips")
    if not found.total and wait_for_counted(partial(still_counted, store, selection.runs)):
        keep_address(PAGE)
        return
    if told := about(which, found.total):
        st.caption(told)
    cases = load_cases(store, questions.places(found))
    clicked = show_cards(
        with_contradictions(store, cases) if which == "found_by_check" else cases,
        PROTOCOLS,
        voice=voice_of(which),
        heading=(found.total, in_words(which, found.units, selection, called)),
        paging=(page, pages),
        groups=group_titles(group, found.groups, called),
        within=replace(selection, listed=which),
    )
    if clicked:
        open_page("item", clicked)
    keep_address(PAGE)


with frame("Contradictions", shared_store, own_heading=True) as store:
    show_all(store)
