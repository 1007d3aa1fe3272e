"""Agreement page: judge-rater agreement beside rater-rater agreement."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.agreement.choice import (
    ChosenComparison,
    ask_baseline,
    choose_question,
    choose_sides,
    explain_missing_sides,
    wants_baseline,
)
from components.agreement.clicks import Wanted
from components.agreement.files import build_file_query, offer_files
from components.agreement.policy_choice import compare_reference_only
from components.agreement.unit_list import show_units
from components.agreement.views import show_view
from components.judging.addressed_notice import show_left_out as say_addressed
from components.runs.first_screen import show_nothing_stored
from components.ui.address import read_selection
from components.ui.filter_bar import show_filter_bar
from components.ui.filter_options import (
    build_filter_choices,
    choose_default_protocol,
    names,
    show_other_protocol,
)
from components.ui.frame import frame, heading
from components.ui.sample_notice import show_runs_left_out, show_sample_left_out
from components.ui.saved_views import keep_address, keep_views, restore_address
from components.ui.url_widgets import read_number
from data.access.shared_store import shared_store
from data.agreement import pairs as questions
from data.agreement.answers import AgreementQueries
from data.agreement.question import AgreementQuestion
from data.agreement.units import PAGE as PER_PAGE
from data.exporting import render_agreement, render_pairs
from data.items import saved_views
from data.items.counted_runs import load_runs_left_out
from data.items.filters import load_filter_values
from data.items.sample_runs import find_left_out_sample_runs
from data.store.store import Store
from faithfulness.protocols import PROTOCOLS

PAGE = "agreement"
OFFER = ("run", "system", "slice")


def show_heading(store: Store) -> DeltaGenerator:
    """Draw the first line; answers the place of the files, known once the comparison is."""
    row = heading("Agreement")
    files = row.container(width="content")
    with row:
        change = partial(saved_views.change_view, store)
        keep_views(PAGE, saved_views.load_saved_views(store), change, may_change=store.may("view"))
    return files


def show_all(store: Store) -> None:
    restore_address(PAGE)
    at_the_end = show_heading(store)
    known = load_filter_values(store)
    if known.empty:
        show_nothing_stored("nobody agrees or disagrees")
        return
    offer = build_filter_choices(known, PROTOCOLS, OFFER)
    selection = show_filter_bar(
        read_selection(), words="Words in a text", offer=offer, addressed=True
    )
    used = set(known.loc[known["part"] == "protocol", "value"])
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compared"):
        protocols = {key: each for key, each in PROTOCOLS.items() if key in used}
        selection = choose_question(selection, protocols, choose_default_protocol(known, protocols))
        sides = questions.load_sides(store, selection, with_baseline=wants_baseline())
        under, ask = PROTOCOLS[selection.protocol], AgreementQueries(store)
        asked = choose_sides(selection, under, sides)
        asked = asked or compare_reference_only(ask, selection, under, sides)
        ask_baseline()
    show_other_protocol(selection, known, protocols)
    show_sample_left_out(find_left_out_sample_runs(store, selection))
    show_runs_left_out(load_runs_left_out(store, selection))
    say_addressed(selection, partial(ask.addressed_left_out, selection))
    if asked is None:
        explain_missing_sides(sides)
        return
    wanted = show_view(ask, asked, names(offer))
    same = AgreementQuestion(**build_file_query(ask, asked))
    files = (partial(each, store, same) for each in (render_agreement, render_pairs))
    with at_the_end:
        offer_files(*files, bridged=bool(same.policy))
    if wanted is not None:
        show_wanted(store, asked, wanted)
    keep_address(PAGE)


def show_wanted(store: Store, asked: ChosenComparison, wanted: Wanted) -> None:
    list_units = partial(questions.load_cell_units, store, *asked.question, **wanted.asks)
    found = list_units(page=(page := max(1, read_number("page", 1))))
    if found.total and found.units.empty:
        found = list_units(page=(page := -(-found.total // PER_PAGE)))
    show_units(
        found.units,
        found.total,
        looks=asked.looks,
        sides=asked.sides,
        heading=wanted.heading,
        within=asked.selection,
        page=page,
        per_page=PER_PAGE,
        shown=asked.judge.as_text,
    )


with frame("Agreement", shared_store, own_heading=True) as store:
    show_all(store)
