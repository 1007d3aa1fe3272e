"""Try a prompt: run a judge on the most disputed items, compare, keep or discard the result."""

import streamlit as st

from components.judging import trials
from components.judging.judge_form import choose_judge_settings
from components.judging.prompt_bench import choose_criterion
from components.judging.rerun_steps import decide
from components.judging.trial_steps import (
    choose_against,
    show_kept_notice,
    show_trial,
    show_trial_estimate,
    show_trial_items,
)
from components.judging.trials import HeldTrial
from components.ui.address import open_page, read_selection
from components.ui.filter_options import choose_default_protocol
from components.ui.frame import catch_problems, frame, heading
from components.ui.sample_notice import show_sample_left_out
from components.ui.url_widgets import chosen
from data.access.shared_store import shared_store
from data.items.filters import load_filter_values
from data.items.sample_runs import find_left_out_sample_runs
from data.judging import judging_queries, prompt_queries, prompt_trials
from data.store.store import Store
from faithfulness.judging.prompt_trial import AFTER, BEFORE, Trial
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS


def choose(store: Store, protocol: Protocol) -> None:
    """Which judge and prompt, compared with what; what it will take; then try it."""
    criterion = choose_criterion(protocol)
    runs = read_selection().runs
    show_sample_left_out(
        find_left_out_sample_runs(store, Selection(protocol=protocol.key, runs=runs))
    )
    cases = prompt_trials.load_disputed_cases(store, protocol.key, criterion.key, runs)
    if not show_trial_items(cases, protocol):
        return
    stored = judging_queries.load_stored_prompts(store, protocol.key)
    items = [each.item.id for each in cases]
    judged = prompt_queries.load_judge_labels(store, protocol.key, criterion.key, items)
    with st.container(border=True):
        choice = choose_judge_settings(protocol, stored, tries_prompt=True)
        against = choose_against(protocol, choice, stored, judged) if choice else None
        if choice and against:
            show_trial_estimate(protocol, cases, choice, against)
        off = choice is None or not store.may("rerun")
        pressed = st.button(
            "Try it", type="primary", icon=":material/science:", disabled=off, key="try"
        )
        place = st.container()
    if pressed and choice and against:
        with catch_problems(place):
            judge = choice.judge()
            prompts = {BEFORE: against.prompt} if against.prompt else {}
            told = prompts | {AFTER: choice.prompt}
            trial = Trial(protocol, cases, judge, told, samples=choice.samples)
            trials.begin(trial, judge, choice, criterion, against)


def keep(store: Store, held: HeldTrial) -> None:
    held.kept = prompt_trials.keep_trial(
        store,
        held.trial,
        trial_id=held.id,
        author=held.author,
        settings=held.settings,
        edited=held.choice.edited,
    )


def show_result(store: Store, held: HeldTrial) -> None:
    top = st.container()
    with top:
        some = bool(held.trial.tried(AFTER))
        todo = "" if held.kept else decide(may_keep=some and store.may("rerun"))
        if todo == "discard" or (held.kept and show_kept_notice(held)):
            trials.leave(held)
        if todo == "keep":
            with catch_problems(top):
                keep(store, held)
                st.rerun()
    protocol, items = held.trial.protocol.key, list(held.trial.cases)
    reference = prompt_queries.load_majority_labels(store, protocol, held.criterion.key, items)
    show_trial(held, reference, str(held.work.outcome()))


with frame("Try a prompt", shared_store, own_heading=True) as store:
    titles = {key: each.title for key, each in PROTOCOLS.items()}
    protocol = PROTOCOLS[
        chosen("protocol", titles, choose_default_protocol(load_filter_values(store), PROTOCOLS))
    ]
    with heading("Try a prompt", protocol.title):
        if st.button("All versions", icon=":material/history:"):
            here = Selection(protocol=protocol.key, runs=read_selection().runs)
            open_page("protocols", here, view="prompts")
    held = trials.find(st.query_params.get("trial", ""))
    if held is None or held.trial.protocol.key != protocol.key:
        choose(store, protocol)
    elif held.work.running:
        trials.show_trial_progress(held)
    else:
        show_result(store, held)
