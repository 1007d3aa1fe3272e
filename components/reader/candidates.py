"""Answers the reader's question which passages come nearest to words somebody selected."""

from pathlib import Path

import streamlit as st

from components.reader.said import title
from faithfulness.text.candidates import candidates
from faithfulness.vocabulary import Item

# A component of its own: what it carries is small, and the item's texts are not sent again.
_mount = st.components.v2.component(
    "plumbline_candidates",
    html='<div class="root">\n</div>',
    js=(Path(__file__).parent / "courier.js").read_text("utf-8"),
)


def answer_candidates(item: Item, words: str, *, key: str) -> None:
    """Send the nearest passages to the reader; nothing until somebody asked."""
    titles = {each.name: title(each.name, each.kind) for each in item.fields}
    found = candidates(words, item.sources) if words else ()
    data = {
        "item": item.id,
        "words": words,
        "found": [
            {
                "source": each.span.field,
                "title": titles[each.span.field],
                "text": each.text,
                "score": each.score,
            }
            for each in found
        ],
    }
    _mount(key=key, data=data)
