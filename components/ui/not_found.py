"""Warnings for URL values that are not in the store."""

from collections.abc import Collection

import streamlit as st

from components.ui.plain import plain

SHOWN = 80  # characters of what an address says; a crafted one must not fill the page


def warn_unknown_value(what: str, value: str, instead: str = "It narrows nothing here.") -> None:
    """Tell one value; `instead` says what happens without it."""
    st.warning(
        f"The address names the {what} {plain(value[:SHOWN])}, which is not in the store, or not "
        f"any more. {instead}",
        icon=":material/link_off:",
    )


def warn_if_unknown(name: str, what: str, known: Collection[str], instead: str) -> None:
    """Tell it when the address says something under this name that is not known."""
    said = str(st.query_params.get(name, ""))
    if said and said not in known:
        warn_unknown_value(what, said, instead)
