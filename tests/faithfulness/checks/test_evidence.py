"""Checks find clashes, misquotes and quotes that stand nowhere, and only on labels that claim."""

import pytest

from faithfulness.intake.intake import take_in
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind

ANN = Author(kind=AuthorKind.RATER, name="ann")
CONTEXT = (
    "The kettle holds 1.5 litres when it is filled to the line. Its price today is $45.00. "
    "The lid is not dishwasher safe. A second lid costs $9.00."
)


def found_on(response, value, *excerpts):
    fields = (
        Field(name="context", kind="context", text=CONTEXT),
        Field(name="response", kind="response", text=response),
    )
    said = DraftAnswer(ANN, "label", value, UnitKind.SENTENCE, text=response, excerpts=excerpts)
    taken = take_in(Draft("sentence_grounding", "sys", "q", fields, (said,)))
    return [finding for _, finding in taken.findings]


def test_a_supported_sentence_that_clashes_is_found_with_both_places():
    response = "The kettle holds 1.7 litres."
    (found,) = found_on(response, "supported", "The kettle holds 1.5 litres")
    assert (found.check, found.kind, found.unit_id) == ("clash", "number", "s1")
    assert response[slice(*found.within)] == "1.7 litres"
    assert CONTEXT[found.source.start : found.source.end] == "1.5 litres"


def test_a_near_quote_with_another_number_is_a_misquote():
    quote = "The kettle holds 1.7 litres when it is filled to the line."
    found = found_on("The kettle holds 1.7 litres.", "supported", quote)
    assert {each.check for each in found} == {"clash", "quote"}
    misquote = next(each for each in found if each.check == "quote")
    assert misquote.says == "quoted as 1.7 litres against 1.5 litres"
    assert misquote.within is None


def test_numbers_of_all_excerpts_count_together():
    quotes = ("A second lid costs $9.00", "Its price today is $45.00")
    assert found_on("It costs $45.00.", "supported", *quotes) == []


def test_the_second_of_two_places_is_pointed_at():
    quotes = ("The kettle holds 1.5 litres", "The lid is not dishwasher safe")
    (found,) = found_on("The lid is dishwasher safe.", "contradictory", *quotes)
    assert found.kind == "negation"
    assert CONTEXT[found.source.start : found.source.end] == "dishwasher"


def test_a_needed_quote_that_stands_nowhere_is_found():
    (found,) = found_on("It whistles.", "supported", "whistles loudly when the water boils")
    assert (found.check, found.kind) == ("attribution", "quote")
    assert found.source is None


@pytest.mark.parametrize("value", ["unsupported", "no_rad"])
def test_labels_that_claim_nothing_of_an_excerpt_are_left_alone(value):
    assert found_on("The kettle holds 1.7 litres.", value, "The kettle holds 1.5 litres") == []
