"""Item page: the reader for one item with its sources, or a list of items to choose from."""

from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from components.inconsistencies.inconsistency_notice import show_notice
from components.reader import neighbors
from components.reader.annotation_view import Opinions
from components.reader.candidates import send_candidates
from components.reader.counting import build_counts, send_counts, take_ticks
from components.reader.item_list import offer_removal, show_items, show_pager
from components.reader.item_view import read_view, show_view_in_url
from components.reader.reader import ReaderView, reader
from components.reader.reply_notes import show_replies
from components.triage.marks import take_reader_marks
from components.ui.address import open_page, read_selection
from components.ui.filter_bar import show_filter_bar
from components.ui.filter_options import build_filter_choices, names, show_narrowing
from components.ui.frame import frame, heading
from components.ui.item_heading import rerun_on_heading_press, show_item_heading
from components.ui.plain import plain
from components.ui.saved_views import keep_views
from components.ui.url_widgets import read_number
from data.access.shared_store import shared_store
from data.items import saved_views
from data.items.counted_runs import load_item_annotations
from data.items.filters import load_filter_values
from data.items.item_numbers import load_given_numbers
from data.items.loading import load_known_items
from data.judging import replies
from data.meetings.agendas import find_marked_units
from data.meetings.marks import mark_units
from data.meetings.reasons import load_reasons
from data.rating.review_ticks import load_ticks, save_tick
from data.runs import queries
from data.runs.neighbors import load_neighbors
from data.runs.remove import remove_runs
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Item
from faithfulness.policies.inconsistencies import find_inconsistencies
from faithfulness.protocols import PROTOCOLS, protocol

OFFER = ("label", "author", "by", "placement", "slice", "run")


def choose_item(store: Store, selection: Selection) -> None:
    run_id = selection.runs[0]
    with heading(*neighbors.get_run_heading(queries.runs(store), run_id)):
        change, remove = partial(saved_views.change_view, store), partial(remove_runs, store)
        keep_views(
            "item", saved_views.load_saved_views(store), change, may_change=store.may("view")
        )
        offer_removal(queries.runs(store), run_id, remove, may=store.may("removal"))
    offer = build_filter_choices(load_filter_values(store), PROTOCOLS, OFFER, single=("run", "by"))
    selection = show_filter_bar(
        selection, words="Words in a text, or an id", unread=True, offer=offer
    )
    show_narrowing("Items", replace(selection, runs=()), names(offer))
    after = read_number("after", -1)
    items = queries.run_items(store, run_id, selection, after=after)
    goes_on = int(items["position"].iloc[-1]) if len(items) == queries.PAGE else -1
    show_pager(queries.count_run_items(store, run_id, selection), len(items), after, goes_on)
    if len(items) and (clicked := show_items(items, run_id)):
        open_page("item", replace(selection, runs=(run_id,), item=clicked.row))


def show_item(store: Store, selection: Selection, item: Item, places: pd.DataFrame) -> None:
    place, is_asked = neighbors.choose_place(selection, places)
    here = neighbors.narrow_to_item(selection, place.run_id)
    told = load_item_annotations(store, item.id, place.run_id)
    said = told.in_run
    last = take_reader_marks(place.run_id, item.id, partial(mark_units, store))
    start = read_view(selection, item, said, may=store.may)
    start = replace(start, marked=find_marked_units(store, place.protocol, item.id), last_mark=last)
    last = take_ticks(f"{place.run_id}_{item.id}", item, partial(save_tick, store, item.id))
    start = replace(start, counts=build_counts(item, load_ticks(store, item.id), last))
    move_on(store, here, place, places, start)
    neighbors.show_other_runs(here, place.run_id, told.elsewhere, places)
    neighbors.show_other_ids(place.further_ids, place.attributes)
    neighbors.show_missing_item(selection, start, is_asked)
    runs = tuple(places["run_id"]) if place.is_sample else ()  # else the list leaves it out
    show_notice(find_inconsistencies(item, told.everywhere), item, start, runs)
    given, why = load_given_numbers(store, place.run_id, item.id), load_reasons(store, item.id)
    elsewhere = neighbors.list_decisions_elsewhere(said, places, place.run_id)
    opinions = Opinions(annotations=said, given=given, reasons=why, decided_in=elsewhere)
    read(store, item, place, opinions, start, here)
    show_replies(replies.load_item_replies(store, place.run_id, item.id))


@st.fragment
def read(
    store: Store, item: Item, place: Any, told: Opinions, start: ReaderView, at: Selection
) -> None:
    take_reader_marks(place.run_id, item.id, partial(mark_units, store))
    rerun_on_heading_press(f"{item.id}_{place.run_id}")
    name = f"{place.run_id}_{item.id}"
    last = take_ticks(name, item, partial(save_tick, store, item.id))
    view = reader(item, protocol(place.protocol), told, start=start, key=f"reader_{name}")
    send_candidates(item, view.ask, key=f"candidates_{name}")
    send_counts(item, last, partial(load_ticks, store, item.id), key=f"counts_{name}")
    show_view_in_url(replace(at, unit=view.unit), view)


def move_on(
    store: Store, here: Selection, place: Any, places: pd.DataFrame, start: ReaderView
) -> None:
    beside = load_neighbors(store, place.run_id, here.item, here)
    asked = show_item_heading(
        place.external_id or here.item[:8],
        [*(["Sample"] if place.is_sample else []), f"{beside.place or '–'} of {beside.total}"],
        runs=neighbors.get_run_titles(places),
        run_id=place.run_id,
        beside=(beside.before, beside.behind),
        key=f"{here.item}_{place.run_id}",
    )
    neighbors.go_to_destination(asked, here, beside, start)
    called = names(build_filter_choices(load_filter_values(store), PROTOCOLS, ("run", "label")))
    neighbors.show_list_link(here, called, beside.total)


with frame("Item", shared_store, own_heading=True) as store:
    selection = neighbors.resolve_first_item(read_selection(), partial(queries.run_items, store))
    items = load_known_items(store, (selection.item,) if selection.item else ())
    places = queries.load_item_runs(store, selection.item) if items else pd.DataFrame()
    say_nearest = partial(neighbors.offer_nearest, partial(queries.runs, store), selection)
    if len(places):
        show_item(store, selection, items[selection.item], places)
    elif selection.item:
        gone = "Every run with this item was removed."
        say_nearest(gone if items else f"The store has no item {plain(selection.item)}.")
    elif not selection.runs:
        say_nearest("Choose a run first; its name opens the list of its items.")
    elif selection.runs[0] in set(queries.runs(store)["run_id"]):
        choose_item(store, selection)
    else:
        say_nearest(plain(queries.explain_missing_run(store, selection.runs[0])))
