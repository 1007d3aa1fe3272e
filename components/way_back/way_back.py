"""Keeps half a step to another page out of the browser's history, on every page."""

from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "plumbline_way_back",
    html="<span></span>",
    js=(Path(__file__).parent / "way_back.js").read_text("utf-8"),
)


def keep_way_back() -> None:
    """Draw what sees to it; page.css gives it no room."""
    with st.container(key="way_back"):
        _mount(key="way_back_steps", height="content")
