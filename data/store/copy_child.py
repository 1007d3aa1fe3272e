"""Copy child: copies a store's files, then reads every value of the copy; a process of its own.

It is started by data/store/copies.py. In the app itself copying and reading would take processor
time and memory from the pages, and closing the store's file there would give the engine's lock
away. It answers one request with JSON lines: ready, copied, and at last what each table holds; or
failed, or damaged.
"""

import contextlib
import json
import os
import shutil
import sys
from pathlib import Path

import duckdb

from data.store import engine
from data.store.child_process import end_with, give_way, say
from data.store.sidecar_files import log_of, sync_file


def main() -> int:
    end_with(os.getppid())
    say({"ready": True})
    try:
        said = json.loads(sys.stdin.readline())
        source, target = Path(said["source"]), Path(said["target"])
        shutil.copyfile(source, target)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(log_of(source), log_of(target))
        say({"copied": True})
        give_way()  # nobody waits to write any more
        say({"tables": _read_through(target)})
    except (duckdb.Error, OSError) as error:
        kind = "damaged" if engine.is_damage(error) else "failed"
        say({kind: str(error).partition("\n")[0]})
    return 0


def _read_through(path: Path) -> engine.Fingerprints:
    """Put the engine's log into the copy, make it safe, and read it as a backup is read."""
    if log_of(path).exists():
        connection = engine.connect(path)
        try:
            connection.execute("checkpoint")
        finally:
            connection.close()
    sync_file(path)
    connection = engine.connect(path, read_only=True)
    try:
        return engine.fingerprints(connection)
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
