"""Rerun the page when a lost connection to the server is restored."""

import streamlit as st

from components.ui.mounted import mount_component

_mount = mount_component("plumbline_reconnect", "ui/reconnect/reconnect.js", html="<span></span>")


def ask_when_back() -> None:
    """Draw what sees to it; page.css gives it no room."""
    with st.container(key="reconnect"):
        _mount(key="reconnect_watch", height="content", on_back_change=_do_nothing)


def _do_nothing() -> None:
    """Streamlit only reports a trigger that has a callback."""
