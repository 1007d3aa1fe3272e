"""What normalising drops, keeps, and where it says that things stood."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.text.normalise import lower_same_length, normalize_text

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


def test_markdown_quotes_blanks_and_case_do_not_matter():
    assert normalize_text("- **The “Lume”**\u00a0 tent [1]").text == 'the "lume" tent'


def test_every_character_leads_back_to_its_place():
    text = "A  \n B –  C"
    normal = normalize_text(text)
    assert normal.text == "a b - c"
    assert [text[place].lower() for place in normal.places] == ["a", " ", "b", " ", "–", " ", "c"]


def test_letter_that_grows_in_lower_case_keeps_its_length():
    assert len(lower_same_length("İstanbul")) == len("İstanbul")


def test_squashed_numbers_stay_apart():
    values = ["1.5", "15", "1,5", "1 5", "1-5", "-15", "1:5", "1/5"]
    squashed = [normalize_text(f"it is {value} now").squashed for value in values]
    assert len(set(squashed)) == len(values)


def test_squashed_words_lose_their_punctuation():
    assert normalize_text("Well, it's (very) *light*!").squashed == "wellitsverylight"


def test_price_and_percent_survive_squashing():
    assert normalize_text("$49.99 – 5 %").squashed != normalize_text("49.99 – 5").squashed


@settings(max_examples=400, deadline=None)
@given(ANY)
def test_places_are_increasing_and_inside(text):
    normal = normalize_text(text)
    squashed = [normal.squashed_span(at, at + 1)[0] for at in range(len(normal.squashed))]
    with pytest.raises(IndexError):
        normal.squashed_span(len(normal.squashed), len(normal.squashed) + 1)
    for reduced, places in ((normal.text, normal.places.tolist()), (normal.squashed, squashed)):
        assert len(reduced) == len(places)
        assert all(a < b for a, b in pairwise(places))
        assert all(0 <= place < len(text) for place in places)


@settings(max_examples=200, deadline=None)
@given(ANY)
def test_normalising_twice_changes_nothing_more_in_length(text):
    once = normalize_text(text).text
    assert "  " not in once
    assert once == once.strip(" ")
