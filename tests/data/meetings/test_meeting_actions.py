"""Steps of a meeting: each is stored by its record, once, and a taken back one leaves no gap."""

import resource
import shutil
import signal
from contextlib import contextmanager
from dataclasses import replace

import pytest

from components.triage.card import build_card
from data.items.loading import load_annotations
from data.items.sign import sign
from data.meetings.agendas import agenda_from
from data.meetings.decide import decide
from data.meetings.meeting_actions import take_step
from data.meetings.meetings import load_meeting, minutes_of
from data.meetings.save_meetings import begin_meeting
from data.store.sidecar_files import get_sidecar_path
from data.store.store import open_store
from data.triage.point_cases import load_baseline_answers, load_point_cases
from data.triage.similar_cases import load_similar_cases
from faithfulness.model.errors import Conflict, NotSaved, ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.disagreement import Earlier
from faithfulness.review.meeting import (
    Point,
    PointState,
    assign_aliases,
    hide_annotation_names,
    hide_names,
)
from faithfulness.review.meeting_step import MeetingStep, StepKind
from faithfulness.review.minutes import render_markdown_minutes
from tests.data.found_case import case
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

S, U, C = "supported", "unsupported", "contradictory"
CHI = Author(kind=AuthorKind.RATER, name="chi")
VALUES = {ADA: (C, S, S), BEN: (C, S, S), CHI: (C, U, S), NORTH: (S, S, S)}


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    save_drafts(opened, [sentence_draft(nth, VALUES) for nth in (1, 2, 3)])
    yield opened
    opened.close()


@pytest.fixture
def meeting(store):
    agenda = agenda_from(store, Selection(), first=6)
    begun = begin_meeting(store, host="eve", present=["ada"], agenda=agenda, operation_id="b")
    return load_meeting(store, begun)


def decision(point, operation="d1", value=C, **more):
    told = {"reason": "the source gives $45.00", "seconds": 12.5, "seen": 10**6} | more
    return MeetingStep(
        kind=StepKind.DECIDE, operation_id=operation, point=point, value=value, **told
    )


def state(store, meeting, at=0):
    return load_meeting(store, meeting.id).agenda[at].state


def test_a_decision_is_stored_once_with_its_time_and_wording(store, meeting):
    point = meeting.agenda[0].point
    step = decision(point, wording="A price that differs contradicts.", section="General")
    assert take_step(store, meeting, step) == take_step(store, meeting, step)
    found = minutes_of(store, meeting.id)
    (ruling,) = found.rulings
    assert (ruling.by, ruling.value, ruling.matter.seconds) == ("eve", "Contradictory", 12.5)
    assert [each.wording for each in found.proposals] == [step.wording]


def test_a_second_decision_must_be_confirmed_and_both_stay(store, meeting):
    point = meeting.agenda[0].point
    take_step(store, meeting, decision(point))
    with pytest.raises(Conflict):
        take_step(store, meeting, decision(point, "d2", U))
    take_step(store, meeting, decision(point, "d3", U, confirmed=True))
    assert [each.stands for each in minutes_of(store, meeting.id).rulings] == [False, True]


def test_a_decision_is_taken_back_unless_somebody_decided_since(store, meeting):
    point = meeting.agenda[0].point
    (number,) = take_step(store, meeting, decision(point))
    back = MeetingStep(kind=StepKind.UNDO, operation_id="u1", cases=((point, number),))
    take_step(store, meeting, back)
    assert state(store, meeting) is PointState.OPEN
    (again,) = take_step(store, meeting, decision(point, "d2"))
    take_step(store, meeting, decision(point, "d3", U, confirmed=True))
    late = MeetingStep(kind=StepKind.UNDO, operation_id="u2", cases=((point, again),))
    with pytest.raises(Conflict):
        take_step(store, meeting, late)
    assert state(store, meeting) is PointState.DECIDED


def test_decisions_are_taken_back_one_after_the_other_and_no_press_twice(store, meeting):
    point = meeting.agenda[0].point
    (first,) = take_step(store, meeting, decision(point))
    (second,) = take_step(store, meeting, decision(point, "d2", U, confirmed=True))
    back = [
        MeetingStep(kind=StepKind.UNDO, operation_id=f"u{number}", cases=((point, number),))
        for number in (second, first)
    ]
    values = []
    for step in (back[0], back[0], back[1], back[1]):
        take_step(store, meeting, step)
        found = load_point_cases(store, [point])[point].decided
        values.append(found and found.value)
    assert values == [C, C, None, None]
    assert len(minutes_of(store, meeting.id).rulings) == 4


def test_of_like_cases_none_is_taken_back_when_one_was_decided_since(store, meeting):
    points = [each.point for each in meeting.agenda[:2]]
    numbers = [
        take_step(store, meeting, decision(each, f"d{nth}"))[0] for nth, each in enumerate(points)
    ]
    take_step(store, meeting, decision(points[1], "d9", U, confirmed=True))
    cases = tuple(zip(points, numbers, strict=True))
    with pytest.raises(Conflict, match="does not count any more"):
        take_step(store, meeting, MeetingStep(kind=StepKind.UNDO, operation_id="u", cases=cases))
    assert [state(store, meeting, at) for at in (0, 1)] == [PointState.DECIDED] * 2


def test_taking_back_twice_leaves_what_somebody_else_decided(store, meeting):
    point = meeting.agenda[0].point
    (first,) = take_step(store, meeting, decision(point))
    told = {"run_id": point.run_id, "item_id": point.item_id, "unit_id": point.unit_id}
    told |= {"criterion": "label", "reason": "no", "seen": 10**6, "author": EVE}
    decide(store, value=S, operation_id="o1", **told | {"author": replace(EVE, name="dot")})
    third = decide(store, value=U, operation_id="o2", **told)
    decide(store, value="", undoes=third, operation_id="o3", **told)
    with pytest.raises(Conflict, match="does not count any more"):
        decide(store, value="", undoes=first, operation_id="o4", **told)
    assert load_point_cases(store, [point])[point].decided.value == S


def test_minutes_count_what_stands_and_every_second_once(store, meeting):
    point = meeting.agenda[0].point
    (number,) = take_step(store, meeting, decision(point, seconds=30))
    take_step(
        store, meeting, MeetingStep(kind=StepKind.UNDO, operation_id="u1", cases=((point, number),))
    )
    later = MeetingStep(
        kind=StepKind.DEFER, operation_id="f1", point=point, reason="ask", seconds=10
    )
    take_step(store, meeting, later)
    minutes = minutes_of(store, meeting.id)
    told = render_markdown_minutes(minutes)
    assert "0 decisions that stand, 1 replaced or taken back, 1 deferred, 5 not reached" in told
    assert "; 40 s on the points" in told
    assert minutes.rulings[1].reason.startswith("Takes back decision 1 here, Contradictory on ")
    assert str(number) not in minutes.rulings[1].reason.partition(" on ")[0]


def test_like_cases_get_the_decision_and_are_taken_back_together(store, meeting):
    point = meeting.agenda[0].point
    (number,) = take_step(store, meeting, decision(point, error_class="judge_wrong"))
    like = load_similar_cases(store, case(store, *point[1:]))
    cases = tuple(
        (Point(point.run_id, e.case.item.id, e.case.unit.id, "label"), e.seen) for e in like
    )
    assert len(cases) == 2
    step = MeetingStep(
        kind=StepKind.LIKE, operation_id="l1", point=point, follows=number, cases=cases
    )
    numbers = take_step(store, meeting, step)
    rulings = minutes_of(store, meeting.id).rulings
    assert [(e.how, e.error_class, e.reason) for e in rulings[1:]] == [
        ("like", "judge_wrong", "the source gives $45.00")
    ] * 2
    places = tuple((each, n) for (each, _), n in zip(cases, numbers, strict=True))
    take_step(store, meeting, MeetingStep(kind=StepKind.UNDO, operation_id="u1", cases=places))
    assert len(load_similar_cases(store, case(store, *point[1:]))) == 2
    gone = MeetingStep(kind=StepKind.LIKE, operation_id="l2", follows=10**6, cases=cases)
    with pytest.raises(ReviewError, match="taken back"):
        take_step(store, meeting, gone)


def decided_alike(store, meeting):
    """Three points with a decision each, as a step that takes them back knows them."""
    points = [each.point for each in meeting.agenda[:3]]
    taken = [take_step(store, meeting, decision(each, f"d{n}")) for n, each in enumerate(points)]
    return tuple((point, number) for point, (number,) in zip(points, taken, strict=True))


@contextmanager
def disk_that_takes(store, size):
    """A limit on the size of files stands for a disk that is nearly full."""
    store.checkpoint()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def test_of_like_cases_none_is_taken_back_when_the_disk_is_full_for_one(store, meeting):
    cases, journal = decided_alike(store, meeting), get_sidecar_path(store.path, "journal")
    size = journal.stat().st_size
    point, number = cases[0]
    take_step(
        store, meeting, MeetingStep(kind=StepKind.UNDO, operation_id="u", cases=((point, number),))
    )
    one = journal.stat().st_size - size
    (number,) = take_step(store, meeting, decision(point, "again", seen=10**6))
    cases = ((point, number), *cases[1:])
    with disk_that_takes(store, journal.stat().st_size + one + 60), pytest.raises(NotSaved):
        take_step(store, meeting, MeetingStep(kind=StepKind.UNDO, operation_id="u1", cases=cases))
    assert [state(store, meeting, at) for at in range(3)] == [PointState.DECIDED] * 3
    take_step(store, meeting, MeetingStep(kind=StepKind.UNDO, operation_id="u2", cases=cases))
    assert [state(store, meeting, at) for at in range(3)] == [PointState.OPEN] * 3


def test_like_cases_that_were_taken_back_come_whole_from_the_journal(store, meeting, tmp_path):
    cases, copy = decided_alike(store, meeting), tmp_path / "copy.duckdb"
    store.checkpoint()
    shutil.copyfile(store.path, copy)
    undo = MeetingStep(kind=StepKind.UNDO, operation_id="u", cases=cases)
    numbers = take_step(store, meeting, undo)
    store.note_state()
    shutil.copyfile(get_sidecar_path(store.path, "journal"), get_sidecar_path(copy, "journal"))
    again = open_store(copy)
    try:
        assert any("adjudications taken back (1)" in line for line in again.recovery)
        assert [state(again, meeting, at) for at in range(3)] == [PointState.OPEN] * 3
        assert take_step(again, meeting, undo) == numbers
    finally:
        again.close()


def test_events_say_who_is_there_now_and_what_was_deferred(store, meeting):
    point = meeting.agenda[1].point
    for step in (
        MeetingStep(
            kind=StepKind.DEFER, operation_id="1", point=point, reason="ask legal", seconds=3
        ),
        MeetingStep(kind=StepKind.PRESENT, operation_id="2", people=("eve", "dot")),
        MeetingStep(kind=StepKind.TIMED, operation_id="3", point=point, seconds=4),
        MeetingStep(kind=StepKind.FINISH, operation_id="4"),
    ):
        assert take_step(store, meeting, step) == ()
    found = load_meeting(store, meeting.id)
    assert (found.here, found.present) == (("eve", "dot"), ("eve", "ada", "dot"))
    assert (found.agenda[1].reason, found.agenda[1].seconds) == ("ask legal", 7.0)
    assert found.finished_at is not None


def test_a_decided_point_is_deferred_only_after_its_decision_was_taken_back(store, meeting):
    point = meeting.agenda[0].point
    (number,) = take_step(store, meeting, decision(point))
    defer = MeetingStep(kind=StepKind.DEFER, operation_id="later", point=point, reason="ask legal")
    with pytest.raises(ReviewError, match="Take the decision back first"):
        take_step(store, meeting, defer)
    assert load_meeting(store, meeting.id).agenda[0].state is PointState.DECIDED
    undo = MeetingStep(
        kind=StepKind.UNDO, operation_id="back", point=point, cases=((point, number),)
    )
    take_step(store, meeting, undo)
    take_step(store, meeting, defer)
    assert load_meeting(store, meeting.id).agenda[0].state is PointState.DEFERRED


def test_minutes_say_who_did_not_stay(store, meeting):
    take_step(
        store, meeting, MeetingStep(kind=StepKind.PRESENT, operation_id="p", people=("eve", "dot"))
    )
    assert "eve, ada, dot (not to the end: ada)" in render_markdown_minutes(
        minutes_of(store, meeting.id)
    )


def test_a_point_is_shown_when_nobody_disagrees_any_more(store, meeting):
    point = meeting.agenda[0].point
    quiet = point._replace(unit_id="s3")
    found = load_point_cases(store, [point, quiet])
    assert found[point].kinds
    assert not found[quiet].kinds
    assert {each.answer.value for each in found[quiet].said} == {S}
    assert found[quiet].seen > 0
    with pytest.raises(ReviewError):
        load_point_cases(store, [point._replace(unit_id="s99")])
    # The judge answers again and now says what the raters say.
    answer = Answer(unit_id="s1", criterion="label", value=C)
    asked = {"run_id": point.run_id, "item_id": point.item_id, "author": NORTH}
    sign(store, answers=[answer], operation_id="again", **asked)
    agreed = load_point_cases(store, [point])[point]
    assert not agreed.kinds
    assert {each.answer.value for each in agreed.said} == {C}


def test_the_baseline_is_told_apart_from_judges(store, meeting):
    point = meeting.agenda[0].point
    assert load_baseline_answers(store, [point]) == {}
    for value, operation in ((S, "one"), (U, "two")):
        answer = Answer(unit_id=point.unit_id, criterion="label", value=value, rationale="words")
        asked = {"run_id": point.run_id, "item_id": point.item_id, "author": BASELINE}
        sign(store, answers=[answer], operation_id=operation, **asked)
    assert load_baseline_answers(store, [point])[point].value == U
    assert BASELINE not in {
        e.author for e in load_point_cases(store, [point])[point].case.annotations
    }


def test_answers_of_an_item_are_called_as_on_the_card_of_the_point(store, meeting):
    point = meeting.agenda[0].point
    said = load_annotations(store, point.item_id, point.run_id)
    (found,) = load_point_cases(store, [point]).values()
    names = assign_aliases(found)
    assert sorted(names.values()) == ["Judge 1", "Rater 1", "Rater 2", "Rater 3"]
    nothing = Earlier(values={})
    card = build_card(hide_names(found), nothing, PROTOCOLS[found.case.protocol], named=False)
    shown = {each["why"]: each["name"] for each in card["voices"]}
    assert shown == {e.answer.rationale: names[e.author] for e in found.case.annotations}
    hidden = hide_annotation_names(said, names)
    assert {each.author.name for each in hidden} == set(names.values())
    fewer = {author: name for author, name in names.items() if author != NORTH}
    assert {each.author.name for each in hide_annotation_names(said, fewer)} == set(names.values())
    assert [each.answer for each in hidden] == [each.answer for each in said]
    by_name = {(new.author, old.author) for new, old in zip(hidden, said, strict=True)}
    assert len(by_name) == 4


def test_a_judge_asked_in_the_meeting_is_the_last_and_nobody_is_called_anew(store, meeting):
    point = meeting.agenda[0].point
    before = assign_aliases(load_point_cases(store, [point])[point], meeting.began_at)
    answer = Answer(unit_id=point.unit_id, criterion=point.criterion, value=C)
    south = Author(kind=AuthorKind.JUDGE, name="south")
    asked = {"run_id": point.run_id, "item_id": point.item_id, "author": south}
    sign(store, answers=[answer], operation_id="asked", **asked)
    found = load_point_cases(store, [point])[point]
    assert assign_aliases(found, meeting.began_at) == before | {south: "Judge 2"}
    (new,) = [each for each in found.case.annotations if each.author == south]
    moved = 0
    for nth in range(100):
        other = replace(new, author=replace(south, name=f"south {nth}"))
        said = [other if each is new else each for each in found.case.annotations]
        joined = replace(found, case=replace(found.case, annotations=tuple(said)))
        assert assign_aliases(joined, meeting.began_at) == before | {other.author: "Judge 2"}
        moved += assign_aliases(joined)[NORTH] != before[NORTH]
    assert moved  # without the meeting's beginning some names would stand first
