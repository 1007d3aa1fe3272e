"""The refusal of a wrong file says what was found in it, what is missing, and what to do."""

import json

import pytest

from data.importing.importer import Options
from data.importing.prepare import prepare
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import json_lines, parquet, put

ROWS = [{"frage": "Hot?", "antwort": "No."}, {"frage": "Red?", "antwort": "Yes."}]
OBJECT = {"version": 2, "judge": {"name": "large"}, "rows": ROWS}
BY_ID = {"q1": {"frage": "Hot?", "urteil": "ok"}, "q2": {"frage": "Red?", "urteil": "ok"}}


def refusal(tmp_path, name, text, protocol=""):
    path = put(tmp_path, name, text.encode())
    with pytest.raises(ImportRefused) as refused:
        prepare([(name, path)], options=Options(protocol=protocol), into=tmp_path)
    return str(refused.value)


@pytest.mark.parametrize("protocol", ["", "sentence_grounding"])
@pytest.mark.parametrize(
    ("value", "found", "todo"),
    [
        (OBJECT, "3 keys (version, judge, rows)", "list of 2 records, the first with 2 keys"),
        (BY_ID, "2 keys (q1, q2)", "the first has 2 keys (frage, urteil)"),
        ({"judge": {"name": "large"}, "n": 3}, "2 keys (judge, n)", "one record for each answer"),
    ],
)
def test_json_that_is_no_table_is_called_what_it_is(tmp_path, protocol, value, found, todo):
    told = refusal(tmp_path, "wrong.json", json.dumps(value, indent=1), protocol)
    assert told.startswith(f"wrong.json: this is an object with {found}, not a table")
    assert todo in told
    # Mapping what stands around the rows would lead nowhere, and is not proposed.
    assert "map the columns" not in told


RECORD = {"frage": "q", "antwort_text": "It is a kettle.", "urteil": "supported"}


@pytest.mark.parametrize(
    "value",
    [
        RECORD | {"meta": {"lang": "en"}},
        RECORD | {"meta": {}},
        {"nr": "1", "antwort_text": "It is.", "scores": [{"x": 1}, {"x": 2}]},
        {"nr": "1", "antwort_text": "Yes.", "scores": [{"x": 1}]},
        {"n": 3, "meta": {}},
    ],
)
def test_lone_record_that_holds_an_object_can_be_mapped(tmp_path, value):
    told = refusal(tmp_path, "one.json", json.dumps(value))
    assert "not a table" not in told
    assert "map the columns" in told


def test_names_around_a_list_of_records_are_no_record(tmp_path):
    told = refusal(tmp_path, "wrong.json", json.dumps({"judge": "large", "rows": ROWS}))
    assert "not a table" in told
    assert "each with what it needs of the other keys" in told


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("n.json", "null", "found null"),
        ("n.json", "[null]", "found null"),
        ("n.json", "[1, 2]", "found a number"),
        ("n.json", '[["a", "b"]]', "found a list of 2"),
        ("n.json", '"words"', "found a text"),
        ("n.yaml", "version: 1\nrows: none\n", "found an object with 2 keys (version, rows)"),
    ],
)
def test_value_in_place_of_records_is_named_with_its_line(tmp_path, name, text, found):
    assert refusal(tmp_path, name, text).startswith(f"{name} line 1: {found}; expected ")


def test_table_without_a_response_or_sentence_says_so_for_the_nearest_protocol(tmp_path):
    told = refusal(tmp_path, "t.csv", "nr,source,label\n1,It is red.,supported\n")
    assert "t.csv: 3 columns (nr, source, label) do not say what was evaluated" in told
    assert "for Sentence grounding no column holds the response under review and no column" in told
    assert "the sentence that is labelled" in told
    assert "Comparative summary no column" not in told
    assert "map the columns" in told


def test_table_under_a_chosen_protocol_names_all_that_is_missing_at_once(tmp_path):
    told = refusal(tmp_path, "t.csv", "a,b\n1,2\n", "claim_overlap")
    assert "2 columns (a, b) were found" in told
    for part in ("the response under review", "the claim that is judged", "(supported)"):
        assert f"no column holds {part}" in told or f"the answers {part}" in told
    assert "map the columns" in told


def test_table_of_unknown_names_says_what_any_table_needs(tmp_path):
    header = ",".join(f"c{number}" for number in range(20))
    told = refusal(tmp_path, "t.csv", f"{header}\n{header}\n")
    assert "20 columns (c0, c1," in told
    assert "c11 and 8 more)" in told
    assert "none of these names is known" in told


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl"])
@pytest.mark.parametrize("protocol", ["", "claim_overlap"])
@pytest.mark.parametrize(
    ("column", "record", "remedy"),
    [
        ("claims", {"claim": "Hi.", "judgment": True}, "write a row for each of these records"),
        ("labels", {"sentence": "Hi.", "label": "no_rad"}, "name it sentences"),
        (
            "ratings",
            {"by": "a", "accuracy": 4, "ethics": 5},
            "write a row for each of these records",
        ),
    ],
)
def test_lists_of_records_are_not_offered_a_mapping(
    name, protocol, column, record, remedy, tmp_path
):
    rows = [{"id": "a", "context": "It is.", "response": "Hi.", column: [record]}]
    raw = parquet(rows) if name == "t.parquet" else json_lines(*rows)
    path = put(tmp_path, name, raw)
    with pytest.raises(ImportRefused) as refused:
        prepare([(name, path)], options=Options(protocol=protocol), into=tmp_path)
    assert f"The column '{column}' holds lists of records" in str(refused.value)
    assert str(refused.value).endswith(f"which no column mapping reads: {remedy}.")
    assert "map the columns" not in str(refused.value)


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl"])
@pytest.mark.parametrize("nothing", [None, []])
def test_first_item_may_have_no_list_of_sentences(name, nothing, tmp_path):
    row = {"id": "a", "context": "It is.", "response": "Hi.", "sentences": nothing}
    labelled = [{"sentence": "Ho.", "label": "no_rad"}]
    rows = [row, row | {"id": "b", "response": "Ho.", "sentences": labelled}]
    raw = parquet(rows) if name == "t.parquet" else json_lines(*rows)
    manifest = prepare([(name, put(tmp_path, name, raw))], into=tmp_path)
    assert manifest.importer == "sentence_labels"
    assert [(run.items, run.answers) for run in manifest.runs] == [(2, 1)]
