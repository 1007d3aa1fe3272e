"""Raw judge replies of an item, with notes on the parts that could not be placed."""

from collections.abc import Sequence
from typing import Protocol

import streamlit as st

from components.ui.numbers import format_count
from components.ui.plain import plain

SHOWN = 3  # notes beside the reader; the others stand above the reply itself
LONGEST = 100_000  # characters of a reply: more would only slow the page down


class ShownReply(Protocol):
    """What is shown of a reply."""

    @property
    def author(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def model(self) -> str: ...


def show_replies(replies: Sequence[ShownReply]) -> None:
    """Draw each author's notes calmly, and every reply behind one click; nothing without any."""
    if not replies:
        return
    st.caption("What judges wrote")
    for at, reply in enumerate(replies):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.popover(plain(f"Reply of {reply.author}"), key=f"reply_{at}"):
                _show_reply(reply)
            if reply.notes:
                st.caption(_summarize_notes(reply), width="stretch")


def _show_reply(reply: ShownReply) -> None:
    if reply.model:
        st.caption(plain(reply.model))
    for note in reply.notes:
        st.caption(f"- {plain(note)}")
    cut = len(reply.text) > LONGEST
    st.text(reply.text[:LONGEST] or "The reply is empty.")
    if cut:
        st.caption(f"The first {LONGEST:,} of {len(reply.text):,} characters.")


def _summarize_notes(reply: ShownReply) -> str:
    said = [plain(each) for each in reply.notes[:SHOWN]]
    left = len(reply.notes) - len(said)
    return "; ".join([*said, *([f"and {format_count(left, 'more note')}"] if left else [])])
