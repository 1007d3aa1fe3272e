"""Remove runs: their rows stay in the store but are excluded from all queries."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.store.engine import Cursor
from data.store.removed_since import KIND
from data.store.replay import register_redo
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, ReviewError

_log = logging.getLogger(__name__)

_UNKNOWN = """
select n.run_id
from (select unnest($run_ids::varchar[]) as run_id) n
where n.run_id not in (select run_id from runs)
"""

_REMOVE = """
insert into run_removals (run_no, operation_id, removed_by, removed_at)
select run_no, $operation_id, $removed_by, $removed_at
from runs
where run_id in (select unnest($run_ids::varchar[]))
    and run_no not in (select run_no from run_removals)
order by run_no
"""

_SAMPLE_RUNS = """
select run_id
from runs
where is_sample
    and run_no not in (select run_no from run_removals)
order by run_no
"""


def remove_runs(
    store: Store, *, run_ids: Sequence[str], removed_by: str, operation_id: str
) -> None:
    """Take runs out of every question at once; their files may then be imported again.

    Raises:
        ReviewError: one of the runs does not exist; then all stay. One that was removed before
            stays removed.
    """
    payload = {
        "run_ids": list(run_ids),
        "removed_by": removed_by,
        "removed_at": now().isoformat(),
    }
    try:
        store.write_journaled(
            operation_id, KIND, payload, lambda cursor: _mark_removed(cursor, operation_id, payload)
        )
    except AlreadyDone:
        return
    _log.info("runs removed: %s", len(run_ids))


def remove_sample(store: Store, *, removed_by: str, operation_id: str) -> int:
    """Take all sample runs out of every question and return how many there were."""
    with store.read() as cursor:
        run_ids = [str(run_id) for (run_id,) in cursor.execute(_SAMPLE_RUNS).fetchall()]
    if run_ids:
        remove_runs(store, run_ids=run_ids, removed_by=removed_by, operation_id=operation_id)
    return len(run_ids)


def redo(store: Store, payload: Mapping[str, Any]) -> str | None:
    """Remove again those runs that the store has, and name the others.

    A backup may be older than the import of some; a run that was removed must not come back by
    itself because another one is not there. Runs that are not there cannot come back: an import
    of the same file makes new ones.
    """
    operation_id, run_ids = str(payload["operation_id"]), list(payload["run_ids"])
    with store.read() as cursor:
        unknown = _find_unknown_runs(cursor, run_ids)
    there = [each for each in run_ids if each not in unknown] or run_ids
    again = {**payload, "run_ids": there}
    store.write(operation_id, KIND, lambda cursor: _mark_removed(cursor, operation_id, again))
    return f"the store has no run {', '.join(unknown)}" if unknown else None


def _find_unknown_runs(cursor: Cursor, run_ids: Sequence[str]) -> list[str]:
    found = cursor.execute(_UNKNOWN, {"run_ids": list(run_ids)}).fetchall()
    return [str(run_id) for (run_id,) in found]


def _mark_removed(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> list[str]:
    run_ids = list(payload["run_ids"])
    if unknown := _find_unknown_runs(cursor, run_ids):
        raise ReviewError(f"The store has no run {unknown[0]}. Open the list of runs.")
    facts = {
        "operation_id": operation_id,
        "removed_by": payload["removed_by"],
        "removed_at": datetime.fromisoformat(payload["removed_at"]),
        "run_ids": run_ids,
    }
    cursor.execute(_REMOVE, facts)
    return run_ids


register_redo(KIND, redo)
