"""Draws a document whose every text is foreign: shown letter by letter, never read as a format."""

from collections.abc import Iterable
from dataclasses import asdict

from components.ui.mounted import mounted
from faithfulness.review.document import Block

_mount = mounted(
    "plumbline_document",
    "assets/text.css",
    "assets/text.js",
    "meetings/document/document.css",
    "meetings/document/document.js",
)


def show_document(blocks: Iterable[Block], *, key: str, label: str) -> None:
    """Draw the blocks in their order; the page's own heading stands above them."""
    data = [{"kind": type(each).__name__.lower()} | asdict(each) for each in blocks]
    _mount(key=key, data={"label": label, "blocks": data})
