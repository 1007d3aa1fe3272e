"""The room's cards and steps: blind until decided, and every press taken once."""

import json
from dataclasses import replace

import pytest

from components.meetings.room.card import (
    PointCard,
    build_agenda,
    build_point_card,
    build_similar_cases,
)
from components.meetings.room.steps import _apply_step, key_of, parse_point_key
from components.triage.sources import build_case_texts
from data.meetings.agendas import agenda_from
from data.meetings.meeting_actions import take_step
from data.meetings.meetings import load_meeting
from data.meetings.save_meetings import begin_meeting
from data.samples.sample import iter_drafts
from data.triage.point_cases import load_point_cases
from data.triage.similar_cases import load_earlier_decisions, load_similar_cases
from faithfulness.intake.intake import take_in
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind, Field
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.disagreement import DisagreementKind, Earlier
from faithfulness.review.meeting_step import MeetingStep, StepKind
from tests.data.stored import save_drafts, sentence_draft
from tests.made_stores import new_store

S, C = "supported", "contradictory"
NAMES = ("Zora-rater", "Quentin-rater", "Yolanda-judge")
ZORA, QUENTIN = (Author(kind=AuthorKind.RATER, name=name) for name in NAMES[:2])
YOLANDA = Author(kind=AuthorKind.JUDGE, name=NAMES[2])
HOST = "Wilhelmina-host"
NOTHING = {"number": 0, "made": []}
QUOTED = ("holds 1.7 litres", "switches itself off", "Its price is $45.00")


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    values = {ZORA: (C, S, S), QUENTIN: (C, S, S), YOLANDA: (S, S, S)}
    drafts = [sentence_draft(nth, values, system="Yolanda-judge") for nth in (1, 2, 3)]
    for draft in drafts:
        # A rationale that names its author is for its author to avoid.
        draft.said[:] = [
            each._replace(rationale="as the page says", excerpts=QUOTED if each.value == S else ())
            for each in draft.said
        ]
    save_drafts(opened, drafts)
    yield opened
    opened.close()


def begun(store, **more):
    agenda = agenda_from(store, Selection(), first=3)
    started = begin_meeting(store, host=HOST, present=[], agenda=agenda, operation_id="b", **more)
    return load_meeting(store, started)


def card(store, meeting, at=0):
    place = meeting.agenda[at]
    found = load_point_cases(store, [place.point])[place.point]
    (earlier,) = load_earlier_decisions(store, [found])
    protocol = PROTOCOLS[found.case.protocol]
    return build_point_card(
        meeting, PointCard(place=place, found=found, earlier=earlier, protocol=protocol)
    )


def decide(store, meeting, at=0):
    return take_step(
        store,
        meeting,
        MeetingStep(
            kind=StepKind.DECIDE,
            operation_id=f"d{at}",
            point=meeting.agenda[at].point,
            value=C,
            reason="so it is",
            seen=10**6,
        ),
    )


def test_a_blind_card_holds_no_name_and_a_decided_one_says_who_was_who(store):
    meeting = begun(store)
    decide(store, meeting, 1)
    hidden = card(store, load_meeting(store, meeting.id))
    sent = json.dumps(hidden)
    assert not [name for name in (*NAMES, HOST) if name in sent]
    assert hidden["blind"]
    assert hidden["reader"] == ""
    assert "names=hidden" in hidden["rerun"]
    assert {each["name"] for each in hidden["voices"]} == {"Judge 1", "Rater 1", "Rater 2"}
    decide(store, meeting)
    shown = card(store, load_meeting(store, meeting.id))
    assert not shown["blind"]
    by_letter = {each["name"]: each["value"] for each in hidden["voices"]}
    assert {each["name"] for each in shown["voices"]} == set(NAMES)
    assert {each["was"]: each["value"] for each in shown["voices"]} == by_letter
    assert "names=hidden" not in shown["rerun"]
    assert meeting.id in shown["rerun"]


def test_a_meeting_that_hides_nobody_names_everybody_at_once(store):
    shown = card(store, begun(store, hides_authors=False))
    assert {each["name"] for each in shown["voices"]} == set(NAMES)
    assert {each["was"] for each in shown["voices"]} == {""}
    assert shown["sections"][-1] == "General"


def test_a_card_counts_the_texts_of_the_item_and_is_as_small_whatever_they_are(tmp_path):
    long = "Kettles boil water, and reviewers write about it at length. " * 3_000
    other = new_store(tmp_path / "long.duckdb")
    draft = sentence_draft(1, {ZORA: (C, C, C), YOLANDA: ("unsupported", C, C)})
    fields = (*draft.fields, Field(name="reviews", kind="reviews", text=long))
    save_drafts(other, [draft._replace(fields=fields)], "long")
    told = card(other, begun(other))
    assert told["texts"]["count"] == 4
    assert told["texts"]["characters"] == sum(len(each.text) for each in fields)
    assert len(json.dumps(told)) < 10_000
    other.close()


def test_short_texts_come_with_a_card_on_which_nobody_quotes_any_words(store, tmp_path):
    assert card(store, begun(store))["texts"]["sent"] is None
    other = new_store(tmp_path / "bare.duckdb")
    draft = sentence_draft(1, {ZORA: (C, C, C), YOLANDA: ("unsupported", C, C)})
    save_drafts(other, [draft], "bare")
    told = card(other, begun(other))
    assert len(told["texts"]["sent"]["texts"]) == told["texts"]["count"] == 3
    assert not [name for name in NAMES if name in json.dumps(told["texts"])]
    other.close()


def test_texts_that_are_opened_are_whole_marked_and_without_a_name(store):
    point = begun(store).agenda[0].point
    case = load_point_cases(store, [point])[point].case
    sent = build_case_texts(case.item, case.unit, case.annotations)
    whole = {
        each["title"]: "".join(words for words, _ in each["segments"]) for each in sent["texts"]
    }
    assert list(whole) == ["Context", "Response", "Query"]
    assert sorted(whole.values()) == sorted(each.text for each in case.item.fields)
    marked = [words for words, names in sent["texts"][0]["segments"] if "quoted" in names]
    assert {each.strip() for each in QUOTED} <= {each.strip() for each in marked}
    assert not [name for name in NAMES if name in json.dumps(sent)]


@pytest.mark.parametrize("key", PROTOCOLS)
def test_every_text_of_the_sample_is_offered_under_every_protocol(key):
    checked = 0
    for item in (take_in(each).item for each in iter_drafts() if each.protocol == key):
        unit = item.units_of(PROTOCOLS[key].unit)[0]
        sent = build_case_texts(item, unit, ())
        shown = ["".join(words for words, _ in each["segments"]) for each in sent["texts"]]
        assert sorted(shown) == sorted(each.text for each in item.fields if each.text.strip())
        checked += 1
    assert checked


def test_the_agenda_says_what_became_of_each_point(store):
    meeting = begun(store)
    decide(store, meeting)
    told = build_agenda(load_meeting(store, meeting.id))
    assert [each["state"] for each in told] == ["decided", "open", "open"]
    assert parse_point_key(told[0]["key"]) == meeting.agenda[0].point


def test_like_cases_name_nobody_and_wait_for_a_decision(store):
    meeting = begun(store)
    point = meeting.agenda[0].point
    found = load_point_cases(store, [point])[point]
    assert build_similar_cases(point, found, []) is None
    (number,) = decide(store, meeting)
    found = load_point_cases(store, [point])[point]
    told = build_similar_cases(point, found, load_similar_cases(store, found))
    assert told is not None
    assert (told["number"], told["title"], len(told["cases"])) == (number, "Contradictory", 2)
    assert not [name for name in NAMES if name in json.dumps(told)]
    for each in told["cases"]:
        voices = [(voice["name"], voice["value"], voice["why"]) for voice in each["voices"]]
        why = "as the page says"
        assert voices == [("Judge 1", S, why), ("Rater 1", C, why), ("Rater 2", C, why)]
        assert [quote["by"] for quote in each["evidence"]["quotes"]] == [["Judge 1"]] * 2
        assert each["found"] == "Quotes: 2 word for word, 1 more"
        assert (each["run"], each["sample"]) == ("", False)


def test_a_like_case_of_another_run_says_which(store):
    meeting = begun(store)
    point = meeting.agenda[0].point
    decide(store, meeting)
    found = load_point_cases(store, [point])[point]
    away = replace(found, case=replace(found.case, run_id="away", run_name="week 46"))
    told = build_similar_cases(point, found, [found, away], runs=meeting.runs, samples=["away"])
    assert told is not None
    marks = [(each["run"], each["sample"]) for each in told["cases"]]
    assert marks == [("", False), ("week 46", True)]


def test_a_judge_that_differs_from_itself_is_called_the_same_everywhere(store):
    meeting = begun(store)
    place = meeting.agenda[0]
    found = load_point_cases(store, [place.point])[place.point]
    found = replace(found, kinds=(DisagreementKind.UNSTABLE,), samples=((NAMES[2], (S, C, C)),))
    shown = PointCard(
        place=place,
        found=found,
        earlier=Earlier(values={}),
        protocol=PROTOCOLS[found.case.protocol],
    )
    sent = build_point_card(meeting, shown)
    assert "Judge 1 said contradictory 2×, supported 1×" in sent["why"]
    assert [each["name"] for each in sent["samples"]] == ["Judge 1"]
    assert not [name for name in NAMES if name in json.dumps(sent)]


def undo(store, meeting, number, at=0):
    cases = ((meeting.agenda[at].point, number),)
    take_step(store, meeting, MeetingStep(kind=StepKind.UNDO, operation_id=f"u{at}", cases=cases))


def test_a_decision_that_takes_another_back_says_in_words_what_that_was(store):
    meeting = begun(store)
    (number,) = decide(store, meeting)
    undo(store, meeting, number)
    told = [each["reason"] for each in card(store, load_meeting(store, meeting.id))["decisions"]]
    assert told == ["so it is", "Takes back Contradictory, for which the reason was: so it is"]


def test_an_example_that_took_a_later_decision_back_shows_no_number_of_the_store(store):
    meeting = begun(store)
    decide(store, meeting, 1)
    second = MeetingStep(
        kind=StepKind.DECIDE,
        operation_id="second",
        point=meeting.agenda[1].point,
        value=S,
        reason="no",
        seen=10**6,
        confirmed=True,
    )
    (number,) = take_step(store, meeting, second)
    undo(store, meeting, number, at=1)
    (example,) = card(store, load_meeting(store, meeting.id))["earlier"]["examples"]
    assert example["reason"] == "Takes back what was decided after it"


def said(kind, **more):
    return {"seq": 1, "kind": kind, "key": "r\x1fi\x1fs1\x1flabel"} | more


def test_what_the_browser_says_becomes_a_step_within_bounds():
    steps = []

    def take(step):
        steps.append(step)
        return (7,)

    state = _apply_step(
        take,
        said("decide", value=C, reason=" why " * 200, seconds=-3, error_class="nonsense"),
        NOTHING,
        "op",
    )
    assert (steps[0].operation_id, steps[0].error_class, steps[0].seconds) == ("op", "", 0.0)
    assert steps[0].reason == (" why " * 200).strip()
    assert state["state"] == "saved"
    with pytest.raises(ReviewError, match="at most 4,000 are stored"):
        _apply_step(take, said("decide", value=C, reason="why " * 2_000), NOTHING, "too long")
    own = {"number": state["number"], "made": state["made"]}
    undone = _apply_step(take, said("undo"), own, "op2")
    assert steps[1].cases == ((parse_point_key(said("undo")["key"]), 7),)
    assert (undone["state"], undone["made"]) == ("undone", [])
    with pytest.raises(ReviewError, match="no decision"):
        _apply_step(take, said("undo"), NOTHING, "op3")
    # A tab that was loaded anew brings along what it knows.
    _apply_step(take, said("undo", cases=[[said("undo")["key"], 5]]), NOTHING, "op4")
    assert steps[-1].cases[0][1] == 5
    with pytest.raises(ReviewError, match="no point"):
        _apply_step(take, said("decide", key="nonsense"), NOTHING, "op5")


def test_people_and_the_end_are_about_no_point():
    steps = []

    def take(step):
        steps.append(step)
        return ()

    assert (
        _apply_step(take, said("present", key="", people=[" ada "]), NOTHING, "a")["state"]
        == "noted"
    )
    assert _apply_step(take, said("finish", key=""), NOTHING, "b")["state"] == "noted"
    _apply_step(take, said("timed", key="", point=said("x")["key"], seconds=4), NOTHING, "c")
    assert [each.point for each in steps[:2]] == [None, None]
    assert steps[0].people == ("ada",)
    assert key_of(steps[2].point) == said("x")["key"]
