"""Form that starts a judge batch: run, item sample, cost estimate and start button."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from components.judging.addressed_notice import warn_of_items
from components.judging.batch_estimate import show_takes
from components.judging.batch_shapes import Plan
from components.judging.judge_form import JudgeChoice
from components.ui.numbers import format_count
from components.ui.plain import plain, told_apart, visible
from components.ui.session import make_widget_key, write_to_url
from faithfulness.judging.offline.offline_judge import can_judge
from faithfulness.model.protocol import Protocol

ALL, RANDOM, EVEN = "all", "random", "even"
KINDS = {ALL: "All of them", RANDOM: "A random sample", EVEN: "A sample even over a slice"}
ABOUT = (
    "Ask a judge about **many items of a run** at once. You see what it takes first; you can "
    "pause, stop and go on later, and a reply that is stored is never asked for again."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Which:
    """Which of the chosen items are asked about; 0 items means all."""

    items: int = 0
    evenly_over: str = ""
    seed: int = 0
    ask_again: bool = False


def choose_run(runs: pd.DataFrame, protocols: Mapping[str, Protocol], said: str) -> str:
    """The run to judge, remembered in the address; the first one at the beginning."""
    titles = told_apart(
        {
            str(each.run_id): f"{each.name} · {protocols[str(each.protocol)].title} · "
            f"{format_count(int(str(each.items)), 'item')}" + " (sample)" * bool(each.is_sample)
            for each in runs.itertuples()
        }
    )
    if said and said not in titles:
        st.warning(
            f"The store has no run {plain(said)}, or it was removed; choose one.",
            icon=":material/link_off:",
        )
    shown = said if said in titles else next(iter(titles))
    picked = st.selectbox(
        "Run",
        list(titles),
        index=list(titles).index(shown),
        format_func=titles.__getitem__,
        key=make_widget_key("run", shown),
    )
    write_to_url("run", picked, picked)
    return picked


def choose_items(slices: Sequence[str]) -> Which:
    """All items, or a sample of them."""
    offered = [each for each in KINDS if each != EVEN or slices]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = st.segmented_control(
            "Items",
            offered,
            format_func=KINDS.__getitem__,
            default=ALL,
            required=True,
            key="batch_items",
        )
        which = Which()
        if kind in (RANDOM, EVEN):
            size = st.number_input("How many", 1, 100_000, 20, key="batch_size", width=140)
            seed = st.number_input(
                "Seed", 0, 10**6, 0, key="batch_seed", width=120, help="Another sample for each"
            )
            which = Which(items=int(size), seed=int(seed))
        if kind == EVEN:
            key = st.selectbox(
                "Slice", list(slices), format_func=visible, key="batch_slice", width=180
            )
            which = replace(which, evenly_over=str(key))
    again = st.toggle(
        "Ask again what this judge answered before",
        key="batch_again",
        help="Without it, items that the same judge was asked about with the same prompt and "
        "settings are left out.",
    )
    return replace(which, ask_again=again)


def offer_start(
    run_id: str,
    choices: Sequence[JudgeChoice],
    plans: Sequence[Plan],
    protocol: Protocol,
    *,
    may: bool,
) -> bool:
    """What it takes, and the button; True when it was pressed for this run."""
    show_takes(choices, plans)
    warn_of_items(plans)
    problem = _explain_blocked_start(choices, plans, protocol)
    if problem:
        st.caption(problem)
    off = bool(problem) or not may
    # Its own for each run: where the run was removed meanwhile, another one is shown in its place.
    key = f"start_{run_id}"
    return st.button("Start", type="primary", icon=":material/play_arrow:", disabled=off, key=key)


def _explain_blocked_start(
    choices: Sequence[JudgeChoice], plans: Sequence[Plan], protocol: Protocol
) -> str:
    """Why nothing can be started yet; empty when it can."""
    if not choices:
        return "Complete the judge above."
    if choices[0].is_offline and not can_judge(protocol):
        return f"The baseline cannot judge under {protocol.title}; choose a model."
    if not any(plan.item_ids for plan in plans):
        return "Nothing is left to ask: all chosen items were asked about before."
    return ""
