"""Heading of an item: its name, its run and navigation to the previous and next item."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.ui.frame import heading
from components.ui.session import remember, remembered


class ItemDestination(NamedTuple):
    """Where a person wants to go from an item; empty to stay."""

    run: str = ""
    item: str = ""
    all_items: bool = False
    judge: bool = False
    rate: bool = False


def show_item_heading(
    name: str,
    badges: Sequence[str],
    *,
    runs: Mapping[str, str],
    run_id: str,
    beside: tuple[str, str],
    key: str,
) -> ItemDestination:
    """Draw the line and answer what was pressed.

    Args:
        name: the item's name, foreign text.
        badges: short facts behind it.
        runs: the runs the item stands in, by id, with their titles.
        run_id: the run that is looked at.
        beside: the items before and behind; empty at the ends.
        key: tells the widgets of two items apart.
    """
    before, behind = beside
    asked = ItemDestination()
    if len(runs) == 1:
        badges = [*badges, *runs.values()]
    with heading(format_item_title(name), *badges):
        if len(runs) > 1:
            chosen = st.selectbox(
                "Run",
                list(runs),
                index=list(runs).index(run_id),
                format_func=runs.__getitem__,
                key=f"run_of_{key}",
                label_visibility="collapsed",
                width=280,
                on_change=_remember_press,
                args=(key, asked),
            )
            asked = ItemDestination(run=chosen) if chosen != run_id else asked
        _show_item_links(before, behind, key)
        return _take_press(key) or asked


def rerun_on_heading_press(key: str) -> None:
    """In a fragment of the page: run the whole page if something of this heading was pressed.

    Streamlit sends what happens at one time together, and when a fragment is among it, it runs the
    fragment alone: a press reported just then never reaches its button. So the buttons note what
    is wished before anything runs.
    """
    if _is_called(key):
        st.rerun()


def _is_called(key: str) -> bool:
    return remembered("item_wish") is not None and remembered("item_wish")[0] == key


def _remember_press(key: str, asked: ItemDestination) -> None:
    remember("item_wish", (key, asked))


def _take_press(key: str) -> ItemDestination | None:
    """What was pressed, once; a press on a heading that is gone counts for nothing."""
    asked: ItemDestination | None = remembered("item_wish")[1] if _is_called(key) else None
    remember("item_wish", None)
    return asked if asked != ItemDestination() else None


def format_item_title(name: str) -> str:
    """A name that can stand alone, as in a browser's tab or on a card: a bare number cannot."""
    return name if any(map(str.isalpha, name)) else f"Item {name}"


def _show_item_links(before: str, behind: str, key: str) -> None:
    # Together, so that on a narrow screen all of them move to the next line; without icons, which
    # would make a line of their own necessary earlier.
    def way(label: str, asked: ItemDestination, **more: Any) -> None:
        st.button(label, on_click=_remember_press, args=(key, asked), **more)

    with st.container(horizontal=True, gap="small", key="item_ways", width="content"):
        way("Previous", ItemDestination(item=before), disabled=not before, shortcut="Left")
        way("Next", ItemDestination(item=behind), disabled=not behind, shortcut="Right")
        way("All items", ItemDestination(all_items=True))
        way("Rate", ItemDestination(rate=True), help="Answer about this item yourself")
        way("Ask again", ItemDestination(judge=True), help="Ask a judge about this item")


def show_gone(what: str, run_title: str) -> ItemDestination:
    """Say that a link leads nowhere any more, and offer the nearest thing that is there."""
    heading("Item")
    st.warning(what, icon=":material/link_off:")
    if run_title and st.button(f"Items of {run_title}", icon=":material/list:"):
        return ItemDestination(all_items=True)
    if st.button("All runs", icon=":material/view_list:"):
        return ItemDestination(run="all")
    return ItemDestination()
