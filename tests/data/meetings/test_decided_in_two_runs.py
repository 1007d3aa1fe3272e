"""A unit that two runs share is decided once: what was settled in either counts for both."""

from dataclasses import replace

import pytest

from data.meetings import decisions
from data.meetings.adjudicate import adjudicate
from data.meetings.decide import decide
from data.meetings.decision_facts import Circumstances
from data.meetings.decisions import find_rechecks, load_guideline_notes
from data.meetings.meeting_actions import confirm_decision, take_back
from data.meetings.meetings import load_meeting, load_meetings, minutes_of
from data.meetings.save_meetings import begin_meeting
from data.runs.remove import remove_runs
from faithfulness.model.errors import Conflict
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.review.meeting import Point, PointState
from tests.data.found_case import case
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft

S, U, C = "supported", "unsupported", "contradictory"
FAY = Author(kind=AuthorKind.ADJUDICATOR, name="fay")


@pytest.fixture
def points(store):
    """The first sentence of one item, as two runs have it."""
    (one,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BEN: (C, S, S)})])
    again = sentence_draft(1, {NORTH: (S, S, S)}, system="again")
    (other,) = save_drafts(store, [again], "again")
    with store.read() as cursor:
        ((item_id,),) = cursor.execute("select item_id from items").fetchall()
    return [Point(run_id, item_id, "s1", "label") for run_id in (one, other)]


def shown(store, point):
    return case(store, *point[1:])


def counts(store, point):
    found = shown(store, point).decided
    return found and found.value


def settle(store, point, value, author=EVE, seen=None, meeting_id="", **more):
    told = {name: more.pop(name) for name in ("warns", "wording") if name in more}
    return decide(
        store,
        **point._asdict(),
        value=value,
        author=author,
        reason="it stands there",
        seen=shown(store, point).seen if seen is None else seen,
        operation_id=more.pop("operation_id", f"{author.name} {point.run_id} {value}"),
        circumstances=Circumstances(meeting_id=meeting_id, **told),
        **more,
    )


def back(store, point, number):
    return take_back(store, [(point, number)], author=EVE, operation_id=f"back {number}")


def remove(store, point):
    remove_runs(store, run_ids=[point.run_id], removed_by="eve", operation_id="gone")


def test_who_did_not_see_a_decision_in_the_other_run_is_told(store, points):
    one, other = points
    seen = shown(store, one).seen
    settle(store, one, S)
    with pytest.raises(Conflict, match=r"eve settled Sentence 1 as Supported .* after you opened"):
        settle(store, other, C, FAY, seen)
    settle(store, other, C, FAY, seen, confirmed=True)
    assert counts(store, one) == C


def test_who_saw_it_decides_again_and_one_of_both_is_told_to_count(store, points):
    one, other = points
    settle(store, other, S)
    settle(store, one, C, FAY)
    found = shown(store, one).decisions
    assert [(each.value, each.is_current) for each in found] == [(S, False), (C, True)]


def test_a_decision_in_a_removed_run_is_no_conflict(store, points):
    one, other = points
    seen = shown(store, one).seen
    settle(store, one, S)
    remove(store, one)
    settle(store, other, C, FAY, seen, warns=True)


def test_a_meeting_warns_of_what_stands_in_the_other_run(store, points):
    one, other = points
    settle(store, one, S)
    back(store, other, settle(store, other, C))
    with pytest.raises(Conflict, match=r"eve settled Sentence 1 as Supported on [^.]*UTC\."):
        settle(store, other, U, warns=True)


def test_only_the_last_of_both_runs_is_taken_back_and_the_one_before_counts(store, points):
    one, other = points
    first = settle(store, one, S)
    second = settle(store, other, C, FAY)
    with pytest.raises(Conflict, match="somebody decided since"):
        back(store, one, first)
    back(store, other, second)
    assert counts(store, one) == S
    back(store, one, first)
    assert counts(store, one) is None


def test_decisions_to_and_fro_are_taken_back_one_by_one(store, points):
    made = [
        (point, settle(store, point, value, operation_id=f"{nth}"))
        for nth, (point, value) in enumerate(zip(points * 2, (S, C, U, S), strict=True))
    ]
    left = []
    for point, number in reversed(made):
        assert back(store, point, number) == back(store, point, number)
        left.append(counts(store, point))
    assert left == [U, C, S, None]


def test_a_decision_is_taken_back_where_it_was_made(store, points):
    one, other = points
    back(store, other, settle(store, one, S))
    assert counts(store, one) is None


def test_what_older_versions_took_back_out_of_turn_stays_taken_back(store, points):
    one, other = points
    first = settle(store, one, S)
    second = settle(store, other, C, FAY)
    adjudicate(
        store,
        run_id=one.run_id,
        item_id=one.item_id,
        answer=replace(shown(store, one).case.annotations[0].answer, value=None, problem="gone"),
        author=EVE,
        reason=f"Takes decision {first} back",
        seen=second,
        operation_id="out of turn",
    )
    assert counts(store, one) == C
    back(store, other, second)
    assert counts(store, one) is None


def test_a_point_of_a_meeting_is_decided_wherever_the_meeting_did_it(store, points):
    one, other = points
    told = {"host": "eve", "present": [], "operation_id": "begin"}
    meeting_id = begin_meeting(store, agenda=[one], **told)
    settle(store, one, S)
    (point,) = load_meeting(store, meeting_id).agenda
    assert (point.state, point.decided_before) == (PointState.OPEN, 1)
    number = settle(store, other, C, meeting_id=meeting_id)
    (point,) = load_meeting(store, meeting_id).agenda
    assert (point.state, point.decisions) == (PointState.DECIDED, (number,))
    assert load_meetings(store)["decided"].tolist() == [1]
    take_back(store, [(one, number)], author=EVE, operation_id="undo", meeting_id=meeting_id)
    (point,) = load_meeting(store, meeting_id).agenda
    assert (point.state, point.decided_before) == (PointState.OPEN, 1)
    assert load_meetings(store)["open"].tolist() == [1]
    assert counts(store, one) == S


def test_a_decision_of_the_meeting_that_still_stands_in_one_run_decides_the_point(store, points):
    told = {"host": "eve", "present": [], "operation_id": "begin"}
    meeting_id = begin_meeting(store, agenda=points, **told)
    numbers = [settle(store, each, S, meeting_id=meeting_id) for each in points]
    assert [each.stands for each in minutes_of(store, meeting_id).rulings] == [False, True]
    undo = {"author": EVE, "operation_id": "undo", "meeting_id": meeting_id}
    take_back(store, [(points[1], numbers[1])], **undo)
    assert load_meetings(store)["decided"].tolist() == [2]
    assert {each.state for each in load_meeting(store, meeting_id).agenda} == {PointState.DECIDED}
    remove(store, points[0])
    assert load_meetings(store)["open"].tolist() == [1]
    assert [each.state for each in load_meeting(store, meeting_id).agenda] == [PointState.OPEN]


def test_only_the_decision_that_counts_is_checked_again(store, points, monkeypatch):
    one, other = points
    settle(store, one, S, wording="Say so.", operation_id="first")
    assert [each.solved_as for each in load_guideline_notes(store)[0].behind] == [S]
    settle(store, other, C, FAY, operation_id="second")
    assert [each.solved_as for each in load_guideline_notes(store)[0].behind] == [C]
    kept = decisions.PROTOCOLS["sentence_grounding"]
    changed = replace(kept, guidance=kept.guidance + "\nPrices must match.")
    monkeypatch.setitem(decisions.PROTOCOLS, kept.key, changed)
    assert [each.made_by for each in find_rechecks(store)] == ["second"]
    confirm_decision(store, other, made_by="second", by="eve", operation_id="c")
    assert find_rechecks(store) == []
    remove(store, other)
    assert [each.made_by for each in find_rechecks(store)] == ["first"]
