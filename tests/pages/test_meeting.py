"""The meeting page: steps are taken once, whatever is drawn again, and what is missing is told."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.meetings.room.steps import key_of
from data.meetings.agendas import agenda_from
from data.meetings.meetings import load_meeting, minutes_of
from data.meetings.save_meetings import begin_meeting
from data.runs import queries
from data.runs.remove import remove_runs
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.review.meeting import PointState
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages

ROOT = Path(__file__).resolve().parents[2]
S, C = "supported", "contradictory"
VALUES = {ADA: (C, S, S), BEN: (C, S, S), NORTH: (S, S, S)}


@pytest.fixture
def store(tmp_path) -> Iterator[Store]:
    path = tmp_path / "plumbline.duckdb"
    made = new_store(path)
    save_drafts(made, [sentence_draft(nth, VALUES) for nth in range(30)])
    made.close()
    with store_of_pages(path) as opened:
        yield opened


@pytest.fixture
def meeting(store):
    agenda = agenda_from(store, Selection(), first=30)
    begun = begin_meeting(store, host="eve", present=[], agenda=agenda, operation_id="b")
    return load_meeting(store, begun)


def opened(meeting_id: str) -> AppTest:
    return opened_page("meeting", {"meeting": meeting_id})


def room(test: AppTest) -> dict:
    return json.loads(test.get("bidi_component")[0].proto.json)


def told(test: AppTest, meeting, *log, **more) -> dict:
    test.session_state[f"room_{meeting.id}"] = {"log": list(log)} | more
    test.run()
    assert not test.exception
    return room(test)


def action(meeting, seq=1, at=0, kind="decide", **more):
    said = {"seq": seq, "id": f"{seq:032x}", "kind": kind, "key": key_of(meeting.agenda[at].point)}
    return said | {"value": C, "reason": "so it is", "seen": 10**6} | more


def test_words_that_are_too_long_are_refused_and_not_cut(store, meeting):
    test = opened(meeting.id)
    for seq, name in enumerate(("reason", "wording"), start=1):
        said = action(meeting, seq, **{name: "x" * 4_001})
        refused = told(test, meeting, said)["results"][said["key"]]
        assert f"the {name} has 4,001 characters" in refused["text"]
    assert room(test)["agenda"][0]["state"] == "open"
    many = action(meeting, 3, kind="present", people=[f"Rater {nth}" for nth in range(51)])
    refused = told(test, meeting, many | {"key": ""})["results"][""]
    assert "51 people are named" in refused["text"]
    assert "leave out who only listens" in refused["text"]


def test_a_step_is_taken_once_also_when_a_tab_sends_it_anew(store, meeting):
    test = opened(meeting.id)
    one = action(meeting)
    drawn = told(test, meeting, one)
    assert drawn["ack"] == 1
    assert drawn["agenda"][0]["state"] == "decided"
    told(test, meeting, one, action(meeting, 2, 1))
    # Another session of the same tab knows no acknowledgement, but the same ids.
    again = opened(meeting.id)
    drawn = told(again, meeting, one)
    assert drawn["results"][one["key"]]["state"] == "saved"
    assert len(minutes_of(store, meeting.id).rulings) == 2


def test_a_second_decision_is_refused_until_it_is_confirmed(store, meeting):
    test = opened(meeting.id)
    key = action(meeting)["key"]
    drawn = told(test, meeting, action(meeting), action(meeting, 2, value=S))
    assert drawn["results"][key]["state"] == "conflict"
    assert "eve settled" in drawn["results"][key]["text"]
    drawn = told(test, meeting, action(meeting, 3, value=S, confirmed=True))
    assert drawn["results"][key]["state"] == "saved"
    drawn = told(test, meeting, action(meeting, 4, kind="undo"))
    assert drawn["results"][key]["state"] == "undone"
    assert [each.stands for each in minutes_of(store, meeting.id).rulings] == [False, False, True]


def test_cards_are_sent_around_the_point_that_is_shown(meeting):
    test = opened(meeting.id)
    keys = [key_of(each.point) for each in meeting.agenda]
    assert [each["key"] for each in room(test)["cards"]] == keys[:9]
    drawn = told(test, meeting, at=20)
    assert [each["key"] for each in drawn["cards"]] == keys[18:29]
    assert drawn["at"] == 20
    assert all(each["blind"] for each in drawn["cards"])
    assert "ada" not in json.dumps([each["sides"] for each in drawn["cards"]])


def test_what_is_not_stored_is_told_and_the_next_step_is_taken(store, meeting):
    test = opened(meeting.id)
    lost = action(meeting, reason=" ")
    drawn = told(test, meeting, lost, action(meeting, 2, 1))
    assert drawn["results"][lost["key"]]["state"] == "failed"
    assert "needs a reason" in drawn["results"][lost["key"]]["text"]
    states = [each.state for each in load_meeting(store, meeting.id).agenda[:2]]
    assert states == [PointState.OPEN, PointState.DECIDED]


def test_the_end_shows_what_came_of_each_point_and_leads_back_in(meeting):
    test = opened(meeting.id)
    finish = {"seq": 2, "id": "f" * 32, "kind": "finish", "key": ""}
    test.session_state[f"room_{meeting.id}"] = {"log": [action(meeting), finish]}
    test.run()
    assert not test.exception
    assert "1 of 30 points decided, 0 deferred, 29 not reached" in test.success[0].value
    table = json.dumps(room(test))
    assert "so it is" in table
    assert "Not reached" in table
    next(each for each in test.button if each.label == "Go on with the meeting").click().run()
    assert len(room(test)["agenda"]) == 30
    assert room(test)["at"] == 1  # the first that nobody decided


def test_no_meeting_an_unknown_one_and_one_whose_runs_are_gone_are_told(store, meeting):
    assert "No meeting is named" in opened("").info[0].value
    unknown = opened("nonsense")
    assert "The store has no meeting nonsense" in unknown.info[0].value
    assert "To the meetings" in [each.label for each in unknown.button]
    runs = list(queries.runs(store)["run_id"])
    remove_runs(store, run_ids=runs, removed_by="eve", operation_id="gone")
    assert "were removed" in opened(meeting.id).info[0].value
