"""Offsets: words that a file marks in a response stand where the file says, however short."""

import pytest

from data.importing.columns import inspect_columns
from data.importing.importer import Options
from data.importing.prepare import prepare
from data.importing.save import save_import
from data.importing.tables.roles import suggest_for_values
from data.items.loading import load_annotations
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import csv_of, json_lines, put

RESPONSE = "Ada moved to Oslo. She likes Oslo, and Oslo likes her."
MARKED = [("Ada", 0, "supported"), ("Oslo", 29, "unsupported"), ("Oslo", 39, "contradictory")]
ROWS = [
    {"id": "a", "response": RESPONSE, "rater": "ana", "sentence": text, "label": label}
    | {"start": start, "end": start + len(text)}
    for text, start, label in MARKED
]
RENAMED = [
    {**row, "span_start": row["start"], "span_end": row["end"], "start": "09:30", "end": "09:40"}
    for row in ROWS
]
NESTED = {
    "id": "a",
    "response": RESPONSE,
    "rater": "ana",
    "start": "09:30",
    "sentences": [{key: row[key] for key in ("sentence", "label", "start", "end")} for row in ROWS],
}
NATIVE = {
    "protocol": "sentence_grounding",
    "id": "a",
    "fields": [{"name": "response", "kind": "response", "text": RESPONSE}],
    "answers": [
        {"author": "ana", "text": row["sentence"], "value": row["label"]}
        | {"start": row["start"], "end": row["end"]}
        for row in ROWS
    ],
}
FILES = {
    "rows.csv": csv_of(ROWS),
    "renamed.csv": csv_of(RENAMED),
    "rows.jsonl": json_lines(*ROWS),
    "nested.jsonl": json_lines(NESTED),
    "native.jsonl": json_lines(NATIVE),
}


def prepared(tmp_path, name, content, **options):
    return prepare([(name, put(tmp_path, name, content))], into=tmp_path, **options)


def stored_pieces(store, folder):
    """The marked words as the store keeps them: unit, start, words and label of each."""
    save_import(store, folder, operation_id="one")
    with store.read() as cursor:
        item_ids = [row[0] for row in cursor.execute("select item_id from items").fetchall()]
    annotations = [each for item_id in item_ids for each in load_annotations(store, item_id)]
    return sorted(
        (each.answer.unit_id, piece.span.start, piece.text, piece.value)
        for each in annotations
        for piece in each.answer.pieces
    )


@pytest.mark.parametrize("name", FILES)
def test_marked_words_are_stored_at_their_offsets(tmp_path, store, name):
    manifest = prepared(tmp_path, name, FILES[name])
    (run,) = manifest.runs
    assert (run.left_out, run.unread, run.answers) == (0, 0, 2)
    assert all("needs an excerpt" in each.text for each in manifest.complaints)
    assert stored_pieces(store, tmp_path) == [
        ("s1", 0, "Ada", "supported"),
        ("s2", 29, "Oslo", "unsupported"),
        ("s2", 39, "Oslo", "contradictory"),
    ]


def test_values_that_are_no_offsets_stay_beside_the_item(tmp_path):
    manifest = prepared(tmp_path, "renamed.csv", FILES["renamed.csv"])
    (kept,) = (each for each in manifest.warnings if "attributes" in each or "start" in each)
    assert "start, end" in kept
    assert "span_start" not in kept


def test_words_that_are_not_at_their_offsets_are_looked_for_and_told(tmp_path, store):
    row = {**ROWS[0], "start": 4, "end": 9}
    manifest = prepared(tmp_path, "a.csv", csv_of([row]))
    told = "the offsets 4 to 9 hold “moved”, not “Ada”; the words were looked for instead"
    assert (2, told) in [(each.line, each.text) for each in manifest.complaints]
    assert stored_pieces(store, tmp_path) == [("s1", 0, "Ada", "supported")]


def test_words_that_stand_several_times_without_an_offset_are_told(tmp_path):
    row = {key: value for key, value in ROWS[1].items() if key not in ("start", "end")}
    manifest = prepared(tmp_path, "a.csv", csv_of([row]))
    (told,) = (each.text for each in manifest.complaints if "times" in each.text)
    assert told.startswith("the response has “Oslo” 3 times")
    assert manifest.runs[0].left_out == 0


def test_columns_of_offsets_are_proposed_by_name_and_value(tmp_path):
    def proposed(name):
        looked = inspect_columns([(name, put(tmp_path, name, FILES[name]))])
        told = looked.told("sentence_grounding")
        return suggest_for_values(looked.first, "sentence_grounding", *told)

    first, second = proposed("rows.csv"), proposed("renamed.csv")
    assert (first["start"], first["end"]) == ("start", "end")
    assert (second["start"], second["span_start"], second["span_end"]) == (
        "attribute",
        "start",
        "end",
    )


def test_column_mapped_as_offset_that_holds_none_is_refused_with_its_line(tmp_path):
    mapping = {"id": "id", "response": "field:response", "rater": "rater", "sentence": "sentence"}
    mapping |= {"label": "value:label", "start": "start", "end": "end"}
    options = Options(protocol="sentence_grounding", mapping=mapping)
    with pytest.raises(ImportRefused, match=r"renamed.csv line 2: .*'09:30' to '09:40'"):
        prepared(tmp_path, "renamed.csv", FILES["renamed.csv"], importer="table", options=options)


def test_one_offset_of_two_is_refused_with_its_line(tmp_path):
    answer = {key: value for key, value in NATIVE["answers"][0].items() if key != "end"}
    content = json_lines({**NATIVE, "answers": [answer]})
    with pytest.raises(ImportRefused, match="line 1: start and end are '0' and 'None'"):
        prepared(tmp_path, "a.jsonl", content)


@pytest.mark.parametrize(("start", "end"), [(-5, 3), (True, 3), (1.5, 3)])
def test_offsets_that_count_no_characters_are_refused_with_their_line(tmp_path, start, end):
    answer = NATIVE["answers"][0] | {"start": start, "end": end}
    content = json_lines({**NATIVE, "answers": [answer]})
    with pytest.raises(ImportRefused, match=r"line 1: start and end .* from 0"):
        prepared(tmp_path, "a.jsonl", content)


def test_words_inside_a_longer_word_are_not_told_as_absent(tmp_path):
    part = {key: ROWS[0][key] for key in ("id", "response", "rater", "label")}
    rows = [ROWS[0], {**part, "sentence": "slo"}]
    manifest = prepared(tmp_path, "a.jsonl", json_lines(*rows))
    assert manifest.runs[0].left_out == 1
    assert manifest.warnings[0] == (
        "1 answer could not be placed in the response and is left out: a.jsonl line 2."
    )
    assert (2, "in the response only inside a longer word: “slo” (supported)") in [
        (each.line, each.text) for each in manifest.complaints
    ]
    assert not any("not in the response" in each.text for each in manifest.complaints)
