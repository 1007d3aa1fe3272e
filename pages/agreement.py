"""Agreement page: judge-rater agreement beside rater-rater agreement."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.agreement.choice import (
    ChosenComparison,
    ask_baseline,
    choose_question,
    choose_sides,
    say_nobody,
    wants_baseline,
)
from components.agreement.clicks import Wanted
from components.agreement.files import in_files, offer_files
from components.agreement.policy_choice import only_reference
from components.agreement.unit_list import show_units
from components.agreement.views import show_view
from components.judging.addressed_notice import say_left_out as say_addressed
from components.runs.first_screen import nothing_stored
from components.ui.address import selection_from_url
from components.ui.filter_bar import filter_bar
from components.ui.filter_options import names, offers, say_other_protocol, usual_protocol
from components.ui.frame import frame, heading
from components.ui.sample_notice import say_runs_left_out, say_sample_left_out
from components.ui.saved_views import bring_back, keep_address, keep_views
from components.ui.url_widgets import asked_number
from data.access.shared_store import shared_store
from data.agreement import pairs as questions
from data.agreement.answers import AgreementQueries
from data.agreement.question import AgreementQuestion
from data.agreement.units import PAGE as PER_PAGE
from data.exporting import agreement_table, pairs_table
from data.items import saved_views
from data.items.counted_runs import load_runs_left_out
from data.items.filters import offered
from data.items.sample_runs import sample_left_out
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
        keep_views(PAGE, saved_views.saved_views(store), change, may_change=store.may("view"))
    return files


def show_all(store: Store) -> None:
    bring_back(PAGE)
    at_the_end = show_heading(store)
    known = offered(store)
    if known.empty:
        nothing_stored("nobody agrees or disagrees")
        return
    offer = offers(known, PROTOCOLS, OFFER)
    selection = filter_bar(
        selection_from_url(), words="Words in a text", offer=offer, addressed=True
    )
    used = set(known.loc[known["part"] == "protocol", "value"])
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compared"):
        protocols = {key: each for key, each in PROTOCOLS.items() if key in used}
        selection = choose_question(selection, protocols, usual_protocol(known, protocols))
        sides = questions.sides(store, selection, with_baseline=wants_baseline())
        under, ask = PROTOCOLS[selection.protocol], AgreementQueries(store)
        asked = choose_sides(selection, under, sides)
        asked = asked or only_reference(ask, selection, under, sides)
        ask_baseline()
    say_other_protocol(selection, known, protocols)
    say_sample_left_out(sample_left_out(store, selection))
    say_runs_left_out(load_runs_left_out(store, selection))
    say_addressed(selection, partial(ask.addressed_left_out, selection))
    if asked is None:
        say_nobody(sides)
        return
    wanted = show_view(ask, asked, names(offer))
    same = AgreementQuestion(**in_files(ask, asked))
    files = (partial(each, store, same) for each in (agreement_table, pairs_table))
    with at_the_end:
        offer_files(*files, bridged=bool(same.policy))
    if wanted is not None:
        show_wanted(store, asked, wanted)
    keep_address(PAGE)


def show_wanted(store: Store, asked: ChosenComparison, wanted: Wanted) -> None:
    list_units = partial(questions.cell_units, store, *asked.question, **wanted.asks)
    found = list_units(page=(page := max(1, asked_number("page", 1))))
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
