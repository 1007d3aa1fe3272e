"""Streamlit entry script: page list, navigation menu, login and the page for unknown URLs."""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from components.ui.frame import heading, require_login
from components.ui.history.history import keep_way_back
from components.ui.not_found import SHOWN
from components.ui.plain import plain
from components.ui.reconnect.reconnect import ask_when_back
from components.ui.session import get_tab_id, note_arrival
from faithfulness.judging.request_priority import mark_serving


def build_missing_page(
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
    shows = partial(_go_home, home) if name in moved else partial(_show_missing_page, name, home)
    return st.Page(shows, title="No such page", url_path=name, visibility="hidden")


def _go_home(home: StreamlitPage) -> None:
    said = {name: st.query_params.get_all(name) for name in st.query_params}
    st.switch_page(home, query_params=said)


def _show_missing_page(name: str, home: StreamlitPage) -> None:
    heading("No such page")
    st.info(
        f"Plumbline has no page “{plain(name[:SHOWN])}”. The address may be mistyped, or be from "
        "another version. Every page stands in the menu.",
        icon=":material/link_off:",
    )
    st.page_link(home, label="See all runs")


ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "components" / "assets"

# Section -> (script, title, icon, what it is for). A page that does not exist yet is left out.
SECTIONS = {
    "Review": (
        ("runs", "Runs", "view_list", "What was evaluated, and how it came out"),
        ("contradictions", "Contradictions", "compare", "Units next to the words against them"),
        ("audit", "Cannot all be right", "rule", "Answers that rule each other out"),
    ),
    "Analyse": (
        ("compare", "Compare", "balance", "Two runs or judges on the same items"),
        ("distributions", "Distributions", "bar_chart", "How labels and scores spread"),
        ("agreement", "Agreement", "grid_on", "Raters against judges"),
    ),
    "Work": (
        ("disagreements", "Disagreements", "forum", "Settle what people and judges differ on"),
        ("meetings", "Meetings", "groups", "Agendas, minutes and what meetings left behind"),
        ("rate", "Rate", "edit_note", "Your queue of items to rate"),
        ("rerun", "Rerun", "replay", "Ask a judge again about one item"),
        ("judge_run", "Judge a run", "playlist_add_check", "Ask a judge about a whole run"),
    ),
    "Set-up": (
        ("import_runs", "Import", "upload_file", "Bring in a file"),
        ("protocols", "Protocols", "menu_book", "Guidance, scales and prompts"),
        ("statistics", "Statistics", "functions", "What each number means"),
    ),
}
# Reached from a row or a button, with what they are about in the address; useless from a menu.
UNLISTED = (
    ("item", "Item", "article", "One item with everything said about it"),
    ("meeting", "Meeting", "meeting_room", "One point of an agenda at a time"),
    ("try_prompt", "Try a prompt", "science", "A prompt on the most disputed items"),
)
HOME = "runs"
# Streamlit serves the main page at /, and takes the path that it is given from every other page: it
# is one that nobody asks for, so that the paths people try can lead on.
HOME_PATH = "main_page"
MOVED = (HOME, "home")


def page(name: str, title: str, icon: str, about: str, *, listed: bool = True) -> StreamlitPage:
    return st.Page(
        ROOT / "pages" / f"{name}.py",
        title=title,
        icon=f":material/{icon}:",
        url_path=HOME_PATH if name == HOME else name,
        default=name == HOME,
        visibility="visible" if listed else "hidden",
        help=about,
    )


def exists(name: str) -> bool:
    return (ROOT / "pages" / f"{name}.py").is_file()


def pages() -> dict[str, list[StreamlitPage]]:
    found = {
        section: [page(*entry) for entry in entries if exists(entry[0])]
        for section, entries in SECTIONS.items()
    }
    found["Review"] += [page(*entry, listed=False) for entry in UNLISTED if exists(entry[0])]
    home = next(each for each in found["Review"] if each.url_path == "")
    known = {each.url_path for listed in found.values() for each in listed} | {HOME_PATH}
    missing = build_missing_page(known, home, moved=MOVED)
    found["Review"] += [missing] if missing else []
    return {section: listed for section, listed in found.items() if listed}


def get_logo_path() -> Path:
    return ASSETS / ("logo-dark.svg" if st.context.theme.type == "dark" else "logo-light.svg")


st.set_page_config(page_title="Plumbline", page_icon=str(ASSETS / "mark.png"), layout="wide")
st.logo(str(get_logo_path()), icon_image=str(ASSETS / "mark.svg"), size="large")
st.html(ROOT / "components" / "assets" / "page.css")
keep_way_back()
ask_when_back()
require_login()
shown = st.navigation(pages(), expanded=True)
note_arrival(shown.url_path)
with mark_serving(get_tab_id()):
    shown.run()
