"""Widgets that edit a Selection; each is bound to its parameter in the address."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

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
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="filters"):
        if protocols:
            chosen = st.pills(
                "Protocol",
                list(protocols),
                format_func=protocols.__getitem__,
                key="protocol",
                bind="query-params",
                label_visibility="collapsed",
            )
            selection = replace(selection, protocol=chosen or "")
        if words:
            typed = st.text_input(
                words,
                placeholder=words,
                key="words",
                bind="query-params",
                icon=":material/search:",
                label_visibility="collapsed",
                width=280,
                max_chars=200,
            )
            selection = replace(selection, words=(typed or "").strip())
        if unread:
            only = st.toggle("With unread answers only", key="unread", bind="query-params")
            selection = replace(selection, unread=only)
    return selection
