"""JSON interface to judging batches (begin, state, stop), for commands and the API."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from data.judging import batch_work
from data.judging import batches as stored
from data.judging.batch_plans import BatchPlan, BatchScope, plan_batch
from data.judging.batch_work import Order, RunningBatch
from data.judging.batches_queries import load_failed_items
from data.runs.queries import runs
from data.store.store import Store
from faithfulness.judging import make_judge
from faithfulness.judging.batch import Ending
from faithfulness.judging.endpoint.key import load_environment_key
from faithfulness.judging.judge import Judge
from faithfulness.judging.offline.offline_judge import NAME
from faithfulness.judging.pace import Pace
from faithfulness.judging.prompt_file import load_prompt
from faithfulness.judging.rerun import warn_of_equal_samples
from faithfulness.judging.traps import explain_no_traps
from faithfulness.model.errors import BadRequest, ReviewError
from faithfulness.model.prompt import Prompt, add_trap_version
from faithfulness.model.protocol import Protocol
from faithfulness.protocols import protocol

_SHOWN_FAILURES = 10


def begin_batch(store: Store, said: Mapping[str, Any]) -> dict[str, Any]:
    """Plan a batch, and start it unless only the plan is wanted; or go on with one.

    The key comes from the environment of the process that has the store open, for the host it is
    meant for; none travels in an order.

    Raises:
        ReviewError: the order cannot be carried out, in words for whoever gave it.
    """
    pace = Pace(
        at_once=min(max(int(_parse_number(said, "at_once", 4)), 1), 64),
        per_minute=max(_parse_number(said, "per_minute", 0), 0.0),
    )
    if resumed := _parse_text(said, "resume"):
        about = stored.load_batch(store, resumed)
        batch_work.resume_batch(store, about.batch_id, _make_batch_judge(about.settings), pace)
        return {"batch_id": about.batch_id}
    run_id, prompt_text = _parse_text(said, "run"), _parse_text(said, "prompt")
    found = protocol(_find_protocol(store, run_id))
    judge = _make_batch_judge(_parse_settings(said.get("settings")))
    prompt = found.prompt
    if prompt_text:
        prompt = load_prompt(_parse_text(said, "prompt_name"), prompt_text.encode(), found)
    if said.get("traps"):
        prompt = _add_traps(found, prompt, judge)
    scope = BatchScope(
        run_id=run_id,
        ask_again=bool(said.get("ask_again")),
        items=int(_parse_number(said, "items", 0)),
        evenly_over=_parse_text(said, "evenly_over"),
        seed=int(_parse_number(said, "seed", 0)),
    )
    samples = min(max(int(_parse_number(said, "samples", 1)), 1), 100)
    chosen = plan_batch(store, scope, protocol=found, judge=judge, prompt=prompt, samples=samples)
    told: dict[str, Any] = {"plan": _serialize_plan(chosen), "judge": judge.author.name}
    told["warning"] = warn_of_equal_samples(judge.settings, samples)
    if said.get("preview") or not chosen.item_ids:
        return told
    order = Order(
        run_id=run_id,
        item_ids=chosen.item_ids,
        judge=judge,
        prompt=prompt,
        samples=samples,
        pace=pace,
        asked_by=_parse_text(said, "asked_by"),
    )
    work = batch_work.start_batch(store, order, batch_id=_parse_text(said, "batch_id") or None)
    return told | {"batch_id": work.batch_id}


def load_batch_state(store: Store, batch_id: str) -> dict[str, Any]:
    """How far a batch is, from the work itself while it runs, else from the store."""
    work = batch_work.find_batch(batch_id)
    # Looked at before the store is: what has ended by now has written down everything it did.
    running = bool(work and work.running)
    about = stored.load_batch(store, batch_id)
    failures = load_failed_items(store, batch_id, _SHOWN_FAILURES)
    told = {
        "batch_id": batch_id,
        "judge": about.author.name,
        "run": about.run_id,
        "total": about.total,
        "done": about.done,
        "failed": about.failed,
        "beyond": about.beyond,
        "unread": about.unread,
        "has_traps": about.has_traps,
        "trapped": about.trapped,
        "kept": about.kept,
        "silent": about.silent,
        "replies": about.replies,
        "cost": about.cost,
        "unpriced": about.unpriced,
        "state": about.state,
        "reason": about.reason,
        "running": running,
        "failures": failures[["external_id", "kind", "says"]].to_dict("records")
        if len(failures)
        else [],
    }
    return told | (_describe_progress(work) if work is not None else {})


def stop_batch(store: Store, batch_id: str) -> dict[str, Any]:
    """End a batch that runs in this process."""
    work = batch_work.find_batch(batch_id)
    if work is not None and work.running:
        work.stop()
        work.wait(10)
    return load_batch_state(store, batch_id)


def _describe_progress(work: RunningBatch) -> dict[str, Any]:
    told = work.progress()
    return {
        "per_minute": told.per_minute,
        "seconds_left": told.seconds_left,
        "waiting": told.waiting,
        "maybe_paid": told.maybe_paid,
        "finished": told.ended is not None and told.ended.ending is Ending.FINISHED,
    }


def _parse_number(said: Mapping[str, Any], name: str, otherwise: float) -> float:
    value = said.get(name)
    if value is None:
        return otherwise
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise BadRequest(f"The order's {name} is not a number that can be used.")
    return float(value)


def _parse_text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    if value is not None and not isinstance(value, str):
        raise BadRequest(f"The order's {name} is not a text.")
    return value or ""


def _parse_settings(said: object) -> dict[str, str]:
    if not isinstance(said, dict) or not said:
        raise BadRequest("The order names no judge.")
    if not all(isinstance(value, str | int | float) for value in said.values()):
        raise BadRequest("The judge's settings are not texts or numbers.")
    return {str(name): str(value) for name, value in said.items()}


def _make_batch_judge(settings: Mapping[str, str]) -> Judge:
    return make_judge(settings, load_environment_key(settings.get("address", "")))


def _add_traps(found: Protocol, prompt: Prompt, judge: Judge) -> Prompt:
    if judge.settings.get("model") == NAME:
        raise ReviewError("Traps are for models: the lexical baseline obeys no text.")
    if problem := explain_no_traps(found, prompt):
        raise ReviewError(f"No traps can be set here. {problem}")
    return add_trap_version(prompt)


def _serialize_plan(chosen: BatchPlan) -> dict[str, Any]:
    told = asdict(chosen)
    return told | {"item_ids": None, "items": len(chosen.item_ids)}


def _find_protocol(store: Store, run_id: str) -> str:
    found = runs(store)
    mine = found[found["run_id"] == run_id]
    if mine.empty:
        raise ReviewError(f"The store has no run {run_id!r}. List the runs to find its id.")
    return str(mine["protocol"].iloc[0])
