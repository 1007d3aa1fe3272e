"""Run an operation in one transaction and store its outcome by id; look up stored operations."""

import contextlib
import json
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import duckdb

from data.store.engine import Cursor
from data.store.sidecar_files import now
from faithfulness.model.errors import NotSaved
from faithfulness.model.full_disk import NOT_SAVED, is_disk_full

T = TypeVar("T")

_ADD_OPERATION = "insert into operations values ($operation_id, $kind, $outcome, $finished_at)"
_OUTCOME = "select outcome from operations where operation_id = $operation_id"
_KNOWN = """
select operation_id
from operations
where operation_id in (select unnest($operation_ids))
"""
_BY_KIND = """
select kind, count(*)
from operations
group by kind
"""


def load_outcome(cursor: Cursor, operation_id: str) -> tuple[Any] | None:
    """What a finished operation answered, in a tuple of one; None when it is not stored."""
    rows = cursor.execute(_OUTCOME, {"operation_id": operation_id}).fetchall()
    return (json.loads(rows[0][0]),) if rows else None


def find_known_operations(cursor: Cursor, operation_ids: list[str]) -> set[str]:
    """Those of the given operations that are stored."""
    rows = cursor.execute(_KNOWN, {"operation_ids": operation_ids}).fetchall()
    return {str(operation_id) for (operation_id,) in rows}


def count_operations_by_kind(cursor: Cursor) -> Counter[str]:
    """How many operations of each kind are stored."""
    return Counter(dict(cursor.execute(_BY_KIND).fetchall()))


def run_transaction(cursor: Cursor, operation_id: str, kind: str, work: Callable[[Cursor], T]) -> T:
    """Run the work and its operation in one transaction that no error can lead into a commit.

    The engine answers a commit after a failed statement with "ok" and keeps nothing; so the work
    must not swallow the engine's errors, and the caller reads the operation back.
    """
    cursor.execute("begin transaction")
    try:
        result = work(cursor)
        cursor.execute(
            _ADD_OPERATION,
            {
                "operation_id": operation_id,
                "kind": kind,
                "outcome": json.dumps(result, allow_nan=False),
                "finished_at": now(),
            },
        )
        cursor.execute("commit")
    except BaseException:
        with contextlib.suppress(duckdb.Error):
            cursor.execute("rollback")
        raise
    return result


def build_not_saved_error(error: duckdb.Error) -> NotSaved:
    """The engine's error in words for the person whose answer it was."""
    if is_disk_full(error):
        return NotSaved(NOT_SAVED)
    if isinstance(error, duckdb.OutOfMemoryException):
        return NotSaved(
            "Not saved: this needs more memory than the store may use. Send less at once, or "
            "raise PLUMBLINE_MEMORY."
        )
    first_line = str(error).partition("\n")[0]
    return NotSaved(f"Not saved, and nothing of it was stored: {first_line}. Send it again.")
