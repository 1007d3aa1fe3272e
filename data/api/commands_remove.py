"""The `remove` command: exclude runs from all lists and statistics, once confirmed with --yes."""

import argparse
import uuid
from collections.abc import Mapping
from typing import Any

from data.api.client import Desk
from data.api.commands import BadUse, format_answer_count
from faithfulness.model.errors import ReviewError
from faithfulness.model.visible import escape_brief
from faithfulness.model.wording import format_count
from faithfulness.review.minutes_words import describe_kept_minutes


def add_arguments(out: argparse.ArgumentParser) -> None:
    out.add_argument("names", nargs="+", metavar="RUN", help="run ids, as `runs` lists them")
    out.add_argument("--yes", action="store_true", help="do it; without this nothing is removed")


def remove(at: Desk, asked: argparse.Namespace) -> dict[str, Any]:
    """Remove all the named runs, or none of them."""
    listed = {run["run_id"]: run for run in at.runs()}
    names = list(dict.fromkeys(asked.names))
    unknown = [name for name in names if name not in listed]
    if unknown:
        raise ReviewError(f"The store has no run {unknown[0]}; `cli.py runs` lists those it has.")
    told = [line for name in names for line in _describe_run(listed[name])]
    if not asked.yes:
        raise BadUse(*told, "Nothing was removed; add --yes to remove this.")
    at.remove_runs(names, uuid.uuid4().hex)
    return {"removed": names, "lines": [*told, f"Removed {format_count(len(names), 'run')}."]}


def _describe_run(run: Mapping[str, Any]) -> list[str]:
    """A run, what people decided on it, which goes with it, and what stays in minutes."""
    return [
        f"{run['run_id']}  {escape_brief(run['name'])}  {format_count(run['items'], 'item')} "
        f" {format_answer_count(run)}",
        *(f"  the {describe_kept_minutes(escape_brief(title))}" for title in run["meetings"]),
    ]
