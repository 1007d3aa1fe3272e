"""Answers that cannot all be right, in words: both sides, the rule and its source, the place."""

from datetime import UTC, datetime

import pytest

from components.inconsistencies import inconsistency_list, inconsistency_words
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Annotation, Answer, Author, AuthorKind
from faithfulness.policies.inconsistencies import find_inconsistencies
from faithfulness.policies.inconsistency_rules import AUDIT_RULES
from tests.example_items import item_of

ITEM = item_of("One is so. Two is so. Three is so. Four is so.", context="One is so.")
ADA = Author(kind=AuthorKind.RATER, name="Ada Bee")
NORTH = Author(kind=AuthorKind.JUDGE, name="north")


def signed(*answers, by):
    return [
        Annotation(
            number=number,
            run_id="r",
            item_id=ITEM.id,
            answer=answer,
            author=by,
            signed_at=datetime(2026, 11, 16, tzinfo=UTC),
        )
        for number, answer in enumerate(answers, start=1)
    ]


def labelled(*values, by=ADA):
    labels = [
        Answer(unit_id=f"s{at}", criterion="label", value=value)
        for at, value in enumerate(values, start=1)
    ]
    return signed(*labels, by=by)


def whole(criterion, value, by=ADA, **more):
    answer = Answer(unit_id="response", criterion=criterion, value=value, **more)
    return signed(answer, by=by)


def told(*annotations):
    return [
        inconsistency_words.format_inconsistency(each)
        for each in find_inconsistencies(ITEM, [a for s in annotations for a in s])
    ]


def test_both_sides_are_named_with_author_and_label():
    fault = labelled("supported", "unsupported")
    assert told(whole("faithfulness", "5"), fault) == [
        "Rater Ada Bee says faithfulness 5 and calls sentence 2 unsupported"
    ]
    assert told(whole("consistency", "yes_common_knowledge", NORTH), labelled("contradictory")) == [
        "Judge north says “Yes: common knowledge”, rater Ada Bee calls sentence 1 contradictory"
    ]
    assert told(whole("consistency", "yes_evidence")) == [
        "Rater Ada Bee says “Yes: evidence” of the whole response; no link given"
    ]


@pytest.mark.parametrize(
    ("units", "words"),
    [
        (("s4",), "sentence 4"),
        (("s1", "s2"), "sentences 1 and 2"),
        (("s1", "s2", "s9"), "sentences 1, 2 and 9"),
        (("s1", "s2", "s3", "s4"), "4 sentences"),
        (("response",), "the whole response"),
    ],
)
def test_units_are_named_as_long_as_they_are_few(units, words):
    assert inconsistency_words.format_units(units) == words


def test_a_contradiction_gives_the_symbol_of_two_labels():
    side = inconsistency_words.describe_other_side(
        "faithfulness_5_with_fault", ["unsupported", "contradictory"]
    )
    assert side == ("Unsupported or contradictory", "≠", "red")
    assert (
        inconsistency_words.describe_other_side("faithfulness_5_with_fault", ["unsupported"]).glyph
        == "?"
    )


@pytest.mark.parametrize("rule", AUDIT_RULES.values(), ids=lambda rule: rule.key)
def test_every_rule_has_a_chip_a_reason_and_words_for_every_value(rule):
    assert inconsistency_list.SHORT[rule.key]
    reason = inconsistency_words.format_rule_reason(rule)
    assert rule.because[1:] in reason
    assert f", rule {rule.rule})" in reason
    for value in rule.values:
        assert "_" not in inconsistency_words.describe_answer(rule.criterion, value).text
    assert inconsistency_words.describe_other_side(rule.key, rule.labels).text


def test_chips_are_of_the_rules_and_nonsense_in_the_address_does_not_narrow():
    assert list(inconsistency_list.SHORT) == list(AUDIT_RULES)
    assert inconsistency_list.filter_rules(["nonsense", "yes_with_contradiction"]) == (
        "yes_with_contradiction",
    )
    whose, rules = inconsistency_list.build_chip_groups("", ("evidence_without_link",), {"": 3}, {})
    assert (whose.single, whose.on, rules.on) == (True, ("",), ("evidence_without_link",))


def test_the_reader_opens_at_the_unit_with_the_labels_of_the_side_that_speaks_of_it():
    line = {"run_id": "r", "item_id": "i", "unit_id": "s2", "one_author": "judge north"}
    assert inconsistency_list.get_place(line) == Selection(runs=("r",), item="i", unit="s2")
    assert (
        inconsistency_list.get_shown_author(line | {"other_author": "rater Ada Bee"})
        == "rater:Ada Bee"
    )
    assert inconsistency_list.get_shown_author(line | {"other_author": ""}) == "judge:north"
