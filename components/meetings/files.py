"""Download buttons for minutes, decisions, disagreements and answers."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from components.ui.address import parse_author_key
from components.ui.plain import plain
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author

ROWS = {"csv": "CSV", "xlsx": "Excel", "parquet": "Parquet", "jsonl": "JSON lines"}
DOCUMENTS = {"md": "Markdown", "html": "HTML to print"}
PARTS = {
    "adjudicated": "Adjudicated set: every verdict with where it comes from (adjudicated, "
    "unanimous or unresolved), one row a unit.",
    "disagreements": "Disagreement list: every one, open or decided, worst first.",
    "answers": "Answers: what each author says now, with reasons and excerpts, one row an answer. "
    "JSON lines hold the texts too and can be imported again.",
}
Write = Callable[[str], bytes]  # from a kind of file to its content


def offer_parts(
    write: Callable[[str, Selection, str], bytes], selection: Selection, called: Mapping[str, str]
) -> None:
    """Verdicts, disagreements and answers; none is written before somebody asks for it.

    Verdicts and answers are of whole runs, the latter of one author if wanted; the list is
    narrowed as the page of disagreements is.
    """
    whole = Selection(
        runs=selection.runs, protocol=selection.protocol, criterion=selection.criterion
    )
    with st.popover("Download", icon=":material/download:"):
        for part, about in PARTS.items():
            wanted = selection if part == "disagreements" else whole
            st.markdown(about)
            if part == "answers":
                wanted = replace(whole, authors=_choose_author(called))
            if not wanted.is_everything:
                st.caption(plain(f"Narrowed: {wanted.in_words(called)}"))
            _show_download_buttons(part, partial(write, part, wanted))


def _choose_author(called: Mapping[str, str]) -> tuple[Author, ...]:
    """The one whose answers are wanted, of all that have a name here; none where all are."""
    named = ((parse_author_key(key), title) for key, title in called.items())
    known = {
        title: author
        for author, title in named
        if author and title == f"{author.kind} {author.name}"  # a slice may look like one
    }
    chosen = st.selectbox("Of", ["Every author", *known], key="answers_of")
    return (known[chosen],) if chosen in known else ()


def offer_minutes(write: Write, name: str) -> None:
    """The minutes as a document, and their points as rows."""
    for kind, title in DOCUMENTS.items():
        _show_download_button(f"Minutes, {title}", kind, name, write, icon=":material/download:")
    with st.popover("Points as rows", icon=":material/table:"):
        st.caption("One row for each decision and each point deferred or not reached.")
        _show_download_buttons(name, write)


def _show_download_buttons(name: str, write: Write) -> None:
    with st.container(horizontal=True, gap="small"):
        for kind, title in ROWS.items():
            _show_download_button(title, kind, name, write)


def _show_download_button(
    title: str, kind: str, name: str, write: Write, *, icon: str | None = None
) -> None:
    st.download_button(
        title,
        partial(write, kind),
        file_name=f"{name}.{kind}",
        key=f"file_{name}_{kind}",
        icon=icon,
        on_click="ignore",
    )
