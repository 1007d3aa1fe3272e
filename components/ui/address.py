"""Convert a Selection to URL query parameters and back; build links between pages."""

from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote, urlencode

import streamlit as st

from faithfulness.model.selection import OUT, Selection
from faithfulness.model.vocabulary import Author, AuthorKind

PAGES = Path(__file__).resolve().parents[2] / "pages"
# More than any address people send; keeps a crafted one from filling the page.
_LONGEST = 500
_MOST = 50


def read_selection() -> Selection:
    names = st.query_params.keys()
    return parse_selection({name: st.query_params.get_all(name) for name in names})


def parse_selection(said: Mapping[str, list[str]]) -> Selection:
    """Read an address; what it says wrongly does not narrow anything."""

    def one(name: str) -> str:
        return next(iter(several(name)), "")

    def several(name: str) -> tuple[str, ...]:
        return tuple(each[:_LONGEST] for each in said.get(name, ())[:_MOST] if each)

    authors = [parse_author_key(each) for each in several("author")]
    return Selection(
        protocol=one("protocol"),
        runs=several("run"),
        systems=several("system"),
        authors=tuple(each for each in authors if each is not None),
        criterion=one("criterion"),
        labels=several("label"),
        by=one("by"),
        placements=several("placement"),
        clashes=several("clash"),
        agreements=several("agreement"),
        slices=tuple(parse_slice_key(each) for each in several("slice") if ":" in each),
        unread=one("unread") == "true",
        addressed=OUT if one("addressed") == OUT else "",
        trapped=OUT if one("trapped") == OUT else "",
        words=one("words"),
        item=one("item"),
        unit=one("unit"),
        listed=one("list"),
        sort=one("sort"),
        group=one("group"),
        at=one("at"),
    )


def build_parameters(selection: Selection) -> dict[str, list[str]]:
    """The address of a selection; only what narrows is named."""
    said = {
        "protocol": [selection.protocol],
        "run": list(selection.runs),
        "system": list(selection.systems),
        "author": [format_author_key(each) for each in selection.authors],
        "criterion": [selection.criterion],
        "label": list(selection.labels),
        "by": [selection.by],
        "placement": list(selection.placements),
        "clash": list(selection.clashes),
        "agreement": list(selection.agreements),
        "slice": [format_slice_key(*each) for each in selection.slices],
        "unread": ["true"] if selection.unread else [],
        "addressed": [selection.addressed],
        "trapped": [selection.trapped],
        "words": [selection.words],
        "item": [selection.item],
        "unit": [selection.unit],
        "list": [selection.listed],
        "sort": [selection.sort],
        "group": [selection.group],
        "at": [selection.at],
    }
    return {name: kept for name, values in said.items() if (kept := [v for v in values if v])}


def link(page: str, selection: Selection, **more: str) -> str:
    """A relative address inside the app; `more` are words of that page's own address."""
    query = urlencode(
        build_parameters(selection) | {name: [each] for name, each in more.items()}, True
    )
    return f"/{page}?{query}" if query else f"/{page}"


def open_page(page: str, selection: Selection, **more: str | list[str]) -> NoReturn:
    """Go to another page, looking at this; `more` are words of that page's own address."""
    own = {name: [said] if isinstance(said, str) else said for name, said in more.items() if said}
    said = build_parameters(selection) | own
    st.switch_page(PAGES / f"{page}.py", query_params=said)


def format_author_key(author: Author) -> str:
    return f"{author.kind}:{author.name}"


def parse_author_key(text: str) -> Author | None:
    kind, _, name = text.partition(":")
    if kind not in set(AuthorKind) or not name:
        return None
    return Author(kind=AuthorKind(kind), name=name)


def format_slice_key(key: str, value: str) -> str:
    """A key may hold the colon that parts it from its value, so it is escaped."""
    return f"{key.replace('%', '%25').replace(':', '%3A')}:{value}"


def parse_slice_key(text: str) -> tuple[str, str]:
    key, _, value = text.partition(":")
    return unquote(key), value
