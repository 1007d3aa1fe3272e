"""Altered: a quote that says another number, another unit or the opposite is told from a slip."""

import pytest

from faithfulness.text.altered import altered
from faithfulness.vocabulary import Tier


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
