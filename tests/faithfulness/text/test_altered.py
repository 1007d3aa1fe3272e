"""Altered: a quote that says another number, another unit or the opposite is told from a slip."""

import pytest

from faithfulness.model.vocabulary import Excerpt, Field, Item, Placement, Span, Tier
from faithfulness.text.altered import altered, describe_placement


@pytest.mark.parametrize(
    ("quote", "source", "says"),
    [
        ("a warranty of 36 months", "a warranty of 24 months", "36 months against 24 months"),
        ("It weighs 25 lb.", "It weighs 25 kg.", "25 lb against 25 kg"),
        ("can be returned", "cannot be returned", "returned against not returned"),
        ("a waranty of 24 months", "a warranty of 24 months", ""),
        ("The kettle, it boils", "The kettle boils", ""),
    ],
)
def test_number_unit_or_denial_that_differs_is_named(quote, source, says):
    assert altered(quote, Tier.NEAR, source) == altered(quote, "near", source) == says


def test_what_is_only_similar_must_differ_in_little_else():
    assert altered("It weighs 52 kg", "similar", "It weighs 25 kg") == "52 kg against 25 kg"
    other = "The whole of the parcel weighs 25 kg in its box"
    assert altered("It weighs 52 kg", "similar", other) == ""


@pytest.mark.parametrize("tier", ["verbatim", "stitched", "absent", "", None])
def test_only_what_was_found_with_differences_is_looked_at(tier):
    assert altered("It weighs 52 kg", tier, "It weighs 25 kg") == ""


def test_an_excerpt_was_found_as_what_it_turned_or_else_by_its_tier():
    source = "A warranty of 24 months."
    item = Item(id="i", fields=(Field(name="context", kind="context", text=source),), units=())
    span = Span(field="context", start=0, end=len(source))

    def found(text, tier):
        return Excerpt(text=text, placement=Placement(tier=tier, coverage=0.9, spans=(span,)))

    turned = "with another number or a “not”: 36 months against 24 months"
    assert describe_placement(item, found("A warranty of 36 months.", Tier.NEAR)) == turned
    assert (
        describe_placement(item, found("A waranty of 24 months.", Tier.NEAR))
        == "with small differences"
    )
    assert describe_placement(item, found(source, Tier.VERBATIM)) == "word for word"
    assert describe_placement(item, Excerpt(text=source)) == "not looked for"
