"""Stores for tests: made once in a process as the product makes them, then handed out as copies."""

import functools
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from data.store.sidecar_files import get_backups_folder, get_sidecar_path
from data.store.store import Store, open_store

# Held to the end of the process: with it goes the folder.
_FOLDER = tempfile.TemporaryDirectory(prefix="made-stores-")


def nothing(store: Store) -> None:
    """Leave the store empty."""


def new_store(path: Path, fill: Callable[[Store], object] = nothing) -> Store:
    """A store at this path with what `fill` puts into it, open.

    Args:
        path: where no store lies yet.
        fill: a function of a module, since what it did to a store once is copied ever after.
    """
    made = _made(fill)
    for ending in ("journal", "marker"):
        shutil.copyfile(get_sidecar_path(made, ending), get_sidecar_path(path, ending))
    for backup in get_backups_folder(made).glob("*"):
        get_backups_folder(path).mkdir(exist_ok=True)
        shutil.copyfile(
            backup, get_backups_folder(path) / backup.name.replace(made.stem, path.stem, 1)
        )
    shutil.copyfile(made, path)
    return open_store(path)


@functools.cache
def _made(fill: Callable[[Store], object]) -> Path:
    path = Path(tempfile.mkdtemp(dir=_FOLDER.name)) / "s.duckdb"
    store = open_store(path, create=True)
    fill(store)
    store.close()
    return path
