"""Policies answer the five questions, say where they come from, and differ from each other."""

import pytest

from faithfulness.model.errors import ReviewError
from faithfulness.policies.policies import POLICIES, QUESTIONS, policy
from faithfulness.protocols import PROTOCOLS


@pytest.mark.parametrize("each", POLICIES.values(), ids=list(POLICIES))
def test_a_policy_answers_every_question_and_names_its_rule(each):
    assert set(each.answers) == set(QUESTIONS)
    assert all(answer.endswith(".") for answer in each.answers.values())
    assert each.systems
    assert set(each.systems) <= set(PROTOCOLS)
    assert each.source_rule.endswith(".")
    assert each.about.endswith(".")


def test_no_two_policies_read_the_rules_alike():
    assert len({tuple(each.answers.values()) for each in POLICIES.values()}) == len(POLICIES)


def test_every_protocol_stands_behind_a_policy():
    assert {key for each in POLICIES.values() for key in each.systems} == set(PROTOCOLS)


def test_an_unknown_policy_is_refused_with_the_names_there_are():
    with pytest.raises(ReviewError, match="all_in_source"):
        policy("strict")
