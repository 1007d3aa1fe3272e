"""Saying that the sample is left out, once its runs do not count, with a way to look at it."""

from collections.abc import Sequence

import streamlit as st

from components.numbers import counted


def say_sample_left_out(runs: Sequence[str]) -> None:
    """Draw one line with a button that chooses these runs; nothing where none is left out.

    Args:
        runs: ids of the sample's runs, as `data.sample_runs.sample_left_out` answers.
    """
    if not runs:
        return
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="sample_left_out"
    ):
        st.caption(
            f"The sample is left out ({counted(len(runs), 'run')}) because other runs are stored.",
            width="content",
        )
        if st.button("Show the sample", type="tertiary", icon=":material/science:"):
            st.query_params["run"] = list(runs)
            for name in ("page", "a", "b"):  # of what was shown before
                st.query_params.pop(name, None)
            st.rerun()
