"""Contradictions page: contradicted units beside the source excerpts that contradict them."""

from dataclasses import replace
from functools import partial

import streamlit as st

from components.contradictions.cards import show_cards
from components.runs.first_screen import show_nothing_stored
from components.ui.address import open_page, read_selection
from components.ui.chips.chips import show_chips
from components.ui.contradiction_lists import (
    GROUPS,
    LISTS,
    SORTS,
    about,
    build_chip_groups,
    build_group_titles,
    describe_list,
    get_list_voice,
)
from components.ui.filter_bar import FilterChoice, show_filter_bar
from components.ui.filter_options import build_filter_choices, names
from components.ui.frame import frame, heading
from components.ui.import_in_progress import wait_for_counted
from components.ui.sample_notice import show_sample_left_out
from components.ui.saved_views import keep_address, keep_views, restore_address
from components.ui.url_widgets import chosen, read_number
from data.access.shared_store import shared_store
from data.contradictions import contradictions as questions
from data.items import saved_views
from data.items.cases import load_cases
from data.items.filters import load_filter_values
from data.items.sample_runs import find_left_out_sample_runs
from data.items.unit_findings import add_contradictions
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
    restore_address(PAGE)
    with heading("Contradictions"):
        keep_views(
            PAGE,
            saved_views.load_saved_views(store),
            partial(saved_views.change_view, store),
            may_change=store.may("view"),
        )
    known = load_filter_values(store)
    if known.empty:
        show_nothing_stored("nothing is contradicted")
        return
    offer = build_filter_choices(known, PROTOCOLS, OFFER)
    selection = show_filter_bar(
        read_selection(), words="Words in unit or quote", offer=offer, order=ORDER
    )
    show_sample_left_out(find_left_out_sample_runs(store, selection))
    show_found(store, replace(selection, item="", unit="", at=""), names(offer))


def show_found(store: Store, selection: Selection, called: dict[str, str]) -> None:
    which, group = chosen("list", LISTS), chosen("group", GROUPS)
    asked = partial(
        questions.load_contradicted_units,
        store,
        selection,
        which=which,
        sort=chosen("sort", SORTS),
        group=group,
    )
    page = max(1, read_number("page", 1))
    found = asked(page=page)
    pages = max(1, -(-found.total // questions.PAGE))
    if page > pages:
        page = pages
        found = asked(page=page)
    show_chips(build_chip_groups(which, found.lists, found.counts, selection), key="chips")
    if not found.total and wait_for_counted(partial(still_counted, store, selection.runs)):
        keep_address(PAGE)
        return
    if told := about(which, found.total):
        st.caption(told)
    cases = load_cases(store, questions.list_case_numbers(found))
    clicked = show_cards(
        add_contradictions(store, cases) if which == "found_by_check" else cases,
        PROTOCOLS,
        voice=get_list_voice(which),
        heading=(found.total, describe_list(which, found.units, selection, called)),
        paging=(page, pages),
        groups=build_group_titles(group, found.groups, called),
        within=replace(selection, listed=which),
    )
    if clicked:
        open_page("item", clicked)
    keep_address(PAGE)


with frame("Contradictions", shared_store, own_heading=True) as store:
    show_all(store)
