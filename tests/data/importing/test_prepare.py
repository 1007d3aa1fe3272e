"""Prepared imports: on several cores, around items the store knows, and into the store."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from data.importing import import_tables
from data.importing.formats.sentence_labels import IMPORTER
from data.importing.importer import Options, Source
from data.importing.prepare import prepare
from data.importing.preparing import LARGE, Request, prepare_here
from data.importing.save import save_import
from data.importing.tables.mappings import Remembered, hash_header, load_mapping, save_mapping
from data.importing.tables.missing import what_is_missing
from data.importing.tables.roles import suggest_mapping
from faithfulness.model.vocabulary import Item, Span, Unit, UnitKind
from tests.data.importing.samples import (
    COMPARATIVE,
    CONSISTENCY,
    CONTEXT,
    EXPERT,
    NATIVE,
    RESPONSE,
    SENTENCES,
    item,
    json_lines,
    put,
)
from tests.made_stores import new_store
from tests.shared_data import ROOT


def test_documented_sentence_labels_import_without_complaint(tmp_path):
    guide = (ROOT / "docs" / "importing.md").read_text(encoding="utf-8")
    section = guide.split("(`sentence_labels`)", 1)[1].split("\n## ", 1)[0]
    example = section.split("```json\n", 1)[1].split("```", 1)[0]
    path = tmp_path / "example.jsonl"
    path.write_text(example, encoding="utf-8")
    manifest = prepare([("example.jsonl", path)], into=tmp_path)
    (run,) = manifest.runs
    assert (manifest.importer, list(manifest.complaints)) == ("sentence_labels", [])
    assert (run.items, run.answers, run.unread) == (3, 3, 0)
    assert run.system == "assistant-2"
    assert all(each.fields["query"] for each in manifest.first_items)


def test_documented_tables_carry_query_system_and_excerpts(tmp_path):
    guide = (ROOT / "docs" / "importing.md").read_text(encoding="utf-8")
    tables = [each.split("```", 1)[0] for each in guide.split("```csv\n")[1:]]
    wide, long = (each for each in tables if each.startswith("id,system"))
    for name, text, answers, quotes in (("wide", wide, 3, 0), ("long", long, 2, 3)):
        into = tmp_path / name
        into.mkdir()
        manifest = prepare(
            [(f"{name}.csv", put(tmp_path, f"{name}.csv", text.encode()))], into=into
        )
        (run,) = manifest.runs
        assert (run.system, run.answers, run.unread) == ("assistant-2", answers, 0)
        assert (run.quotes, run.absent_quotes) == (quotes, 0)
        assert manifest.first_items[0].fields["query"]
        assert list(manifest.complaints) == []


def many(count):
    return json_lines(
        *(
            item(at, context_document=f"{CONTEXT} Copy {at}. " * 60, sentences=SENTENCES)
            for at in range(count)
        )
    )


def test_two_workers_write_what_one_writes(tmp_path):
    path = put(tmp_path, "many", many(400))
    tables = {}
    for workers in (1, 2):
        into = tmp_path / f"into-{workers}"
        into.mkdir()
        source = Source("many.jsonl", path)
        manifest = prepare_here(Request([source], None, Options(), into, workers=workers))
        assert manifest.runs[0].answers == 1200
        tables[workers] = {
            name: import_tables.read_table(into, name).to_pylist() for name in import_tables.SCHEMAS
        }
    assert tables[1] == tables[2]
    assert [row["row"] for row in tables[2]["annotations"]] == list(range(1200))
    assert {row["row"] for row in tables[2]["excerpts"]} <= set(range(1200))


@pytest.mark.soak
@pytest.mark.parametrize(("count", "nicer"), [(5, 0), (1200, 10)])
def test_only_a_large_import_gives_way_to_people(tmp_path, count, nicer):
    path = put(tmp_path, "many", many(count))
    assert (path.stat().st_size > LARGE) == bool(nicer)
    found = []

    def look(stage, done, total):
        children = Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text()
        for pid in map(int, children.split()):
            if b"data.importing.child" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                continue  # left by another test
            found.append(os.getpriority(os.PRIO_PROCESS, pid))
            group = Path(f"/proc/{pid}/autogroup")  # of kernels that share time among sessions
            if group.exists() and nicer:
                assert group.read_text().rstrip().endswith(f"nice {nicer}")

    into = tmp_path / "into"
    into.mkdir()
    prepare([("many.jsonl", path)], into=into, progress=look)
    assert set(found) == {min(19, os.getpriority(os.PRIO_PROCESS, 0) + nicer)}


def test_units_of_a_stored_item_are_kept(tmp_path):
    asked = []

    def known(item_ids):
        asked.extend(item_ids)
        whole = Unit(
            id="s1",
            kind=UnitKind.SENTENCE,
            field="response",
            text=RESPONSE,
            span=Span(field="response", start=0, end=len(RESPONSE)),
        )
        stored = Item(id=item_ids[0], fields=fields, units=(whole,), cutter="older")
        return {item_ids[0]: stored}

    path = put(tmp_path, "one", json_lines(item(1, sentences=SENTENCES)))
    (draft,) = IMPORTER.read([Source("one.jsonl", path)], Options())
    fields = draft.fields
    into = tmp_path / "into"
    into.mkdir()
    manifest = prepare([("one.jsonl", path)], into=into, known=known)
    assert len(asked) == 1
    assert import_tables.read_table(into, "items").to_pylist()[0]["cutter"] == "older"
    assert manifest.runs[0].units == 1
    (row,) = import_tables.read_table(into, "annotations").to_pylist()
    assert row["value"] == "contradictory"  # the worst of three sentences inside one unit
    assert [piece["text"] for piece in row["pieces"]] == [each["sentence"] for each in SENTENCES]


def test_prepared_samples_of_five_protocols_meet_in_one_store(tmp_path):
    store = new_store(tmp_path / "s.duckdb")
    files = {"c.jsonl": COMPARATIVE, "r.jsonl": CONSISTENCY, "e.jsonl": EXPERT, "n.jsonl": NATIVE}
    for name, rows in files.items():
        into = tmp_path / f"into-{name}"
        into.mkdir()
        prepare([(name, put(tmp_path, name, json_lines(*rows)))], into=into)
        assert len(save_import(store, into, operation_id=name)) == 1
    with store.read() as cursor:
        counted = cursor.execute("select count(*), count(value) from annotations").fetchone()
    assert counted == (4 + 4 + 8 + 6, 22)
    store.close()


def test_last_mapping_of_a_header_is_remembered_in_any_column_order(tmp_path):
    store = new_store(tmp_path / "s.duckdb")
    columns = ("key", "text", "grade")
    assert load_mapping(store, columns) is None
    for number, role in enumerate(("ignore", "value:faithfulness")):
        roles = {"key": "id", "text": "field:response", "grade": role}
        chosen = Remembered("comparative_summary", roles)
        save_mapping(store, columns, chosen, operation_id=f"op-{number}")
    found = load_mapping(store, ("grade", "key", "text"))
    assert found == Remembered("comparative_summary", roles)
    assert load_mapping(store, (*columns, "more")) is None
    assert hash_header(columns) == hash_header(reversed(columns))
    store.close()


def test_published_headers_need_no_mapping():
    for rows, key in (
        (COMPARATIVE, "comparative_summary"),
        (EXPERT, "expert_rubric"),
        (CONSISTENCY, "response_consistency"),
    ):
        assert what_is_missing(suggest_mapping(rows[0], key), key) == ""
    header = ("id", "response", "rater", "score", "score_ben")
    unclear = what_is_missing(suggest_mapping(header, "comparative_summary"), "comparative_summary")
    assert "say which counts" in unclear


def wait_until_idle(status: Path) -> None:
    """Until a process has waited for a second: neither on a core nor on a disk."""
    waits = 0
    for _ in range(300):
        waits = waits + 1 if " S " in status.read_text() else 0
        if waits == 10:
            return
        time.sleep(0.1)
    pytest.fail("the process never rests")


def test_reader_ends_when_the_app_that_started_it_is_killed():
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-m', 'data.importing.child'])\n"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    pipe = subprocess.PIPE
    # The reader waits on this test's pipe, so that only the death of its parent can end it.
    app = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, cwd=ROOT)
    status = Path(f"/proc/{int(app.stdout.readline())}/stat")
    wait_until_idle(status)  # its imports
    app.kill()
    app.wait()
    for _ in range(100):
        if not status.exists() or " Z " in status.read_text():
            break
        time.sleep(0.2)
    else:
        pytest.fail("the reader goes on without anybody who waits for it")
    app.stdin.close()
    app.stdout.close()
