"""An address that leads to no page: told calmly, with a way on."""

from collections.abc import Collection
from functools import partial
from urllib.parse import unquote, urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from components.ui.frame import heading
from components.ui.not_found import SHOWN
from components.ui.plain import plain


def no_page(
    known: Collection[str], home: StreamlitPage, *, moved: Collection[str]
) -> StreamlitPage | None:
    """A page that says so at the very address that was asked for; None where there is a page.

    Streamlit answers such an address with a dialog of its own, unless a page has that name.

    Args:
        known: the paths that pages have or keep from others.
        home: the main page.
        moved: paths by which people look for the main page.
    """
    path = unquote(urlsplit(st.context.url or "").path).rstrip("/") + "/"
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    name = path.removeprefix(f"/{base}/" if base else "/").strip("/").strip()
    if not name or "/" in name or name in known:
        return None
    shows = partial(_go, home) if name in moved else partial(_say_no_page, name, home)
    return st.Page(shows, title="No such page", url_path=name, visibility="hidden")


def _go(home: StreamlitPage) -> None:
    said = {name: st.query_params.get_all(name) for name in st.query_params}
    st.switch_page(home, query_params=said)


def _say_no_page(name: str, home: StreamlitPage) -> None:
    heading("No such page")
    st.info(
        f"Plumbline has no page “{plain(name[:SHOWN])}”. The address may be mistyped, or be from "
        "another version. Every page stands in the menu.",
        icon=":material/link_off:",
    )
    st.page_link(home, label="See all runs")
