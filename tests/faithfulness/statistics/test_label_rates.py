"""Counts of one label per item, as the corrected rate takes them."""

import numpy as np

from faithfulness.statistics.label_rates import (
    commonest_label,
    judged_items,
    labelled_items,
    rare_label,
)
from faithfulness.statistics.tables import Ratings, count_pairs
from faithfulness.vocabulary import Author, AuthorKind

JUDGE = Author(kind=AuthorKind.JUDGE, name="north")
VALUES = ("good", "bad", "other")
# Item 5: reference good good bad, judge good bad bad. Item 9: reference good, judge good.
TABLES = count_pairs(VALUES, False, items=[5, 5, 5, 9], reference=[0, 0, 1, 0], judge=[0, 1, 1, 0])


def test_labelled_items_count_the_label_on_both_sides():
    found = labelled_items(TABLES, "bad")
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
    found = judged_items(ratings, TABLES, "bad")
    assert found.judge.tolist() == [2]
    assert found.units.tolist() == [6]


def test_the_rare_label_is_one_that_the_reference_uses():
    assert rare_label(TABLES) == "bad"
    assert commonest_label(TABLES) == "good"
    constant = count_pairs(VALUES, False, items=[1], reference=[0], judge=[1])
    assert rare_label(constant) == ""
