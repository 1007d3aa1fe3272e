"""A process killed while it stores a large import: it is there whole or not at all."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from benchmarks.big_store import write_import
from data.importing.import_service import keep_import
from data.importing.prepare import prepare
from data.samples.first_start import fill
from data.store import engine
from data.store.copies import check_backup, list_backups
from data.store.sidecar_files import get_log_path
from data.store.store import open_store
from faithfulness.model.errors import StoreUnavailable
from tests.faults import importer
from tests.faults.test_kills import nursery, wait_for
from tests.few import few
from tests.made_stores import new_store
from tests.shared_data import ROOT

# Items of the import and how often its storing is killed; each item has three labelled sentences.
SIZES = ((1_500, 2), (50_000, 20))
LABELS = ("supported", "unsupported", "contradictory")
# More labels than DuckDB has in a row group: these it writes into the file before the commit.
ROW_GROUPS = 150_000
STORE = """
import os, sys
from pathlib import Path
from data.importing.save import save_import
from data.store import store as store_module
from data.store.store import open_store
from tests.faults import importer

store = open_store(Path(sys.argv[1]))
add = "insert into authors values (999, 'rater', 'saved before')"
store.write("before", "author", lambda cursor: cursor.execute(add) and None)
store_module.end_bulk_write = lambda path: os._exit(0)
save_import(store, Path(sys.argv[2]), operation_id=importer.OPERATION)
"""


def line(number: int) -> str:
    sentences = [f"Part {number} has {nth} holes and costs ${number % 90}." for nth in range(1, 4)]
    fields = {"query": f"What of part {number}?", "response": " ".join(sentences)}
    fields["context"] = f"Part {number} has one hole. It costs ${number % 70}."
    said = [
        {"author": "ana", "author_kind": "rater", "text": text, "value": LABELS[(number + nth) % 3]}
        for nth, text in enumerate(sentences)
    ]
    return json.dumps(
        {
            "protocol": "sentence_grounding",
            "system": "parts",
            "id": f"p{number}",
            "fields": [{"name": k, "kind": k, "text": text} for k, text in fields.items()],
            "answers": said,
        }
    )


@pytest.fixture(params=few(SIZES, 1), ids=lambda size: f"{size[0]} items")
def import_of(request, tmp_path):
    """A prepared import, and how often to kill its storing."""
    items, kills = request.param
    file, into = tmp_path / "parts.jsonl", tmp_path / "into"
    file.write_text("\n".join(map(line, range(items))))
    into.mkdir()
    prepare([(file.name, file)], into=into)
    return into, kills


def counts(store):
    with store.read() as cursor:
        return engine.counts(cursor)


def stored_whole(path, folder, before) -> bool:
    """Whether the import is there; it is whole, or nothing of it is, and the next try stores it."""
    store = open_store(path)
    found = counts(store)
    is_there = found != before
    keep_import(store, folder, operation_id=importer.OPERATION)
    whole = counts(store)
    assert whole["items"] > before["items"] + 1000
    wanted = whole if is_there else before
    partial = {name: (rows, wanted[name]) for name, rows in found.items() if rows != wanted[name]}
    assert partial == {}, (before, store.recovery)
    assert store.recovery == () or ("parts.jsonl" in store.recovery[0] and not is_there)
    for each in list_backups(path):
        check_backup(each)
    store.close()
    return is_there


def test_import_that_is_killed_is_there_whole_or_not_at_all(import_of, tmp_path):
    prepared, kills = import_of
    new_store(tmp_path / "first.duckdb", fill).close()
    store = open_store(tmp_path / "first.duckdb")
    before, took, seen = counts(store), 0.0, []
    store.close()
    with nursery(importer) as parent:
        for kill in range(kills + 1):
            folder = tmp_path / f"kill-{kill}"
            folder.mkdir()
            path, acks = folder / "s.duckdb", folder / "acks"
            new_store(path, fill).close()
            parent.stdin.write(f"{prepared} {path} {acks}\n")
            parent.stdin.flush()
            child = int(parent.stdout.readline())
            wait_for(acks.with_suffix(".open"))
            began = time.monotonic()
            if kill:  # the first is left alone, to know how long it takes
                # Rather early: the next one may take a part of the time only.
                time.sleep(took * ((kill - 0.5) / kills) ** 2)
                with contextlib.suppress(ProcessLookupError):  # it was faster this time
                    os.kill(child, signal.SIGKILL)
            parent.stdout.readline()
            took = took or time.monotonic() - began
            is_there = stored_whole(path, prepared, before)
            assert is_there or not acks.exists()
            seen.append(is_there)
            shutil.rmtree(folder)
    assert seen[0]  # the one that was left alone
    assert not all(seen)  # some kills came before it was stored


@pytest.fixture(scope="module")
def bulk(tmp_path_factory):
    """A store whose process was killed right after the commit of a large import."""
    folder = tmp_path_factory.mktemp("bulk")
    path, prepared = folder / "store" / "s.duckdb", folder / "prepared"
    for each in (path.parent, prepared):
        each.mkdir()
    write_import(prepared, ROW_GROUPS)
    new_store(path, fill).close()
    command = [sys.executable, "-c", STORE, str(path), str(prepared)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120)
    return path, prepared


@pytest.mark.parametrize("cut", few((22, 0, 1, 21, 5_000, 2_000_000), 2))
def test_log_of_an_import_that_was_cut_off_is_set_aside(bulk, tmp_path, cut):
    """21 bytes are the commit itself; a kill in the middle of the writing leaves any of these."""
    source, prepared = bulk
    shutil.copytree(source.parent, tmp_path / "store")
    path = tmp_path / "store" / source.name
    whole = get_log_path(path).read_bytes()
    assert len(whole) > 2_500_000
    get_log_path(path).write_bytes(whole[: len(whole) - cut])
    with pytest.raises(StoreUnavailable, match="cut off before it was stored"):
        open_store(path, read_only=True)
    store = open_store(path)
    found = counts(store)
    (told,) = store.recovery
    assert "Plumbline was stopped while it was storing" in told
    with store.read() as cursor:
        assert cursor.execute("select name from authors where author_no = 999").fetchall()
    assert found["annotations"] < ROW_GROUPS
    keep_import(store, prepared, operation_id=importer.OPERATION)
    after = counts(store)
    changed = {name for name, rows in after.items() if rows != found[name]}
    assert {"annotations", "units", "items", "runs"} <= changed
    store.close()
    aside = [each.read_bytes() for each in path.parent.glob("*.damaged-*")]
    assert aside == [whole[: len(whole) - cut]]
    again = open_store(path)
    assert (again.recovery, counts(again)) == ((), after)
    again.close()
