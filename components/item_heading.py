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
    # The browser's tab and a list of bookmarks show the name alone: a bare number says nothing.
    titled = name if any(map(str.isalpha, name)) else f"Item {name}"
    if len(runs) == 1:
        badges = [*badges, *runs.values()]
    with heading(titled, *badges):
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
        if st.button("Previous", disabled=not before, shortcut="Left"):
            asked = Asked(item=before)
        if st.button("Next", disabled=not behind, shortcut="Right"):
            asked = Asked(item=behind)
        if st.button("All items", icon=":material/list:"):
            asked = Asked(all_items=True)
        # Without an icon: with one the row is too long for a screen 1024 wide.
        if st.button("Ask again", help="Ask a judge about this item"):
            asked = Asked(judge=True)
    return asked


def say_gone(what: str, run_title: str) -> Asked:
    """Say that a link leads nowhere any more, and offer the nearest thing that is there."""
    heading("Item")
    st.warning(what, icon=":material/link_off:")
    if run_title and st.button(f"Items of {run_title}", icon=":material/list:"):
        return Asked(all_items=True)
    if st.button("All runs", icon=":material/view_list:"):
        return Asked(run="all")
    return Asked()
