"""Child process that copies a store's files and then reads every value of the copy to verify it.

It is started by data/store/copies.py. Inside the app, copying and reading would take processor time
and memory away from the pages, and closing the store's file would release the engine's lock. The
process handles one request and writes JSON lines: ready, copied, and finally the contents of the
tables; or failed, or damaged.
"""

import contextlib
import json
import os
import shutil
import sys
from pathlib import Path

import duckdb

from data.store import engine
from data.store.child_process import exit_with_parent, lower_priority, send_to_parent
from data.store.sidecar_files import get_log_path, sync_file


def main() -> int:
    exit_with_parent(os.getppid())
    send_to_parent({"ready": True})
    try:
        said = json.loads(sys.stdin.readline())
        source, target = Path(said["source"]), Path(said["target"])
        shutil.copyfile(source, target)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(get_log_path(source), get_log_path(target))
        send_to_parent({"copied": True})
        lower_priority()  # nobody waits to write any more
        send_to_parent({"tables": _read_through(target)})
    except (duckdb.Error, OSError) as error:
        kind = "damaged" if engine.is_damage(error) else "failed"
        send_to_parent({kind: str(error).partition("\n")[0]})
    return 0


def _read_through(path: Path) -> engine.Fingerprints:
    """Put the engine's log into the copy, make it safe, and read it as a backup is read."""
    if get_log_path(path).exists():
        connection = engine.connect(path)
        try:
            connection.execute("checkpoint")
        finally:
            connection.close()
    sync_file(path)
    connection = engine.connect(path, read_only=True)
    try:
        return engine.compute_fingerprints(connection)
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
