"""A quote beside its source: parts that join to both texts, and plain words for the placement."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.text.differences import (
    PartKind,
    compare_words,
    count_differing_words,
    describe_placement,
)


def kinds(parts):
    return [(each.kind.value, each.excerpt_text, each.source_text) for each in parts]


def test_a_changed_number_stays_whole():
    assert kinds(compare_words("It costs $49.99 now", "It costs $59.99 now")) == [
        ("same", "It costs $", "It costs $"),
        ("changed", "49.99", "59.99"),
        ("same", " now", " now"),
    ]


def test_words_left_out_and_added_are_told_apart():
    found = kinds(compare_words("It is light", "It is very light"))
    assert [each[0] for each in found] == ["same", "left_out", "same"]
    found = kinds(compare_words("It is very light", "It is light"))
    assert [each[0] for each in found] == ["same", "added", "same"]


def test_case_quotes_and_blanks_do_not_count():
    (part,) = compare_words("The “lid”  IS on", "the 'lid' is\non")
    assert part.kind is PartKind.SAME
    assert part.excerpt_text == "The “lid”  IS on"


def test_two_changed_words_in_a_row_are_one_change():
    found = compare_words("a red big box", "a blue small box")
    assert kinds(found)[1] == ("changed", "red big", "blue small")
    assert count_differing_words(found) == 2


@pytest.mark.parametrize(
    ("tier", "excerpt", "source", "places", "words"),
    [
        ("verbatim", "a", "a", 1, "word for word"),
        ("near", "one two three", "one 2 III", 1, "with small differences (two words differ)"),
        ("near", "one two", "one 2", 1, "with small differences (one word differs)"),
        ("near", "a b c d e f g h i j k l m", "", 1, "with small differences (13 words differ)"),
        ("near", "one, two", "one two", 1, "with small differences (no word differs)"),
        ("stitched", "a b", "a", 3, "stitched from several places (3)"),
        ("similar", "a", "b", 1, "only something similar"),
        ("absent", "a", "", 0, "in no source"),
    ],
)
def test_every_tier_has_plain_words(tier, excerpt, source, places, words):
    assert describe_placement(tier, compare_words(excerpt, source), places) == words


def test_very_long_texts_are_shown_whole():
    (part,) = compare_words("a " * 6_000, "b " * 6_000)
    assert part.kind is PartKind.CHANGED


@given(st.text(max_size=120), st.text(max_size=120))
@settings(max_examples=300, deadline=None)
def test_parts_join_to_both_texts(excerpt, source):
    parts = compare_words(excerpt, source)
    assert "".join(each.excerpt_text for each in parts) == excerpt
    assert "".join(each.source_text for each in parts) == source
