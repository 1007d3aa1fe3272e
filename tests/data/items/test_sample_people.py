"""Who came with the sample is told apart from whoever works here, under the same name too."""

import pytest

from data.items.loading import load_item
from data.items.sample_runs import load_sample_runs
from data.meetings.agendas import agenda_from
from data.meetings.meetings import load_people
from data.meetings.save_meetings import begin_meeting
from data.rating import rating_desk as desk
from data.rating import rating_queries as questions
from data.rating.drafts import DraftStep, Sheet
from data.runs import queries
from data.runs.remove import remove_runs
from data.samples import first_start
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.protocols import protocol
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
    begin_meeting(store, host="Eve", present=present, agenda=agenda, operation_id=operation)


def test_people_of_the_sample_are_offered_only_where_nobody_else_is_known(store):
    assert load_people(store) == SAMPLE
    about = agenda_from(store, Selection(), first=3)
    own_run(store)
    assert load_people(store) == ["ada", "ben"]
    assert load_people(store, about) == ["ada", "ben"]  # also in a meeting about the sample


def test_a_host_alone_is_nobody_else(store):
    meet(store, Selection(), "Nora")
    assert load_people(store, but="Eve") == SAMPLE
    assert load_people(store) == ["Eve"]


def test_raters_of_what_is_met_about_come_first(store):
    own_run(store)
    meet(store, Selection(systems=("alpha",)), "Aaron")
    points = agenda_from(store, Selection(systems=("alpha",)))
    assert load_people(store, points, but="Eve") == ["ada", "ben", "Aaron"]


def test_a_name_of_the_sample_is_offered_once_its_bearer_was_at_a_meeting_of_ones_own(store):
    own_run(store)
    meet(store, Selection(runs=tuple(load_sample_runs(store))), "Nora")
    assert load_people(store, but="Eve") == ["ada", "ben"]
    meet(store, Selection(systems=("alpha",)), "Nora", operation="b2")
    assert load_people(store, but="Eve") == ["ada", "ben", "Nora"]


def keep_a_step(store, rater):
    """Somebody answers one question of the sample on the page, unsigned."""
    runs = queries.runs(store).set_index("protocol")
    run_id = str(runs.loc[["sentence_grounding"], "run_id"].iloc[0])
    sheet = Sheet(run_id, questions.load_queue(store, run_id, rater)["item_id"].iloc[0], rater)
    item = load_item(store, sheet.item_id)
    said = {"label": {"value": "no_rad", "rationale": "", "comment": "", "excerpts": []}}
    step = DraftStep("n.1", item.units[0].id, "set", said, 2.0)
    desk.keep_steps(store, sheet, item, protocol("sentence_grounding"), [step])


def test_a_name_of_the_sample_is_told_until_somebody_works_under_it(store):
    assert [questions.is_sample_rater(store, each) for each in SAMPLE] == [True] * 3
    for other in ("nora", "Zora", "", "judge-north-2"):
        assert not questions.is_sample_rater(store, other)
    keep_a_step(store, "Nora")
    assert not questions.is_sample_rater(store, "Nora")
    assert questions.is_sample_rater(store, "Felix")


def test_a_name_that_signed_elsewhere_too_is_nobodys_surprise(store):
    own_run(store, Author(kind=AuthorKind.RATER, name="Nora"))
    assert not questions.is_sample_rater(store, "Nora")


def test_a_sample_that_was_removed_has_no_names(store):
    assert questions.is_sample_rater(store, "Nora")
    runs = list(queries.runs(store)["run_id"])
    remove_runs(store, run_ids=runs, removed_by="eve", operation_id="gone")
    assert not questions.is_sample_rater(store, "Nora")
