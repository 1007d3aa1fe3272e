"""Draw a document as plain text blocks, without interpreting any formatting in them."""

from collections.abc import Iterable
from dataclasses import asdict

from components.ui.mounted import mount_component
from faithfulness.review.document import Block, DocumentQuote, DocumentText, Heading, Points, Table

_mount = mount_component(
    "plumbline_document",
    "assets/text.css",
    "assets/text.js",
    "meetings/document/document.css",
    "meetings/document/document.js",
)


# What each kind of block is called in document.js.
_KINDS: dict[type, str] = {
    Heading: "heading",
    DocumentText: "words",
    DocumentQuote: "quote",
    Points: "points",
    Table: "table",
}


def show_document(blocks: Iterable[Block], *, key: str, label: str) -> None:
    """Draw the blocks in their order; the page's own heading stands above them."""
    data = [{"kind": _KINDS[type(each)]} | asdict(each) for each in blocks]
    _mount(key=key, data={"label": label, "blocks": data})
