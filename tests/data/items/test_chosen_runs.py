"""What cannot all be right about an item of two runs: cards and agendas name the chosen run."""

import pytest

from data.meetings.meeting_desk import AgendaScope, count_open_points
from data.triage.point_cases import load_point_cases
from data.triage.triage import load_triage, load_triage_cases, load_triage_points
from faithfulness.model.selection import Selection
from faithfulness.review.disagreement import DisagreementKind
from faithfulness.review.meeting import Point
from tests.data.agreement.test_two_runs import C, S, again, item_of
from tests.data.inconsistencies.test_inconsistencies import whole_draft
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft


@pytest.fixture
def runs(store):
    """Raters differ on the second sentence, and a score of 5 does not go with what Ada says."""
    score = whole_draft(1, "expert_rubric", "accuracy", "5", BEN)
    save_drafts(store, [sentence_draft(1, {ADA: (S, C, S), BEN: (S, S, S)}), score])
    with store.read() as cursor:
        found = cursor.execute("select protocol, run_id from runs").fetchall()
    one = dict(found)["sentence_grounding"]
    return one, again(store, {NORTH: (S, S, S)})


def test_a_card_of_what_cannot_all_be_right_names_the_chosen_run(store, runs):
    for run_id in runs:
        chosen = Selection(runs=(run_id,))
        (card,) = load_triage_cases(store, load_triage(store, chosen, audits=True)).audits
        (point,) = [each for each in card.points if each.unit_id == "s2"]
        assert point.run_id == card.cases[point].case.run_id == run_id


def test_a_system_that_is_chosen_counts_as_its_runs(store, runs):
    chosen = Selection(systems=("again",))
    points = load_triage_points(store, chosen, first=9)
    assert [each.run_id for each in points if each.unit_id == "s2"] == [runs[1]]


@pytest.mark.parametrize("choice", [(), (0,), (1,), (0, 1)])
def test_an_agenda_holds_a_unit_of_two_runs_once(store, runs, choice):
    chosen = Selection(runs=tuple(runs[at] for at in choice))
    points = load_triage_points(store, chosen, first=9, kinds=list(DisagreementKind))
    # In the second run nobody differs: there both stand as what cannot all be right.
    assert sorted(each.unit_id for each in points) == ["response", "s2"]
    assert (
        count_open_points(
            store, AgendaScope(selection=chosen, kinds=tuple(DisagreementKind), audits=True)
        )
        == 2
    )
    assert [load_point_cases(store, points)[each].case.run_id for each in points] == [
        each.run_id for each in points
    ]


@pytest.mark.parametrize("unit_id", ["s1", "s2"])
def test_a_point_of_either_run_has_the_card_of_its_own(store, runs, unit_id):
    points = [Point(run_id, item_of(store), unit_id, "label") for run_id in runs]
    cards = load_point_cases(store, points)
    assert [cards[each].case.run_id for each in points] == list(runs)
    assert len({cards[each].kinds for each in points}) == 1
