"""The first line of an item: its name, its run, and the way to its neighbours."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from components.frame import heading


class Asked(NamedTuple):
    """Where a person wants to go from an item; empty to stay."""

    run: str = ""
    item: str = ""
    all_items: bool = False
    judge: bool = False
    rate: bool = False


def item_heading(
    name: str,
    badges: Sequence[str],
    *,
    runs: Mapping[str, str],
    run_id: str,
    beside: tuple[str, str],
    key: str,
) -> Asked:
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
    asked = Asked()
    if len(runs) == 1:
        badges = [*badges, *runs.values()]
    with heading(item_title(name), *badges):
        if len(runs) > 1:
            chosen = st.selectbox(
                "Run",
                list(runs),
                index=list(runs).index(run_id),
                format_func=runs.__getitem__,
                key=f"run_of_{key}",
                label_visibility="collapsed",
                width=280,
            )
            asked = Asked(run=chosen) if chosen != run_id else asked
        return _ways(before, behind) or asked


def item_title(name: str) -> str:
    """A name that can stand alone, as in a browser's tab or on a card: a bare number cannot."""
    return name if any(map(str.isalpha, name)) else f"Item {name}"


def _ways(before: str, behind: str) -> Asked | None:
    # Together, so that on a narrow screen all of them move to the next line; without icons, which
    # would make a line of their own necessary earlier.
    with st.container(horizontal=True, gap="small", key="item_ways", width="content"):
        pressed = (
            (Asked(item=before), st.button("Previous", disabled=not before, shortcut="Left")),
            (Asked(item=behind), st.button("Next", disabled=not behind, shortcut="Right")),
            (Asked(all_items=True), st.button("All items")),
            (Asked(rate=True), st.button("Rate", help="Answer about this item yourself")),
            (Asked(judge=True), st.button("Ask again", help="Ask a judge about this item")),
        )
    return next((asked for asked, is_pressed in pressed if is_pressed), None)


def say_gone(what: str, run_title: str) -> Asked:
    """Say that a link leads nowhere any more, and offer the nearest thing that is there."""
    heading("Item")
    st.warning(what, icon=":material/link_off:")
    if run_title and st.button(f"Items of {run_title}", icon=":material/list:"):
        return Asked(all_items=True)
    if st.button("All runs", icon=":material/view_list:"):
        return Asked(run="all")
    return Asked()
