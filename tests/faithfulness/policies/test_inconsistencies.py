"""Audit: answers on one item that cannot all be right, and those that can."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from faithfulness.model.vocabulary import (
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Excerpt,
    Piece,
    Placement,
    Span,
    Tier,
)
from faithfulness.policies.inconsistencies import find_inconsistencies
from faithfulness.policies.inconsistency_rules import AUDIT_RULES
from tests.example_items import item_of

ITEM = item_of("One is so. Two is so. Three is so.", context="One is so.")
ADA = Author(kind=AuthorKind.RATER, name="Ada")
NORTH = Author(kind=AuthorKind.JUDGE, name="north")
EVE = Author(kind=AuthorKind.ADJUDICATOR, name="Eve")
WHOLE = "response"


def signed(*answers, by=ADA, run="run-whole", first=1):
    return [
        Annotation(
            number=number,
            run_id=run,
            item_id=ITEM.id,
            answer=answer,
            author=by,
            signed_at=datetime(2026, 11, 16, tzinfo=UTC),
        )
        for number, answer in enumerate(answers, start=first)
    ]


def whole(criterion, value, **more):
    return Answer(unit_id=WHOLE, criterion=criterion, value=value, **more)


def labels(code, by=ADA, first=11):
    names = {"s": "supported", "u": "unsupported", "c": "contradictory", "n": "no_rad"}
    answers = [
        Answer(unit_id=f"s{at}", criterion="label", value=names[letter])
        for at, letter in enumerate(code, start=1)
    ]
    return signed(*answers, by=by, run="run-sentences", first=first)


def keys(found):
    return [each.rule.key for each in found]


@pytest.mark.parametrize(
    ("criterion", "value", "code", "expected"),
    [
        ("faithfulness", "5", "sus", ["faithfulness_5_with_fault"]),
        ("faithfulness", "5", "scs", ["faithfulness_5_with_fault"]),
        ("faithfulness", "5", "ssn", []),
        ("faithfulness", "4", "sus", []),  # one is what a 4 leaves room for
        ("faithfulness", "4", "suu", ["faithfulness_4_with_faults"]),
        ("faithfulness", "3", "suu", []),
        ("accuracy", "5", "scs", ["accuracy_with_contradiction"]),
        ("accuracy", "4", "scs", ["accuracy_with_contradiction"]),
        ("accuracy", "3", "scs", ["accuracy_with_contradiction"]),
        ("accuracy", "2", "scs", []),
        ("accuracy", "4", "sus", ["accuracy_with_invention"]),
        ("accuracy", "3", "sus", []),
        ("consistency", "yes_common_knowledge", "scs", ["yes_with_contradiction"]),
        ("consistency", "yes_common_knowledge", "sus", []),
        ("consistency", "unsure", "scs", []),
        ("consistency", "nothing_to_check", "nsn", ["nothing_to_check_with_statements"]),
        ("consistency", "nothing_to_check", "nnn", []),
        ("ethics", "5", "sus", ["ethics_5_with_outside_text"]),
        ("ethics", "1", "sus", []),
        ("ethics", "5", "scs", []),  # reporting a fragment wrongly is a matter of accuracy
    ],
)
def test_an_answer_about_the_whole_meets_the_sentences(criterion, value, code, expected):
    assert (
        keys(find_inconsistencies(ITEM, [*signed(whole(criterion, value)), *labels(code)]))
        == expected
    )


def test_a_yes_with_links_and_a_contradiction():
    said = whole("consistency", "yes_evidence", links=("detail_page",))
    assert keys(find_inconsistencies(ITEM, [*signed(said), *labels("ssc")])) == [
        "yes_with_contradiction"
    ]


@pytest.mark.parametrize("value", ["yes_evidence", "no_contrary_evidence"])
def test_an_evidence_answer_without_a_link(value):
    (found,) = find_inconsistencies(ITEM, signed(whole("consistency", value)))
    assert found.rule.key == "evidence_without_link"
    assert found.other is None
    assert (found.run_id, found.unit_id) == ("run-whole", WHOLE)
    assert found.says.startswith(f"rater Ada answers {value} and gives no link")
    assert (
        find_inconsistencies(
            ITEM, signed(whole("consistency", value, links=("https://a.example",)))
        )
        == ()
    )


def test_other_answers_need_no_link():
    assert find_inconsistencies(ITEM, signed(whole("consistency", "unsure"))) == ()


@pytest.mark.parametrize(
    ("criterion", "value", "checks", "leaves"),
    [
        ("ethics", "5", ("no_own_opinion", "undisclosed_text"), "1"),
        ("ethics", "1", ("undisclosed_text",), ""),
        ("accuracy", "5", ("clear_answer", "misrepresents", "superfluous"), "2"),
        ("accuracy", "2", ("clear_answer", "misrepresents"), ""),
        ("accuracy", "5", (), ""),
    ],
)
def test_a_score_above_a_checked_observation(criterion, value, checks, leaves):
    found = find_inconsistencies(ITEM, signed(whole(criterion, value, checks=checks)))
    assert keys(found) == ([f"{criterion}_above_checked"] if leaves else [])
    assert [each.leaves for each in found] == ([leaves] if leaves else [])


@pytest.mark.parametrize("value", ["yes_common_knowledge", "unsure", "nothing_to_check"])
def test_links_with_an_answer_that_takes_none(value):
    said = whole("consistency", value, links=("https://a.example",))
    (found,) = find_inconsistencies(ITEM, signed(said))
    assert found.rule.key == "links_not_taken"
    assert f"gives consistency {value} without a reason" in found.says
    assert (
        find_inconsistencies(ITEM, signed(said, by=EVE)) == ()
    )  # a decision has its reason elsewhere
    (again,) = find_inconsistencies(
        ITEM, signed(replace(said, rationale="It shows that nothing is said."))
    )
    assert f"{value} with a reason" in again.says


def marked(value, *marks, **more):
    """An answer of the guided path with marks on the first statements."""
    units = [each for each in ITEM.units if each.id in ("s1", "s2", "s3")]
    pieces = [
        Piece(text=unit.text, span=unit.span, value=mark, score=100.0)
        for unit, mark in zip(units, marks, strict=False)
    ]
    return whole("consistency", value, pieces=tuple(pieces), **more)


YES, NO = "yes_evidence", "no_contrary_evidence"


@pytest.mark.parametrize(
    ("answer", "query_type", "leaves"),
    [
        (marked(YES, YES, NO, links=("a",)), "broad", NO),
        (marked(NO, YES, NO, links=("a",)), "broad", ""),
        (marked(NO, YES, YES, YES, links=("a",)), "broad", YES),
        (marked(NO, YES, YES, links=("a",)), "broad", ""),  # the third may be what is wrong
        (marked(YES, YES, None, YES, links=("a",)), "factoid", NO),  # None: found nowhere
        (marked(YES, YES, None, YES, links=("a",)), "opinion", ""),
        (marked("nothing_to_check", YES), "", YES),
        (marked(YES, checks=("parts_unverified",), links=("a",)), "factoid", NO),
        (marked(YES, checks=("parts_unverified",), links=("a",)), "broad", ""),
    ],
)
def test_an_answer_against_its_own_statements(answer, query_type, leaves):
    said = [answer, *([whole("query_type", query_type)] if query_type else [])]
    found = find_inconsistencies(ITEM, signed(*said))
    assert keys(found) == (["answer_against_statements"] if leaves else [])
    assert [each.leaves for each in found] == ([leaves] if leaves else [])


def test_a_settled_query_type_counts_for_the_statements():
    said = signed(marked(YES, YES, None, YES, links=("a",)), whole("query_type", "broad"))
    assert find_inconsistencies(ITEM, said) == ()
    settled = signed(whole("query_type", "factoid"), by=EVE, first=9)
    assert keys(find_inconsistencies(ITEM, [*said, *settled])) == ["answer_against_statements"]


def quoting(value, *tiers):
    span = Span(field="context", start=0, end=3)
    return Answer(
        unit_id="s2",
        criterion="label",
        value=value,
        excerpts=tuple(
            Excerpt(
                text="words",
                placement=Placement(tier=tier, spans=() if tier is Tier.ABSENT else (span,)),
            )
            for tier in tiers
        ),
    )


@pytest.mark.parametrize(
    ("value", "tiers", "expected"),
    [
        ("supported", [Tier.ABSENT], ["supported_by_absent_words"]),
        ("supported", [Tier.ABSENT, Tier.ABSENT], ["supported_by_absent_words"]),
        ("supported", [Tier.ABSENT, Tier.VERBATIM], []),
        ("supported", [Tier.SIMILAR], []),
        ("supported", [], []),
        ("unsupported", [Tier.ABSENT], []),
    ],
)
def test_supported_by_words_that_are_in_no_source(value, tiers, expected):
    found = find_inconsistencies(ITEM, signed(quoting(value, *tiers)))
    assert keys(found) == expected
    assert [each.unit_id for each in found] == ["s2"] * len(expected)


def test_a_finding_names_both_sides_and_opens_at_the_first_sentence():
    (found,) = find_inconsistencies(
        ITEM, [*signed(whole("faithfulness", "5")), *labels("suc", by=NORTH)]
    )
    assert (found.one.author, found.one.criterion, found.one.values) == (
        ADA,
        "faithfulness",
        ("5",),
    )
    assert found.one.units == (WHOLE,)
    assert found.other.author == NORTH
    assert found.other.units == ("s2", "s3")
    assert found.other.values == ("contradictory", "unsupported")
    assert found.other.annotations == (12, 13)
    assert (found.item_id, found.run_id, found.unit_id) == (ITEM.id, "run-sentences", "s2")
    assert not found.is_by_one_author
    assert found.says == (
        "rater Ada gives faithfulness 5, judge north calls 2 sentences contradictory or "
        "unsupported; 5 means that everything can be checked and is right"
    )


def test_an_author_who_contradicts_themselves_comes_first():
    said = [*signed(whole("accuracy", "5")), *labels("ssc", by=NORTH), *labels("ssc", first=21)]
    found = find_inconsistencies(ITEM, said)
    assert [each.other.author for each in found] == [ADA, NORTH]
    assert [each.is_by_one_author for each in found] == [True, False]
    assert "the same author calls one sentence contradictory" in found[0].says


def test_of_several_answers_by_one_author_the_latest_counts():
    said = [*labels("ssc"), *labels("sss", first=21), *signed(whole("accuracy", "5"))]
    assert find_inconsistencies(ITEM, said) == ()
    assert keys(find_inconsistencies(ITEM, [*said, *labels("ssc", first=31)])) == [
        "accuracy_with_contradiction"
    ]


def test_what_an_adjudicator_settled_is_no_longer_said_by_others():
    said = [*signed(whole("accuracy", "5")), *labels("ssc"), *labels("ssc", by=NORTH, first=21)]
    settled = signed(Answer(unit_id="s3", criterion="label", value="supported"), by=EVE, first=31)
    assert len(find_inconsistencies(ITEM, said)) == 2
    assert find_inconsistencies(ITEM, [*said, *settled]) == ()
    settled = signed(whole("accuracy", "4"), by=EVE, first=31)
    assert {each.one.author for each in find_inconsistencies(ITEM, [*said, *settled])} == {EVE}


def test_unread_answers_and_other_items_say_nothing():
    said = Answer(unit_id="s1", criterion="label", value=None, problem="no label")
    other = replace(ITEM, id="other")
    assert (
        find_inconsistencies(ITEM, [*signed(whole("accuracy", "5")), *signed(said, first=9)]) == ()
    )
    assert find_inconsistencies(other, [*signed(whole("accuracy", "5")), *labels("ssc")]) == ()


def test_every_rule_has_a_name_a_reason_and_an_id():
    for key, rule in AUDIT_RULES.items():
        assert rule.key == key
        assert rule.title
        assert rule.because
        assert rule.rule
