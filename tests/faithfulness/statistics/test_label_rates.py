"""Counts of one label per item, as the corrected rate takes them."""

import numpy as np
import pytest

from faithfulness.model.scale import Label, Scale, Tone
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.label_rates import (
    FEW_EITHER_WAY,
    compute_share_bounds,
    count_judged_items,
    count_labeled_items,
    find_commonest_label,
    find_telling_label,
)
from faithfulness.statistics.tables import Ratings, count_pairs

JUDGE = Author(kind=AuthorKind.JUDGE, name="north")
VALUES = ("good", "bad", "other")
# Item 5: reference good good bad, judge good bad bad. Item 9: reference good, judge good.
TABLES = count_pairs(VALUES, False, items=[5, 5, 5, 9], reference=[0, 0, 1, 0], judge=[0, 1, 1, 0])


def test_labelled_items_count_the_label_on_both_sides():
    found = count_labeled_items(TABLES, "bad")
    assert found.human.tolist() == [1, 0]
    assert found.judge.tolist() == [2, 0]
    assert found.units.tolist() == [3, 1]


def test_judged_items_leave_out_what_people_labelled():
    ratings = Ratings(
        values=VALUES,
        ordinal=False,
        authors=(JUDGE,),
        items=np.array([5, 7, 7, 8, 9]),
        codes=np.array([[1], [1], [0], [-1], [0]], np.int8),
        counts=np.array([3, 2, 4, 1, 1]),
    )
    found = count_judged_items(ratings, TABLES, "bad")
    assert found.judge.tolist() == [2]
    assert found.units.tolist() == [6]


GRAVE = Scale(
    labels=(
        Label(value="good", title="Good", tone=Tone.GOOD),
        Label(value="unsure", title="Unsure", tone=Tone.DOUBT),
        Label(value="wrong", title="Wrong", tone=Tone.BAD),
        Label(value="against", title="Against", tone=Tone.BAD, contradicts=True),
        Label(value="talk", title="Small talk", tone=Tone.NEUTRAL),
    )
)


@pytest.mark.parametrize(
    ("uses", "value", "why"),
    [
        ((9, 2, 3, 5, 1), "against", "contradiction"),
        ((9, 2, 3, 0, 1), "wrong", "wrong"),
        ((9, 2, 0, 0, 1), "unsure", "doubt"),
        ((9, 0, 0, 0, 1), "talk", "none that speaks against"),
    ],
)
def test_the_telling_label_is_the_gravest_in_use_not_the_rarest(uses, value, why):
    reference = [code for code, many in enumerate(uses) for _ in range(many)]
    tables = count_pairs(
        GRAVE.values, False, items=range(len(reference)), reference=reference, judge=reference
    )
    found = find_telling_label(tables, GRAVE)
    assert (found.value, found.uses) == (value, uses[GRAVE.values.index(value)])
    assert why in found.why


@pytest.mark.parametrize(
    ("uses", "why"),
    [
        ((2, 9, 0, 0, 0), "leaves doubt, and no other label in use does"),
        ((1, 0, 9, 0, 0), "says something is wrong, and no other label in use does"),
        ((1, 0, 0, 9, 0), "claims a contradiction, and no other label in use does"),
        ((4, 0, 0, 0, 4), "is one of the rarest: none that speaks against the text is used"),
    ],
)
def test_only_a_rare_label_is_called_the_rarest(uses, why):
    reference = [code for code, many in enumerate(uses) for _ in range(many)]
    tables = count_pairs(
        GRAVE.values, False, items=range(len(reference)), reference=reference, judge=reference
    )
    found = find_telling_label(tables, GRAVE)
    assert found.why == why


def test_where_the_reference_uses_one_label_none_is_telling():
    assert find_commonest_label(TABLES) == "good"
    constant = count_pairs(GRAVE.values, False, items=[1], reference=[0], judge=[1])
    assert find_telling_label(constant, GRAVE) is None


@pytest.mark.parametrize("rare", [4, 5])
def test_a_share_that_few_items_decide_has_no_interval(rare):
    cells = np.zeros((40, 3))
    cells[:, 0] = 3
    cells[:rare] = [2, 1, 0]  # as many items with another label
    common, seldom, never = compute_share_bounds(cells)
    for found in (common, seldom):
        assert (found.low is None) == (rare < 5)
        assert found.reason == (FEW_EITHER_WAY if rare < 5 else "")
    assert never.low is None
    assert compute_share_bounds(cells[::-1]) == [common, seldom, never]


def test_a_label_on_every_item_has_an_interval_of_its_share():
    rng = np.random.default_rng(3)
    second = rng.integers(1, 4, 40)
    common, seldom = compute_share_bounds(np.column_stack([5 - second, second]))
    assert common.low is not None
    assert seldom.low is not None
