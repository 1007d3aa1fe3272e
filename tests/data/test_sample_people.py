"""Who came with the sample is told apart from whoever works here, under the same name too."""

import pytest

from data import records
from data.queries_agendas import agenda_from
from data.queries_meetings import people
from data.samples import first_start
from faithfulness.selection import Selection
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

S, C = "supported", "contradictory"
SAMPLE = ["Felix", "Nora", "Priya"]


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "p.duckdb", first_start.fill)
    yield opened
    opened.close()


def own_run(store, author=ADA):
    save_drafts(store, [sentence_draft(1, {author: (C, S, S), BEN: (S, S, S), NORTH: (S, S, S)})])


def meet(store, selection, *present, operation="b"):
    agenda = agenda_from(store, selection, first=1)
    records.begin_meeting(store, host="Eve", present=present, agenda=agenda, operation_id=operation)


def test_people_of_the_sample_are_offered_only_where_nobody_else_is_known(store):
    assert people(store) == SAMPLE
    about = agenda_from(store, Selection(), first=3)
    own_run(store)
    assert people(store) == ["ada", "ben"]
    assert people(store, about) == ["ada", "ben"]  # also in a meeting about the sample


def test_a_host_alone_is_nobody_else(store):
    meet(store, Selection(), "Nora")
    assert people(store, but="Eve") == SAMPLE
    assert people(store) == ["Eve"]


def test_raters_of_what_is_met_about_come_first(store):
    own_run(store)
    meet(store, Selection(systems=("alpha",)), "Aaron")
    points = agenda_from(store, Selection(systems=("alpha",)))
    assert people(store, points, but="Eve") == ["ada", "ben", "Aaron"]


def test_a_name_of_the_sample_is_offered_once_its_bearer_was_at_a_meeting_of_ones_own(store):
    own_run(store)
    meet(store, Selection(protocol="expert_rubric"), "Nora")
    assert people(store, but="Eve") == ["ada", "ben"]
    meet(store, Selection(systems=("alpha",)), "Nora", operation="b2")
    assert people(store, but="Eve") == ["ada", "ben", "Nora"]
