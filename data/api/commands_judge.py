"""The `judge` command: start judges on a run, show their progress, and stop or resume batches."""

import argparse
import os
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from data.api.client import Desk
from data.api.commands import DONE, REFUSED, BadUse
from faithfulness.judging.endpoint.key import ADDRESS_VARIABLE, OPENAI_ADDRESS
from faithfulness.judging.offline.offline_judge import NAME, OfflineJudge
from faithfulness.judging.prices import FREE, UNKNOWN, format_spending
from faithfulness.model.visible import SENTENCE, escape_brief

EVERY, LATER = 0.5, 2.0  # seconds between two looks, at first and of a batch that takes long
LONG = 10.0  # seconds
Bar = Callable[[str, int, int], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say to the parser what `judge` can be told."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="the run's id (see: runs)")
    parser.add_argument("--offline", action="store_true", help="ask the lexical baseline")
    parser.add_argument("--model", action="append", default=[], help="once for each judge")
    parser.add_argument("--address", help=f"default: {ADDRESS_VARIABLE}, else OpenAI's")
    parser.add_argument("--temperature", default="0", help="'' leaves it to the endpoint")
    parser.add_argument("--max-tokens", default="", metavar="N")
    parser.add_argument("--judge-seed", default="", metavar="N", help="sent to the endpoint")
    parser.add_argument("--extra", default="", metavar="JSON", help="further parameters")
    parser.add_argument("--samples", type=int, default=1, metavar="N", help="replies an item")
    parser.add_argument("--prompt", metavar="FILE", help="a prompt file of your own")
    parser.add_argument("--trap", action="store_true", help="set traps that show who obeys a text")
    parser.add_argument("--items", type=int, default=0, metavar="N", help="a random sample")
    parser.add_argument("--evenly-over", default="", metavar="KEY", help="sample every slice")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--again", action="store_true", help="also what it was asked before")
    parser.add_argument("--at-once", type=int, default=4, metavar="N")
    parser.add_argument("--per-minute", type=float, default=0, metavar="N", help="calls")
    parser.add_argument("--preview", action="store_true", help="show count, tokens and cost")
    parser.add_argument("--resume", metavar="BATCH", help="go on with a batch")


def judge(at: Desk, asked: argparse.Namespace, bar: Bar | None) -> dict[str, Any]:
    """Ask every judge that was named, one batch each, all at the same time."""
    told = [at.judge(order) for order in _build_orders(asked)]
    started = [str(each["batch_id"]) for each in told if "batch_id" in each]
    lines = [line for order in told if "plan" in order for line in _format_plan(order)]
    if asked.preview or not started:
        return {"plans": told, "batches": [], "lines": lines}
    try:
        ended = [_follow_batch(at, batch_id, bar) for batch_id in started]
    except KeyboardInterrupt:
        ended = [at.stop_judging(batch_id) for batch_id in started]
    lines += [line for each in ended for line in _format_ending(each)]
    # What is beyond a judge is no fault; a judge whom all of it is beyond has said nothing.
    whole = all(each["done"] + each["beyond"] == each["total"] and each["done"] for each in ended)
    return {
        "plans": told,
        "batches": ended,
        "lines": lines,
        "exit_code": DONE if whole else REFUSED,
    }


def _build_orders(asked: argparse.Namespace) -> list[dict[str, Any]]:
    pace = {"at_once": asked.at_once, "per_minute": asked.per_minute}
    if asked.resume:
        return [{"resume": asked.resume, **pace}]
    if not asked.run:
        raise BadUse("Name the run to judge, or a batch to go on with: --resume BATCH.")
    judges: list[dict[str, str]] = [dict(OfflineJudge().settings)] if asked.offline else []
    judges += [_build_endpoint(asked, model) for model in asked.model]
    if not judges:
        raise BadUse("Name a judge: --offline for the baseline, or --model NAME.")
    order = {
        **{"run": asked.run, "samples": asked.samples, "items": asked.items, "seed": asked.seed},
        **{"evenly_over": asked.evenly_over, "ask_again": asked.again, "preview": asked.preview},
        **_read_prompt(asked.prompt),
        "traps": asked.trap,
        **pace,
        "asked_by": "a command",
    }
    return [order | {"settings": each, "batch_id": uuid.uuid4().hex} for each in judges]


def _build_endpoint(asked: argparse.Namespace, model: str) -> dict[str, str]:
    address = asked.address or os.environ.get(ADDRESS_VARIABLE, "").strip() or OPENAI_ADDRESS
    said = {
        "address": address,
        "model": model,
        "temperature": asked.temperature,
        "max_tokens": asked.max_tokens,
        "seed": asked.judge_seed,
        "extra": asked.extra,
    }
    return {name: value for name, value in said.items() if value}


def _read_prompt(name: str | None) -> dict[str, str]:
    if name is None:
        return {}
    try:
        return {"prompt": Path(name).read_text(encoding="utf-8"), "prompt_name": Path(name).name}
    except (OSError, UnicodeDecodeError) as error:
        raise BadUse(f"{name}: the prompt cannot be read ({error}).") from error


def _follow_batch(at: Desk, batch_id: str, bar: Bar | None) -> dict[str, Any]:
    began = time.monotonic()
    while True:
        told = at.judging(batch_id)
        if bar is not None:
            bar(str(told["judge"]), int(told["done"]), int(told["total"]))
        if not told["running"]:
            return told
        time.sleep(EVERY if time.monotonic() - began < LONG else LATER)


def _format_plan(told: dict[str, Any]) -> list[str]:
    plan = told["plan"]
    cost = UNKNOWN if plan["cost"] is None else f"about ${plan['cost']:.2f}"
    if told["judge"] == NAME:
        cost = f"cost: {FREE}"
    takes = (
        f"{escape_brief(told['judge'])}: {plan['items']} of {plan['found']} items to ask, "
        f"{plan['judged']} asked before; {plan['calls']} calls, about {plan['tokens_in']:,} tokens "
        f"in and {plan['tokens_out']:,} out, {cost}"
    )
    warning = told.get("warning")
    return [takes, f"  {warning}"] if warning else [takes]


def _format_traps(told: dict[str, Any]) -> str:
    said = f"Traps: {told['trapped']} of {told['kept']} replies answered one wrongly"
    if not told["kept"]:
        said = "Traps: no reply answered one"
    if told["silent"]:
        said += f"; {told['silent']} more answered none, which shows nothing about the judge"
    if not told["trapped"]:
        return said
    return f"{said}; such a judge may obey orders in the texts, or err. Filter them out on a page."


def _format_ending(told: dict[str, Any]) -> Sequence[str]:
    cost = format_spending(
        told["judge"], cost=told["cost"], replies=told["replies"], unpriced=told["unpriced"]
    )
    beyond = f", {told['beyond']} beyond this judge" * bool(told["beyond"])
    lines = [
        f"{escape_brief(told['judge'])}: {told['done']} of {told['total']} items answered, "
        f"{told['unread']} with unread answers, {told['failed']} failed{beyond}; cost: {cost}"
    ]
    if told["has_traps"]:
        lines.append(f"  {_format_traps(told)}")
    if told["reason"]:
        lines.append(f"  {told['state']}: {escape_brief(told['reason'], SENTENCE)}")
    lines += [
        f"  {escape_brief(each['external_id'])}: {escape_brief(each['says'], SENTENCE)}"
        for each in told["failures"]
    ]
    if told["done"] + told["beyond"] < told["total"]:
        lines.append(f"  Go on with: cli.py judge --resume {told['batch_id']}")
    return lines
