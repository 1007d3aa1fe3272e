"""Import the sample into a new store on first start, marked as sample data."""

import hashlib
import tempfile
import threading
from functools import partial
from pathlib import Path

from data.importing.import_service import keep_import
from data.importing.importer import Options, Source
from data.importing.preparing import Request, prepare_drafts
from data.importing.preview.preview import FileEntry, Manifest, write_manifest
from data.items.loading import load_known_items
from data.samples.sample import iter_drafts, list_files
from data.store.store import Store

# Known to the store once done, so that a sample somebody removed does not come back by itself.
FIRST_START = "first-start-sample"

_ONE_AT_A_TIME = threading.Lock()

_ALL = """
select count(*)
from operations
"""
_DONE = """
select count(*)
from operations
where operation_id = $operation_id
"""


def fill_first(store: Store) -> None:
    """Put the sample into a store that nobody has written to, also when a first try was cut off."""
    with store.read() as cursor:
        ((operations,),) = cursor.execute(_ALL).fetchall()
    if not operations:
        fill(store)


def fill(store: Store, *, operation_id: str = FIRST_START) -> None:
    """Put the sample into the store; doing so twice stores it once.

    Args:
        store: the store, new or not.
        operation_id: a fresh one brings the sample back after it was removed.
    """
    with store.read() as cursor:
        ((done,),) = cursor.execute(_DONE, {"operation_id": operation_id}).fetchall()
    if done:
        return
    # Preparing here shares the process with others who may ask for the sample at the same time.
    with _ONE_AT_A_TIME, tempfile.TemporaryDirectory(prefix="sample-") as folder:
        prepare_sample(Path(folder), store)
        keep_import(store, Path(folder), operation_id=operation_id, is_sample=True)


def prepare_sample(into: Path, store: Store | None = None) -> Manifest:
    """Lay the sample out as a handover in an empty folder; it is ours, so no child reads it."""
    paths = list_files()
    manifest = prepare_drafts(
        iter_drafts(),
        "sample",
        Request(
            sources=[Source(path.name, path) for path in paths],
            importer="sample",
            options=Options(),
            into=into,
            files=[_build_file_entry(path) for path in paths],
            workers=1,
        ),
        None if store is None else partial(load_known_items, store),
    )
    write_manifest(into, manifest)
    return manifest


def _build_file_entry(path: Path) -> FileEntry:
    raw = path.read_bytes()
    return FileEntry(name=path.name, sha256=hashlib.sha256(raw).hexdigest(), bytes=len(raw))
