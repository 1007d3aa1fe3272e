"""Within one import nobody has two answers on one unit: refused with both lines, or Unread."""

import json
from collections import Counter

import pytest

from data.importing import import_tables
from data.importing.importer import Options, Source
from data.importing.preparing import Request, prepare_here
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import NATIVE, RESPONSE, SENTENCES, csv_of, item, json_lines, put

REPLY = "\n".join(json.dumps(each) for each in SENTENCES)
FIRST = SENTENCES[0]
OTHER = {**FIRST, "label": "no_rad"}
WHOLE = {"author": "ana", "criterion": "faithfulness", "unit": "response"}


def prepared(tmp_path, *files, options=None):
    sources = [Source(name, put(tmp_path, name, content)) for name, content in files]
    into = tmp_path / "into"
    into.mkdir()
    prepare_here(Request(sources, None, options or Options(), into))
    rows = import_tables.read_table(into, "annotations").to_pylist()
    return Counter(
        (row["author"], row["item_id"], row["unit_id"], row["criterion"]) for row in rows
    ), rows


REFUSED = {
    "sentences, then a reply": [
        (
            "a.jsonl",
            json_lines(
                item(1, judge="north", sentences=SENTENCES), item(1, judge="north", reply=REPLY)
            ),
        )
    ],
    "two replies": [
        ("a.jsonl", json_lines(*(item(1, judge="north", reply=REPLY) for _ in range(2))))
    ],
    "two files": [
        (name, json_lines(item(1, judge="north", sentences=SENTENCES)))
        for name in ("a.jsonl", "b.jsonl")
    ],
    "answers and a reply": [
        (
            "a.jsonl",
            json_lines(
                NATIVE[0] | {"replies": [{"author": "ana", "author_kind": "rater", "text": REPLY}]}
            ),
        )
    ],
    "two rows of a table": [
        (
            "a.csv",
            csv_of([{"id": "1", "response": RESPONSE, "rater": "ana", "score": n} for n in (3, 4)]),
        )
    ],
}


@pytest.mark.parametrize("files", REFUSED.values(), ids=list(REFUSED))
def test_second_answer_is_refused_with_both_places(files, tmp_path):
    with pytest.raises(ImportRefused, match=r"line \d.* line \d.*keep one") as refused:
        prepared(tmp_path, *files)
    assert "first " in str(refused.value)


def test_reply_and_score_of_one_judge_are_refused(tmp_path):
    rows = [{"key": "1", "text": RESPONSE, "grade": "4", "said": "Score- <score>3</score>"}]
    mapping = {"key": "id", "text": "field:response", "grade": "value:faithfulness@judge:north"}
    mapping |= {"said": "reply@judge:north"}
    options = Options(protocol="comparative_summary", mapping=mapping)
    with pytest.raises(ImportRefused, match="north answers faithfulness of response"):
        prepared(tmp_path, ("a.csv", csv_of(rows)), options=options)


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (json_lines(item(1, sentences=[FIRST, FIRST])), FIRST["label"]),
        (json_lines(item(1, sentences=[FIRST, OTHER])), None),
        (json_lines(*({"id": "1", "response": RESPONSE, **e} for e in (FIRST, OTHER))), None),
        (
            json_lines(
                NATIVE[0]
                | {"protocol": "comparative_summary", "numbers": []}
                | {"answers": [WHOLE | {"value": "3"}, WHOLE | {"value": "4"}]}
            ),
            None,
        ),
    ],
    ids=["same label", "other label", "rows", "whole response"],
)
def test_same_unit_said_twice_in_one_place_is_one_answer(content, value, tmp_path):
    counted, rows = prepared(tmp_path, ("a.jsonl", content))
    assert list(counted.values()) == [1]
    assert rows[0]["value"] == value
    assert bool(rows[0]["problem"]) == (value is None)


def test_one_author_in_two_runs_answers_in_both(tmp_path):
    lines = [item(1, judge="north", sentences=SENTENCES, system=name) for name in ("a", "b")]
    counted, _ = prepared(tmp_path, ("a.jsonl", json_lines(*lines)))
    assert set(counted.values()) == {2}
