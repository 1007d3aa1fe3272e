"""Asks for the page again once a lost connection is back, on every page."""

from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "plumbline_reconnect",
    html="<span></span>",
    js=(Path(__file__).parent / "reconnect.js").read_text("utf-8"),
)


def ask_when_back() -> None:
    """Draw what sees to it; page.css gives it no room."""
    with st.container(key="reconnect"):
        _mount(key="reconnect_watch", height="content", on_back_change=_nothing)


def _nothing() -> None:
    """Streamlit only reports a trigger that has a callback."""
