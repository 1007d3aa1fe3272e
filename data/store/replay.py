"""Replay signed journal lines that are missing from the store, at most once per operation."""

import importlib
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from data.store.engine import Cursor
from data.store.journal import JournalEntry
from faithfulness.model.errors import AlreadyDone, ReviewError

if TYPE_CHECKING:
    from data.store.store import Store

# What it gives back says which part could not be done again, where that is so.
Redo = Callable[["Store", Mapping[str, Any]], str | None]
Work = Callable[[Cursor, str, Mapping[str, Any]], object]

# Modules that register how their kinds of operation are done again, when they are imported.
WRITERS = (
    "data.items.sign",
    "data.judging.save_rerun",
    "data.meetings.adjudicate",
    "data.meetings.decide_many",
    "data.meetings.marks",
    "data.meetings.meeting_actions",
    "data.meetings.proposals",
    "data.meetings.save_meetings",
    "data.rating.rating_desk",
    "data.rating.review_ticks",
    "data.runs.remove",
)

_REDO: dict[str, Redo] = {}
_log = logging.getLogger(__name__)


def register_redo(kind: str, redo: Redo) -> None:
    """Say how a signed operation of this kind is done again from its payload."""
    _REDO[kind] = redo


def register_work(kind: str, work: Work, *, confirmed: bool = False) -> None:
    """Say that doing it again is the work of the first time, with its operation id and payload.

    With `confirmed` the payload says so: what would ask somebody was acknowledged when it was
    signed, so that there is nobody left to ask.
    """
    sure = {"confirmed": True} if confirmed else {}

    def redo(store: "Store", payload: Mapping[str, Any]) -> None:
        operation_id, again = str(payload["operation_id"]), {**payload, **sure}
        store.write(operation_id, kind, lambda cursor: work(cursor, operation_id, again))

    register_redo(kind, redo)


def apply_missing_entries(
    store: "Store", missing: Sequence[JournalEntry]
) -> tuple[list[str], list[JournalEntry]]:
    """Do missing operations again, in the order of their signing.

    Gives:
        What happened, in sentences, and the lines that could not be applied.
    """
    done: dict[str, int] = {}
    said: list[str] = []
    left: list[JournalEntry] = []
    for entry in missing:
        line = f"Line {entry.sequence} of the journal ({entry.kind} of {entry.written_at[:16]})"
        redo_payload = {**entry.payload, "operation_id": entry.operation_id}
        try:
            lacking = _find_redo(entry.kind)(store, redo_payload)
        except AlreadyDone:
            continue
        except ReviewError as error:
            left.append(entry)
            said.append(f"{line} could not be applied and stays in the journal: {error}")
            continue
        if lacking:
            said.append(f"{line} was applied in part: {lacking}")
        done[entry.kind] = done.get(entry.kind, 0) + 1
    for kind, times in done.items():
        said.insert(0, f"Applied from the journal what the store lacked: {kind} ({times}).")
        _log.warning("applied from the journal: %s, %s times", kind, times)
    return said, left


def _find_redo(kind: str) -> Redo:
    if kind not in _REDO:
        for module in WRITERS:
            importlib.import_module(module)
    if kind not in _REDO:
        raise ReviewError(f"this program does not know how to redo {kind!r}; update Plumbline")
    return _REDO[kind]
