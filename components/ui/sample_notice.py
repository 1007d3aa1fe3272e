"""Notices about runs that are left out: the sample, and other runs with the same items."""

from collections.abc import Sequence

import streamlit as st

from components.ui.numbers import format_count


def show_sample_left_out(runs: Sequence[str]) -> None:
    """Draw one line with a button that chooses these runs; nothing where none is left out.

    Args:
        runs: ids of the sample's runs, as `data.items.sample_runs.sample_left_out` answers.
    """
    if not runs:
        return
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="sample_left_out"
    ):
        st.caption(
            f"The sample is left out ({format_count(len(runs), 'run')}) because other runs "
            "are stored.",
            width="content",
        )
        if st.button("Show the sample", type="tertiary", icon=":material/science:"):
            st.query_params["run"] = list(runs)
            for name in ("page", "a", "b"):  # of what was shown before
                st.query_params.pop(name, None)
            st.rerun()


def show_runs_left_out(runs: Sequence[str]) -> None:
    """Draw one line on other runs with items of the chosen ones, with a button that adds them.

    Args:
        runs: ids of these runs, as `data.items.counted_runs.load_runs_left_out` returns them.
    """
    if not runs:
        return
    holds, these = ("holds", "it") if len(runs) == 1 else ("hold", "them")
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="runs_left_out"
    ):
        st.caption(
            f"{format_count(len(runs), 'other run')} {holds} items of the chosen runs; the "
            "raters and "
            f"judges of {these} do not count here.",
            width="content",
        )
        if st.button(f"Include {these}", type="tertiary", icon=":material/playlist_add:"):
            st.query_params["run"] = [*st.query_params.get_all("run"), *runs]
            st.query_params.pop("page", None)
            st.rerun()
