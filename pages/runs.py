"""Runs page: stored runs with their protocols, summary scores and judge replies."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from components.agreement.policy_rates import rates_of_runs
from components.judging.addressed_notice import say_left_out
from components.judging.reply_health import list_replies, replies_from_url, show_health, state_chips
from components.runs.first_screen import first_screen, nothing_fits, offer_sample, sample_notice
from components.runs.run_list import in_order, narrowed, say_what_counts, show_runs
from components.ui.address import open_page, selection_from_url
from components.ui.filter_bar import filter_bar
from components.ui.filter_options import named_after, names, offers, say_narrowed
from components.ui.frame import frame, heading
from components.ui.numbers import counted
from components.ui.saved_views import keep_views
from components.ui.session import done, logged_in_as, operation_id
from components.ui.table.table import Clicked
from components.ui.url_widgets import asked_number, bound_page, bound_segments
from data.access.shared_store import shared_store
from data.agreement.answers import AgreementQueries
from data.items import saved_views
from data.items.addressed_items import left_out_of_runs
from data.items.filters import offered
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
    if samples and sample_notice(
        samples, may_remove=store.may("removal"), is_alone=samples == len(runs)
    ):
        asked = operation_id("remove sample")
        remove_sample(store, removed_by=logged_in_as() or "reviewer", operation_id=asked)
        done("remove sample")
        st.rerun()
    used = {key: each.title for key, each in PROTOCOLS.items() if key in set(runs["protocol"])}
    offer = offers(offered(store), PROTOCOLS, OFFER)
    begun = replace(selection_from_url(), item="", unit="")
    selection = filter_bar(
        begun, protocols=used, words="Name or system", unread=True, addressed=True, offer=offer
    )
    kept = narrowed(runs[runs["run_id"].isin(queries.runs_with(store, selection))], selection)
    if kept.empty:
        nothing_fits(named_after("No run", selection.in_words(names(offer))))
        return
    say_narrowed(
        counted(len(kept), "run"), replace(selection, addressed="", trapped=""), names(offer)
    )
    if bound_segments("view", "View", VIEWS):
        show_replies(store, list(kept["run_id"]))
    else:
        list_runs(store, kept, selection)
    # Beside other runs as well: whoever removes the sample is told that it can come back.
    if not samples and store.may("import") and offer_sample():
        load_sample(store)


def list_runs(store: Store, kept: pd.DataFrame, selection: Selection) -> None:
    kept = in_order(kept, PROTOCOLS)
    say_left_out(selection, partial(left_out_of_runs, store, selection, set(kept["run_id"])))
    start = 0
    if len(kept) > PAGE:
        st.caption(f"{counted(len(kept), 'run')}, {PAGE} on a page")
        start = PAGE * (bound_page("page", -(-len(kept) // PAGE)) - 1)
    numbers = queries.headlines(store, selection=selection)
    clicked = show_runs(kept.iloc[start : start + PAGE], numbers, PROTOCOLS)
    say_what_counts()
    if clicked:
        follow(store, clicked, selection)
    rates_of_runs(AgreementQueries(store), selection, kept, PROTOCOLS)


def show_replies(store: Store, run_ids: list[str]) -> None:
    found, asked = reply_health.health(store, run_ids), replies_from_url()
    show_health(found, PROTOCOLS, asked)
    if asked and asked.run_id in run_ids:
        state_chips(found, asked)
        page = max(1, asked_number("page", 1))
        flawed = reply_health.flawed_replies(store, *asked[:2], state=asked.state, page=page)
        pages = -(-flawed.total // reply_health.PAGE)
        if place := list_replies(flawed.replies, asked, page=page, pages=pages):
            open_page("item", place)


def load_sample(store: Store) -> None:
    fill(store, operation_id=operation_id("load sample"))
    done("load sample")
    st.rerun()


def follow(store: Store, clicked: Clicked, selection: Selection) -> None:
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
        keep_views("runs", saved_views.saved_views(store), change, may_change=store.may("view"))
    show_all(store)
