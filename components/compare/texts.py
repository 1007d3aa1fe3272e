"""Empty-state messages of the compare page."""

import streamlit as st

from components.runs.first_screen import lead_to_runs, show_nothing_stored


def show_nothing_to_compare(protocol: str = "") -> None:
    """Say what is missing, and lead to where it comes from."""
    if not protocol:
        show_nothing_stored("there is nothing to compare")
        return
    lead_to_runs(
        f"Only one side has answered under {protocol}, and a comparison needs two. "
        "Import a second run or judge, or load the sample"
    )


def show_nothing_common() -> None:
    st.info(
        "These two have no item in common: no response, no question and no id of one side stands "
        "on the other. Choose sides that answered about the same things; their numbers by "
        "themselves are on the distributions page.",
        icon=":material/link_off:",
    )


def show_no_common_labels() -> None:
    st.caption(
        "No unit has a label of both sides: one of them may have brought numbers only. "
        "Choose sides that labelled the same units to see what moved."
    )
