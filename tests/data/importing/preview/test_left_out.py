"""Left out: answers about words that are not in the response never go without a number."""

import pytest

from components.importing.view import _list_totals
from data.importing.prepare import prepare
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import SENTENCES, csv_of, item, json_lines, put
from tests.run_commands import run_command

ROWS = [item(1, rater="ana", sentence=each["sentence"], label=each["label"]) for each in SENTENCES]
ELSEWHERE = [
    item(1, rater="ana", sentence=f"Chairs stack {at} high in any warehouse.", label="supported")
    for at in range(4)
]


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl"])
def test_answers_without_a_place_are_counted_with_their_lines(tmp_path, name):
    rows = [*ROWS, *ELSEWHERE]
    content = csv_of(rows) if name.endswith(".csv") else json_lines(*rows)
    manifest = prepare([(name, put(tmp_path, name, content))], into=tmp_path)
    (found,) = manifest.runs
    assert (found.answers, found.unread, found.left_out) == (3, 0, 4)
    first = 5 if name.endswith(".csv") else 4
    lines = f"{first}, {first + 1}, {first + 2} and 1 more"
    told = "4 answers could not be placed in the response and are left out"
    assert manifest.warnings[0] == f"{told}: {name} lines {lines}."
    assert ("Left out", "4") in _list_totals(manifest.runs)


def test_first_lines_are_named_though_items_take_turns(tmp_path):
    rows = [each | {"id": f"q{at % 2}"} for at, each in enumerate([*ROWS, *ELSEWHERE])]
    manifest = prepare([("a.csv", put(tmp_path, "a.csv", csv_of(rows)))], into=tmp_path)
    assert manifest.warnings[0].endswith("a.csv lines 5, 6, 7 and 1 more.")


def test_nothing_left_out_takes_no_place_in_the_preview(tmp_path):
    manifest = prepare([("a.csv", put(tmp_path, "a.csv", csv_of(ROWS)))], into=tmp_path)
    assert (manifest.runs[0].left_out, list(manifest.warnings)) == (0, [])
    assert "Left out" not in dict(_list_totals(manifest.runs))


def test_file_of_which_no_answer_could_be_read_is_told_first(tmp_path):
    rows = [each | {"label": "perhaps"} for each in ROWS]
    manifest = prepare([("a.csv", put(tmp_path, "a.csv", csv_of(rows)))], into=tmp_path)
    assert (manifest.runs[0].answers, manifest.runs[0].unread) == (0, 3)
    assert manifest.warnings[0].startswith("None of 3 answers could be read.")
    manifest = prepare(
        [("b.csv", put(tmp_path, "b.csv", csv_of([*rows[1:], ROWS[0]])))], into=tmp_path
    )
    assert not any("could be read" in each for each in manifest.warnings)


def test_file_of_which_no_answer_could_be_stored_is_refused_also_beside_another(tmp_path):
    files = [
        ("ana.csv", put(tmp_path, "ana.csv", csv_of(ROWS))),
        (
            "ben.csv",
            put(tmp_path, "ben.csv", csv_of([each | {"rater": "b"} for each in ELSEWHERE])),
        ),
    ]
    told = r"^ben\.csv lines 2, 3, 4 and 1 more: 4 answers, and none .* in a column mapping\.$"
    for those in (files, files[1:]):
        with pytest.raises(ImportRefused, match=told):
            prepare(those, into=tmp_path)


def test_table_with_a_column_for_each_rater_is_refused_like_any_other(tmp_path):
    said = {"label_ana": "supported", "label_ben": "unsupported"}
    rows = [item(1, sentence=each["sentence"], **said) for each in ELSEWHERE]
    with pytest.raises(ImportRefused, match=r"lines 2, 3, 4 and 1 more: 8 answers, and none "):
        prepare([("w.csv", put(tmp_path, "w.csv", csv_of(rows)))], into=tmp_path)


def test_records_with_a_sentence_each_are_refused_without_words_about_columns(tmp_path):
    nested = [
        {"id": f"q{at}", "response": "It is red.", "sentences": [{"sentence": said, "label": "x"}]}
        for at, said in enumerate(("Chairs stack in a warehouse.", "Lamps hang from a ceiling."))
    ]
    for records in (nested, ELSEWHERE):
        path = put(tmp_path, "a.jsonl", json_lines(*records))
        with pytest.raises(
            ImportRefused, match="none about words that stand in the resp"
        ) as refused:
            prepare([("a.jsonl", path)], into=tmp_path)
        assert "column" not in str(refused.value)
        assert "copied from the response of its own record" in str(refused.value)


def test_records_that_name_their_sentences_are_stored_with_a_warning(tmp_path):
    said = [{"sentence": each["sentence"], "label": each["label"]} for each in ELSEWHERE]
    path = put(tmp_path, "a.jsonl", json_lines(item(1, rater="ana", sentences=said)))
    manifest = prepare([("a.jsonl", path)], into=tmp_path)
    assert (manifest.runs[0].answers, manifest.runs[0].left_out) == (0, 4)
    assert manifest.warnings[0].startswith("4 answers could not be placed in the response")


def test_command_tells_what_is_left_out_and_stores_no_file_of_nothing_else(tmp_path):
    store = ("--store", tmp_path / "s.duckdb", "--create")
    path = put(tmp_path, "some.csv", csv_of([*ROWS, *ELSEWHERE]))
    told = run_command("import", path, *store)
    assert "3 answers, 0 unread, 4 left out" in told
    path = put(tmp_path, "none.csv", csv_of(ELSEWHERE))
    refused = run_command("import", path, *store, code=1)
    assert "none about words that stand in the response as words" in refused
    assert run_command("runs", *store[:2]).count("\n") == 1
