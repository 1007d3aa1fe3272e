"""Blank cells in a table with a column for each rater are missing values, no unread answers."""

import csv
import io

import pytest

from data.importing.importer import Options
from data.importing.prepare import prepare
from tests.data.importing.samples import json_lines, parquet, put, yaml_of

pytestmark = pytest.mark.usefixtures("reading_here")

TEXTS = {"context": "It is red.", "response": "It is red."}
VALUES = {
    "sentence_grounding": ("label", "supported", {"sentence": "It is red."}),
    "claim_overlap": ("judgment", "true", {"claim": "It is red.", "reference": "Red."}),
    "comparative_summary": ("score", "4", {}),
    "response_consistency": ("answer", "Yes-Evidence", {}),
    "expert_rubric": ("accuracy", "4", {}),
}


def rows(key, blank):
    """Three items; ben says nothing about the second, the judge nothing about the third."""
    word, value, more = VALUES[key]
    return [
        {"id": f"q{number}", **TEXTS, "query": f"Red {number}?", **more, f"{word}_ana": value}
        | {f"{word}_ben": value if number != 1 else blank}
        | {f"judge_big_{word}": value if number != 2 else blank}
        for number in range(3)
    ]


def write(name, table):
    if name.endswith(".csv"):
        out = io.StringIO()
        writer = csv.DictWriter(out, [*table[0]])
        writer.writeheader()
        writer.writerows(table)
        return out.getvalue().encode()
    writers = {"jsonl": lambda made: json_lines(*made), "parquet": parquet, "yaml": yaml_of}
    return writers[name.rpartition(".")[2]](table)


def prepared(folder, name, table, **options):
    into = folder / "into"
    into.mkdir(exist_ok=True)
    path = put(folder, name, write(name, table))
    return prepare([(name, path)], options=Options(**options), into=into)


@pytest.mark.parametrize("key", VALUES)
@pytest.mark.parametrize(
    ("name", "blank"),
    [
        ("t.csv", ""),
        ("t.csv", "  "),
        ("t.csv", "\u00a0"),
        ("t.jsonl", None),
        ("t.jsonl", ""),
        ("t.parquet", None),
        ("t.parquet", ""),
        ("t.yaml", ""),
        ("t.yaml", None),  # written as null
    ],
)
def test_blank_cell_of_a_rater_or_judge_is_no_answer(key, name, blank, tmp_path):
    (run,) = prepared(tmp_path, name, rows(key, blank), protocol=key).runs
    assert (run.items, run.answers, run.unread, run.not_judged) == (3, 7, 0, 0)
    assert sorted(run.by_author.values()) == [2, 2, 3]


@pytest.mark.parametrize("blank", ["NA", "n/a", "#N/A", "null", "-"])
def test_word_for_a_missing_value_is_unread_and_says_what_to_do(blank, tmp_path):
    manifest = prepared(tmp_path, "t.csv", rows("comparative_summary", blank))
    (run,) = manifest.runs
    assert (run.answers, run.unread) == (7, 2)
    (complaint, other) = manifest.complaints
    assert (complaint.line, other.line) == (3, 4)
    assert f"the file says '{blank}'" in complaint.text
    assert "leave the cell blank if there is no answer" in complaint.text


def test_reason_without_a_value_is_an_unread_answer(tmp_path):
    table = [row | {"rationale_ben": "Hard to say."} for row in rows("comparative_summary", "")]
    manifest = prepared(tmp_path, "t.csv", table)
    (run,) = manifest.runs
    assert (run.answers, run.unread) == (7, 1)
    assert run.unread_by_author == {"rater ben": 1}


def test_blank_score_beside_another_of_the_same_rater_is_no_answer(tmp_path):
    scores = ("accuracy_ana", "ethics_ana")
    table = [
        {"id": f"q{number}", **TEXTS, "query": f"Red {number}?"}
        | dict(zip(scores, values, strict=True))
        for number, values in enumerate([("4", "5"), ("", "5"), ("4", "")])
    ]
    (run,) = prepared(tmp_path, "t.csv", table).runs
    assert (run.answers, run.unread) == (4, 0)


def test_row_that_names_its_rater_is_an_answer_though_it_is_blank(tmp_path):
    table = [{"id": "q", **TEXTS, "score": "4", "rater": "ana"}]
    table.append({"id": "r", **TEXTS, "response": "Blue.", "score": "", "rater": "ana"})
    (run,) = prepared(tmp_path, "t.csv", table).runs
    assert (run.answers, run.unread) == (1, 1)
