"""Draws a document whose every text is foreign: shown letter by letter, never read as a format."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import streamlit as st

from faithfulness.document import Block

HERE = Path(__file__).parent
ASSETS = HERE.parent / "assets"
_mount = st.components.v2.component(
    "plumbline_document",
    html='<div class="root">\n</div>',
    css=(ASSETS / "text.css").read_text("utf-8") + (HERE / "document.css").read_text("utf-8"),
    js=(ASSETS / "text.js").read_text("utf-8") + (HERE / "document.js").read_text("utf-8"),
)


def show_document(blocks: Iterable[Block], *, key: str, label: str) -> None:
    """Draw the blocks in their order; the page's own heading stands above them."""
    data = [{"kind": type(each).__name__.lower()} | asdict(each) for each in blocks]
    _mount(key=key, data={"label": label, "blocks": data})
