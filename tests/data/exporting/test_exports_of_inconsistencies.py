"""The file of answers that cannot all be right is the list, and nothing in it runs."""

import csv
import json

import openpyxl
import pyarrow.parquet
import pytest

from data import exporting
from data.inconsistencies.inconsistencies import PAGE, iterate_audits, load_audits
from data.samples import first_start
from faithfulness.model.drafts import DraftAnswer
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind, UnitKind
from faithfulness.policies.inconsistency_rules import AUDIT_RULES
from faithfulness.text.csv_injection import FIRST_COLUMN
from tests.data.stored import ADA, save_drafts, sentence_draft
from tests.made_stores import new_store

PRIYA = Author(kind=AuthorKind.RATER, name="Priya")
EVIL = Author(kind=AuthorKind.RATER, name="=HYPERLINK(0)")
NARROWED = (
    {},
    {"whose": "one_author"},
    {"rule": "supported_by_absent_words"},
    {"rule": ("yes_with_contradiction", "faithfulness_5_with_fault"), "whose": "several_authors"},
    {"selection": Selection(authors=(PRIYA,))},
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    opened = new_store(tmp_path_factory.mktemp("sample") / "p.duckdb", first_start.fill)
    yield opened
    opened.close()


def on_screen(store, selection=Selection(), **asked):  # noqa: B008  a frozen value
    """The list as its pages give it, one after the other."""
    total = load_audits(store, selection, **asked).total
    pages = range(1, -(-total // PAGE) + 1)
    rows = [
        row
        for page in pages
        for row in load_audits(store, selection, page, **asked).rows.to_dict("records")
    ]
    assert len(rows) == total > 0
    return rows


def written(store, path, selection=Selection(), **asked):  # noqa: B008  a frozen value
    count = exporting.write_audit(store, selection, "jsonl", path, **asked)
    rows = [json.loads(each) for each in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == count
    return rows


@pytest.mark.parametrize("asked", NARROWED, ids=str)
def test_the_file_is_the_list_row_by_row(sample, tmp_path, asked):
    shown, rows = on_screen(sample, **asked), written(sample, tmp_path / "a.jsonl", **asked)
    for line, row in zip(shown, rows, strict=True):
        named = {"item_id": row[FIRST_COLUMN], "external_id": row["id"]}
        assert line == named | {key: row[key] for key in line if key not in named}
        rule = AUDIT_RULES[row["rule"]]
        assert (row["because"], row["source"]) == (rule.because, rule.rule)


def test_it_is_whole_beyond_the_first_portion(sample, tmp_path, monkeypatch):
    whole = written(sample, tmp_path / "whole.jsonl")
    monkeypatch.setattr("data.inconsistencies.inconsistencies.AT_ONCE", 7)
    assert len(list(iterate_audits(sample, Selection()))) == -(-len(whole) // 7)
    assert written(sample, tmp_path / "parts.jsonl") == whole


def test_all_formats_hold_the_same_rows(sample, tmp_path):
    says = [row["says"] for row in written(sample, tmp_path / "a.jsonl")]
    for kind in ("csv", "xlsx", "parquet"):
        content = exporting.render_audit(sample, Selection(), "", "", kind)
        path = tmp_path / f"a.{kind}"
        path.write_bytes(content)
        assert _says(path, kind) == says


def _says(path, kind):
    if kind == "parquet":
        return pyarrow.parquet.read_table(path)["says"].to_pylist()
    if kind == "csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            return [row["says"] for row in csv.DictReader(file)]
    head, *rows = openpyxl.load_workbook(path)["audit"].iter_rows(values_only=True)
    return [row[head.index("says")] for row in rows]


def test_counts_of_whose_are_what_each_choice_leaves(sample):
    for rule in ("", "accuracy_with_contradiction"):
        told = load_audits(sample, Selection(), rule=rule, whose="one_author").whose
        assert told == {
            whose: load_audits(sample, Selection(), rule=rule, whose=whose).total for whose in told
        }
        assert told[""] == told["one_author"] + told["several_authors"]


def test_what_cannot_be_asked_for_is_said(sample, tmp_path):
    with pytest.raises(ReviewError, match="no audit rule 'nonsense'"):
        exporting.render_audit(sample, Selection(), ("nonsense",), "", "csv")
    with pytest.raises(ReviewError, match="no export 'pdf'"):
        exporting.write_part(sample, "audit", [], "pdf", tmp_path / "a.pdf")


def test_an_author_named_like_a_formula_does_not_run(tmp_path):
    store = new_store(tmp_path / "p.duckdb")
    said = DraftAnswer(
        author=EVIL, criterion="consistency", value="yes_evidence", unit=UnitKind.RESPONSE
    )
    draft = sentence_draft(1, {ADA: ("supported",) * 3})
    save_drafts(store, [draft._replace(protocol="response_consistency", said=[said])])
    path = tmp_path / "a.csv"
    assert exporting.write_part(store, "audit", [], "csv", path) == 1
    store.close()
    with path.open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert "rater =HYPERLINK(0)" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
