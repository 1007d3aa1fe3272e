"""Exports hold exactly what the store holds, come back through the importer, and cannot run."""

import csv
import io
import json
import zipfile
from collections import Counter

import openpyxl
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import exporting
from data.importing.formats import plumbline
from data.importing.importer import Options, Source
from data.importing.prepare import prepare
from data.importing.readers.strict_csv import read_csv_rows
from data.importing.save import save_import
from data.items.sign import sign
from data.runs import queries
from data.samples.first_start import fill
from faithfulness.intake.intake import take_in
from faithfulness.model.drafts import Draft, DraftAnswer, Number, Stated
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Answer, Field, UnitKind
from faithfulness.text.csv_injection import (
    CUT_NOTE,
    LONGEST_CELL,
    clean_excel_text,
    guard_cell,
    unguard_cell,
)
from tests.data.stored import ADA, BEN, NORTH, RESPONSE, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.shared_data import SHARED, needs_shared

GOOD = ("supported", "contradictory", "no_rad")
MIXED = ("supported", None, "no_rad")
FORMULAS = [
    *("=1+1", "+1+1", "-1+1", "@A1", "\t=1", "\r=1", "\n=1", '=HYPERLINK("x")', "-5"),
    *("＝1+1", "＋1", "－1", "＠x", " =1", '"=1', "'=1", "  '\"=1", "''=1", "'", "'x", "''-", "−1"),
    *("plain", "", "1.7", 'say "so"', "a;b,c", "two\nlines", "two\r\nlines", "\ufeff=1", "“=1”"),
]


def write(store, kind, tmp_path, **narrow):
    path = tmp_path / f"export.{kind}"
    return path, exporting.write_export(store, Selection(**narrow), kind, path)


def formula_draft():
    """Every formula as a comment of its own author, and as the query of the item."""
    whole = {"criterion": "faithfulness", "value": "4", "unit": UnitKind.RESPONSE}
    said = [
        DraftAnswer(
            author=type(ADA)(kind=ADA.kind, name=f"r{nth}"), rationale=text, comment=text, **whole
        )
        for nth, text in enumerate(FORMULAS)
    ]
    fields = (
        Field(name="query", kind="query", text="=2+5+cmd|' /C calc'!A0"),
        Field(name="response", kind="response", text="@SUM(1)"),
    )
    return Draft("comparative_summary", "=alpha", "-1", fields, said)


@given(st.text(alphabet=st.sampled_from("=+-@'\" \t\r\nax＝−“”\ufeff"), max_size=8))
def test_taking_the_guard_away_gives_the_exact_text(text):
    cell = guard_cell(text)
    assert unguard_cell(cell) == text
    assert cell.lstrip(' \t\r\n"“”\ufeff')[:1] not in tuple("=+-@＝−")


def test_csv_cells_come_back_through_our_reader_and_none_is_a_formula(store, tmp_path):
    save_drafts(store, [formula_draft()])
    path, count = write(store, "csv", tmp_path)
    assert count == len(FORMULAS)
    for row in csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")):
        for cell in row:
            assert cell.lstrip(' \t\r\n"“”\ufeff')[:1] not in tuple("=+-@＝＋－＠−")
    rows = [row for _, row in read_csv_rows(Source(name="export.csv", path=path))]
    said = {row["author"]: (row["rationale"], row["comment"]) for row in rows}
    assert said == {f"r{nth}": (text, text) for nth, text in enumerate(FORMULAS)}
    assert {row["query"] for row in rows} == {"=2+5+cmd|' /C calc'!A0"}
    assert {row["system"] for row in rows} == {"=alpha"}


def test_every_csv_cell_is_quoted(store, tmp_path):
    save_drafts(store, [sentence_draft(values={ADA: GOOD})])
    path, _ = write(store, "csv", tmp_path)
    for line in path.read_text("utf-8-sig").splitlines():
        assert line.startswith('"')
        assert line.endswith('"')


def test_apostrophes_of_other_peoples_csv_are_not_taken(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("id,label\n'=1,'-x\n", encoding="utf-8")
    assert [row for _, row in read_csv_rows(Source(name="other.csv", path=path))] == [
        {"id": "'=1", "label": "'-x"}
    ]


def test_xlsx_holds_strings_only(store, tmp_path):
    save_drafts(store, [formula_draft()])
    path, count = write(store, "xlsx", tmp_path)
    sheet = openpyxl.load_workbook(path).active
    cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s"}
    assert sheet.max_row == count + 1
    assert not [cell for cell in cells if cell.hyperlink]
    with zipfile.ZipFile(path) as parts:
        assert b"<f>" not in b"".join(parts.read(name) for name in parts.namelist())


def test_excel_text_loses_control_characters_and_is_cut_with_a_note():
    assert clean_excel_text("a\x00b\x1fc\td\ne\ufffe") == "abc\td\ne"
    for text in ("x" * 40_000, "😀" * 20_000, "x" * 32_766 + "😀"):
        cell = clean_excel_text(text)
        assert len(cell.encode("utf-16-le")) // 2 <= LONGEST_CELL
        assert cell.endswith(CUT_NOTE)
    assert clean_excel_text("x" * LONGEST_CELL) == "x" * LONGEST_CELL


def test_parquet_has_one_row_for_each_current_annotation(store, tmp_path):
    (run_id,) = save_drafts(store, [sentence_draft(n, {ADA: GOOD, BEN: MIXED}) for n in (1, 2)])
    item_id = queries.run_items(store, run_id)["item_id"][0]
    answer = Answer(unit_id="s1", criterion="label", value="unsupported")
    signing = {"run_id": run_id, "item_id": item_id, "answers": [answer], "author": ADA}
    sign(store, operation_id="op", **signing)
    path, count = write(store, "parquet", tmp_path, runs=(run_id,))
    rows = pyarrow.parquet.read_table(path).to_pylist()
    assert count == len(rows) == 12
    mine = {row["unit_id"]: row for row in rows if row["author"] == "ada" and row["id"] == "q1"}
    assert mine["s1"]["value"] == "unsupported"
    assert mine["s2"]["text"] == "It costs $49.90."
    other = next(row for row in rows if row["author"] == "ben" and row["unit_id"] == "s1")
    assert (other["excerpts"], other["excerpts_found"]) == (["holds 1.7 litres"], ["verbatim"])


def test_selection_narrows_an_export(store, tmp_path):
    (run_id,) = save_drafts(store, [sentence_draft(n, {ADA: GOOD, BEN: MIXED}) for n in (1, 2)])
    assert write(store, "csv", tmp_path, authors=(BEN,))[1] == 6
    assert write(store, "csv", tmp_path, labels=("contradictory",))[1] == 2
    assert write(store, "csv", tmp_path, unread=True)[1] == 2
    assert write(store, "csv", tmp_path, words="QUESTION 2")[1] == 6
    item_id = queries.run_items(store, run_id)["item_id"][0]
    assert write(store, "jsonl", tmp_path, item=item_id)[1] == 1
    with pytest.raises(ReviewError, match="no run nowhere"):
        write(store, "csv", tmp_path, runs=("nowhere",))
    with pytest.raises(ReviewError, match="no export 'exe'"):
        write(store, "exe", tmp_path)


def claim_draft():
    fields = (
        Field(name="topic", kind="topic", text="Kettles"),
        Field(name="response", kind="response", text=RESPONSE),
        Field(name="reference", kind="reference", text="A kettle holds 1.7 litres. It is red."),
    )
    sentence = "The kettle holds 1.7 litres."
    said = [
        DraftAnswer(
            ADA, "supported", value, UnitKind.CLAIM, text, field, sentence, rationale="because"
        )
        for value, text, field, sentence in (
            ("true", "It is a kettle.", "response", sentence),
            ("false", "It holds 1.7 litres.", "response", sentence),
            (None, "It is red.", "reference", "It is red."),
        )
    ]
    numbers = [Number(author=NORTH, name="Given", value=0.5)]
    claims = [Stated("It costs $49.90.", "response", "It costs $49.90."), Stated("It is new.")]
    return Draft("claim_overlap", "alpha", "t1", fields, said, numbers=numbers, claims=claims)


def test_unjudged_claim_with_the_words_of_a_judged_one_stays_a_claim(store, tmp_path):
    # Neither sentence stands in the response, so that the export cannot tell the claims apart.
    draft = claim_draft()
    said = DraftAnswer(
        ADA, "supported", "true", UnitKind.CLAIM, "It is new.", "response", "Sold unused."
    )
    draft = draft._replace(said=[*draft.said, said])
    save_drafts(store, [draft])
    path, _ = write(store, "jsonl", tmp_path)
    (again,) = plumbline.read([Source(name="export.jsonl", path=path)], Options())
    before, after = (
        Counter((unit.field, unit.text, unit.span) for unit in take_in(each).item.units)
        for each in (draft, again)
    )
    assert before == after
    assert before["response", "It is new.", None] == 2
    answers = [
        Counter((each.answer.value, each.author) for each in take_in(one).signed)
        for one in (draft, again)
    ]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "draft",
    [
        sentence_draft(values={ADA: GOOD, NORTH: MIXED}),
        sentence_draft(cut=[RESPONSE[:45], RESPONSE[46:]]),
        sentence_draft(reply='{"sentence": "It costs $49.90.", "label": "supported"}'),
        claim_draft(),
        formula_draft(),
    ],
    ids=["sentences", "own cut", "a reply", "claims", "scores"],
)
def test_native_lines_say_the_same_when_they_are_read_again(store, tmp_path, draft):
    save_drafts(store, [draft])
    path, count = write(store, "jsonl", tmp_path)
    assert count == 1
    (again,) = plumbline.read([Source(name="export.jsonl", path=path)], Options())
    before, after = take_in(draft), take_in(again)
    assert after.item == before.item
    said = [
        {(each.author, each.answer.unit_id): each.answer for each in taken.signed}
        for taken in (before, after)
    ]
    assert said[0] == said[1]
    assert sorted(after.summaries, key=str) == sorted(before.summaries, key=str)
    assert (again.external_id, again.system) == (draft.external_id, draft.system)
    assert dict(again.attributes) == dict(draft.attributes)


def test_own_cut_of_an_author_comes_back_as_marked_parts(store, tmp_path):
    merged = "The kettle holds 1.7 litres. It costs $49.90."
    said = [DraftAnswer(ADA, "label", "supported", UnitKind.SENTENCE, merged, rationale="both")]
    draft = sentence_draft()._replace(said=said)
    save_drafts(store, [draft])
    path, _ = write(store, "jsonl", tmp_path)
    (again,) = plumbline.read([Source(name="export.jsonl", path=path)], Options())
    before, after = ([each.answer for each in take_in(one).signed] for one in (draft, again))
    assert [each.unit_id for each in before] == ["s1", "s2"]
    for old, new in zip(before, after, strict=True):
        assert (new.unit_id, new.value, new.rationale) == (old.unit_id, old.value, old.rationale)
        assert [(each.span, each.value) for each in new.pieces] == [
            (each.span, each.value) for each in old.pieces
        ]
    assert before[0].pieces


def answers_of(store, tmp_path):
    """Every answer of a store without what each import gives out anew."""
    path, _ = write(store, "parquet", tmp_path)
    table = pyarrow.parquet.read_table(path)
    rows = table.drop_columns(["run_id", "annotation_no", "signed_at"]).to_pylist()
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def test_whole_sample_comes_back_through_the_importer(store, tmp_path):
    fill(store)
    path, _ = write(store, "jsonl", tmp_path)
    prepared = tmp_path / "prepared"
    prepared.mkdir()
    assert not prepare([("export.jsonl", path)], into=prepared).complaints
    other = new_store(tmp_path / "other.duckdb")
    try:
        save_import(other, prepared, operation_id="again")
        assert answers_of(other, tmp_path) == answers_of(store, tmp_path)
        numbers = ["author_kind", "author", "name", "given", "value", "low", "counted", "left_out"]
        before, after = (
            queries.load_headlines(each)[numbers].sort_values(numbers, ignore_index=True)
            for each in (store, other)
        )
        assert before.equals(after)
    finally:
        other.close()


def test_superseded_reply_goes_out_as_answers(store, tmp_path):
    reply = '{"sentence": "It costs $49.90.", "label": "supported"}'
    (run_id,) = save_drafts(store, [sentence_draft(reply=reply)])
    item_id = queries.run_items(store, run_id)["item_id"][0]
    answer = Answer(unit_id="s2", criterion="label", value="contradictory")
    signing = {"run_id": run_id, "item_id": item_id, "answers": [answer], "author": NORTH}
    sign(store, operation_id="op", **signing)
    path, _ = write(store, "jsonl", tmp_path)
    line = json.loads(path.read_text("utf-8"))
    assert line["replies"] == []
    assert {each["text"]: each["value"] for each in line["answers"]}["It costs $49.90."] == (
        "contradictory"
    )


def test_file_names_hold_letters_digits_and_hyphens_only():
    assert (
        exporting.format_file_name("Händler: Antworten / 2026", "csv")
        == "handler-antworten-2026.csv"
    )
    assert exporting.format_file_name("../../x", "xlsx") == "x.xlsx"
    assert exporting.format_file_name("日本語", "jsonl") == "plumbline.jsonl"
    assert len(exporting.format_file_name("x" * 300, "csv")) < 70


def test_content_can_be_had_without_a_file(store):
    save_drafts(store, [sentence_draft(values={ADA: GOOD})])
    assert exporting.render_selected(store, "answers", Selection(), "jsonl").count(b"\n") == 1


@needs_shared
def test_listed_formulas_never_begin_a_cell():
    listed = json.loads((SHARED / "hostile" / "lists.json").read_text("utf-8"))
    for text in listed["formulas"] + listed["payloads"] + listed["filter_strings"]:
        assert unguard_cell(guard_cell(text)) == text
        assert not guard_cell(text).lstrip(' \t\r\n"').startswith(("=", "+", "-", "@"))
