"""Marks for the meeting: kept for everybody, taken off again, and turned into points."""

import shutil

import pytest

from data.exporting import write_part
from data.importing.save import save_import
from data.meetings.agendas import (
    agenda_from,
    find_unanimous_cases,
    load_agenda_lines,
    load_marked_points,
    load_marks,
)
from data.meetings.decide import decide
from data.meetings.decision_facts import Circumstances
from data.meetings.decisions import find_rechecks, load_confusions, load_guideline_notes
from data.meetings.marks import mark_units
from data.meetings.meetings import load_meetings, load_pace, load_people
from data.meetings.save_meetings import begin_meeting, note_event
from data.runs.queries import runs
from data.runs.remove import remove_runs
from data.store.store import open_store
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.errors import NotSaved, ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind
from faithfulness.review.meeting import Point
from tests.data.stored import ADA, BEN, EVE, NORTH, prepare_drafts, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.older_stores import downgrade_store

S, C = "supported", "contradictory"
VALUES = {ADA: (C, S, S), BEN: (C, S, S), NORTH: (S, S, C)}


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    save_drafts(opened, [sentence_draft(nth, VALUES) for nth in (1, 2)])
    yield opened
    opened.close()


def press(store, point, operation, *, on=True):
    return mark_units(store, [point[:3]], on=on, by="ada", operation_id=operation)


def test_a_mark_lasts_until_it_is_taken_off_and_a_press_counts_once(store):
    first, second, *_ = agenda_from(store, Selection())
    assert load_marks(store) == []
    assert press(store, second, "m1") == press(store, second, "m1") == 1
    press(store, first, "m2")
    assert load_marked_points(store) == [second, first]
    press(store, second, "m3", on=False)
    assert [each.unit_id for each in load_marks(store)] == [first.unit_id]
    press(store, second, "m4")
    assert load_marked_points(store) == [first, second]


def test_a_unit_that_is_not_there_or_a_removed_run_is_refused(store):
    (point,) = agenda_from(store, Selection(), first=1)
    with pytest.raises(ReviewError, match="nothing was stored"):
        press(store, Point(point.run_id, point.item_id, "s99", "label"), "m1")
    press(store, point, "m2")
    remove_runs(store, run_ids=[point.run_id], removed_by="eve", operation_id="gone")
    assert load_marked_points(store) == load_marks(store) == []
    with pytest.raises(ReviewError):
        press(store, point, "m3")


def test_a_unit_nobody_disagrees_on_is_a_point_of_its_first_question(store):
    (point,) = agenda_from(store, Selection(), first=1)
    press(store, point._replace(unit_id="s2"), "m1")
    assert load_marked_points(store) == [point._replace(unit_id="s2")]
    (line,) = load_agenda_lines(store, load_marked_points(store))
    assert (line.why, line.text, line.external_id) == ((), "It costs $49.90.", "q1")


def rubric_draft() -> Draft:
    def said(author, criterion, value):
        return DraftAnswer(
            author=author, criterion=criterion, value=value, unit=UnitKind.RESPONSE, rationale="r"
        )

    return Draft(
        protocol="expert_rubric",
        system="beta",
        external_id="r1",
        fields=(
            Field(name="query", kind="query", text="Why?"),
            Field(name="response", kind="response", text="Because it is so."),
        ),
        said=[
            said(ADA, "accuracy", "5"),
            said(BEN, "accuracy", "1"),
            said(ADA, "ethics", "4"),
            said(BEN, "ethics", "2"),
        ],
    )


def test_a_unit_is_a_point_for_each_criterion_that_is_disagreed_on(store):
    (run_id,) = save_drafts(store, [rubric_draft()], "rubric")
    wanted = agenda_from(store, Selection(runs=(run_id,)))
    assert sorted(each.criterion for each in wanted) == ["accuracy", "ethics"]
    press(store, wanted[1], "m1")
    assert [each.criterion for each in load_marked_points(store)] == ["accuracy", "ethics"]
    told = load_agenda_lines(store, load_marked_points(store))
    assert [each.why[0] for each in told] == ["1 against 5", "2 against 4"]


def test_lines_of_a_whole_agenda_keep_its_order_and_say_why(store):
    points = agenda_from(store, Selection())
    told = load_agenda_lines(store, points)
    assert [each.point for each in told] == points
    assert told[0].why[0] == "supported against contradictory"
    assert told[0].text == "The kettle holds 1.7 litres."
    assert load_agenda_lines(store, []) == []


def test_marks_come_back_from_the_journal(store, tmp_path):
    store.checkpoint()
    before = store.path.read_bytes()
    first, second, *_ = agenda_from(store, Selection())
    press(store, first, "m1")
    press(store, second, "m2")
    press(store, first, "m3", on=False)
    store.close()
    store.path.write_bytes(before)
    again = open_store(store.path)
    try:
        assert load_marked_points(again) == [second]
    finally:
        again.close()


def test_a_meeting_is_listed_with_its_people_and_what_became_of_its_points(store):
    first, second, *_ = points = agenda_from(store, Selection())
    assert load_pace(store) == (None, 0)
    meeting_id = begin_meeting(store, host="eve", present=["zoe"], agenda=points, operation_id="b1")
    decide(
        store,
        **dict(zip(("run_id", "item_id", "unit_id", "criterion"), first, strict=True)),
        value=C,
        author=EVE,
        reason="so",
        seen=10**6,
        operation_id="d1",
        circumstances=Circumstances(meeting_id=meeting_id, seconds=30.0),
    )
    asked = {"by": "eve", "point": second, "seconds": 90.0}
    note_event(store, meeting_id, "deferred", text="ask", operation_id="t1", **asked)
    (row,) = load_meetings(store).to_dict("records")
    told = [row[name] for name in ("points", "decided", "deferred", "open")]
    assert told == [4, 1, 1, 2]
    assert list(row["people"]) == ["eve", "zoe"]
    assert load_pace(store) == (60.0, 2)
    assert load_people(store) == ["ada", "ben", "eve", "zoe"]


def test_people_of_what_is_met_about_come_before_others_and_those_of_the_sample_not(store):
    own = agenda_from(store, Selection())
    for name, authors, more in [
        ("sample", ("Abe", "Amy"), {"is_sample": True}),
        ("other", ("Ann", "zed"), {}),
    ]:
        raters = [Author(kind=AuthorKind.RATER, name=each) for each in authors]
        values = dict(zip(raters, ((C, S, S), (S, S, S)), strict=True))
        draft = sentence_draft(3, values, system=name)
        folder = prepare_drafts(store.path.parent / name, [draft], name)
        save_import(store, folder, operation_id=name, **more)
    begin_meeting(store, host="zoe", present=[], agenda=own, operation_id="b1")
    assert load_people(store, own) == ["ada", "ben", "Ann", "zed", "zoe"]
    sample = [each for each in runs(store).itertuples() if each.is_sample]
    about = [Point(sample[0].run_id, "item", "s1", "label")]
    assert load_people(store, about) == ["ada", "Ann", "ben", "zed", "zoe"]


def test_an_older_store_that_is_only_read_has_no_marks_and_no_meetings(store, tmp_path):
    store.close()
    path = tmp_path / "older.duckdb"
    shutil.copy(store.path, path)
    downgrade_store(path, 5)
    older = open_store(path, read_only=True)
    try:
        assert (
            load_marks(older)
            == load_marked_points(older)
            == load_guideline_notes(older)
            == find_rechecks(older)
            == []
        )
        assert load_meetings(older).empty
        assert [list(each) for each in runs(older)["meetings"]] == [[]]
        assert load_confusions(older).empty
        assert (load_pace(older), load_people(older)) == ((None, 0), ["ada", "ben"])
        assert find_unanimous_cases(older)[0] == 4
        assert write_part(older, "adjudicated", (), "csv", tmp_path / "out.csv") == 6
        with pytest.raises(NotSaved):
            press(older, agenda_from(older, Selection())[0], "m1")
    finally:
        older.close()
