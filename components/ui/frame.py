"""Page frame: login, heading, store status and error messages."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.ui.plain import plain
from components.ui.session import get_login_name
from faithfulness.model.errors import ReviewError, StoreUnavailable
from faithfulness.model.full_disk import describe_full_disk


def require_login() -> None:
    """Stop here until the visitor has signed in; without a login everybody is let in."""
    is_signed_in = st.user.get("is_logged_in")
    if is_signed_in is None:  # the operator's secrets say nothing of a login
        return
    if not is_signed_in:
        _show_login()
        st.stop()
    with st.sidebar.container(key="signed_in"):
        st.caption(f"Signed in as {plain(get_login_name() or 'somebody without a name')}")
        st.button("Sign out", icon=":material/logout:", on_click=st.logout, type="tertiary")


def _show_login() -> None:
    _, middle, _ = st.columns([3, 4, 3])
    with middle.container(border=True):
        st.subheader("Sign in to Plumbline", anchor=False)
        st.markdown("What you rate and decide here is signed with the name you sign in with.")
        names = _list_providers()
        if not names:
            st.button("Sign in", type="primary", icon=":material/login:", on_click=st.login)
        for name in names:
            st.button(f"Sign in with {plain(name)}", on_click=st.login, args=(name,), key=name)


def _list_providers() -> list[str]:
    """Providers that have a name of their own; the only one needs none."""
    said = st.secrets["auth"]
    return [
        name
        for name, facts in said.items()
        if isinstance(facts, Mapping) and name != "client_kwargs"
    ]


log = logging.getLogger(__name__)


class OpenStore(Protocol):
    """What a frame needs to know of the store it opens."""

    @property
    def read_only(self) -> bool: ...

    @property
    def recovery(self) -> tuple[str, ...]: ...

    @property
    def being_counted(self) -> int: ...


Opened = TypeVar("Opened", bound=OpenStore)


@contextmanager
def frame(
    title: str, open_store: Callable[[], Opened], *, own_heading: bool = False
) -> Iterator[Opened]:
    """Open the store, draw the page's heading, and show ReviewErrors calmly; others stay loud.

    A page with `own_heading` draws it itself, once it knows what it shows.
    """
    if not own_heading:
        heading(title)
    try:
        store = open_store()
    except ReviewError as problem:
        show_problem(problem)
        st.stop()
    try:
        _show_store_warnings(store)
        yield store
    except ReviewError as problem:
        show_problem(problem)
    except OSError as error:
        if (full := describe_full_disk(error)) is None:
            raise
        show_problem(full)


def heading(title: str, *badges: str) -> DeltaGenerator:
    """The page's first line; what is put into the answer stands at its end."""
    in_tab = "".join(each for each in title if each.isprintable())[:80]
    st.set_page_config(page_title=f"{in_tab} · Plumbline")
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="heading")
    row.title(plain(title), anchor=False, width="content")
    for each in badges:
        row.badge(plain(each), color="gray")
    row.space("stretch")
    return row


@contextmanager
def catch_problems(place: DeltaGenerator) -> Iterator[None]:
    """Show a ReviewError at the place where the person acted, not below a long page."""
    try:
        yield
    except ReviewError as problem:
        with place:
            show_problem(problem)


def show_problem(problem: ReviewError) -> None:
    log.info("shown to a person: %s", type(problem).__name__)
    icon = ":material/lock:" if isinstance(problem, StoreUnavailable) else ":material/error:"
    st.error(format_problem(problem), icon=icon)


def format_problem(problem: ReviewError) -> str:
    """Its message, escaped: it may quote the file or the reply that caused it."""
    return "  \n".join(plain(line) for line in str(problem).splitlines())


def _show_store_warnings(store: OpenStore) -> None:
    if store.read_only:
        st.warning(
            "The store is open for reading only: its file or folder cannot be written. You can "
            "look at everything; ratings and imports are off until the permissions are back.",
            icon=":material/lock:",
        )
    if store.being_counted:
        st.toast(  # beside the page: it lasts for seconds, and nothing is to move below a hand
            f"{store.being_counted:,} new items are being counted. Lists have them in seconds.",
            icon=":material/hourglass_top:",
        )
    if store.recovery:
        report = "  \n".join(plain(line) for line in store.recovery)
        st.warning(
            f"**The store was repaired when it was opened.**  \n{report}", icon=":material/restore:"
        )
