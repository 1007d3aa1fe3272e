"""Ids of rows or sentences: they tear no item apart, and where they do it is told."""

import pytest

from data.importing.importer import Options
from data.importing.prepare import prepare
from tests.data.importing.samples import json_lines, put

TEXTS = {"context": "It is blue. It is new.", "response": "It is red. It is old."}
PAIRS = [("ana", "It is red."), ("ana", "It is old."), ("ben", "It is red."), ("ben", "It is old.")]


def rows(ids, column="answer_id"):
    return [
        {column: own, **TEXTS, "sentence": sentence, "rater": rater, "label": "no_rad"}
        for own, (rater, sentence) in zip(ids, PAIRS, strict=True)
    ]


def prepared(tmp_path, name, told, key=None):
    table = [",".join(told[0]), *(",".join(each.values()) for each in told)]
    raw = "\n".join(table).encode() if name.endswith(".csv") else json_lines(*told)
    into = tmp_path / "into"
    into.mkdir()
    path = put(tmp_path, name, raw)
    return prepare([(name, path)], importer=key, options=Options(), into=into)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
@pytest.mark.parametrize("column", ["answer_id", "response_id"])
@pytest.mark.parametrize("ids", ["abcd", "abab"], ids=["rows", "sentences"])
def test_ids_of_rows_or_sentences_leave_an_item_whole(tmp_path, name, column, ids):
    manifest = prepared(tmp_path, name, rows(ids, column))
    (run,) = manifest.runs
    assert (run.items, run.units, run.answers) == (1, 2, 4)
    (told,) = manifest.warnings
    assert told.startswith(f"Kept as item attributes, not used as answers or texts: {column}.")


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_ids_of_answers_tell_answers_of_the_same_texts_apart(tmp_path, name):
    told = [*rows("aaaa"), *rows("bbbb")]
    manifest = prepared(tmp_path, name, told)
    assert manifest.runs[0].items == 2
    (warning,) = manifest.warnings
    assert "They stay separate items, so that all answers count." in warning


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_other_ids_of_rows_leave_an_item_whole(tmp_path, name):
    manifest = prepared(tmp_path, name, rows("abcd", "id"))
    (run,) = manifest.runs
    assert (run.items, run.units, run.answers) == (1, 2, 4)
    (warning,) = manifest.warnings
    assert warning.startswith("4 records with ids of their own have the same texts and become 1")


def test_ids_of_rows_in_a_format_chosen_by_hand_leave_an_item_whole(tmp_path):
    manifest = prepared(tmp_path, "t.jsonl", rows("abcd"), "sentence_labels")
    (run,) = manifest.runs
    assert (run.items, run.units, run.answers) == (1, 2, 4)
    assert "become 1 item with all of these ids" in manifest.warnings[0]
