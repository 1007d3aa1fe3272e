"""A file's own sentences, where its items have others already: told, and no label is lost."""

import pytest

from data import exporting
from data.importing.prepare import prepare
from data.importing.save import save_import
from data.items.loading import load_annotations, load_known_items
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import UnitKind
from tests.data.importing.samples import json_lines, put
from tests.made_stores import new_store

RESPONSE = "Yes. Oslo is cold; it rains. Yes. Take a coat."
ROW = {"id": "a", "response": RESPONSE, "rater": "ana"}
BEFORE = [
    {**ROW, "sentence": text, "label": "supported"}
    for text in ("Yes.", "Oslo is cold; it rains.", "Yes.", "Take a coat.")
]
# The stored second sentence is split, the last two are one, and one stands nowhere.
CUT = ["Yes.", "Oslo is cold;", "it rains.", "Yes. Take a coat.", "Snow is likely in the north."]
LABELS = ["no_rad", "supported", "contradictory", "unsupported", "unsupported"]
ANSWERS = [
    {"author": "ben", "text": text, "value": label} for text, label in zip(CUT, LABELS, strict=True)
]
NATIVE = {
    "protocol": "sentence_grounding",
    "id": "a",
    "fields": [{"name": "response", "kind": "response", "text": RESPONSE}],
}
OWN = {**NATIVE, "cut": CUT, "answers": ANSWERS}


def imported(tmp_path, store, name, *records):
    into = tmp_path / name.replace(".", "_")
    into.mkdir()
    file = put(tmp_path, name, json_lines(*records))
    manifest = prepare(
        [(name, file)], into=into, known=lambda item_ids: load_known_items(store, item_ids)
    )
    save_import(store, into, operation_id=name)
    return manifest


def answers_of(store, author):
    with store.read() as cursor:
        (item_id,) = cursor.execute("select item_id from items").fetchone()
    item = load_known_items(store, [item_id])[item_id]
    answers = {
        each.answer.unit_id: each.answer
        for each in load_annotations(store, item_id)
        if each.author.name == author
    }
    return item, answers


def test_labels_of_a_files_own_sentences_reach_the_stored_ones_and_none_is_lost(tmp_path, store):
    imported(tmp_path, store, "before.jsonl", *BEFORE)
    manifest = imported(tmp_path, store, "own.jsonl", OWN)
    first, second = (each for each in manifest.warnings if "sentence" in each)
    assert first.startswith("1 item has other sentences already")
    assert "own.jsonl line 1" in first
    assert second.startswith("1 sentence of the files is in none of")
    assert manifest.runs[0].left_out == 0
    item, answers = answers_of(store, "ben")
    assert {unit_id: each.value for unit_id, each in answers.items()} == {
        "s1": "no_rad",
        "s2": "contradictory",
        "s3": "unsupported",
        "s4": "unsupported",
        "s5": "unsupported",
    }
    assert [unit.text for unit in item.units_of(UnitKind.SENTENCE)][-1] == CUT[-1]
    own = [(piece.text, piece.value) for each in answers.values() for piece in each.pieces]
    assert {*own} == {*zip(CUT[1:4], LABELS[1:4], strict=True)}
    assert {unit_id for unit_id, each in answers_of(store, "ana")[1].items() if each.value} == {
        "s1",
        "s2",
        "s3",
        "s4",
    }


def test_sentence_that_stands_twice_is_found_by_its_number_in_the_file(tmp_path, store):
    imported(tmp_path, store, "before.jsonl", *BEFORE)
    cut = ["Yes. Oslo is cold; it rains.", "Yes.", "Take a coat."]
    answer = {"author": "ben", "text": "Yes.", "value": "no_rad", "unit_id": "s2"}
    imported(tmp_path, store, "own.jsonl", {**NATIVE, "cut": cut, "answers": [answer]})
    assert list(answers_of(store, "ben")[1]) == ["s3"]


def test_sentences_in_a_gap_of_a_stored_cut_are_added_at_their_place(tmp_path, store):
    part = {**OWN, "cut": CUT[:2], "answers": ANSWERS[:2]}
    imported(tmp_path, store, "part.jsonl", part)
    other = [{**each, "author": "eve"} for each in ANSWERS]
    manifest = imported(tmp_path, store, "own.jsonl", {**OWN, "answers": other})
    assert manifest.runs[0].left_out == 0
    item, answers = answers_of(store, "eve")
    texts = {unit.id: unit.text for unit in item.units}
    assert {texts[unit_id]: each.value for unit_id, each in answers.items()} == dict(
        zip(CUT, LABELS, strict=True)
    )
    spans = {unit.text: unit.span for unit in item.units}
    assert RESPONSE[spans["it rains."].start :].startswith("it rains.")
    assert spans[CUT[-1]] is None


def test_second_file_of_one_import_with_another_cut_is_told(tmp_path):
    first = {**NATIVE, "cut": [RESPONSE], "answers": [{**ANSWERS[0], "text": RESPONSE}]}
    second = {**OWN, "answers": [{**each, "author": "eve"} for each in ANSWERS]}
    files = [
        ("one.jsonl", put(tmp_path, "one.jsonl", json_lines(first))),
        ("two.jsonl", put(tmp_path, "two.jsonl", json_lines(second))),
    ]
    manifest = prepare(files, into=tmp_path)
    assert any("two.jsonl line 1. Those sentences are kept" in each for each in manifest.warnings)
    assert manifest.runs[0].left_out == 0


def test_item_of_two_runs_of_a_file_is_counted_once(tmp_path, store):
    imported(tmp_path, store, "before.jsonl", *BEFORE)
    manifest = imported(tmp_path, store, "own.jsonl", *({**OWN, "system": a} for a in "ab"))
    assert len(manifest.runs) == 2
    (told,) = (each for each in manifest.warnings if "other sentences" in each)
    assert told.startswith("1 item has other sentences already")
    assert "own.jsonl line 1." in told


@pytest.mark.parametrize("again", [BEFORE, [{**NATIVE, "answers": ANSWERS[:1]}]])
def test_file_with_the_stored_sentences_is_not_told(tmp_path, store, again):
    imported(tmp_path, store, "before.jsonl", *BEFORE)
    renamed = [{**each, **({"rater": "eve"} if "rater" in each else {})} for each in again]
    manifest = imported(tmp_path, store, "again.jsonl", *renamed)
    assert not any("other sentences" in each for each in manifest.warnings)


def test_sentences_that_an_item_gained_come_back_from_an_export(tmp_path, store):
    imported(tmp_path, store, "before.jsonl", *BEFORE)
    imported(tmp_path, store, "own.jsonl", OWN)
    path = tmp_path / "export.jsonl"
    exporting.write_export(store, Selection(), "jsonl", path)
    _, before = answers_of(store, "ben")
    other = new_store(tmp_path / "other.duckdb")
    manifest = prepare([("export.jsonl", path)], into=tmp_path)
    assert [run.left_out for run in manifest.runs] == [0] * len(manifest.runs)
    save_import(other, tmp_path, operation_id="back")
    _, after = answers_of(other, "ben")
    other.close()
    assert {key: each.value for key, each in after.items()} == {
        key: each.value for key, each in before.items()
    }
