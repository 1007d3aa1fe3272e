"""Empty states: the first screen of a new store and hints that lead to runs or imports."""

import streamlit as st

from components.ui.address import PAGES, open_page
from components.ui.plain import plain
from faithfulness.model.selection import Selection

ABOUT = """
Plumbline is a review desk for faithfulness evaluations. It keeps what people and models said about
the outputs of a system: which sentence is supported, which claim holds, which score was given, and
the words in the sources that prove or disprove it. Then it lets you read the evidence in place.
"""
STEPS = (
    ("upload_file", "Import", "Bring in a file of labels, scores, claims or judge replies."),
    ("rule", "Read", "See every label beside the words that support or contradict it."),
    ("forum", "Settle", "Find where people and judges differ, and decide."),
)


def first_screen(*, sample_can_be_loaded: bool) -> bool:
    """Draw the first screen; True when the person asks for the sample."""
    with st.container(border=True, key="first_screen"):
        st.markdown("## Nothing is stored yet")
        st.markdown(ABOUT)
        for column, (icon, title, text) in zip(st.columns(3), STEPS, strict=True):
            column.markdown(f":material/{icon}: **{title}**  \n{text}")
        with st.container(horizontal=True, gap="small"):
            offer_import()
            return sample_can_be_loaded and offer_sample()


def show_nothing_stored(so: str) -> None:
    """Say that nothing is stored and what follows from it, and lead to where that is changed."""
    st.info(
        f"Nothing is stored yet, so {so}. Import a file, or load the sample from the list of runs.",
        icon=":material/upload_file:",
    )
    with st.container(horizontal=True, gap="small"):
        offer_import()
        offer_runs()


def lead_to_runs(missing: str) -> None:
    """Say what is missing and where it comes from; the sentence goes on at the list of runs."""
    st.info(f"{missing} from the list of runs.", icon=":material/upload_file:")
    offer_runs()


def offer_import() -> None:
    if st.button("Import a file", type="primary", icon=":material/upload_file:"):
        st.switch_page(PAGES / "import_runs.py")


def offer_runs() -> None:
    if st.button("All runs", icon=":material/view_list:"):
        open_page("runs", Selection())


def offer_sample() -> bool:
    """True when the person asks for the sample."""
    return st.button("Load the sample", icon=":material/science:", key="load_sample")


def show_sample_notice(how_many: int, *, may_remove: bool, is_alone: bool) -> bool:
    """Say that the sample is there; True when the person has confirmed that it shall go."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", border=True, key="sample"
    ):
        runs = "1 run is" if how_many == 1 else f"{how_many} runs are"
        st.markdown(
            f":material/science: **Sample data.** {runs} our own invention, to try things on. "
            "No real system was evaluated."
            + ("" if is_alone else " Other pages leave them out unless you choose them."),
            width="stretch",
        )
        if not may_remove:
            return False
        with st.popover("Remove the sample", icon=":material/delete:"):
            st.markdown("All sample runs leave every list and number. You can load them again.")
            return st.button("Yes, remove it", type="primary", key="remove_sample")


def show_nothing_fits(in_words: str) -> None:
    st.info(f"No run {plain(in_words)}. Widen the filter.", icon=":material/filter_alt_off:")
