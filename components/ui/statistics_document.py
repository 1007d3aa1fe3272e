"""Draw the statistics document as a page with an anchor for every heading and metric."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from components.ui.plain import plain

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"
PAGE = "statistics"
# What follows is for those who change how text is cut and found, not for those who read numbers.
_LAST = "\n## Text\n"
_HEADING = re.compile(r"#{2,3} (.+)")
_NUMBER = re.compile(r'\| <a id="(\w+)"></a>`\w+` \| (.+?) \| (.+?) \| (.+?) \|')
_FILE = re.compile(r"\[([^\]]+)\]\([^)]+\)")  # a file beside the document, not served by the app


class DocumentBlock(NamedTuple):
    """A heading with its anchor, a number with its two sentences, or a text in Markdown."""

    text: str
    anchor: str = ""
    says: str = ""
    lies: str = ""


def paragraph(anchor: str) -> str:
    """The address of a heading or number; what stands behind the colon of a name is a label."""
    return f"/{PAGE}#{anchor.partition(':')[0]}"


def blocks(document: str) -> Iterator[DocumentBlock]:
    """The parts to draw, in order; a document's own title is the page's."""
    for part in document.split(_LAST)[0].split("\n\n")[1:]:
        heading = _HEADING.fullmatch(part.strip())
        numbers = _NUMBER.findall(part)
        if heading:
            yield DocumentBlock(heading[1], anchor=heading[1].lower().replace(" ", "-"))
        elif numbers:
            for key, title, says, lies in numbers:
                yield DocumentBlock(title, anchor=key, says=says, lies=lies)
        else:
            yield DocumentBlock(_FILE.sub(r"\1", part))


def show_document() -> None:
    """Draw it in a column as wide as people read."""
    with st.container(width=760, key="statistics"):
        for block in blocks(DOCUMENT.read_text(encoding="utf-8")):
            if block.says:
                st.subheader(plain(block.text), anchor=block.anchor)
                st.markdown(plain(block.says))
                st.caption(f"**When it misleads:** {plain(block.lies)}")
            elif block.anchor:
                st.header(plain(block.text), anchor=block.anchor)
            else:
                st.markdown(block.text)
