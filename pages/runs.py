"""Runs page: stored runs with their protocols, summary scores and judge replies."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from components.agreement.policy_rates import show_run_rates
from components.judging.addressed_notice import show_left_out
from components.judging.reply_health import (
    list_replies,
    read_replies_choice,
    show_health,
    show_state_chips,
)
from components.runs.first_screen import (
    first_screen,
    offer_sample,
    show_nothing_fits,
    show_sample_notice,
)
from components.runs.run_list import narrowed, show_number_notes, show_runs, sort_by_protocol
from components.ui.address import open_page, read_selection
from components.ui.filter_bar import show_filter_bar
from components.ui.filter_options import (
    build_filter_choices,
    format_narrowing,
    names,
    show_narrowing,
)
from components.ui.frame import frame, heading
from components.ui.numbers import format_count
from components.ui.saved_views import keep_views
from components.ui.session import done, get_login_name, operation_id
from components.ui.table.table import Clicked
from components.ui.url_widgets import bound_page, bound_segments, read_number
from data.access.shared_store import shared_store
from data.agreement.answers import AgreementQueries
from data.items import saved_views
from data.items.addressed_items import count_left_out_items
from data.items.filters import load_filter_values
from data.judging import reply_health
from data.runs import queries
from data.runs.remove import remove_sample
from data.samples.first_start import fill
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS

PAGE = 50
VIEWS = {"": "Runs", "replies": "Replies of judges"}
OFFER = ("system", "author", "label", "by", "placement", "slice", "run")


def show_all(store: Store) -> None:
    runs = queries.runs(store)
    if runs.empty:
        if first_screen(sample_can_be_loaded=store.may("import")):
            load_sample(store)
        return
    samples = int(runs["is_sample"].sum())
    if samples and show_sample_notice(
        samples, may_remove=store.may("removal"), is_alone=samples == len(runs)
    ):
        asked = operation_id("remove sample")
        remove_sample(store, removed_by=get_login_name() or "reviewer", operation_id=asked)
        done("remove sample")
        st.rerun()
    used = {key: each.title for key, each in PROTOCOLS.items() if key in set(runs["protocol"])}
    offer = build_filter_choices(load_filter_values(store), PROTOCOLS, OFFER)
    begun = replace(read_selection(), item="", unit="")
    selection = show_filter_bar(
        begun, protocols=used, words="Name or system", unread=True, addressed=True, offer=offer
    )
    kept = narrowed(
        runs[runs["run_id"].isin(queries.find_matching_runs(store, selection))], selection
    )
    if kept.empty:
        show_nothing_fits(format_narrowing("No run", selection.in_words(names(offer))))
        return
    show_narrowing(
        format_count(len(kept), "run"), replace(selection, addressed="", trapped=""), names(offer)
    )
    if bound_segments("view", "View", VIEWS):
        show_replies(store, list(kept["run_id"]))
    else:
        list_runs(store, kept, selection)
    # Beside other runs as well: whoever removes the sample is told that it can come back.
    if not samples and store.may("import") and offer_sample():
        load_sample(store)


def list_runs(store: Store, kept: pd.DataFrame, selection: Selection) -> None:
    kept = sort_by_protocol(kept, PROTOCOLS)
    show_left_out(selection, partial(count_left_out_items, store, selection, set(kept["run_id"])))
    start = 0
    if len(kept) > PAGE:
        st.caption(f"{format_count(len(kept), 'run')}, {PAGE} on a page")
        start = PAGE * (bound_page("page", -(-len(kept) // PAGE)) - 1)
    numbers = queries.load_headlines(store, selection=selection)
    clicked = show_runs(kept.iloc[start : start + PAGE], numbers, PROTOCOLS)
    show_number_notes()
    if clicked:
        open_run(store, clicked, selection)
    show_run_rates(AgreementQueries(store), selection, kept, PROTOCOLS)


def show_replies(store: Store, run_ids: list[str]) -> None:
    found, asked = reply_health.load_reply_health(store, run_ids), read_replies_choice()
    show_health(found, PROTOCOLS, asked)
    if asked and asked.run_id in run_ids:
        show_state_chips(found, asked)
        page = max(1, read_number("page", 1))
        flawed = reply_health.load_flawed_replies(store, *asked[:2], state=asked.state, page=page)
        pages = -(-flawed.total // reply_health.PAGE)
        if place := list_replies(flawed.replies, asked, page=page, pages=pages):
            open_page("item", place)


def load_sample(store: Store) -> None:
    fill(store, operation_id=operation_id("load sample"))
    done("load sample")
    st.rerun()


def open_run(store: Store, clicked: Clicked, selection: Selection) -> None:
    """Go to the run's items, narrowed as the runs are; the words were those of its name."""
    unread = clicked.action == "unread" or selection.unread
    kept = replace(selection, runs=(clicked.row,), protocol="", systems=(), words="", unread=unread)
    if clicked.action == "open":
        first = queries.run_items(store, clicked.row, kept, limit=1)
        kept = replace(kept, item=str(first["item_id"].iloc[0]) if len(first) else "")
    open_page("item", kept)


with frame("Runs", shared_store, own_heading=True) as store:
    with heading("Runs"):
        change = partial(saved_views.change_view, store)
        keep_views(
            "runs", saved_views.load_saved_views(store), change, may_change=store.may("view")
        )
    show_all(store)
