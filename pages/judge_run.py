"""Judge a run: start a judge batch after a cost estimate, follow, stop and resume it."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import streamlit as st

from components.judging.batch_form import ABOUT, choose_items, choose_run, offer_start
from components.judging.batch_judges import choose_more_judges, choose_pace
from components.judging.batch_list import show_batches
from components.judging.batch_view import follow, show_ended
from components.judging.judge_form import JudgeChoice, build_judge, choose_judge_settings
from components.runs.first_screen import show_nothing_stored
from components.ui.address import read_selection
from components.ui.filter_bar import show_filter_bar
from components.ui.filter_options import build_filter_choices
from components.ui.frame import catch_problems, frame
from components.ui.session import done, get_login_name, operation_id
from data.access.shared_store import shared_store
from data.items.filters import load_filter_values
from data.judging import batch_work, batches_queries
from data.judging import batches as stored
from data.judging.batch_plans import BatchScope, plan_batch
from data.judging.batch_work import Order
from data.judging.judging_queries import load_stored_prompts
from data.runs import queries
from data.store.store import Store
from faithfulness.judging.pace import Pace
from faithfulness.model.protocol import Protocol
from faithfulness.protocols import PROTOCOLS, protocol

OFFER = ("slice", "label", "by", "author")


def prepare_batch(store: Store) -> None:
    """Choose run, items and judges; see what it takes; start."""
    st.markdown(ABOUT)
    runs = queries.runs(store).sort_values("is_sample", kind="stable")
    if runs.empty:
        show_nothing_stored("there is no run to judge")
        return
    here = read_selection()
    with st.container(border=True):
        run_id = choose_run(runs, PROTOCOLS, here.runs[0] if here.runs else "")
        rules = protocol(str(runs.set_index("run_id").loc[run_id, "protocol"]))
        offer = build_filter_choices(load_filter_values(store), {rules.key: rules}, OFFER)
        here = show_filter_bar(here, words="Words in its texts", unread=True, offer=offer)
        here = replace(here, runs=(), protocol="", systems=(), item="", unit="")
        which = choose_items(batches_queries.load_slice_keys(store, run_id))
    with st.container(border=True):
        choice = choose_judge_settings(rules, load_stored_prompts(store, rules.key), name="batch")
        choices = choose_more_judges(choice, rules)
        pace = choose_pace(choices)
    with st.container(border=True), catch_problems(st.container()):
        scope = BatchScope(run_id=run_id, selection=here, **asdict(which))
        begin(store, scope, rules, choices, pace)


def begin(
    store: Store, scope: BatchScope, rules: Protocol, choices: Sequence[JudgeChoice], pace: Pace
) -> None:
    """Show what it takes; when that is wanted, set one batch a judge to work and look at them."""
    judges = [each.judge() for each in choices]
    plans = [
        plan_batch(
            store, scope, protocol=rules, judge=judge, prompt=each.prompt, samples=each.samples
        )
        for each, judge in zip(choices, judges, strict=True)
    ]
    if not offer_start(scope.run_id, choices, plans, rules, may=store.may("batch")):
        return
    begun = []
    for choice, judge, found in zip(choices, judges, plans, strict=True):
        if found.item_ids:
            order = Order(
                run_id=scope.run_id,
                item_ids=found.item_ids,
                judge=judge,
                prompt=choice.prompt,
                samples=choice.samples,
                pace=pace,
                asked_by=get_login_name() or "reviewer",
                edited=choice.edited,
            )
            form = f"batch of {judge.author.name}"
            begun.append(batch_work.start_batch(store, order, batch_id=operation_id(form)).batch_id)
            done(form)
    look_at(begun)


def look_at(batch_ids: Sequence[str]) -> None:
    st.query_params.from_dict({"batch": list(batch_ids)})
    st.rerun()


def show(store: Store, batch_ids: Sequence[str]) -> None:
    """Batches at work first, then how the others ended."""
    works = [each for key in batch_ids if (each := batch_work.find_batch(key)) and each.running]
    if works:
        follow(works, may_steer=store.may("batch event"))
    for key in (each for each in batch_ids if each not in {work.batch_id for work in works}):
        about = stored.load_batch(store, key)
        failed = batches_queries.load_failed_items(store, key)
        unread = batches_queries.load_unread_items(store, key)
        fell = batches_queries.load_trapped_items(store, key)
        if show_ended(about, failed, unread, fell, may_resume=store.may("batch")):
            batch_work.resume_batch(store, key, build_judge(about.settings))
            st.rerun()


with frame("Judge a run", shared_store) as store:
    chosen = st.query_params.get_all("batch")[:20]
    if chosen:
        if st.button("All batches", icon=":material/arrow_back:"):
            look_at([])
        show(store, chosen)
    else:
        prepare_batch(store)
        if known := stored.load_batches(store):
            st.markdown("## Batches")
            clicked = show_batches(
                known, [each.batch_id for each in batch_work.list_running_batches(store)]
            )
            if clicked:
                look_at([clicked])
