"""Verdicts, disagreements and minutes as files: right, complete, and nothing in them runs."""

import csv
import io
import json

import openpyxl
import pyarrow.parquet
import pytest

from data.exporting.adjudicated import write_adjudicated
from data.exporting.disagreements import write_disagreements
from data.exporting.minutes import write_minutes
from data.items.sign import sign
from data.meetings.agendas import agenda_from, find_unanimous_cases
from data.meetings.decide import decide
from data.meetings.decide_many import adopt_unanimous
from data.meetings.decision_facts import Circumstances
from data.meetings.save_meetings import begin_meeting, note_event
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.text.csv_injection import FIRST_COLUMN, unguard_cell
from tests.data.found_case import case
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

S, U, C = "supported", "unsupported", "contradictory"
FORMULA = "=HYPERLINK(0)"
EVIL = Author(kind=AuthorKind.ADJUDICATOR, name="+eve")
# By sentence: raters alike against the judge; raters differ; all alike.
VALUES = {ADA: (C, S, S), BEN: (C, U, S), NORTH: (S, S, S)}


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    save_drafts(opened, [sentence_draft(1, VALUES), sentence_draft(2, VALUES)])
    yield opened
    opened.close()


def settle(store, point, value, operation="d1", **told):
    return decide(
        store,
        run_id=point.run_id,
        item_id=point.item_id,
        unit_id=point.unit_id,
        criterion=point.criterion,
        value=value,
        author=EVIL,
        reason=FORMULA,
        error_class="rater_wrong",
        seen=case(store, *point[1:]).seen,
        operation_id=operation,
        circumstances=Circumstances(**told),
    )


def lines(path):
    return [json.loads(each) for each in path.read_text(encoding="utf-8").splitlines()]


def adjudicated(store, tmp_path, **narrow):
    path = tmp_path / "verdicts.jsonl"
    assert write_adjudicated(store, Selection(**narrow), "jsonl", path) == len(lines(path))
    return {
        (each["id"], each["unit_id"]): (each["value"], each["provenance"], each["raters"])
        for each in lines(path)
    }


def meeting(store):
    points = agenda_from(store, Selection())
    meeting_id = begin_meeting(
        store, host="eve", present=["@ada"], agenda=points, operation_id="m", title=FORMULA
    )
    split = next(each for each in points if each.unit_id == "s2")
    settle(store, split, U, meeting_id=meeting_id)
    other = next(each for each in points if each.unit_id == "s1")
    note_event(store, meeting_id, "deferred", by="eve", text="-1", operation_id="t", point=other)
    return meeting_id


def test_verdict_is_the_decision_else_what_all_raters_say_else_none(store, tmp_path):
    found = adjudicated(store, tmp_path)
    assert found == {
        (item, unit): told
        for item in ("q1", "q2")
        for unit, told in {
            "s1": (C, "unanimous", 2),
            "s2": (None, "unresolved", 2),
            "s3": (S, "unanimous", 2),
        }.items()
    }
    point = next(each for each in agenda_from(store, Selection()) if each.unit_id == "s2")
    number = settle(store, point, U)
    changed = {key for key, told in adjudicated(store, tmp_path).items() if told != found[key]}
    assert len(changed) == 1
    assert adjudicated(store, tmp_path)[changed.pop()] == (U, "adjudicated", 2)
    decide(
        store,
        **point._asdict(),
        value="",
        author=EVE,
        reason="",
        seen=number,
        operation_id="back",
        undoes=number,
    )
    assert adjudicated(store, tmp_path) == found


def test_adopted_raters_stay_unanimous(store, tmp_path):
    before = adjudicated(store, tmp_path)
    _, cases = find_unanimous_cases(store)
    adopt_unanimous(store, cases, author=EVE, operation_id="adopt")
    assert adjudicated(store, tmp_path) == before
    assert adjudicated(store, tmp_path, protocol="claim_overlap") == {}


def test_disagreements_stand_worst_first_with_their_decision(store, tmp_path):
    point = next(each for each in agenda_from(store, Selection()) if each.unit_id == "s2")
    settle(store, point, U)
    path = tmp_path / "list.jsonl"
    assert write_disagreements(store, Selection(), "jsonl", path) == 4
    rows = lines(path)
    assert [each["unit_id"] for each in rows] == ["s1", "s1", "s2", "s2"]
    assert [each["weight"] for each in rows] == sorted((r["weight"] for r in rows), reverse=True)
    assert rows[0]["raters_say"] == ["contradictory: 2"]
    assert rows[0]["judges_say"] == ["supported: 1"]
    assert rows[0]["kinds"] == ["judge_raters"]
    (decided,) = (each for each in rows if each["decided"])
    assert (decided[FIRST_COLUMN], decided["reason"]) == (point.item_id, FORMULA)
    assert write_disagreements(store, Selection(runs=("no such run",)), "jsonl", path) == 0
    narrowed = Selection(runs=(point.run_id,), protocol="sentence_grounding")
    assert write_disagreements(store, narrowed, "jsonl", path) == 4


@pytest.mark.parametrize("kind", ["csv", "xlsx", "parquet", "jsonl"])
def test_every_row_names_its_item_and_no_cell_can_run(store, tmp_path, kind):
    meeting_id = meeting(store)
    items = {each.item_id for each in agenda_from(store, Selection())}
    writers = {
        "verdicts": lambda path: write_adjudicated(store, Selection(), kind, path),
        "disagreements": lambda path: write_disagreements(store, Selection(), kind, path),
        "minutes": lambda path: write_minutes(store, meeting_id, kind, path),
    }
    for name, write in writers.items():
        path = tmp_path / f"{name}.{kind}"
        count = write(path)
        rows = read(path, kind)
        assert len(rows) == count > 0
        assert {row[FIRST_COLUMN] for row in rows} == items
        assert any(row["reason"] == FORMULA for row in rows)


def read(path, kind):
    if kind == "jsonl":
        return lines(path)
    if kind == "parquet":
        return pyarrow.parquet.read_table(path).to_pylist()
    if kind == "csv":
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
        assert not [cell for row in rows for cell in row.values() if cell[:1] in "=+@" and cell]
        return [{name: unguard_cell(cell) for name, cell in row.items()} for row in rows]
    sheet = openpyxl.load_workbook(path).active
    cells = list(sheet.iter_rows())
    assert "f" not in {cell.data_type for row in cells for cell in row}
    names = [cell.value for cell in cells[0]]
    return [dict(zip(names, [cell.value for cell in row], strict=True)) for row in cells[1:]]


def test_rows_of_minutes_name_the_baseline_and_what_counted_before(store, tmp_path):
    split = next(each for each in agenda_from(store, Selection()) if each.unit_id == "s2")
    settle(store, split, S, "before")
    answer = Answer(unit_id="s2", criterion="label", value=C)
    sign(
        store,
        run_id=split.run_id,
        item_id=split.item_id,
        answers=[answer],
        author=BASELINE,
        operation_id="b",
    )
    meeting_id = begin_meeting(store, host="eve", present=["ada"], agenda=[split], operation_id="m")
    settle(store, split, U, "now", meeting_id=meeting_id)
    path = tmp_path / "minutes.jsonl"
    write_minutes(store, meeting_id, "jsonl", path)
    (row,) = lines(path)
    assert (row["value"], row["counted_before"]) == ("Unsupported", "Supported")
    assert row["baseline"] == "Contradictory"
    (before,) = row["decided_before"]
    assert before.startswith("Supported; Rater wrong (+eve, 20")
    assert before.endswith(f": {FORMULA}")


def test_minutes_are_written_for_people_too(store, tmp_path):
    meeting_id = meeting(store)
    for kind, start in (("md", "# \\=HYPERLINK(0), 20"), ("html", "<!doctype html>")):
        path = tmp_path / f"minutes.{kind}"
        assert write_minutes(store, meeting_id, kind, path) == 4
        assert path.read_text(encoding="utf-8").startswith(start)
    with pytest.raises(ReviewError, match="no meeting"):
        write_minutes(store, "nothing", "md", tmp_path / "x.md")
    with pytest.raises(ReviewError, match="no export"):
        write_minutes(store, meeting_id, "exe", tmp_path / "x.exe")
