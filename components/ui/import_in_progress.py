"""Placeholder for an empty list while imported items are still being processed."""

from collections.abc import Callable

import streamlit as st

from components.ui.numbers import format_count

SECONDS = 1.0  # between two looks whether it is done


def wait_for_counted(items: Callable[[], int]) -> bool:
    """Say that items of the run are being counted, and draw the page anew once they are.

    Args:
        items: how many are being counted now.

    Returns:
        False where none are: the list is empty for another reason.
    """
    if not items():
        return False

    @st.fragment(run_every=SECONDS)
    def follow() -> None:
        left = items()
        if not left:
            st.rerun()
        st.info(
            f"{format_count(left, 'item')} of this import {'is' if left == 1 else 'are'} "
            "being counted. "
            "What there is to list of them appears here by itself within seconds.",
            icon=":material/hourglass_top:",
        )

    follow()
    return True
