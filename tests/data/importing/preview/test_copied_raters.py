"""Raters who copied each other are told, honest raters who agree are not."""

from data.importing.preview.copied_raters import ENOUGH, NO_WORDS, warn_of_copied_raters

LABELS = (1, 2, 3)


def answers(count=30, *, words=NO_WORDS, first=0, change=None):
    said = [(first + at, LABELS[at % 3], words and words + at) for at in range(count)]
    if change is not None:
        unit, _, rationale = said[change]
        said[change] = (unit, 9, rationale)
    return said


def test_same_values_without_words_are_told():
    said = {("run", "ana"): answers(), ("run", "ben"): answers()}
    assert list(warn_of_copied_raters(said)) == [
        "ana and ben give the same answers on all 30 units they share: is one a copy of the other?"
    ]


def test_words_count_only_where_both_give_some():
    said = {("run", "ana"): answers(words=100), ("run", "ben"): answers()}
    assert len(list(warn_of_copied_raters(said))) == 1
    said = {("run", "ana"): answers(words=100), ("run", "ben"): answers(words=500)}
    assert list(warn_of_copied_raters(said)) == []


def test_one_other_value_is_no_copy():
    said = {("run", "ana"): answers(), ("run", "ben"): answers(change=7)}
    assert list(warn_of_copied_raters(said)) == []


def test_runs_are_compared_one_by_one():
    copied = {("p\x1fone", "ana"): answers(), ("p\x1fone", "ben"): answers()}
    own = {("p\x1ftwo", "ana"): answers(), ("p\x1ftwo", "ben"): answers(change=3)}
    (warning,) = warn_of_copied_raters(copied | own)
    assert "in the run of one" in warning


def test_few_shared_units_say_nothing():
    few = answers(ENOUGH - 1)
    assert list(warn_of_copied_raters({("r", "ana"): few, ("r", "ben"): few})) == []
    apart = {("r", "ana"): answers(), ("r", "ben"): answers(first=20)}
    assert list(warn_of_copied_raters(apart)) == []


def test_agreeing_that_all_is_well_is_no_copy():
    plain = [(at, 1 if at else 2, NO_WORDS) for at in range(40)]
    assert list(warn_of_copied_raters({("r", "ana"): plain, ("r", "ben"): plain})) == []
    worded = [(at, 1, 1000 + at) for at in range(40)]
    assert len(list(warn_of_copied_raters({("r", "ana"): worded, ("r", "ben"): worded}))) == 1
