"""The meetings page without a browser: agendas, minutes, notes and decisions to check again."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from components.meetings.agenda import format_duration, list_sizes, parse_people
from components.meetings.notes import format_most_named
from components.meetings.recheck import describe_changes
from data.meetings import decisions, meeting_desk
from data.meetings.agendas import agenda_from, load_marked_points
from data.meetings.decide import decide
from data.meetings.decision_facts import Circumstances
from data.meetings.decisions import find_rechecks
from data.meetings.marks import mark_units
from data.meetings.meetings import load_meeting, load_meetings
from data.meetings.save_meetings import begin_meeting, note_event
from data.runs.remove import remove_runs
from data.samples.first_start import fill
from faithfulness.model.selection import Selection
from faithfulness.review.meeting import Point
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages
from tests.test_every_page import said

S, C = "supported", "contradictory"
VALUES = {ADA: (C, S, S), BEN: (C, S, S), NORTH: (S, S, C)}


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "plumbline.duckdb"
    made = new_store(path)
    save_drafts(made, [sentence_draft(number, VALUES) for number in range(1, 61)])
    made.close()
    with store_of_pages(path) as opened:
        yield opened


def opened(**address) -> AppTest:
    return opened_page("meetings", address, state={"rater_name": "Eve"})


def table(test, label) -> list[dict]:
    """The rows of one of our tables."""
    drawn = (json.loads(each.proto.json) for each in test.get("bidi_component"))
    found = next(each for each in drawn if each.get("label") == label)
    return [row for group in found["groups"] for row in group["rows"]]


def button(test, label):
    return next(each for each in test.button if each.label.startswith(label))


def settle(store, point, operation, meeting_id="", **told):
    return decide(
        store,
        **point._asdict(),
        value=C,
        author=EVE,
        reason="<b>so</b> it is",
        error_class="judge_wrong",
        seen=10**6,
        operation_id=operation,
        circumstances=Circumstances(meeting_id=meeting_id, **told),
    )


def test_an_agenda_shows_the_first_of_the_queue_and_why(store):
    test = opened(view="new", first="5")
    rows = table(test, "Agenda")
    points = agenda_from(store, Selection(), first=5)
    assert [row["id"] for row in rows] == ["\x1f".join(each) for each in points]
    assert "supported against contradictory" in rows[0]["cells"][0]["note"]
    assert button(test, "Begin").label == "Begin with 5 points"
    assert not button(test, "Begin").disabled


def test_no_more_points_are_offered_than_there_are_or_the_page_says_so(store):
    assert list(list_sizes(3)) == ["5"]
    assert list(list_sizes(7)) == ["5", "10"]
    assert list(list_sizes(10)) == ["5", "10"]
    assert list(list_sizes(7, "50")) == ["5", "10", "50"]
    assert list(list_sizes(7, "nonsense")) == ["5", "10"]
    test = opened(view="new")
    assert test.selectbox("first:1").value == "10"
    assert "are open" not in said(test)
    save_drafts(store, [sentence_draft(900, VALUES, system="few")], "few")
    one = opened(view="new", system="few")
    assert one.selectbox("first:1").options == ["5 points"]
    assert "Only 2 are open." in said(one)
    assert button(one, "Begin").label == "Begin with 2 points"


def test_a_point_that_was_taken_off_stays_off_until_it_is_put_back(store):
    first, second, *_ = points = agenda_from(store, Selection(), first=5)
    test = opened(view="new", first="5")
    signature, off = test.session_state["remembered:left off the agenda"]
    assert off == ()
    test.session_state["remembered:left off the agenda"] = (signature, (first,))
    assert table(test.run(), "Agenda")[0]["id"] == "\x1f".join(second)
    assert button(test, "Begin").label == "Begin with 4 points"
    button(test, "Put back").click().run()
    assert len(table(test, "Agenda")) == len(points)


def test_a_long_agenda_comes_in_pages_and_begins_whole(store):
    test = opened(view="new", **{"from": "all"})
    assert len(table(test, "Agenda")) == 50
    assert button(test, "Begin").label == "Begin with 120 points"
    assert "Points 51 to 100 of 120" in said(opened(view="new", **{"from": "all"}, page="2"))


def test_nobody_begins_without_a_host(store):
    assert button(opened_page("meetings", {"view": "new"}), "Begin").disabled


def test_people_are_typed_with_commas_and_known_ones_pressed(store):
    assert parse_people(" Zoe,  Yan li, ADA,, zoe", ["ada"]) == ("Zoe", "Yan li", "ada")
    assert parse_people("Ben, ben", ["Ben", "ben"]) == ("Ben", "ben")
    test = opened(view="new", first="5")
    pressed = next(each for each in test.button_group if each.key == "meeting_known")
    assert {"ada", "ben"} <= set(pressed.options)
    test.text_input("meeting_people").set_value("Zoe, Yan").run()
    next(each for each in test.button_group if each.key == "meeting_known").set_value(["ben"]).run()
    button(test, "Begin").click().run()
    (meeting_id,) = load_meetings(store)["meeting_id"]
    assert set(load_meeting(store, meeting_id).present) == {"Eve", "Zoe", "Yan", "ben"}


def address_of(test) -> dict[str, str | list[str]]:
    """What a reload would send."""
    return dict(test.query_params)


def known_people(test):
    return next(each for each in test.button_group if each.key == "meeting_known")


def test_what_was_entered_for_a_meeting_outlives_a_reload(store):
    test = opened(view="new", first="5")
    test.text_input("meeting_people").set_value("Zoe, Yan").run()
    test.text_input("meeting_title").set_value("Prices & <b>more</b>").run()
    known_people(test).set_value(["ben"]).run()
    test.toggle("meeting_hides").set_value(False).run()
    # The name of the host comes from the browser, after the page was drawn once without it.
    again = opened_page("meetings", address_of(test))
    assert again.text_input("meeting_people").value == "Zoe, Yan"
    assert known_people(again).value == ["ben"]
    again.session_state["rater_name"] = "Eve"
    again.run()
    assert again.text_input("meeting_title").value == "Prices & <b>more</b>"
    button(again, "Begin").click().run()
    begun = load_meeting(store, load_meetings(store)["meeting_id"][0])
    assert set(begun.present) == {"Eve", "Zoe", "Yan", "ben"}
    assert (begun.title, begun.hides_authors) == ("Prices & <b>more</b>", False)


def test_a_title_is_not_lost_to_an_address_that_lags_behind(store):
    test = opened(view="new", first="5")
    test.text_input("meeting_title").set_value("Prices").run()
    del test.query_params["title"]  # a press that was sent before the browser had the new address
    button(test, "Begin").click().run()
    assert list(load_meetings(store)["title"]) == ["Prices"]


def test_what_an_address_says_of_a_new_meeting_is_bounded(store):
    many = [" ", *(f"Rater {nth}" for nth in range(90))]
    test = opened(view="new", title="x" * 9_000, present="y" * 9_000, known=many)
    assert not test.exception
    assert len(test.text_input("meeting_title").value) == 120
    assert len(test.text_input("meeting_people").value) == 2_000
    assert known_people(test).value == many[1:50]
    assert len(address_of(test)["known"]) == 49


def test_who_was_pressed_outlives_a_reload_also_where_the_host_was_the_only_one_known(tmp_path):
    path = tmp_path / "sample.duckdb"
    new_store(path, fill).close()
    with store_of_pages(path) as store:
        (point,) = agenda_from(store, Selection(), first=1)
        begin_meeting(store, host="Eve", present=[], agenda=[point], operation_id="b")
        test = opened(view="new")
        assert known_people(test).options == ["Felix", "Nora", "Priya"]
        known_people(test).set_value(["Nora"]).run()
        again = opened_page("meetings", address_of(test))
        again.session_state["rater_name"] = "Eve"
        assert known_people(again.run()).value == ["Nora"]


def test_beginning_takes_the_marks_off_what_it_is_about(store):
    first, second, *_ = agenda_from(store, Selection())
    mark_units(store, [first[:3], second[:3]], on=True, by="ada", operation_id="m1")
    test = opened(view="new", **{"from": "marked"})
    assert [row["id"] for row in table(test, "Agenda")] == ["\x1f".join(first), "\x1f".join(second)]
    facts = {"host": "Eve", "present": ("ada",), "title": "T", "hides_authors": True}
    asked = {"operation_id": "b1", **facts}
    meeting_id = meeting_desk.start_meeting(store, [second], **asked)
    assert meeting_desk.start_meeting(store, [second], **asked) == meeting_id
    assert load_marked_points(store) == [first]
    assert [each.point for each in load_meeting(store, meeting_id).agenda] == [second]


def test_a_meeting_is_listed_and_its_minutes_are_shown_as_text(store):
    (point,) = agenda_from(store, Selection(), first=1)
    asked = {"host": "<i>Eve</i>", "present": ["ada"], "operation_id": "b1"}
    meeting_id = begin_meeting(store, agenda=[point], title="**T**", **asked)
    settle(store, point, "d1", meeting_id)
    (row,) = table(opened(), "Meetings")
    assert [cell["text"] for cell in row["cells"][2:]] == ["1", "Continue", "Minutes"]
    assert row["cells"][2]["note"] == "1 decided · 0 deferred · 0 open"
    assert row["cells"][0]["text"] == "**T**"
    test = opened(meeting=meeting_id)
    drawn = [json.loads(each.proto.json) for each in test.get("bidi_component")]
    blocks = next(each["blocks"] for each in drawn if each.get("label") == "Minutes")
    assert {"kind": "words", "lead": "Host:", "text": "<i>Eve</i>"} in blocks
    assert {"kind": "words", "lead": "Reason:", "text": "<b>so</b> it is"} in blocks
    labels = [each.label for each in test.get("download_button")]
    assert labels[-6:-4] == ["Minutes, Markdown", "Minutes, HTML to print"]


def test_a_meeting_that_is_not_there_is_told_calmly(store):
    test = opened(meeting="nothing")
    assert not test.exception
    assert "has no meeting nothing" in test.warning[0].value


def test_unanimous_cases_are_shown_before_they_are_adopted(store):
    test = opened(view="new", unanimous="true")
    assert len(table(test, "Unanimous")) == 50
    assert load_meetings(store).empty
    test.button(key="adopt").click().run()
    assert not test.exception
    assert "no open disagreement on which two" in said(test)
    assert agenda_from(store, Selection()) == []


def test_only_cases_that_were_shown_are_adopted(store):
    test = opened(view="new", unanimous="true")
    save_drafts(store, [sentence_draft(61, VALUES)], "meanwhile")
    test.button(key="adopt").click().run()
    assert not test.exception
    assert len(agenda_from(store, Selection())) == 2
    assert len(table(test, "Unanimous")) == 2


def test_notes_show_wording_decisions_and_what_was_confused(store):
    (point,) = agenda_from(store, Selection(), first=1)
    settle(store, point, "d1", section="Prices", wording="Say ![x](y) so.")
    test = opened(view="notes")
    (row,) = table(test, "Decisions behind the wording for Prices")
    assert row["cells"][1]["text"] == "Contradictory"
    assert row["id"].split("\x1f") == list(point[:3])
    assert '"Say ![x](y) so."' in said(test)
    (row,) = table(test, "Solved as, confused with")
    assert [cell["text"] for cell in row["cells"][:3]] == ["Contradictory", "Supported", "1"]
    assert "No wording is proposed" in said(opened(view="notes", protocol="claim_overlap"))


def test_a_decision_under_other_words_is_confirmed_or_marked(store, monkeypatch):
    one, two = agenda_from(store, Selection(), first=2)
    settle(store, one, "d1")
    settle(store, two, "d2")
    assert "No decision needs another look" in said(opened(view="recheck"))
    kept = decisions.PROTOCOLS["sentence_grounding"]
    changed = replace(kept, guidance=kept.guidance + "\nPrices must match.")
    monkeypatch.setitem(decisions.PROTOCOLS, kept.key, changed)
    (words,) = describe_changes(find_rechecks(store)[0])
    assert words[0] == "Guidance"
    assert len(words[1].split(" → ")[0]) == 8
    mark_units(store, [two[:3]], on=True, by="eve", operation_id="m1")
    first, second = table(opened(view="recheck"), "Decisions to check again")
    assert [row["cells"][3]["text"] for row in (first, second)] == ["Confirm", "Confirm"]
    assert [row["cells"][4]["text"] for row in (first, second)] == ["Mark", "Marked"]
    meeting_desk.confirm_point(store, find_rechecks(store), one, by="eve", operation_id="c1")
    (left,) = table(opened(view="recheck"), "Decisions to check again")
    assert left == second


def test_the_list_to_take_along_is_narrowed_as_the_address_says(store):
    test = opened(view="new", system="alpha", protocol="sentence_grounding")
    told = [each.value for each in test.caption if each.value.startswith("Narrowed")]
    assert len(told) == 3  # verdicts, disagreements, answers
    assert ["alpha" in each for each in told] == [False, True, False]
    labels = [each.label for each in test.get("download_button")]
    assert labels == ["CSV", "Excel", "Parquet", "JSON lines"] * 3


def test_nothing_is_confirmed_without_a_name(store):
    point = Point("r", "i", "u", "label")
    with pytest.raises(Exception, match="who you are"):
        meeting_desk.confirm_point(store, [], point, by="", operation_id="c1")


@pytest.mark.parametrize(
    ("points", "pace", "words"),
    [
        (10, (None, 0), ""),
        (0, (60.0, 3), ""),
        (10, (60.0, 3), "About 10 min (median 60 s a point, n 3)"),
        (200, (41.0, 1_200), "About 2 h 17 min (median 41 s a point, n 1,200)"),
    ],
)
def test_a_duration_is_told_only_where_meetings_have_shown_it(points, pace, words):
    assert format_duration(points, pace) == words


def test_what_went_wrong_most_often_carries_its_n_and_names_ties():
    assert format_most_named(["judge_wrong"], 3, 5) == "Judge wrong (3 of 5)"
    assert format_most_named(["bad_cut", "other"], 1, 3) == "Bad cut, Other (1 of 3 each)"
    assert format_most_named([], 0, 2) == "none named, n 2"


def test_a_meeting_stays_on_record_when_no_run_is_left(store):
    first, second = agenda_from(store, Selection(), first=2)
    asked = {"host": "eve", "present": [], "operation_id": "begin"}
    meeting_id = begin_meeting(store, agenda=[first, second], **asked)
    settle(store, first, "d1", meeting_id)
    note_event(store, meeting_id, "finished", by="eve", operation_id="end")
    remove_runs(store, run_ids=[first.run_id], removed_by="ada", operation_id="run is removed")
    (row,) = table(opened(), "Meetings")
    points, room = row["cells"][2], row["cells"][3]
    assert (points["text"], points["note"]) == (
        "2",
        "1 decided · 0 deferred · 0 open · 2 of a removed run",
    )
    assert not room.get("text")
    assert not room.get("action")
    minutes = opened(meeting=meeting_id)
    assert [each.label for each in minutes.button] == ["All meetings"]
    (drawn,) = [each.proto.json for each in minutes.get("bidi_component")]
    assert "1 decision, 0 deferred, 1 not reached" in drawn
    assert "Run removed since:" in drawn
    for view in ("new", "notes", "recheck"):
        assert not opened(view=view).exception
    room = opened_page("meeting", {"meeting": meeting_id})
    assert "1 of 2 points decided, 0 deferred, 1 not reached" in said(room).replace("\xa0", " ")
