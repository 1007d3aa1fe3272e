"""Item: one labelled text beside its sources, or the items of a run to choose one from."""

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from components.address import open_page, selection_from_url
from components.filter_bar import filter_bar
from components.frame import frame, heading
from components.item_heading import item_heading, say_gone
from components.item_list import show_items, turn_pages
from components.item_view import open_item, show_view_in_url, view_from_url, wanted_authors
from components.meeting_marks import keep_marks, marked_on
from components.plain import plain, told_apart
from components.reader.candidates import answer_candidates
from components.reader.reader import View, reader
from components.reader.said import Opinions
from components.reader.views import default_author
from data import queries, records
from data.item_numbers import given_numbers
from data.neighbours import neighbours
from data.shared_store import shared_store
from data.store import Store
from faithfulness.protocols import protocol
from faithfulness.selection import Selection
from faithfulness.vocabulary import Item


def choose_item(store: Store, selection: Selection) -> None:
    run_id = selection.runs[0]
    run = queries.runs(store).set_index("run_id").loc[run_id]
    heading(str(run["name"]), protocol(str(run["protocol"])).title)
    selection = filter_bar(selection, words="Words in a text", unread=True)
    start = st.query_params.get("after", "")
    after = int(start) if start.isdecimal() and len(start) < 10 else -1
    items = queries.run_items(store, run_id, selection, after=after)
    goes_on = int(items["position"].iloc[-1]) if len(items) == queries.PAGE else -1
    turn_pages(queries.count_run_items(store, run_id, selection), len(items), after, goes_on)
    clicked = show_items(items, run_id) if len(items) else None
    if clicked:
        open_page("item", replace(selection, runs=(run_id,), item=clicked.row))


def show_item(store: Store, selection: Selection, item: Item, places: pd.DataFrame) -> None:
    wanted = places[places["run_id"].isin(selection.runs)]
    place: Any = next((wanted if len(wanted) else places).itertuples())
    here = replace(selection, runs=(place.run_id,), unit="")
    annotations = records.load_annotations(store, item.id, place.run_id)
    shown = default_author([each.author for each in annotations], wanted_authors(selection))
    start = view_from_url(selection, item, shown)
    start = replace(start, marked=marked_on(place.run_id, item.id))
    move_on(store, here, place, places, start)
    if selection.runs and not len(wanted):
        st.info("That run is no longer there. This is the same item in another run.")
    if selection.unit != start.unit:
        which = "nearest" if start.unit else "first"
        st.info(f"This item has no unit {plain(selection.unit)}. The {which} one is shown.")
    given = given_numbers(store, place.run_id, item.id)
    read(item, place.protocol, Opinions(annotations=annotations, given=given), start, here)


@st.fragment
def read(item: Item, key: str, opinions: Opinions, start: View, here: Selection) -> None:
    name = f"{here.runs[0]}_{item.id}"
    view = reader(item, protocol(key), opinions, start=start, key=f"reader_{name}")
    answer_candidates(item, view.ask, key=f"candidates_{name}")
    keep_marks(here.runs[0], item.id, view.marked)
    show_view_in_url(replace(here, unit=view.unit), view)


def move_on(store: Store, here: Selection, place: Any, places: pd.DataFrame, start: View) -> None:
    beside = neighbours(store, place.run_id, here.item, here)
    badges = [*(["Sample"] if place.is_sample else []), f"{beside.place or '–'} of {beside.total}"]
    titles = {
        str(each.run_id): f"{each.name} · {protocol(str(each.protocol)).title}"
        for each in places.itertuples()
    }
    asked = item_heading(
        place.external_id or here.item[:8],
        badges,
        runs=told_apart(titles),
        run_id=place.run_id,
        beside=(beside.before, beside.behind),
        key=f"{here.item}_{place.run_id}",
    )
    if asked.run:
        open_page("item", Selection(runs=(asked.run,), item=here.item))
    if asked.item:
        open_item(replace(here, item=asked.item), start)
    if asked.all_items:
        open_page("item", replace(here, item=""))


def offer_nearest(store: Store, selection: Selection, what: str) -> None:
    runs = queries.runs(store)
    known = runs[runs["run_id"].isin(selection.runs)]
    asked = say_gone(what, plain(known["name"].iloc[0]) if len(known) else "")
    if asked.all_items:
        open_page("item", Selection(runs=(str(known["run_id"].iloc[0]),)))
    if asked.run:
        open_page("runs", Selection())


with frame("Item", shared_store, own_heading=True) as store:
    selection = selection_from_url()
    items = records.known_items(store, (selection.item,) if selection.item else ())
    places = queries.item_runs(store, selection.item) if items else pd.DataFrame()
    if len(places):
        show_item(store, selection, items[selection.item], places)
    elif selection.item:
        gone = "Every run with this item was removed." if items else "The store has no item "
        offer_nearest(store, selection, gone if items else f"{gone}{plain(selection.item)}.")
    elif not selection.runs:
        offer_nearest(store, selection, "Choose a run first; its name opens the list of its items.")
    elif selection.runs[0] in set(queries.runs(store)["run_id"]):
        choose_item(store, selection)
    else:
        offer_nearest(store, selection, f"The store has no run {plain(selection.runs[0])}.")
