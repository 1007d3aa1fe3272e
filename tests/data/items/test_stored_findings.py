"""Minutes tell what the store found against a unit that nobody quoted the source for."""

import pytest

from data.meetings.agendas import agenda_from
from data.meetings.decide import decide
from data.meetings.decision_facts import Circumstances
from data.meetings.meetings import minutes_of
from data.meetings.save_meetings import begin_meeting
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from tests.data.items.test_unit_findings import DIFFERING, draft, forget
from tests.data.stored import ADA, BEN, EVE, save_drafts, sentence_draft
from tests.made_stores import new_store

S, U, C = "supported", "unsupported", "contradictory"
SOURCE = "It boils water in about three whole minutes."


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "p.duckdb")
    yield opened
    opened.close()


def matters(store, *, decided=1):
    """What the minutes tell by unit, after a meeting about all there is that decided so many."""
    points = agenda_from(store, Selection())
    asked = {"host": "eve", "present": [], "operation_id": "b"}
    meeting_id = begin_meeting(store, agenda=points, **asked)
    for nth, point in enumerate(points[:decided]):
        decide(
            store, **point._asdict(), value=C, author=EVE, reason="so", seen=10**6,
            operation_id=f"d{nth}", circumstances=Circumstances(meeting_id=meeting_id),
        )  # fmt: skip
    found = minutes_of(store, meeting_id)
    return {
        each.unit_id: each for each in (*(one.matter for one in found.rulings), *found.untouched)
    }


def test_a_stored_finding_is_told_with_the_words_of_the_source(store):
    save_drafts(store, [DIFFERING])
    told = matters(store)
    (found,) = told["s2"].found
    assert (found.check, found.words, found.field) == ("Quoted reviews", SOURCE, "reviews")
    assert told["s1"].found == ()


def test_what_the_store_did_not_find_is_not_looked_for_by_minutes(store):
    save_drafts(store, [DIFFERING])
    forget(store)
    assert all(each.found == () for each in matters(store).values())


def test_a_finding_that_is_not_made_any_more_is_told_without_words(store):
    save_drafts(store, [DIFFERING])

    def of_another_kind(cursor):
        cursor.execute("update unit_findings set kind = 'absent'")

    store.write("older", "test", of_another_kind)
    (found,) = matters(store)["s2"].found
    assert (found.says, found.words) == ("quoted review is in no review", "")


def test_where_somebody_quoted_no_finding_is_told(store):
    quoting = [each._replace(excerpts=(SOURCE,)) for each in DIFFERING.said]
    save_drafts(store, [DIFFERING._replace(said=quoting)])
    assert all(each.found == () for each in matters(store, decided=2).values())


def test_a_whole_response_has_the_findings_of_its_sentences_and_asks_no_quotes(store):
    save_drafts(store, [draft(1, "expert_rubric", "accuracy", ("5", "1"))])
    (matter,) = matters(store, decided=0).values()
    assert [each.words for each in matter.found] == [SOURCE]
    assert not matter.asks_quotes


def test_what_only_the_baseline_quotes_reaches_the_minutes(store):
    save_drafts(store, [sentence_draft(1, {ADA: (C, S, S), BEN: (U, S, S), BASELINE: (S, S, S)})])
    matter = matters(store)["s1"]
    assert [each.quotes for each in matter.voices] == [(), ()]
    assert matter.baseline.quotes == (("holds 1.7 litres", "verbatim"),)
    assert matter.asks_quotes
