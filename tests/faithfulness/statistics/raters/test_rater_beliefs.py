"""Raters by Dawid and Skene's model: who is believed how far, and where nothing is said."""

import numpy as np
import pytest

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.raters.dawid_skene import (
    NO_INTERVAL,
    NOT_CONVERGED,
    compute_rater_beliefs,
    dawid_skene,
)
from faithfulness.statistics.tables import Ratings


def ratings_of(codes, *, per_item=1):
    codes = np.asarray(codes, np.int8)
    return Ratings(
        values=("a", "b", "c"),
        ordinal=False,
        authors=tuple(
            Author(kind=AuthorKind.RATER, name=f"rater {n}") for n in range(codes.shape[1])
        ),
        items=np.arange(len(codes)) // per_item,
        codes=codes,
        counts=np.ones(len(codes), np.int64),
    )


def simulated(units, skills, seed=4):
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, units, p=[0.6, 0.37, 0.03])
    guess = rng.integers(0, 3, (units, len(skills)))
    return np.where(rng.random(guess.shape) < skills, truth[:, None], guess)


def test_a_rater_is_right_as_often_as_the_simulation_made_them():
    skills = (0.9, 0.9, 0.8, 0.4)
    found = compute_rater_beliefs(ratings_of(simulated(3_000, skills)))
    assert not found.reason
    for each, skill in zip(found.raters, skills, strict=True):
        # Right by skill, and by luck in a third of the rest.
        assert each.right.value == pytest.approx(skill + (1 - skill) / 3, abs=0.03)
        assert (each.right.units, each.right.items) == (3_000, 3_000)
        assert (each.right.low, each.right.reason) == (None, NO_INTERVAL)


def test_the_shares_found_are_those_of_the_model():
    ratings = ratings_of(simulated(400, (0.9, 0.8, 0.7)))
    model = dawid_skene(ratings)
    for each in compute_rater_beliefs(ratings).raters:
        shares = model.shares(each.author)
        for label, value in enumerate(("a", "b")):
            assert each.finds[value].value == pytest.approx(shares[label][label])
            assert each.finds[value].units == pytest.approx(model.marginals[label] * 400, abs=1)


def test_a_unit_that_one_rater_labelled_says_nothing_about_that_rater():
    codes = simulated(200, (0.9, 0.8, 0.7))
    alone = np.full((500, 3), -1)
    alone[:, 0] = 0
    with_alone = compute_rater_beliefs(ratings_of([*codes, *alone]))
    without = compute_rater_beliefs(ratings_of(codes))
    assert with_alone.raters[0].right == without.raters[0].right


def test_no_error_is_believed_about_a_label_that_nobody_gave():
    """On shared units two of three labels occur; the third stands only where one rater labelled."""
    codes = np.minimum(simulated(200, (0.7, 0.6, 0.5, 0.4), seed=3), 1)
    codes[np.random.default_rng(2).random(codes.shape) < 0.4] = -1
    codes[:5] = [2, -1, -1, -1]
    for each in compute_rater_beliefs(ratings_of(codes)).raters:
        assert each.confusion[2].sum() == each.confusion[:, 2].sum() == 0
        assert (each.finds["c"].value, each.finds["c"].units) == (None, 0)
        true, given, _ = each.commonest_error()
        assert {true, given} == {0, 1}


def test_every_number_of_a_model_that_has_not_converged_says_so():
    codes = np.random.default_rng(3).choice(3, (40, 3), p=[0.5, 0.3, 0.2])
    found = compute_rater_beliefs(ratings_of(codes))
    assert found.reason == NOT_CONVERGED
    for each in found.raters:
        assert each.right.reason == f"{NOT_CONVERGED}; {NO_INTERVAL}"


def test_a_label_that_is_hardly_believed_in_has_no_share():
    codes = np.minimum(simulated(300, (0.9, 0.9, 0.9)), 1)
    codes[:4] = 2
    found = compute_rater_beliefs(ratings_of(codes)).raters[0].finds["c"]
    assert (found.value, found.units) == (None, 4)
    assert found.reason == "fewer than 10 units are believed to be c"


def test_a_rater_with_few_items_is_not_judged_beside_those_with_many():
    codes = simulated(300, (0.9, 0.9, 0.9, 0.9))
    codes[19:, 3] = -1
    *others, last = compute_rater_beliefs(ratings_of(codes)).raters
    assert all(each.right.value is not None for each in others)
    assert (last.right.value, last.right.units) == (None, 19)
    assert last.right.reason == "fewer than 20 items"
    assert last.commonest_error() is None
    assert {each.value for each in last.finds.values()} == {None}


def test_sentences_of_few_items_do_not_make_many_items():
    found = compute_rater_beliefs(ratings_of(simulated(380, (0.9, 0.9, 0.9)), per_item=20))
    assert (found.raters, found.reason) == ((), "no rater shares 20 items with another rater")


def test_two_raters_are_too_few_even_when_a_third_labels_other_units():
    codes = simulated(100, (0.9, 0.9, 0.9))
    codes[:50, 2] = -1
    codes[50:, :2] = -1
    found = compute_rater_beliefs(ratings_of(codes))
    assert (found.raters, found.reason) == (
        (),
        "it takes at least 3 raters with labels on shared units",
    )


def test_the_commonest_error_is_the_one_that_was_made():
    codes = np.repeat([[0, 0, 0], [1, 1, 1]], 100, axis=0)
    codes[100:130, 2] = 0
    true, given, units = compute_rater_beliefs(ratings_of(codes)).raters[2].commonest_error()
    assert (true, given) == (1, 0)
    assert units == pytest.approx(30, abs=0.5)
    assert compute_rater_beliefs(ratings_of(codes)).raters[0].commonest_error() is None
