"""Removing: a removed run stays in the file and out of every question."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.beside import now
from data.engine import Cursor
from data.removed_since import KIND
from data.replay import register_work
from data.store import Store
from faithfulness.errors import AlreadyDone, ReviewError

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
            operation_id, KIND, payload, lambda cursor: _work(cursor, operation_id, payload)
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


def _work(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> list[str]:
    run_ids = list(payload["run_ids"])
    unknown = cursor.execute(_UNKNOWN, {"run_ids": run_ids}).fetchall()
    if unknown:
        raise ReviewError(f"The store has no run {unknown[0][0]}. Open the list of runs.")
    facts = {
        "operation_id": operation_id,
        "removed_by": payload["removed_by"],
        "removed_at": datetime.fromisoformat(payload["removed_at"]),
        "run_ids": run_ids,
    }
    cursor.execute(_REMOVE, facts)
    return run_ids


register_work(KIND, _work)
