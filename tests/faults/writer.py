"""A process that writes through the store's own functions until it is killed.

It imports everything once and then forks one writer per line on its standard input ("mode path
acknowledgements"), so that a hundred kills do not wait for a hundred interpreters. A writer adds
the same rows to three tables per operation and syncs the operation's id to a file once the store
says that it is saved.
"""

import itertools
import os
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

from data.store import replay
from data.store.store import Store, open_store

TABLES = ("authors", "items", "imported_files")
ROWS = {"plain": 3, "checkpoint": 3, "import": 2000}

ADD = (
    "insert into authors select range, $op, md5(range::varchar) from range($rows)",
    "insert into items select range, $op, repeat('cut', 20) from range($rows)",
    "insert into imported_files select $op, md5(range::varchar), 'x', range from range($rows)",
)
COUNTS = """
select op, sum(a), sum(b), sum(c)
from (
    select kind as op, 1 as a, 0 as b, 0 as c from authors
    union all
    select item_id, 0, 1, 0 from items
    union all
    select import_id, 0, 0, 1 from imported_files
)
group by op
"""


def rows_of(operation_id: str) -> int:
    return ROWS[operation_id.partition(":")[0]]


def work(operation_id: str):
    def add(cursor):
        for statement in ADD:
            cursor.execute(statement, {"op": operation_id, "rows": rows_of(operation_id)})
        return rows_of(operation_id)

    return add


def redo(store: Store, payload) -> None:
    store.write(payload["operation_id"], "drill", work(payload["operation_id"]))


replay.register_redo("drill", redo)


def save(store: Store, operation_id: str) -> None:
    """One operation as the product would do it: an import is not journaled, the rest is."""
    mode = operation_id.partition(":")[0]
    if mode == "import":
        store.write(operation_id, "drill import", work(operation_id), about=operation_id)
    else:
        store.write_journaled(operation_id, "drill", {"rows": 3}, work(operation_id))
    if mode == "checkpoint":
        store.checkpoint()


def stored(store: Store) -> dict[str, tuple[int, int, int]]:
    """How many rows each operation has in each of the three tables."""
    with store.read() as cursor:
        rows = cursor.execute(COUNTS).fetchall()
    return {str(op): (int(a), int(b), int(c)) for op, a, b, c in rows}


def complaints(store: Store, acknowledged: set[str]) -> list[str]:
    """What is lost, half stored or stored twice."""
    found = stored(store)
    lost = [f"lost: {op}" for op in acknowledged if op not in found]
    half = [f"{counts} rows: {op}" for op, counts in found.items() if set(counts) != {rows_of(op)}]
    return lost + half


def write_until_killed(mode: str, path: Path, acknowledgements: Path) -> None:
    handle = os.open(acknowledgements, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    store = open_store(path, create=True)
    acknowledgements.with_suffix(".open").touch()
    for _ in itertools.count():
        operation_id = f"{mode}:{uuid.uuid4().hex}"
        save(store, operation_id)
        os.write(handle, f"{operation_id}\n".encode())
        os.fsync(handle)


def main(work_on: Callable[[str, Path, Path], None] = write_until_killed) -> None:
    for line in sys.stdin:
        mode, path, acknowledgements = line.split()
        child = os.fork()
        if child == 0:
            try:
                work_on(mode, Path(path), Path(acknowledgements))
            finally:
                os._exit(3)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
