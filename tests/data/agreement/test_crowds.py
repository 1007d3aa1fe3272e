"""Many authors on one unit: how many give each value, packed into one number."""

import pytest

from data.meetings.agendas import find_unanimous_cases
from data.triage.disagreements import QUESTIONS, all_disagreements, unpack_votes
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.review.disagreement import DisagreementKind
from tests.data.stored import ADA, NORTH, save_drafts
from tests.data.triage.test_disagreements import response_draft, shown


def test_counts_come_out_as_they_were_packed():
    for number, question in enumerate(QUESTIONS):
        values = question.criterion.scale.values
        assert len(values) <= 6  # ten bits each in one number
        packed = sum((at + 1) << (10 * at) for at in range(len(values)))
        assert unpack_votes(number, packed) == {v: at + 1 for at, v in enumerate(values)}


@pytest.mark.parametrize(("many", "counted"), [(130, 130), (1_030, 1_023)])
def test_a_crowd_that_says_the_same_does_not_differ_from_itself(store, many, counted):
    raters = [Author(kind=AuthorKind.RATER, name=f"rater {nth}") for nth in range(many)]
    said = dict.fromkeys(raters, "yes_evidence") | {NORTH: "nothing_to_check"}
    save_drafts(store, [response_draft("response_consistency", "consistency", said)])
    (row,) = all_disagreements(store).to_pandas().itertuples()
    assert unpack_votes(row.question, row.rater_votes) == {"yes_evidence": counted}
    assert unpack_votes(row.question, row.judge_votes) == {"nothing_to_check": 1}
    (found,) = shown(store)
    assert found.kinds == (DisagreementKind.JUDGE_RATERS,)
    assert find_unanimous_cases(store)[0] == 1


def test_a_crowd_of_one_sided_judges_stays_within_the_last_value(store):
    judges = [Author(kind=AuthorKind.JUDGE, name=f"judge {nth}") for nth in range(1_030)]
    said = dict.fromkeys(judges, "nothing_to_check") | {ADA: "unsure"}
    save_drafts(store, [response_draft("response_consistency", "consistency", said)])
    (row,) = all_disagreements(store).to_pandas().itertuples()
    assert unpack_votes(row.question, row.judge_votes) == {"nothing_to_check": 1_023}
    assert unpack_votes(row.question, row.rater_votes) == {"unsure": 1}
