"""The words of a text are those of its tokens, however they are read."""

from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.text.glance import may_exclude
from faithfulness.text.opposites import OPPOSITES
from faithfulness.text.polarity import content_words, denied_stems
from faithfulness.text.stems import tokens_of, vocabulary

PIECES = "can't ’tis rock'n'roll it’s 3D x_y naïve don't' Ünder 1.5kg no not -free , . never : sold"
TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from([*PIECES.split(), "İ", "separately"]), max_size=14).map(" ".join),
)


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_the_vocabulary_holds_the_words_among_the_tokens(text):
    assert vocabulary(text) == {each for each in tokens_of(text) if "a" <= each[0] <= "z"}


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_denied_stems_are_those_of_denied_words(text):
    assert denied_stems(text) == {each.stem for each in content_words(text) if each.denied}


def test_words_exclude_each_other_by_any_of_their_questions():
    for one, mine in OPPOSITES.items():
        for other, theirs in OPPOSITES.items():
            differs = any(
                theirs.get(question, answer) != answer for question, answer in mine.items()
            )
            assert may_exclude(one, other) == differs, (one, other)
