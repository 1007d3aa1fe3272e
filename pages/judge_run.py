"""Judge a run: start a judge batch after a cost estimate, follow, stop and resume it."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import streamlit as st

from components.judging.batch_form import ABOUT, choose_items, choose_run, offer_start
from components.judging.batch_judges import choose_pace, more_judges
from components.judging.batch_list import show_batches
from components.judging.batch_view import follow, show_ended
from components.judging.judge_form import JudgeChoice, judge_form, judge_from
from components.runs.first_screen import nothing_stored
from components.ui.address import selection_from_url
from components.ui.filter_bar import filter_bar
from components.ui.filter_options import offers
from components.ui.frame import frame, problems_in
from components.ui.session import done, logged_in_as, operation_id
from data.access.shared_store import shared_store
from data.items.filters import offered
from data.judging import batch_work, batches_queries
from data.judging import batches as stored
from data.judging.batch_plans import BatchScope, plan
from data.judging.batch_work import Order
from data.judging.judging_queries import stored_prompts
from data.runs import queries
from data.store.store import Store
from faithfulness.judging.pace import Pace
from faithfulness.model.protocol import Protocol
from faithfulness.protocols import PROTOCOLS, protocol

OFFER = ("slice", "label", "by", "author")


def prepare(store: Store) -> None:
    """Choose run, items and judges; see what it takes; start."""
    st.markdown(ABOUT)
    runs = queries.runs(store).sort_values("is_sample", kind="stable")
    if runs.empty:
        nothing_stored("there is no run to judge")
        return
    here = selection_from_url()
    with st.container(border=True):
        run_id = choose_run(runs, PROTOCOLS, here.runs[0] if here.runs else "")
        rules = protocol(str(runs.set_index("run_id").loc[run_id, "protocol"]))
        offer = offers(offered(store), {rules.key: rules}, OFFER)
        here = filter_bar(here, words="Words in its texts", unread=True, offer=offer)
        here = replace(here, runs=(), protocol="", systems=(), item="", unit="")
        which = choose_items(batches_queries.slice_keys(store, run_id))
    with st.container(border=True):
        choice = judge_form(rules, stored_prompts(store, rules.key), name="batch")
        choices = more_judges(choice, rules)
        pace = choose_pace(choices)
    with st.container(border=True), problems_in(st.container()):
        scope = BatchScope(run_id=run_id, selection=here, **asdict(which))
        begin(store, scope, rules, choices, pace)


def begin(
    store: Store, scope: BatchScope, rules: Protocol, choices: Sequence[JudgeChoice], pace: Pace
) -> None:
    """Show what it takes; when that is wanted, set one batch a judge to work and look at them."""
    judges = [each.judge() for each in choices]
    plans = [
        plan(store, scope, protocol=rules, judge=judge, prompt=each.prompt, samples=each.samples)
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
                asked_by=logged_in_as() or "reviewer",
                edited=choice.edited,
            )
            form = f"batch of {judge.author.name}"
            begun.append(batch_work.start(store, order, batch_id=operation_id(form)).batch_id)
            done(form)
    look_at(begun)


def look_at(batch_ids: Sequence[str]) -> None:
    st.query_params.from_dict({"batch": list(batch_ids)})
    st.rerun()


def show(store: Store, batch_ids: Sequence[str]) -> None:
    """Batches at work first, then how the others ended."""
    works = [each for key in batch_ids if (each := batch_work.find(key)) and each.running]
    if works:
        follow(works, may_steer=store.may("batch event"))
    for key in (each for each in batch_ids if each not in {work.batch_id for work in works}):
        about = stored.load_batch(store, key)
        failed = batches_queries.failed_items(store, key)
        unread = batches_queries.unread_items(store, key)
        fell = batches_queries.trapped_items(store, key)
        if show_ended(about, failed, unread, fell, may_resume=store.may("batch")):
            batch_work.resume(store, key, judge_from(about.settings))
            st.rerun()


with frame("Judge a run", shared_store) as store:
    chosen = st.query_params.get_all("batch")[:20]
    if chosen:
        if st.button("All batches", icon=":material/arrow_back:"):
            look_at([])
        show(store, chosen)
    else:
        prepare(store)
        if known := stored.load_batches(store):
            st.markdown("## Batches")
            clicked = show_batches(known, [each.batch_id for each in batch_work.running(store)])
            if clicked:
                look_at([clicked])
