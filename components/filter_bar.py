"""Widgets that edit a Selection; each is remembered by its word in the address."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from components.bound import bound_pills, bound_search, bound_toggle
from faithfulness.selection import Selection


def filter_bar(
    selection: Selection,
    *,
    protocols: Mapping[str, str] | None = None,
    words: str = "",
    unread: bool = False,
) -> Selection:
    """Draw the widgets that are offered and answer the selection they leave.

    Args:
        selection: what the address says; parts without a widget stay as they are.
        protocols: keys and titles to choose among.
        words: what the search field says it searches; no field when empty.
        unread: offer to see only what has an unread answer.
    """
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="filters"):
        if protocols:
            chosen = bound_pills("protocol", "Protocol", protocols)
            selection = replace(selection, protocol=chosen)
        if words:
            selection = replace(selection, words=bound_search("words", words))
        if unread:
            selection = replace(selection, unread=bound_toggle("unread", "Unread only"))
    return selection
