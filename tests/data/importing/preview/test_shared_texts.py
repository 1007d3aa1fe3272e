"""Records with different ids and the same texts keep all their ids, and no id becomes a text."""

import csv
import json

import pytest

from data import exporting
from data.importing.prepare import prepare
from data.importing.preview.preview import read_manifest
from data.importing.save import save_import
from data.items.loading import load_item
from data.runs import queries
from data.store.store import open_store
from faithfulness.judging.message import write_message
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS, protocol
from tests.data.importing.samples import json_lines, put
from tests.made_stores import new_store
from tests.run_commands import run_command

pytestmark = pytest.mark.usefixtures("reading_here")

FIRST, SECOND = "q1-gold-supported", "q7-gold-unsupported"
TEXTS = {"query": "Red?", "context": "It is red.", "response": "It is red."}
VALUES = {
    "sentence_grounding": {"sentence": "It is red.", "label": "supported"},
    "claim_overlap": {"reference": "Red.", "claim": "It is red.", "judgment": "true"},
    "comparative_summary": {"score": "4"},
    "response_consistency": {"answer": "Yes-Evidence"},
    "expert_rubric": {"accuracy": "4", "ethics": "5"},
}


def records(key, *raters):
    return [
        {"id": own, **TEXTS, **VALUES[key], "rater": rater, "split": own[:2]}
        for own, rater in zip((FIRST, SECOND), raters, strict=True)
    ]


def stored(tmp_path, rows, key=None):
    into = tmp_path / "into"
    into.mkdir()
    raw = json_lines(*rows)
    prepare([("a.jsonl", put(tmp_path, "a.jsonl", raw))], importer=key, into=into)
    store = new_store(tmp_path / "s.duckdb")
    save_import(store, into, operation_id="one")
    return store, read_manifest(into)


def item_ids(store):
    (run,) = queries.runs(store)["run_id"]
    return queries.run_items(store, run)["item_id"].tolist()


def exported(store, kind, tmp_path):
    path = tmp_path / f"export.{kind}"
    exporting.write_export(store, Selection(), kind, path)
    return path


def test_every_protocol_is_tried():
    assert {*VALUES} == {*PROTOCOLS}


@pytest.mark.parametrize("key", VALUES)
def test_records_of_different_raters_are_one_item_with_all_ids(key, tmp_path):
    store, manifest = stored(tmp_path, records(key, "ana", "ben"))
    (run,) = manifest.runs
    assert (run.protocol, run.items) == (key, 1)
    assert {*run.by_author} == {"rater ana", "rater ben"}
    (warning,) = [each for each in manifest.warnings if "same texts" in each]
    assert warning == (
        "2 records with ids of their own have the same texts and become 1 item with all of these "
        f"ids: '{FIRST}' and '{SECOND}' (a.jsonl lines 1 and 2)."
    )
    assert manifest.first_items[0].further_ids == [SECOND]
    (item_id,) = item_ids(store)
    (place,) = queries.load_item_runs(store, item_id).itertuples()
    assert (place.external_id, list(place.further_ids)) == (FIRST, [SECOND])
    assert place.attributes["split"] == "q1; q7"


@pytest.mark.parametrize("words", [FIRST, SECOND, f" {SECOND.upper()} "])
def test_item_is_found_by_each_of_its_ids(words, tmp_path):
    store, _ = stored(tmp_path, records("sentence_grounding", "ana", "ben"))
    (run,) = queries.runs(store)["run_id"]
    chosen = Selection(runs=(run,), words=words)
    assert len(queries.run_items(store, run, chosen)) == 1
    assert queries.run_items(store, run, Selection(words="q7")).empty


def test_exports_name_all_ids_and_the_native_lines_bring_them_back(tmp_path):
    store, _ = stored(tmp_path, records("sentence_grounding", "ana", "ben"))
    with exported(store, "csv", tmp_path).open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert [(row["id"], json.loads(row["further_ids"])) for row in rows] == [(FIRST, [SECOND])] * 2
    lines = exported(store, "jsonl", tmp_path)
    store.close()
    run_command("import", lines, "--store", tmp_path / "again.duckdb", "--create")
    again = open_store(tmp_path / "again.duckdb")
    (item_id,) = item_ids(again)
    (place,) = queries.load_item_runs(again, item_id).itertuples()
    assert (place.external_id, list(place.further_ids)) == (FIRST, [SECOND])


@pytest.mark.parametrize("key", VALUES)
def test_records_answered_by_one_rater_stay_two_items_and_no_text_holds_an_id(key, tmp_path):
    store, manifest = stored(tmp_path, records(key, "ana", "ana"))
    (run,) = manifest.runs
    assert run.items == 2
    assert (run.answers, run.unread) == (4 if key == "expert_rubric" else 2, 0)
    (warning,) = [each for each in manifest.warnings if "same rater or judge" in each]
    assert f"'{FIRST}' and '{SECOND}' (a.jsonl lines 1 and 2)" in warning
    assert "separate items" in warning
    items = [load_item(store, item_id) for item_id in item_ids(store)]
    assert items[0].fields == items[1].fields
    for item in items:
        assert not any("gold" in field.text for field in item.fields)
        rules = protocol(key)
        assert "gold" not in write_message(rules.prompt, rules, item, "mark")


def test_items_with_the_same_texts_come_back_from_the_native_lines(tmp_path):
    store, _ = stored(tmp_path, records("comparative_summary", "ana", "ana"))
    lines, ids = exported(store, "jsonl", tmp_path), item_ids(store)
    store.close()
    run_command("import", lines, "--store", tmp_path / "again.duckdb", "--create")
    assert item_ids(open_store(tmp_path / "again.duckdb")) == ids


@pytest.mark.parametrize("order", [1, -1])
def test_second_rater_answers_about_the_same_items_in_any_order(order, tmp_path):
    ana = records("comparative_summary", "ana", "ana")
    ben = records("comparative_summary", "ben", "ben")[::order]
    ben[0]["score"] = "1"
    store, manifest = stored(tmp_path, [*ana, *ben])
    assert manifest.runs[0].items == 2
    with exported(store, "csv", tmp_path).open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert {row["id"] for row in rows if row["value"] == "1"} == {ben[0]["id"]}


def test_several_replies_of_a_judge_about_the_same_texts_are_all_kept(tmp_path):
    rows = [
        {"id": own, **TEXTS, "judge": "large", "reply": f"Score- <score>{score}</score>"}
        for own, score in ((FIRST, 4), (SECOND, 2))
    ]
    path = put(tmp_path, "r.jsonl", json_lines(*rows))
    told = run_command(
        *("import", path, "--protocol", "comparative_summary", "--format", "table"),
        *("--store", tmp_path / "s.duckdb", "--create"),
    )
    assert "2 items" in told
    assert "2 answers, 0 unread" in told
    assert "They stay separate items" in told


def test_records_that_nobody_answered_about_keep_all_ids(tmp_path):
    lines = [
        {
            "protocol": "comparative_summary",
            "id": own,
            "fields": [{"name": "response", "kind": "response", "text": "It is red."}],
        }
        for own in (FIRST, SECOND)
    ]
    store, _ = stored(tmp_path, lines)
    (item_id,) = item_ids(store)
    (place,) = queries.load_item_runs(store, item_id).itertuples()
    assert list(place.further_ids) == [SECOND]
