"""Meetings: agendas, decisions with their circumstances, like cases, minutes, what to recheck."""

from dataclasses import replace
from pathlib import Path

import pytest

from data.items.loading import load_item
from data.items.sign import sign
from data.judging.save_rerun import keep_rerun
from data.meetings import decisions
from data.meetings.agendas import agenda_from, find_unanimous_cases
from data.meetings.decide import decide
from data.meetings.decide_many import Settled, adopt_unanimous, decide_like
from data.meetings.decision_facts import Circumstances, get_words_in_force
from data.meetings.decisions import find_rechecks, load_confusions, load_guideline_notes
from data.meetings.meeting_actions import confirm_decision
from data.meetings.meetings import load_meeting, load_meetings, minutes_of
from data.meetings.proposals import PROPOSAL_KIND as PROPOSAL
from data.meetings.proposals import append_proposal as append_proposal
from data.meetings.save_meetings import POINTS, append_points, begin_meeting, note_event
from data.runs.remove import remove_runs
from data.store.journal import read_journal
from data.store.store import open_store
from data.triage.cases import load_disagreements
from data.triage.queue import load_queue
from data.triage.similar_cases import load_similar_cases
from faithfulness.judging.rerun import Sample
from faithfulness.model.errors import Conflict, ReviewError
from faithfulness.model.protocol import ReplyReading
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Excerpt, Reply, Tier
from faithfulness.protocols import protocol
from faithfulness.review.meeting import Point, PointState, assign_aliases, hide_names
from faithfulness.review.minutes import count_error_classes, render_markdown_minutes
from faithfulness.text.excerpts import place_excerpt, prepare_source
from tests.data.found_case import case
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

S, U, C = "supported", "unsupported", "contradictory"
CHI = Author(kind=AuthorKind.RATER, name="chi")
# The judge alone against three raters; one rater against all; nobody differs.
VALUES = {ADA: (C, S, S), BEN: (C, S, S), CHI: (C, U, S), NORTH: (S, S, S)}


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    save_drafts(opened, [sentence_draft(nth, VALUES) for nth in (1, 2, 3)])
    yield opened
    opened.close()


def begin(store, first=6, operation="begin", **more):
    agenda = agenda_from(store, Selection(), first=first)
    people = {"host": "eve", "present": ["ada", "ben", " "]}
    return begin_meeting(
        store, agenda=agenda, operation_id=operation, title="Monday", **people, **more
    )


def settle(store, meeting_id, point, value=C, operation="d1", author=EVE, **more):
    told = {"seconds": 40.0, "warns": True} | more.pop("told", {})
    return decide(
        store,
        run_id=point.run_id,
        item_id=point.item_id,
        unit_id=point.unit_id,
        criterion=point.criterion,
        value=value,
        author=author,
        reason="the source gives $45.00",
        error_class=more.pop("error_class", "judge_wrong"),
        seen=case(store, *point[1:]).seen,
        operation_id=operation,
        circumstances=Circumstances(meeting_id=meeting_id, **told),
        **more,
    )


def sign_as_before(store, operation_id, kind, **payload):
    """Sign what the program no longer signs by itself, and older journals hold."""
    work = {POINTS: append_points, PROPOSAL: append_proposal}[kind]
    return store.write_journaled(
        operation_id, kind, payload, lambda cursor: work(cursor, operation_id, payload)
    )


def propose(store, operation_id, wording, *, protocol, section="", point=None):
    said = {"wording": wording, "protocol": protocol, "section": section, "by": "ada"}
    rest = {"meeting_id": "", "point": point, "proposed_at": "2026-03-01T10:00:00+00:00"}
    sign_as_before(store, operation_id, PROPOSAL, **said, **rest)


def test_agenda_keeps_the_order_of_the_queue_and_of_marks(store):
    meeting_id = begin(store, first=4)
    found = load_meeting(store, meeting_id)
    shown = load_disagreements(store, load_queue(store, Selection()).rows)[:4]
    assert [each.point for each in found.agenda] == [
        Point(each.case.run_id, each.case.item.id, each.case.unit.id, each.criterion.key)
        for each in shown
    ]
    assert found.present == ("eve", "ada", "ben")
    assert (found.host, found.title, found.finished_at) == ("eve", "Monday", None)
    whole = agenda_from(store, Selection(), first=6)
    marked = [whole[5], whole[0], whole[4]]
    more = {"meeting_id": meeting_id, "points": marked}
    assert sign_as_before(store, "more", POINTS, **more) == 6
    assert [each.point for each in load_meeting(store, meeting_id).agenda] == [
        *whole[:4],
        whole[5],
        whole[4],
    ]


def test_same_press_begins_one_meeting(store):
    assert begin(store) == begin(store)
    assert len(load_meetings(store)) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"agenda": []},
        {"host": "  "},
        {"agenda": [Point("r", "i", "s1", "label")]},
    ],
)
def test_meeting_without_host_or_points_is_not_begun(store, wrong):
    asked = {"host": "eve", "present": [], "agenda": agenda_from(store, Selection())} | wrong
    with pytest.raises(ReviewError):
        begin_meeting(store, operation_id="begin", **asked)
    assert load_meetings(store).empty


def test_decision_defer_and_time_show_on_the_agenda(store):
    meeting_id = begin(store)
    first, second, third, *_ = agenda_from(store, Selection())
    number = settle(store, meeting_id, first)
    about = {"by": "eve", "point": second}
    note_event(store, meeting_id, "timed", seconds=12.5, operation_id="t1", by="eve", point=first)
    note_event(
        store, meeting_id, "deferred", text="ask legal", seconds=3, operation_id="t2", **about
    )
    note_event(store, meeting_id, "finished", by="eve", operation_id="end")
    found = load_meeting(store, meeting_id)
    told = [(each.state, each.seconds, each.decisions, each.reason) for each in found.agenda[:3]]
    assert told == [
        (PointState.DECIDED, 52.5, (number,), ""),
        (PointState.DEFERRED, 3.0, (), "ask legal"),
        (PointState.OPEN, 0.0, (), ""),
    ]
    assert found.next_open is not None
    assert found.next_open.point == third
    nearly_done = replace(found, agenda=found.agenda[:2])
    assert nearly_done.next_open is not None
    assert nearly_done.next_open.point == second  # deferred: all that is left
    assert found.finished_at >= found.began_at
    settle(store, meeting_id, second, operation="d2")
    assert load_meeting(store, meeting_id).agenda[1].state is PointState.DECIDED


def test_second_decision_warns_even_when_the_first_was_shown_and_both_stay(store):
    meeting_id = begin(store)
    (point,) = agenda_from(store, Selection(), first=1)
    one = settle(store, meeting_id, point)
    with pytest.raises(Conflict, match="eve settled Sentence 1 as"):
        settle(store, meeting_id, point, U, "d2")
    two = settle(store, meeting_id, point, U, "d3", confirmed=True)
    found = case(store, *point[1:])
    assert [(each.number, each.is_current) for each in found.decisions] == [
        (one, False),
        (two, True),
    ]
    assert load_meeting(store, meeting_id).agenda[0].decisions == (one, two)
    assert [each.stands for each in minutes_of(store, meeting_id).rulings] == [False, True]


def test_decision_from_outside_is_told_before_the_meeting_decides(store):
    (point,) = agenda_from(store, Selection(), first=1)
    meeting_id = begin(store)
    settle(store, "", point)
    assert load_meeting(store, meeting_id).agenda[0].decided_before == 1
    with pytest.raises(Conflict):
        settle(store, meeting_id, point, U, "d2")


def test_decision_that_was_taken_back_does_not_warn_and_leaves_the_point_open(store):
    meeting_id = begin(store)
    (point,) = agenda_from(store, Selection(), first=1)
    number = settle(store, meeting_id, point)
    settle(store, meeting_id, point, "", "u1", undoes=number, confirmed=True)
    assert load_meeting(store, meeting_id).agenda[0].state is PointState.OPEN
    assert settle(store, meeting_id, point, U, "d2") > number


def test_blind_card_names_nobody(store):
    (point,) = agenda_from(store, Selection(), first=1)
    known = case(store, *point[1:])
    hidden = hide_names(known)
    assert sorted(each.author.name for each in hidden.case.annotations) == ["A", "B", "C", "D"]
    assert {each.number for each in hidden.case.annotations} == {0}
    for name in ("ada'", "ben'", "chi'", "north'"):
        assert f"name='{name}" not in repr(hidden)
    told = dict(zip("ABCD", (each.name for each in assign_aliases(known)), strict=True))
    values = {told[each.author.name]: each.answer.value for each in hidden.case.annotations}
    assert values == {"ada": C, "ben": C, "chi": C, "north": S}
    assert hidden.seen == known.seen


def test_like_cases_are_decided_in_one_operation(store):
    meeting_id = begin(store)
    (point,) = agenda_from(store, Selection(), first=1)
    settle(store, meeting_id, point)
    like = load_similar_cases(store, case(store, *point[1:]))
    cases = [
        Settled(Point(e.case.run_id, e.case.item.id, e.case.unit.id, "label"), C, e.seen)
        for e in like
    ]
    assert len(cases) == 2
    asked = {"follows": "d1", "author": EVE, "reason": "as there", "meeting_id": meeting_id}
    numbers = decide_like(store, cases, operation_id="like", **asked)
    assert decide_like(store, cases, operation_id="like", **asked) == numbers
    assert load_similar_cases(store, case(store, *point[1:])) == []
    rulings = minutes_of(store, meeting_id).rulings
    assert [each.how for each in rulings] == ["decided", "like", "like"]


def test_like_cases_are_decided_whole_or_not_at_all(store):
    (one, two, three) = agenda_from(store, Selection(), first=3)
    cases = [Settled(each, C, case(store, *each[1:]).seen) for each in (one, two, three)]
    settle(store, "", two, U, "meanwhile")
    journal = store.path.with_name(f"{store.path.name}.journal")
    asked = {"follows": "d1", "author": EVE, "reason": "as there"}
    with pytest.raises(Conflict, match="eve settled"):
        decide_like(store, cases, operation_id="like", **asked)
    assert case(store, *one[1:]).decided is None
    assert case(store, *three[1:]).decided is None
    assert read_journal(journal).entries[-1].state == "cancelled"
    wrong = [cases[0], cases[0]]
    with pytest.raises(ReviewError, match="each only once"):
        decide_like(store, wrong, operation_id="twice", **asked)


def test_unanimous_raters_are_listed_and_adopted_only_when_asked(store):
    many, cases = find_unanimous_cases(store)
    assert many == len(cases) == 3
    assert {each.value for each in cases} == {C}
    assert find_unanimous_cases(store, raters=4) == (0, [])
    assert find_unanimous_cases(store, protocol="claim_overlap") == (0, [])
    assert load_queue(store, Selection(), decided="decided").total == 0
    numbers = adopt_unanimous(store, cases, author=EVE, operation_id="adopt")
    assert len(numbers) == 3
    assert find_unanimous_cases(store)[0] == 0
    assert load_queue(store, Selection(), decided="decided").total == 3


def test_nothing_is_adopted_when_a_rater_answered_since_it_was_shown(store):
    _, cases = find_unanimous_cases(store)
    point = cases[0].point
    answer = Answer(unit_id=point.unit_id, criterion="label", value=S)
    place = {"run_id": point.run_id, "item_id": point.item_id}
    sign(store, **place, answers=[answer], author=BEN, operation_id="later")
    with pytest.raises(Conflict, match="ben answered Sentence 1 as"):
        adopt_unanimous(store, cases, author=EVE, operation_id="adopt")
    assert load_queue(store, Selection(), decided="decided").total == 0


def test_nothing_is_adopted_when_a_rater_answered_since_in_another_run(store):
    (rated,) = save_drafts(store, [sentence_draft(4, {ADA: (S, S, S), BEN: (S, S, S)})], "rated")
    save_drafts(store, [sentence_draft(4, {NORTH: (C, S, S)}, system="judged")], "judged")
    _, cases = find_unanimous_cases(store)
    (shown,) = [each for each in cases if each.value == S]
    assert shown.point.run_id != rated
    answer = Answer(unit_id="s1", criterion="label", value=C)
    place = {"run_id": rated, "item_id": shown.point.item_id}
    sign(store, **place, answers=[answer], author=BEN, operation_id="later")
    with pytest.raises(Conflict, match="ben answered Sentence 1 as"):
        adopt_unanimous(store, [shown], author=EVE, operation_id="adopt")
    # What was said in a run that is removed refuses nothing.
    remove_runs(store, run_ids=[rated], removed_by="eve", operation_id="gone")
    assert adopt_unanimous(store, [shown], author=EVE, operation_id="again")


def test_like_cases_are_not_decided_when_one_was_settled_since_in_another_run(store):
    (first,) = save_drafts(store, [sentence_draft(4, {ADA: (S, S, S), BEN: (S, S, S)})], "rated")
    save_drafts(store, [sentence_draft(4, {NORTH: (C, S, S)}, system="judged")], "judged")
    (shown,) = [each for each in find_unanimous_cases(store)[1] if each.value == S]
    settle(store, "", shown.point._replace(run_id=first), U, "meanwhile")
    asked = {"follows": "d1", "author": EVE, "reason": "as there"}
    with pytest.raises(Conflict, match="eve settled Sentence 1 as"):
        decide_like(store, [shown], operation_id="like", **asked)


def test_minutes_hold_the_words_that_stood_when_it_was_decided(store):
    meeting_id = begin(store, first=3)
    first, second, _ = agenda_from(store, Selection(), first=3)
    told = {"wording": "A price that differs contradicts.", "section": "Prices"}
    settle(store, meeting_id, first, told=told)
    note_event(store, meeting_id, "deferred", by="eve", text="ask", operation_id="t", point=second)
    answer = Answer(unit_id=first.unit_id, criterion="label", value=U, rationale="changed my mind")
    sign(
        store,
        run_id=first.run_id,
        item_id=first.item_id,
        answers=[answer],
        author=ADA,
        operation_id="later",
    )
    found = minutes_of(store, meeting_id)
    (ruling,) = found.rulings
    ada = next(each for each in ruling.matter.voices if each.author == ADA)
    north = next(each for each in ruling.matter.voices if each.author == NORTH)
    assert (ada.value, ada.rationale) == ("Contradictory", "ada on sentence 1")
    assert north.quotes == (("holds 1.7 litres", "verbatim"),)
    assert ruling.matter.text == "The kettle holds 1.7 litres."
    assert (ruling.matter.seconds, ruling.by) == (40.0, "eve")
    assert count_error_classes(found.rulings) == {"judge_wrong": 1}
    assert [each.wording for each in found.proposals] == [told["wording"]]
    assert len(found.deferred) == len(found.untouched) == 1
    text = render_markdown_minutes(found)
    assert "the source gives \\$45.00" in text
    assert "changed my mind" not in text
    assert "**Present:** eve, ada, ben" in text


def test_minutes_mark_a_quote_with_another_number_than_its_source(store):
    first = agenda_from(store, Selection(), first=1)[0]
    fields = load_item(store, first.item_id).fields
    sources = [prepare_source(each) for each in fields if each.kind == "context"]
    words = ("This kettle holds 2.7 litres and switches itself off.", "kettle holds 1.7 liters and")
    quotes = tuple(Excerpt(text=each, placement=place_excerpt(each, sources)) for each in words)
    assert [each.placement.tier for each in quotes] == [Tier.NEAR, Tier.NEAR]
    answer = Answer(unit_id=first.unit_id, criterion="label", value=S, excerpts=quotes)
    about = {"run_id": first.run_id, "item_id": first.item_id, "author": NORTH}
    sign(store, answers=[answer], operation_id="quoted", **about)
    meeting_id = begin(store, first=1)
    settle(store, meeting_id, first)
    (ruling,) = minutes_of(store, meeting_id).rulings
    north = next(each for each in ruling.matter.voices if each.author == NORTH)
    assert north.quotes == tuple((each, "near") for each in words)
    assert north.altered == ((words[0], "2.7 litres against 1.7 litres"),)


def test_changed_guidance_offers_decisions_until_they_are_confirmed(store, monkeypatch):
    one, two = agenda_from(store, Selection(), first=2)
    settle(store, "", one)
    settle(store, "", two, operation="d2")
    assert find_rechecks(store) == []
    kept = decisions.PROTOCOLS["sentence_grounding"]
    changed = replace(kept, guidance=kept.guidance + "\nPrices must match.")
    monkeypatch.setitem(decisions.PROTOCOLS, kept.key, changed)
    assert [each.point for each in find_rechecks(store)] == [one, two]
    found = find_rechecks(store, protocol=kept.key)[0]
    assert found.why == "the guidance has changed since"
    confirm_decision(store, one, made_by=found.made_by, by="eve", operation_id="c1")
    settle(store, "", two, U, "d3", confirmed=True)
    assert find_rechecks(store) == []
    with pytest.raises(Conflict):
        confirm_decision(store, two, made_by="d2", by="eve", operation_id="c2")
    newer = replace(changed, prompt=replace(kept.prompt, version="next"))
    monkeypatch.setitem(decisions.PROTOCOLS, kept.key, newer)
    assert [each.why for each in find_rechecks(store)] == ["the prompt has changed since"] * 2


def test_a_judge_asked_again_in_a_removed_run_offers_no_decision(store):
    (point,) = agenda_from(store, Selection(), first=1)
    settle(store, begin(store), point)
    again = [sentence_draft(nth, {ADA: (C, S, S)}, system="again") for nth in (1, 2, 3)]
    (gone,) = save_drafts(store, again, "second")
    reading = ReplyReading((Answer(unit_id=point.unit_id, criterion="label", value=S),))
    kept = protocol("sentence_grounding").prompt
    for nth, prompt in enumerate((kept, replace(kept, template=kept.template + " Be strict."))):
        reply = Reply(text="…", model="n", fingerprint=prompt.fingerprint)
        keep_rerun(
            store,
            run_id=gone,
            item_id=point.item_id,
            author=NORTH,
            samples=[Sample(reply=reply, reading=reading, cost=None)],
            settled=reading,
            prompt=prompt,
            settings={},
            operation_id=f"rerun{nth}",
            group_id=f"g{nth}",
        )
    assert [each.why for each in find_rechecks(store)] == [
        "answered again under another prompt by north"
    ]
    remove_runs(store, run_ids=[gone], removed_by="eve", operation_id="gone")
    assert find_rechecks(store) == []


def test_notes_gather_the_same_wording_with_the_decisions_behind_it(store):
    meeting_id = begin(store)
    first, second, third, *_ = agenda_from(store, Selection())
    settle(store, meeting_id, first, told={"wording": "Say so.", "section": "Prices"})
    decide_like(
        store,
        [Settled(second, C, case(store, *second[1:]).seen)],
        follows="d1",
        author=EVE,
        reason="as there",
        operation_id="like",
    )
    about = {"protocol": "sentence_grounding"}
    propose(store, "p1", "Say  so.", section="Prices", point=third, **about)
    propose(store, "p2", "Other words.", **about)
    with pytest.raises(ReviewError, match="1 to"):
        propose(store, "p3", "  ", **about)
    general, prices = load_guideline_notes(store)
    assert (general.section, general.wording, general.behind) == ("General", "Other words.", ())
    assert [each.by for each in prices.proposals] == ["eve", "ada"]
    assert [each.solved_as for each in prices.behind] == [C, C]
    assert prices.confusions == {(C, S): 2}
    assert load_guideline_notes(store, protocol="claim_overlap") == []
    table = load_confusions(store)
    assert table.to_dict("records") == [
        {
            "protocol": "sentence_grounding",
            "criterion": "label",
            "solved_as": C,
            "confused_with": S,
            "decisions": 2,
            "error_classes": ["judge_wrong"],
            "named": 1,
        }
    ]


def test_a_tie_of_what_went_wrong_is_told_as_one(store):
    first, second, third, *_ = agenda_from(store, Selection())
    for nth, (point, named) in enumerate(((first, "other"), (second, "bad_cut"), (third, ""))):
        settle(store, "", point, operation=f"tie{nth}", error_class=named)
    (row,) = load_confusions(store).to_dict("records")
    assert (row["decisions"], row["error_classes"], row["named"]) == (3, ["bad_cut", "other"], 1)


def everything(store):
    """All that meetings leave in the store, by names and not by numbers."""
    found = [minutes_of(store, each) for each in load_meetings(store).meeting_id]
    return found, load_guideline_notes(store), load_meeting(store, found[0].meeting_id)


def test_journal_gives_a_whole_meeting_back(store, tmp_path):
    """The store is lost after the import; the copy from before the meeting and the journal stay."""
    store.checkpoint()
    before = Path(store.path).read_bytes()
    meeting_id = begin(store)
    first, second, third, fourth, *_ = agenda_from(store, Selection())
    told = {"wording": "Say so.", "section": "Prices"}
    settle(store, meeting_id, first, told=told)
    settle(store, meeting_id, first, U, "again", confirmed=True)
    decide_like(
        store,
        [Settled(each, C, case(store, *each[1:]).seen) for each in (second, third)],
        follows="again",
        author=EVE,
        reason="as there",
        operation_id="like",
        meeting_id=meeting_id,
    )
    sign_as_before(store, "more", POINTS, meeting_id=meeting_id, points=[fourth])
    about = {"by": "eve", "point": fourth}
    note_event(store, meeting_id, "deferred", text="ask", operation_id="t", **about)
    note_event(store, meeting_id, "present", by="eve", people=["dot"], operation_id="people")
    propose(store, "p1", "More.", protocol="claim_overlap")
    confirm_decision(store, first, made_by="again", by="eve", operation_id="c1")
    kept = everything(store)
    store.close()
    path = tmp_path / "s.duckdb"
    path.write_bytes(before)
    again = open_store(path)
    try:
        assert any("from the journal" in line for line in again.recovery), again.recovery
        assert everything(again) == kept
        with again.read() as cursor:
            checked = cursor.execute("select count(*), max(guidance) from decision_checks")
            assert checked.fetchall() == [(1, get_words_in_force("sentence_grounding")["guidance"])]
    finally:
        again.close()
