"""Saved views: save, open and remove named page URLs."""

from collections.abc import Callable
from typing import NamedTuple, NoReturn
from urllib.parse import parse_qs, urlencode

import pandas as pd
import streamlit as st

from components.ui.address import PAGES
from components.ui.frame import show_problem
from components.ui.plain import plain
from components.ui.session import arrives, done, operation_id, remember, remembered
from faithfulness.model.errors import ReviewError


class ViewRequest(NamedTuple):
    """What a person asks for: save this address under a name, or remove the name."""

    action: str
    name: str
    address: str = ""


def show_saved_views(views: pd.DataFrame, *, may_change: bool = True) -> ViewRequest | None:
    """Draw the list of views and a field for a new name; opening one leaves the page."""
    with st.popover("Views", icon=":material/bookmark:", key="views"):
        wish = _show_view_list(views, may_change)
        if not may_change:
            return None
        with st.form("save_view", border=False):
            # Neither max_chars nor a placeholder: Streamlit draws its counter over the words.
            # A name that is too long is refused with a reason when it is saved; it stays until one
            # is saved.
            name = st.text_input("Save what is shown as", key=operation_id("save view"))
            if st.form_submit_button("Save this view", icon=":material/bookmark_add:"):
                return ViewRequest("save", name, here())
    return wish


def keep_views(
    page: str, views: pd.DataFrame, change: Callable[..., None], *, may_change: bool
) -> None:
    """Draw the views of every page and do what is asked for with this page's address.

    Args:
        page: whose address is saved.
        views: name, page and address of each.
        change: saves or removes one (`data.items.saved_views.change_view` of the store).
        may_change: whether the store can be written.
    """
    if remembered("brought back") == page:
        about = "This page is filtered as you left it; show it without filters"
        st.button("Show all", icon=":material/filter_alt_off:", help=about, on_click=_clear_address)
    wish = show_saved_views(views, may_change=may_change)
    if wish is None:
        return
    asked = operation_id(f"{wish.action} view")
    try:
        change(**wish._asdict(), page=page, operation_id=asked)
    except ReviewError as problem:
        show_problem(problem)
        return
    done(f"{wish.action} view")
    st.rerun()


def here() -> str:
    """The page's own address: everything that its parameters say."""
    said = {name: st.query_params.get_all(name) for name in st.query_params}
    kept = {name: values for name, values in said.items() if name not in ("page", "after")}
    return urlencode(kept, doseq=True)


def restore_address(page: str) -> None:
    """Put this page's own address back when somebody returns to it in the same tab.

    Streamlit changes the address before the page, so that "back" from an item shows this page with
    the parameters of the item that was opened; and its menu leads to the page without any.
    """
    kept = remembered(f"address of {page}")
    if kept is None:
        return
    if "item" in st.query_params:
        st.query_params.from_dict(parse_qs(kept))
    elif kept and arrives() and not st.query_params:
        st.query_params.from_dict(parse_qs(kept))
        remember("brought back", page)
        st.toast("Filtered as you left it.", icon=":material/filter_alt:")
    elif arrives():
        remember("brought back", None)


def _clear_address() -> None:
    st.query_params.clear()
    remember("brought back", None)


def open_last_address(page: str, **more: str) -> NoReturn:
    """Go to a page as it was left in this tab; `more` are words of its address to change."""
    kept = parse_qs(remembered(f"address of {page}") or "")
    own = {name: [said] for name, said in more.items()}
    st.switch_page(PAGES / f"{page}.py", query_params=kept | own)


def keep_address(page: str) -> None:
    remember(f"address of {page}", here())


def _show_view_list(views: pd.DataFrame, may_change: bool) -> ViewRequest | None:
    if views.empty:
        st.caption("No view is saved yet. Filter, then save what you see under a name.")
    wish = None
    for at, each in enumerate(views.itertuples()):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            name = str(each.name)
            script = PAGES / f"{each.page}.py"
            if not script.is_file():
                st.caption(f"{plain(name)} (its page is gone)", width="stretch")
            elif st.button(plain(name), key=f"view_{at}", type="tertiary", width="stretch"):
                st.switch_page(script, query_params=parse_qs(str(each.address)))
            if may_change and st.button(
                "Remove",
                key=f"remove_view_{at}",
                icon=":material/delete:",
                help=f"Remove {plain(name)}",
            ):
                wish = ViewRequest("remove", name)
    return wish
