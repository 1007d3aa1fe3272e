"""Inconsistencies page: answers about one item that cannot all be correct."""

from dataclasses import replace
from functools import partial

import streamlit as st

from components.inconsistencies.inconsistency_list import (
    ABOUT,
    WHOSE,
    build_chip_groups,
    filter_rules,
    offer_file,
    show_audits,
    show_empty_list,
    show_item_filter,
)
from components.runs.first_screen import show_nothing_stored
from components.ui.address import read_selection
from components.ui.chips.chips import show_chips
from components.ui.filter_bar import show_filter_bar
from components.ui.filter_options import build_filter_choices, names, show_narrowing
from components.ui.frame import frame, heading
from components.ui.sample_notice import show_sample_left_out
from components.ui.saved_views import keep_address, keep_views, restore_address
from components.ui.url_widgets import chosen, read_number
from data import exporting
from data.access.shared_store import shared_store
from data.inconsistencies import inconsistencies as questions
from data.items import saved_views
from data.items.filters import load_filter_values
from data.items.loading import load_known_items
from data.items.sample_runs import find_left_out_sample_runs
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS

PAGE, TITLE = "audit", "Cannot all be right"
OFFER = ("run", "author", "protocol", "system")


def show_all(store: Store) -> None:
    restore_address(PAGE)
    at_the_end = heading(TITLE)
    known = load_filter_values(store)
    if known.empty:
        show_nothing_stored("no answers rule each other out")
        return
    st.caption(ABOUT)
    offer = build_filter_choices(known, PROTOCOLS, OFFER)
    said = show_filter_bar(read_selection(), words="Words in a text", offer=offer)
    selection = Selection(
        runs=said.runs,
        authors=said.authors,
        protocol=said.protocol,
        systems=said.systems,
        words=said.words,
    )
    show_sample_left_out(find_left_out_sample_runs(store, selection))
    rules = filter_rules(st.query_params.get_all("rule"))
    total = show_found(store, selection, rules, chosen("whose", WHOSE), names(offer))
    with at_the_end:
        of = replace(selection, item=read_item_filter())
        write = partial(exporting.render_audit, store, of, rules, chosen("whose", WHOSE))
        offer_file(write, total)
        change = partial(saved_views.change_view, store)
        keep_views(PAGE, saved_views.load_saved_views(store), change, may_change=store.may("view"))
    keep_address(PAGE)


def read_item_filter() -> str:
    """The one item that the list may be of; `item` in an address is what the reader shows."""
    return st.query_params.get("of", "")[:200]


def show_found(
    store: Store,
    selection: Selection,
    rules: tuple[str, ...],
    whose: str,
    called: dict[str, str],
) -> int:
    """Draw chips and list; answers how many there are."""
    of = replace(selection, item=read_item_filter())
    page = max(1, read_number("page", 1))
    found = questions.load_audits(store, of, page, rule=rules, whose=whose)
    pages = max(1, -(-found.total // questions.PAGE))
    if page > pages:
        page = pages
        found = questions.load_audits(store, of, page, rule=rules, whose=whose)
    show_chips(build_chip_groups(whose, rules, found.whose, found.counts), key="chips")
    show_narrowing("Inconsistencies", selection, called)
    if of.item:
        rows = found.rows["external_id"]
        show_item_filter(str(rows.iloc[0]) if len(rows) and rows.iloc[0] else of.item[:8])
    if not found.total:
        show_empty_list(is_narrowed=bool(rules or whose) or not of.is_everything)
        return 0
    items = load_known_items(store, tuple(found.rows["item_id"].unique()))
    show_audits(found.rows, items, total=found.total, page=page, per_page=questions.PAGE)
    return found.total


with frame(TITLE, shared_store, own_heading=True) as store:
    show_all(store)
