"""Item: one labelled text beside its sources, or the items of a run to choose one from."""

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from components.address import open_page, selection_from_url, show_in_url
from components.author_choice import author_choice
from components.filter_bar import filter_bar
from components.frame import frame, heading
from components.item_list import show_items
from components.numbers import counted
from components.plain import told_apart
from components.reader.reader import reader
from components.reader.said import Opinions
from data import queries, records
from data.shared_store import shared_store
from data.store import Store
from faithfulness.errors import ReviewError
from faithfulness.protocols import protocol
from faithfulness.selection import Selection


def choose_item(store: Store, selection: Selection) -> None:
    run_id = selection.runs[0]
    heading(queries.run_name(store, run_id))
    selection = filter_bar(selection, words="Words in a text", unread=True)
    total = queries.count_run_items(store, run_id, selection)
    start = st.query_params.get("after", "")
    after = int(start) if start.isdecimal() and len(start) < 10 else -1
    items = queries.run_items(store, run_id, selection, after=after)
    if items.empty:
        st.info("No item fits. Clear the search, or go back to the start of the list.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(counted(total, "item"), width="content")
        if after >= 0 and st.button("Start of the list", icon=":material/first_page:"):
            del st.query_params["after"]
            st.rerun()
        if len(items) == queries.PAGE and st.button("Next page", icon=":material/arrow_forward:"):
            st.query_params["after"] = str(items["position"].iloc[-1])
            st.rerun()
    clicked = show_items(items, run_id)
    if clicked:
        open_page("item", Selection(runs=(run_id,), item=clicked.row))


def show_item(store: Store, selection: Selection) -> None:
    item = records.load_item(store, selection.item)
    places = queries.item_runs(store, item.id)
    if places.empty:
        raise ReviewError("Every run with this item was removed. Open another from the runs.")
    place = this_place(places, selection)
    bar = heading(place.external_id or item.id[:8], *(["Sample"] if place.is_sample else []))
    with bar:
        step("Previous", "arrow_back", place.before, selection)
        step("Next", "arrow_forward", place.behind, selection)
        if st.button("All items", icon=":material/list:"):
            open_page("item", Selection(runs=(place.run_id,)))
    annotations = records.load_annotations(store, item.id, place.run_id)
    titles = told_apart({str(each.run_id): named(each) for each in places.itertuples()})
    run, author = st.columns(2)
    chosen = run.selectbox(
        "Run",
        list(places["run_id"]),
        index=list(places["run_id"]).index(place.run_id),
        format_func=titles.__getitem__,
        key=f"run_of_{item.id}",
    )
    if chosen != place.run_id:
        open_page("item", Selection(runs=(chosen,), item=item.id))
    with author:
        signed = (each.author for each in annotations)
        shown = author_choice(signed, selection.authors, f"labels_{item.id}")
    opinions = Opinions(annotations=annotations, shown=shown)
    key = f"reader_{place.run_id}_{item.id}"
    unit = reader(item, protocol(place.protocol), opinions, unit=selection.unit, key=key)
    authors = (shown,) if shown else ()
    here = Selection(runs=(place.run_id,), item=item.id, authors=authors)
    show_in_url(replace(here, unit=unit or selection.unit))


def this_place(places: pd.DataFrame, selection: Selection) -> Any:
    wanted = places[places["run_id"].isin(selection.runs)]
    return next((wanted if len(wanted) else places).itertuples())


def named(place: Any) -> str:
    return f"{place.name} · {protocol(str(place.protocol)).title}"


def step(label: str, icon: str, item_id: Any, selection: Selection) -> None:
    known = isinstance(item_id, str)
    if st.button(label, icon=f":material/{icon}:", disabled=not known, key=f"step_{icon}"):
        open_page("item", replace(selection, item=str(item_id), unit=""))


with frame("Item", shared_store, own_heading=True) as store:
    selection = selection_from_url()
    if selection.item:
        show_item(store, selection)
    elif selection.runs:
        choose_item(store, selection)
    else:
        heading("Item")
        st.info("Choose a run first; its name opens the list of its items.", icon=":material/list:")
        if st.button("All runs", icon=":material/view_list:"):
            open_page("runs", Selection())
