"""Which findings stand against a unit, on which units, and that a changed rule has a new number."""

import hashlib

from faithfulness.checks import CHECKS
from faithfulness.checks.against import (
    AGAINST,
    CONTRADICTS,
    VERSION,
    collect_counterevidence,
    group_contradictions,
)
from faithfulness.checks.placing import LONGEST
from faithfulness.model.selection import CLASHES
from faithfulness.model.vocabulary import (
    Certainty,
    Field,
    Item,
    Span,
    Unit,
    UnitKind,
    compute_item_id,
    make_response_unit,
)
from tests.faithfulness.checks.case_files import cases

REVIEW = "It boils water in about three whole minutes."
QUOTE = "One customer wrote: “It boils water in about two whole minutes.”"
# Of what is found on the cases under each VERSION: another one needs the next number and is put
# here, so that stores read their items again.
FINGERPRINT = (7, "574b04a0972e2fe8")


def item_of(response, *units, reviews=REVIEW):
    fields = (
        Field(name="response", kind="response", text=response),
        Field(name="reviews", kind="reviews", text=reviews),
    )
    return Item(id=compute_item_id(fields), fields=fields, units=units)


def part(unit_id, kind, response, text):
    start = response.index(text)
    span = Span(field="response", start=start, end=start + len(text))
    return Unit(id=unit_id, kind=kind, field="response", text=text, span=span)


def test_it_counts_for_its_sentence_the_claims_drawn_from_it_and_the_whole():
    response = f"It is small. {QUOTE}"
    item = item_of(
        response,
        part("s1", UnitKind.SENTENCE, response, "It is small."),
        part("s2", UnitKind.SENTENCE, response, QUOTE),
        part("c1", UnitKind.CLAIM, response, "It is small."),
        part("c2", UnitKind.CLAIM, response, QUOTE),
        make_response_unit("response", response),
    )
    assert {each.unit_id for each in collect_counterevidence(item)} == {"s2", "c2", "response"}
    assert {each[1:] for each in collect_counterevidence(item)} == {("quoted_review", "differs")}


def test_a_response_without_sentences_has_it_once_however_often_it_was_found():
    response = f"{QUOTE} Another customer wrote: “It boils water in about ten whole minutes.”"
    item = item_of(response, make_response_unit("response", response))
    assert [each.unit_id for each in collect_counterevidence(item)] == ["response"]


def test_a_very_long_item_and_one_that_cannot_be_checked_have_none():
    unit = make_response_unit("response", QUOTE)
    assert (
        collect_counterevidence(item_of(QUOTE, unit, reviews=REVIEW + " x" * (LONGEST // 2))) == ()
    )
    assert collect_counterevidence(item_of(QUOTE, unit, reviews="")) == ()


def test_only_what_is_found_against_the_sources_counts_and_all_of_it_has_words():
    checks = {check for check, _ in AGAINST}
    assert checks == {"quoted_review", "product_figure", "review_count", "named_source"}
    found = {
        (each.check, each.kind)
        for case in cases()
        for key in checks
        for each in _findings(key, case.item)
        if each.certainty is Certainty.FOUND
    }
    assert found == set(AGAINST)
    assert len(set(AGAINST.values())) == len(AGAINST) < 31  # a bit each in one integer


def test_what_is_only_credited_to_the_wrong_source_contradicts_none():
    credited = {key for key in AGAINST if key not in CONTRADICTS}
    assert credited == {
        ("quoted_review", "elsewhere"),
        *((check, kind) for check, kind in AGAINST if check == "named_source"),
    }
    assert set(CONTRADICTS.values()) <= set(CLASHES) - {"none"}


def test_a_contradiction_has_its_statement_its_words_and_those_of_the_source():
    response = f"It is small. {QUOTE}"
    item = item_of(
        response,
        part("s1", UnitKind.SENTENCE, response, "It is small."),
        part("s2", UnitKind.SENTENCE, response, QUOTE),
        make_response_unit("response", response),
    )
    key = ("quoted_review", "differs")
    told = group_contradictions(item, {"s1": (), "s2": [key], "response": [key]})
    assert told["s1"] == ()
    assert told["s2"] == told["response"]
    (found,) = told["s2"]
    at = response.index(QUOTE)
    assert found.statement == Span(field="response", start=at, end=at + len(QUOTE))
    assert response[found.words.start : found.words.end] == QUOTE.split("“")[1].rstrip("”")
    assert found.source == Span(field="reviews", start=0, end=len(REVIEW))
    assert (found.check, found.kind, found.clash) == (
        "Quoted reviews", "quoted review differs", "quote",
    )  # fmt: skip


def test_a_rule_that_finds_something_else_has_another_version():
    found = [(case.name, *each) for case in cases() for each in collect_counterevidence(case.item)]
    told = "\n".join(" ".join(each) for each in found)
    assert (VERSION, hashlib.sha256(told.encode()).hexdigest()[:16]) == FINGERPRINT


def _findings(key, item):
    found = CHECKS[key].run(item)
    return found if isinstance(found, tuple) else ()
