"""Keep the intermediate URL of a page switch out of the browser history."""

import streamlit as st

from components.ui.mounted import mount_component

_mount = mount_component("plumbline_way_back", "ui/history/way_back.js", html="<span></span>")


def keep_way_back() -> None:
    """Draw what sees to it; page.css gives it no room."""
    with st.container(key="way_back"):
        _mount(key="way_back_steps", height="content")
