"""Distributions page: labels, scores and summary values by annotator, run or system."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from components.agreement.policy_rates import ask_rates, show_rates
from components.charts.drift import show_drift
from components.charts.label_shares import show_shares
from components.charts.score_bars import show_scores
from components.charts.share_bars import show_bins
from components.charts.spread import Bar
from components.distributions.list import explain_no_values, show_behind, show_list_heading
from components.distributions.table import ask_table, explained, show_shares_table
from components.judging.addressed_notice import show_left_out
from components.runs.first_screen import show_nothing_stored
from components.ui.address import open_page, read_selection
from components.ui.filter_bar import FilterChoice, show_filter_bar
from components.ui.filter_options import (
    build_filter_choices,
    choose_default_protocol,
    names,
    show_narrowing,
    show_other_protocol,
)
from components.ui.frame import frame, heading
from components.ui.sample_notice import show_sample_left_out
from components.ui.saved_views import keep_address, keep_views, restore_address
from components.ui.url_widgets import bound_page, bound_segments, chosen, read_number
from data.access.shared_store import shared_store
from data.agreement.answers import AgreementQueries
from data.distributions import distributions as questions
from data.items import saved_views
from data.items.filters import load_filter_values
from data.items.sample_runs import find_left_out_sample_runs
from data.store.store import Store
from faithfulness.model.measure import Measure, list_measures
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS

PAGE = "distributions"
OFFER = ("author", "run", "system", "slice")
ROWS = {"author": "By author", "run": "By run", "system": "By system"}
LINES = 16  # on one screen
DRAW = {"labels": show_shares, "scores": show_scores, "numbers": show_bins}


def show_all(store: Store) -> None:
    restore_address(PAGE)
    with heading("Distributions"):
        change = partial(saved_views.change_view, store)
        keep_views(PAGE, saved_views.load_saved_views(store), change, may_change=store.may("view"))
    known = load_filter_values(store)
    stored = set(known[known["part"] == "protocol"]["value"])
    used = {key: each for key, each in PROTOCOLS.items() if key in stored}
    if not used:
        show_nothing_stored("there is nothing to count")
        return
    usual = choose_default_protocol(known, used)
    protocols = {key: each.title for key, each in used.items()}
    protocol = PROTOCOLS[bound_segments("protocol", "Protocol", protocols, usual=usual)]
    found = list_measures(protocol)
    titles = {key: each.title for key, each in found.items()}
    offer = build_filter_choices(known, PROTOCOLS, OFFER)
    order = (
        FilterChoice(name="measure", label="What is counted", titles=titles),
        FilterChoice(name="rows", label="Lines", titles=ROWS),
    )
    begun = replace(read_selection(), protocol=protocol.key, item="", unit="", at="", listed="")
    selection = show_filter_bar(
        begun, words="Words in a text", offer=offer, order=order, addressed=True
    )
    if choose_default_protocol(known, used) != usual:
        st.rerun()  # a run of another protocol was just chosen in the filter
    show_other_protocol(selection, known, used)
    show_sample_left_out(find_left_out_sample_runs(store, selection))
    measure = found[chosen("measure", titles)]
    show_narrowing(
        "Counted", replace(selection, protocol="", addressed="", trapped=""), names(offer)
    )
    show_left_out(selection, partial(questions.count_addressed_left_out, store, selection, measure))
    show_counted(store, selection, measure)
    if ask_rates():
        show_rates(AgreementQueries(store), selection, protocol)
    keep_address(PAGE)


def show_counted(store: Store, selection: Selection, measure: Measure) -> None:
    lines = questions.load_distribution_lines(
        store, selection, measure, by_row=chosen("rows", ROWS)
    )
    means = questions.load_trend(store, selection, measure)
    bar = Bar(st.query_params.get("line", ""), st.query_params.get("value", ""))
    if lines:
        shown: Sequence[questions.DistributionLine] = lines
        if len(lines) > LINES:
            start = LINES * (bound_page("lines", -(-len(lines) // LINES)) - 1)
            shown = lines[start : start + LINES]
        DRAW[measure.kind](shown, measure, chosen=bar)
        if ask_table("share", "median", "unread"):
            parts = questions.compute_shares(store, selection, measure, by_row=chosen("rows", ROWS))
            show_shares_table(shown, measure, parts)
        show_list(store, selection, measure, lines, bar)
    else:
        explain_no_values(measure, numbers=bool(means))
    if len({line.part for line in means}) > 1:
        explained("In the order of import", "drift")
        show_drift(means, measure, chosen=bar)


def show_list(
    store: Store,
    selection: Selection,
    measure: Measure,
    lines: Sequence[questions.DistributionLine],
    bar: Bar,
) -> None:
    line = next((each for each in lines if each.key == bar.line), None)
    if line is None or bar.value not in ("", *measure.values, *questions.APART):
        return
    rows, page = chosen("rows", ROWS), max(1, read_number("page", 1))
    ask = partial(
        questions.load_counted_page,
        store,
        selection,
        measure,
        by_row=rows,
        line=bar.line,
        value=bar.value,
    )
    found = ask(page=page)
    part = None
    if bar.value in measure.values:
        part = questions.compute_share(store, selection, measure, by_row=rows, bar=bar)
    show_list_heading(line, measure, bar, found.total, part)
    place = show_behind(found.lines, measure, bar, line, selection)
    pages = -(-found.total // questions.PAGE)
    if pages > 1 and bound_page("page", pages) != page:
        st.rerun()
    if place:
        open_page("item", place)


with frame("Distributions", shared_store, own_heading=True) as store:
    show_all(store)
