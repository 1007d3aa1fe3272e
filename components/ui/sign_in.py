"""The door before every page where people sign in, and who is signed in."""

from collections.abc import Mapping

import streamlit as st

from components.ui.plain import plain
from components.ui.session import logged_in_as


def let_in() -> None:
    """Stop here until the visitor has signed in; without a login everybody is let in."""
    is_signed_in = st.user.get("is_logged_in")
    if is_signed_in is None:  # the operator's secrets say nothing of a login
        return
    if not is_signed_in:
        _ask()
        st.stop()
    with st.sidebar.container(key="signed_in"):
        st.caption(f"Signed in as {plain(logged_in_as() or 'somebody without a name')}")
        st.button("Sign out", icon=":material/logout:", on_click=st.logout, type="tertiary")


def _ask() -> None:
    _, middle, _ = st.columns([3, 4, 3])
    with middle.container(border=True):
        st.subheader("Sign in to Plumbline", anchor=False)
        st.markdown("What you rate and decide here is signed with the name you sign in with.")
        names = _providers()
        if not names:
            st.button("Sign in", type="primary", icon=":material/login:", on_click=st.login)
        for name in names:
            st.button(f"Sign in with {plain(name)}", on_click=st.login, args=(name,), key=name)


def _providers() -> list[str]:
    """Providers that have a name of their own; the only one needs none."""
    said = st.secrets["auth"]
    return [
        name
        for name, facts in said.items()
        if isinstance(facts, Mapping) and name != "client_kwargs"
    ]
