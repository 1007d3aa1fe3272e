"""Tables of counts keep what was counted when rows are chosen and labels are joined."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.tables import PairTables, Ratings, count_pairs

SIX = ("yes_found", "no_contrary", "yes_known", "no_known", "unsure", "nothing")
THREE = {
    "yes_found": "yes",
    "yes_known": "yes",
    "no_contrary": "no",
    "no_known": "no",
    "unsure": "other",
    "nothing": "other",
}
calmly = settings(deadline=None, max_examples=60)  # a busy machine is no failure
rows = some.lists(
    some.tuples(some.integers(1, 9), some.integers(0, 2), some.integers(0, 2), some.integers(1, 4)),
    max_size=40,
)


def counted(found, values=("a", "b", "c"), ordinal=True):
    item, reference, judge, counts = (list(column) for column in zip(*found, strict=True))
    return count_pairs(values, ordinal, items=item, reference=reference, judge=judge, counts=counts)


@calmly
@given(rows.filter(bool))
def test_every_row_is_counted_in_its_item_and_cell(found):
    tables = counted(found)
    expected = {}
    for item, reference, judge, many in found:
        key = (item, reference * 3 + judge)
        expected[key] = expected.get(key, 0) + many
    assert expected == {
        (int(item), cell): int(tables.cells[row, cell])
        for row, item in enumerate(tables.items)
        for cell in range(9)
        if tables.cells[row, cell]
    }
    assert tables.units_n == sum(many for *_, many in found)
    assert tables.items_n == len({item for item, *_ in found})


@calmly
@given(rows.filter(bool))
def test_parts_add_up_to_the_whole(found):
    tables = counted(found)
    odd = tables.items % 2 == 1
    assert np.array_equal(tables.only(odd).total + tables.only(~odd).total, tables.total)
    assert tables.only(np.flatnonzero(odd)).units_n == tables.only(odd).units_n


@calmly
@given(rows.filter(bool))
def test_joining_labels_is_joining_them_before_counting(found):
    joined = counted(found).collapsed({"a": "x", "b": "x"})
    before = [(item, int(h == 2), int(j == 2), many) for item, h, j, many in found]
    assert joined.values == ("x", "c")
    assert np.array_equal(joined.cells, counted(before, ("x", "c")).cells)


def test_six_answers_become_three_in_order_of_first_mention():
    table = np.arange(36).reshape(1, 36)
    six = PairTables(values=SIX, ordinal=False, items=np.array([7]), cells=table)
    three = six.collapsed(THREE)
    assert three.values == ("yes", "no", "other")
    assert three.total.sum() == table.sum()
    # Rows yes_found and yes_known are 0 and 2, columns no_contrary and no_known are 1 and 3.
    assert three.total[0, 1] == 1 + 3 + 13 + 15


def test_order_survives_only_where_neighbours_are_joined():
    scores = tuple("12345")
    tables = count_pairs(scores, True, items=[1], reference=[0], judge=[4])
    assert tables.collapsed({"1": "low", "2": "low"}).ordinal
    assert not tables.collapsed({"1": "edge", "5": "edge"}).ordinal


def test_nothing_counted_is_an_empty_table():
    tables = count_pairs(("a", "b"), False, items=[], reference=[], judge=[])
    assert (tables.items_n, tables.units_n) == (0, 0)
    assert tables.total.tolist() == [[0, 0], [0, 0]]
    assert tables.collapsed({"a": "b"}).total.tolist() == [[0]]


def test_item_without_common_units_is_no_item():
    cells = np.array([[1, 0, 0, 0], [0, 0, 0, 0]], np.uint16)
    tables = PairTables(values=("a", "b"), ordinal=False, items=np.array([1, 2]), cells=cells)
    assert tables.items_n == 1


def test_large_counts_do_not_wrap_around():
    tables = count_pairs(("a", "b"), False, items=[1], reference=[0], judge=[0], counts=[70_000])
    assert tables.units_n == 70_000
    many = np.full((70_000, 4), 2, np.uint16)
    whole = PairTables(values=("a", "b"), ordinal=False, items=np.arange(70_000), cells=many)
    assert whole.total.tolist() == [[140_000, 140_000], [140_000, 140_000]]
    assert whole.collapsed({"a": "x", "b": "x"}).total.tolist() == [[560_000]]


def test_missing_label_is_refused_instead_of_counted_elsewhere():
    with pytest.raises(ValueError, match="leave out missing labels"):
        count_pairs(("a", "b"), False, items=[1], reference=[-1], judge=[0])
    with pytest.raises(ValueError, match="leave out missing labels"):
        count_pairs(("a", "b"), False, items=[1], reference=[0], judge=[2])


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="do not fit 2 items"):
        PairTables(values=("a",), ordinal=False, items=np.arange(2), cells=np.zeros((1, 1)))
    ada = Author(kind=AuthorKind.RATER, name="Ada")
    codes = np.zeros((2, 1), np.int8)
    good = {"values": ("a",), "ordinal": False, "authors": (ada,), "items": np.arange(2)}
    Ratings(**good, codes=codes, counts=np.ones(2, np.int64))
    with pytest.raises(ValueError, match="1 authors"):
        Ratings(**good, codes=np.zeros((2, 3), np.int8), counts=np.ones(2, np.int64))
    with pytest.raises(ValueError, match="3 counts"):
        Ratings(**good, codes=codes, counts=np.ones(3, np.int64))
