"""A process killed while it stores a large import: it is there whole or not at all."""

import contextlib
import json
import os
import shutil
import signal
import time

import pytest

from data import engine, records
from data.copies import check_backup, list_backups
from data.importers.prepare import prepare
from data.samples.first_start import fill
from data.store import open_store
from tests.faults import importer
from tests.faults.test_kills import nursery, wait_for
from tests.few import few
from tests.made_stores import new_store

# Items of the import and how often its storing is killed; each item has three labelled sentences.
SIZES = ((1_500, 4), (50_000, 20))
LABELS = ("supported", "unsupported", "contradictory")


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
    records.keep_import(store, folder, operation_id=importer.OPERATION)
    whole = counts(store)
    assert whole["items"] > before["items"] + 1000
    assert found == (whole if is_there else before)
    assert store.recovery == ()
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
                time.sleep(took * (kill - 0.5) / kills)
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
