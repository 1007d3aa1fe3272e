"""Inconsistencies page: answers about one item that cannot all be correct."""

from dataclasses import replace
from functools import partial

import streamlit as st

from components.inconsistencies.inconsistency_list import (
    ABOUT,
    WHOSE,
    chip_groups,
    chosen_rules,
    offer_file,
    say_item,
    say_none,
    show_audits,
)
from components.runs.first_screen import nothing_stored
from components.ui.address import selection_from_url
from components.ui.chips.chips import show_chips
from components.ui.filter_bar import filter_bar
from components.ui.filter_options import names, offers, say_narrowed
from components.ui.frame import frame, heading
from components.ui.sample_notice import say_sample_left_out
from components.ui.saved_views import bring_back, keep_address, keep_views
from components.ui.url_widgets import asked_number, chosen
from data import exporting
from data.access.shared_store import shared_store
from data.inconsistencies import inconsistencies as questions
from data.items import saved_views
from data.items.filters import offered
from data.items.loading import known_items
from data.items.sample_runs import sample_left_out
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS

PAGE, TITLE = "audit", "Cannot all be right"
OFFER = ("run", "author", "protocol", "system")


def show_all(store: Store) -> None:
    bring_back(PAGE)
    at_the_end = heading(TITLE)
    known = offered(store)
    if known.empty:
        nothing_stored("no answers rule each other out")
        return
    st.caption(ABOUT)
    offer = offers(known, PROTOCOLS, OFFER)
    said = filter_bar(selection_from_url(), words="Words in a text", offer=offer)
    selection = Selection(
        runs=said.runs,
        authors=said.authors,
        protocol=said.protocol,
        systems=said.systems,
        words=said.words,
    )
    say_sample_left_out(sample_left_out(store, selection))
    rules = chosen_rules(st.query_params.get_all("rule"))
    total = show_found(store, selection, rules, chosen("whose", WHOSE), names(offer))
    with at_the_end:
        of = replace(selection, item=of_item())
        write = partial(exporting.audit_bytes, store, of, rules, chosen("whose", WHOSE))
        offer_file(write, total)
        change = partial(saved_views.change_view, store)
        keep_views(PAGE, saved_views.saved_views(store), change, may_change=store.may("view"))
    keep_address(PAGE)


def of_item() -> str:
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
    of = replace(selection, item=of_item())
    page = max(1, asked_number("page", 1))
    found = questions.audits(store, of, page, rule=rules, whose=whose)
    pages = max(1, -(-found.total // questions.PAGE))
    if page > pages:
        page = pages
        found = questions.audits(store, of, page, rule=rules, whose=whose)
    show_chips(chip_groups(whose, rules, found.whose, found.counts), key="chips")
    say_narrowed("Inconsistencies", selection, called)
    if of.item:
        rows = found.rows["external_id"]
        say_item(str(rows.iloc[0]) if len(rows) and rows.iloc[0] else of.item[:8])
    if not found.total:
        say_none(is_narrowed=bool(rules or whose) or not of.is_everything)
        return 0
    items = known_items(store, tuple(found.rows["item_id"].unique()))
    show_audits(found.rows, items, total=found.total, page=page, per_page=questions.PAGE)
    return found.total


with frame(TITLE, shared_store, own_heading=True) as store:
    show_all(store)
