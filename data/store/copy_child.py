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
