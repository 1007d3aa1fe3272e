"""Download buttons of the agreement page: metrics and label pairs as CSV or Excel."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from components.agreement.choice import ChosenComparison
from components.agreement.policy_view import VIEW
from components.agreement.policy_view import build_file_query as lens_in_files
from components.agreement.stand_in import raters_are
from components.agreement.views import AgreementSource

KINDS = {"csv": "CSV", "xlsx": "Excel"}
PAIRS = {
    False: "Every unit that both labelled, with both labels.",
    True: "Every item with what both sides say under each policy, and why.",
}
Write = Callable[[str], bytes]  # from a kind of file to its content


def offer_files(numbers: Write, pairs: Write, *, bridged: bool) -> None:
    """Two files in two kinds each; none is written before somebody asks for it."""
    with st.popover("Download", icon=":material/download:"):
        st.caption("Every number of this comparison with its interval, items and units.")
        _show_download_buttons("numbers", numbers)
        st.caption(PAIRS[bridged])
        _show_download_buttons("pairs", pairs)


def build_file_query(ask: AgreementSource, asked: ChosenComparison) -> dict[str, Any]:
    """What is shown, by the names of `data.agreement.question`."""
    if asked.lacks_judge or st.query_params.get("view") == VIEW:
        return lens_in_files(ask, asked)
    by = read_split(partial(ask.slice_keys, asked))
    return asked.named | {"by": by, "raters_are": raters_are()}


def read_split(keys: Callable[[], Sequence[str]]) -> str:
    """What the view of slices cuts the items by; nothing in other views."""
    if st.query_params.get("view") != "slices":
        return ""
    offered = keys()
    said = st.query_params.get("split", "")
    return said if said in offered else offered[0]


def _show_download_buttons(name: str, write: Write) -> None:
    with st.container(horizontal=True):
        for kind, title in KINDS.items():
            st.download_button(
                f"{name.capitalize()}, {title}",
                partial(write, kind),
                file_name=f"agreement-{name}.{kind}",
                key=f"file_{name}_{kind}",
                on_click="ignore",
            )
