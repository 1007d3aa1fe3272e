"""Possible clashes are found in gold pairs, with spans that show the words, in any text."""

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.text.clashes import ClashKind, clashes
from faithfulness.text.readable import make_readable
from tests.faithfulness.text.gold_clashes import FIRST_RUN, SPELLED_OUT, WHILE_WRITING

PIECES = (
    "not no -free : 1/0 $ ٣ ½ 1,2,3 out of 0 kg ° x 10- between and half 1.1.1 ² un safe unsafe "
    "million İ \x00 e5 inf nan 1e999 ② - free separately"
)
ODD = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from([*PIECES.split(" "), "9" * 400]), max_size=25).map(" ".join),
)


def quality(pairs):
    found = [(bool(kinds), bool(clashes(left, right))) for left, right, kinds in pairs]
    right = found.count((True, True))
    return right / (right + found.count((False, True))), right / (
        right + found.count((True, False))
    )


@pytest.mark.parametrize(
    "pairs",
    [FIRST_RUN, WHILE_WRITING, SPELLED_OUT],
    ids=["first run", "while writing", "spelled out"],
)
def test_gold_pairs_are_told_apart(pairs):
    precision, recall = quality(pairs)
    assert precision >= 0.95
    assert recall >= 0.95


@pytest.mark.parametrize(("left", "right", "kinds"), FIRST_RUN + WHILE_WRITING + SPELLED_OUT)
def test_a_clash_that_is_found_has_the_right_kind(left, right, kinds):
    found = {each.kind.value for each in clashes(left, right)}
    assert not found or not kinds or found & kinds


def test_there_are_enough_pairs_and_none_twice():
    pairs = {(left, right) for left, right, _ in FIRST_RUN + WHILE_WRITING}
    assert len(pairs) == len(FIRST_RUN) + len(WHILE_WRITING) >= 60
    assert len(FIRST_RUN) == 40


def test_spans_show_the_numbers_that_clash():
    left, right = "It sells for $49.99 today.", "Was $79.99, final price: $59.99"
    (clash,) = clashes(left, right)
    assert clash.kind is ClashKind.NUMBER
    assert left[slice(*clash.left)] == "$49.99"
    assert right[slice(*clash.right)] == "$59.99"
    assert clash.says == "$49.99 against $59.99"


def test_same_number_with_another_unit_is_a_clash_of_units():
    (clash,) = clashes("It weighs 5 kg.", "Weight: 5 lb")
    assert clash.kind is ClashKind.UNIT


def test_a_denied_word_is_shown_with_its_denial():
    (clash,) = clashes("The jacket is waterproof.", "This jacket is not waterproof.")
    assert clash.says == "waterproof against not waterproof"


def test_equal_texts_never_clash():
    for left, right, _ in FIRST_RUN + WHILE_WRITING + SPELLED_OUT:
        assert clashes(left, left) == clashes(right, right) == ()


@given(ODD, ODD)
@settings(max_examples=400, deadline=None)
def test_any_texts_give_spans_inside_them(left, right):
    for clash in clashes(left, right):
        assert 0 <= clash.left[0] < clash.left[1] <= len(left)
        assert 0 <= clash.right[0] < clash.right[1] <= len(right)


@pytest.mark.parametrize("piece", ["9", "1 ", "1,", "1,000", "1-", "not ", "two ", "hundred ", "$ ",
                                   "1 x ", "un", "half ", "- ", "1/2 "])  # fmt: skip
def test_texts_made_to_be_slow_end_soon(piece):
    text = piece * (60_000 // len(piece))
    start = time.process_time()
    clashes(text, f"5 kg {text}")
    assert time.process_time() - start < 5


@pytest.mark.parametrize("said", ["This is a 1.7-litre kettle.", "The kettle holds 1.7 litres."])
def test_what_a_thing_holds_is_not_what_it_boils_at_once(said):
    assert clashes(said, "It boils one litre in about three minutes.") == ()
    for other in ("It holds one litre.", "A one-litre kettle.", "Its capacity is 1 litre."):
        (found,) = clashes(said, other)
        assert found.kind is ClashKind.NUMBER


@pytest.mark.parametrize("typed", ["**15** cups", "__15__ cups", "_15_ cups", "*15* cups"])
def test_emphasis_hides_no_number_and_moves_no_place(typed):
    left, right = "The kettle holds 12 cups.", f"Full it holds {typed}, they say."
    (clash,) = clashes(left, right)
    assert clash.says == "12 cups against 15 cups"
    assert left[slice(*clash.left)] == "12 cups"
    assert right[slice(*clash.right)] == typed.lstrip("*_")
    assert clashes("The kettle holds 15 cups.", right) == ()


@pytest.mark.parametrize("text", ["The mat is 20*30*10 cm.", "A 5* hotel, once 4* rated."])
def test_a_star_that_is_no_emphasis_stays(text):
    assert make_readable(text) == (text, (), ())


def test_accents_typed_in_two_parts_read_the_same_in_their_own_places():
    left = unicodedata.normalize("NFD", "Le café Zoé: no résumé, 12 crêpes.")
    right = "Le café Zoé: a résumé, 15 crêpes."
    found = clashes(left, right)
    composed = clashes(unicodedata.normalize("NFC", left), right)
    assert [each.says for each in found] == [each.says for each in composed]
    number = next(each for each in found if each.kind is ClashKind.NUMBER)
    assert left[slice(*number.left)] == "12"


def test_what_is_denied_elsewhere_leaves_the_place_alone():
    said = "He was the first black president in the history of the country."
    assert clashes(said, "They never hear about him in black history at all.") == ()
    assert clashes("He was born in Kenya.", "He was never born in Kenya.")
    assert clashes("It is in stock.", "It is not in stock.")


@pytest.mark.parametrize(
    ("left", "right", "is_clash"),
    [
        ("A third of users agree.", "33 % of users agree.", False),
        ("A third of users agree.", "33.3 % of users agree.", False),
        ("Two thirds of users agree.", "67% of users agree.", False),
        ("Two thirds of users agree.", "66 percent of users agree.", False),
        ("A third of users agree.", "34 % of users agree.", True),
        ("A third of users agree.", "33.5 % of users agree.", True),
        ("33.5 % of users agree.", "33 % of users agree.", True),
        ("It is three and three-quarter inches wide.", "It is 3.75 inches wide.", False),
        ("It is three and three-quarter inches wide.", "It is 3/4 inch wide.", True),
        ("It weighs five point two kilograms.", "It weighs 5.2 kg.", False),
        ("It weighs five point two kilograms.", "It weighs 2 kg.", True),
        ("It is minus five degrees outside.", "It is -5 degrees outside.", False),
        ("It is minus five degrees outside.", "It is 5 degrees outside.", True),
    ],
)
def test_shares_parts_and_decimals_in_words_mean_what_digits_mean(left, right, is_clash):
    assert bool(clashes(left, right)) == is_clash
    assert bool(clashes(right, left)) == is_clash
