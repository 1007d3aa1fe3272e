"""Draws the reader and answers which unit is being looked at."""

from pathlib import Path
from typing import Any

import streamlit as st

from components.reader.said import Opinions, said_about
from components.reader.texts import reviewed_texts, source_texts
from faithfulness.protocol import Protocol
from faithfulness.vocabulary import Item

HERE = Path(__file__).parent
ASSETS = HERE.parent / "assets"
_mount = st.components.v2.component(
    "plumbline_reader",
    html=(HERE / "reader.html").read_text("utf-8"),
    css=(ASSETS / "text.css").read_text("utf-8") + (HERE / "reader.css").read_text("utf-8"),
    js=(ASSETS / "text.js").read_text("utf-8") + (HERE / "reader.js").read_text("utf-8"),
)


def reader(
    item: Item, protocol: Protocol, opinions: Opinions, *, unit: str = "", key: str = "reader"
) -> str:
    """Show an item; the answer is the unit the person has chosen, or "" before any choice.

    The data stay the same while units are chosen, so that a choice costs no transfer; `unit` only
    says where to begin.
    """
    said = said_about(item, protocol, opinions)
    data = {
        "item": item.id,
        "query": item.text_of("query"),
        "reviewed": reviewed_texts(item, protocol, opinions, said),
        "sources": source_texts(item, protocol, said),
        "said": {
            unit_id: [each.as_data() for each in opinions] for unit_id, opinions in said.items()
        },
        "start": unit,
    }
    result: Any = _mount(key=key, data=data, on_unit_change=_nothing)
    return str(result.unit or "")


def _nothing() -> None:
    """Streamlit only reports a state that has a callback."""
