"""Two judges on the same items: differences, their doubt, and the items that changed."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from faithfulness.statistics.agreement import compute_pair_values, pair_estimates
from faithfulness.statistics.comparison import (
    compare,
    compare_means,
    list_changed_items,
    select_common_items,
)
from faithfulness.statistics.paired import measure_agreement
from faithfulness.statistics.tables import PairTables, count_pairs

LABELS = ("supported", "unsupported", "contradictory")
NAMES = ("percent", "kappa", "f1:contradictory")


def judged(skills, *, items=60, units=6, seed=0):
    """One reference and judges of these skills; items are easier and harder for all of them."""
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(items), units)
    truth = rng.choice(3, len(item), p=[0.6, 0.25, 0.15])
    ease = rng.normal(0, 0.1, items)[item]
    found = []
    for skill in skills:
        guess = rng.integers(0, 3, len(item))
        said = np.where(rng.random(len(item)) < skill + ease, truth, guess)
        found.append(count_pairs(LABELS, False, items=item, reference=truth, judge=said))
    return found


def renumbered(tables, numbers):
    return PairTables(values=tables.values, ordinal=False, items=numbers, cells=tables.cells)


def test_better_judge_is_better_by_the_difference_of_the_two():
    first, second = judged([0.5, 0.9])
    for name, found in compare(first, second, NAMES).items():
        apart = [pair_estimates(each, [name])[name].value for each in (first, second)]
        assert found.value == pytest.approx(apart[1] - apart[0])
        assert 0 < found.low < found.value < found.high
        assert found.p < 0.01
        assert found.items == 60


def test_order_only_turns_the_sign():
    first, second = judged([0.6, 0.7])
    there, back = compare(first, second, ["kappa"]), compare(second, first, ["kappa"])
    assert there["kappa"].value == pytest.approx(-back["kappa"].value)
    assert there["kappa"].p == back["kappa"].p
    assert there["kappa"].low == pytest.approx(-back["kappa"].high, abs=0.01)


def test_percent_compares_like_the_mean_of_equally_long_items():
    first, second = judged([0.6, 0.7])
    shares = [each.cells[:, [0, 4, 8]].sum(axis=1) / 6 for each in (first, second)]
    by_tables, by_means = compare(first, second, ["percent"])["percent"], compare_means(*shares)
    assert by_tables.value == pytest.approx(by_means.value)
    assert by_tables.p == by_means.p
    assert by_tables.low == pytest.approx(by_means.low, abs=0.01)


@pytest.mark.soak
def test_equal_judges_are_found_different_one_time_in_twenty():
    rejected = outside = 0
    for seed in range(100):
        found = compare(*judged([0.7, 0.7], items=30, seed=seed), ["kappa"])["kappa"]
        rejected += found.p <= 0.05
        outside += not found.low <= 0 <= found.high
    assert 1 <= rejected <= 12
    assert outside <= 13


@settings(max_examples=15, deadline=None)
@given(arrays.arrays(np.int64, (2, 5, 4), elements=st.integers(0, 3)))
def test_few_items_try_every_swap_of_their_tables(cells):
    cells[:, :, 0] += 1
    both = [
        PairTables(values=LABELS[:2], ordinal=False, items=np.arange(5), cells=each)
        for each in cells
    ]
    found = compare(*both, ["percent", "kappa"])
    for name, difference in found.items():
        apart = []
        for ways in itertools.product((0, 1), repeat=5):
            one, other = (
                compute_pair_values(
                    sum(cells[way ^ turned, item] for item, way in enumerate(ways)).reshape(2, 2),
                    LABELS[:2],
                    False,
                )[name]
                for turned in (0, 1)
            )
            apart.append(abs(float(other - one)))
        if difference.value is None:
            assert np.isnan(apart[0])
            continue
        defined = np.array(apart)[np.isfinite(apart)]
        assert difference.p == pytest.approx(np.mean(defined >= apart[0] - 1e-9))


def test_ac1_of_two_judges_counts_the_labels_of_both():
    """Only the second judge uses the third label: its chance is shared by the first one's AC1."""
    (first,) = judged([0.7])
    cells = first.cells.reshape(-1, 3, 3).copy()
    cells[:, :, 1] += cells[:, :, 2]
    cells[:, 1] += cells[:, 2]
    cells[:, :, 2] = cells[:, 2] = 0
    one = PairTables(values=LABELS, ordinal=False, items=first.items, cells=cells.reshape(-1, 9))
    turned = cells.copy()
    turned[0, 0, 2], turned[0, 0, 0] = turned[0, 0, 0], 0
    other = PairTables(values=LABELS, ordinal=False, items=first.items, cells=turned.reshape(-1, 9))
    numbers = {each.name: each for each in measure_agreement(one, other)}["ac1"]
    expected = [
        float(compute_pair_values(each.total, LABELS, False, ["ac1"], used=[True] * 3)["ac1"])
        for each in (one, other)
    ]
    assert [numbers.first, numbers.second] == pytest.approx(expected)
    assert numbers.difference.value == pytest.approx(expected[1] - expected[0])
    # Only a few units changed; another chance for each would say that agreement rose or fell.
    percent = compare(one, other, ["percent"])["percent"].value
    assert abs(numbers.difference.value - percent) < 0.02


def test_difference_of_within_one_has_an_interval_from_a_hundred_items():
    for items in (99, 100):
        first, second = (
            PairTables(values=LABELS, ordinal=True, items=each.items, cells=each.cells)
            for each in judged([0.7, 0.6], items=items)
        )
        found = {each.name: each.difference for each in measure_agreement(first, second)}
        assert (found["within_one"].low is not None) is (items == 100)
        assert found["mae"].low is not None
        assert ("fewer than 100 items" in found["within_one"].reason) is (items == 99)


def test_paired_interval_is_shorter_than_two_apart():
    (first,) = judged([0.6])
    rng = np.random.default_rng(4)
    # The second differs from the first on a few items only.
    cells = first.cells.copy()
    for item in rng.choice(60, 12, replace=False):
        cells[item] = [6, 0, 0, 0, 0, 0, 0, 0, 0]
    second = PairTables(values=LABELS, ordinal=False, items=first.items, cells=cells)
    paired = compare(first, second, ["percent"])["percent"]
    alone = pair_estimates(first, ["percent"])["percent"]
    assert paired.high - paired.low < alone.high - alone.low


def test_items_meet_by_number_and_only_with_units_in_both():
    first, second = judged([0.6, 0.8], items=30)
    shuffled = np.random.default_rng(1).permutation(30)
    moved = second.only(shuffled)
    assert compare(first, moved, ["kappa"]) == compare(first, second, ["kappa"])
    later = renumbered(second, second.items + 10)
    one, other = select_common_items(first, later)
    assert one.items.tolist() == other.items.tolist() == list(range(10, 30))
    emptied = second.cells.copy()
    emptied[:5] = 0
    part = PairTables(values=LABELS, ordinal=False, items=second.items, cells=emptied)
    assert compare(first, part, ["kappa"])["kappa"].items == 25


def test_no_common_item_is_undefined():
    first, second = judged([0.6, 0.8])
    found = compare(first, renumbered(second, second.items + 1_000), NAMES)
    for difference in found.values():
        assert (difference.value, difference.p, difference.items) == (None, None, 0)
        assert difference.reason == "no item has both"


def test_few_items_have_a_p_and_no_interval():
    found = compare(*judged([0.3, 0.9], items=10), ["percent"])["percent"]
    assert found.p <= 0.05
    assert found.low is None
    assert "fewer than 20 items" in found.reason


def test_number_undefined_for_one_is_undefined_for_both():
    item = np.arange(30)
    truth = item % 2
    flat = count_pairs(LABELS, False, items=item, reference=item * 0, judge=item * 0)
    mixed = count_pairs(LABELS, False, items=item, reference=truth, judge=truth)
    found = compare(flat, mixed, ["kappa", "percent"])
    assert found["kappa"].value is None
    assert found["kappa"].p is None
    assert "undefined" in found["kappa"].reason
    assert found["percent"].value == 0


def test_two_scales_are_refused():
    (first,) = judged([0.6])
    with pytest.raises(ValueError, match="collapse the labels"):
        compare(first, first.collapsed({"unsupported": "contradictory"}), ["kappa"])


def test_changed_items_come_with_the_most_changed_first():
    same, worse, moved = (
        [2, 0, 0, 0, 1, 0, 0, 0, 0],
        [0, 2, 0, 0, 1, 0, 0, 0, 0],
        [2, 0, 0, 0, 0, 1, 0, 0, 0],
    )
    before = np.array([same, same, same, worse])
    after = np.array([same, moved, worse, same])
    first, second = (
        PairTables(values=LABELS, ordinal=False, items=np.array([7, 3, 9, 5]), cells=cells)
        for cells in (before, after)
    )
    found = list_changed_items(first, second)
    assert found.items.tolist() == [5, 9, 3]
    assert found.units.tolist() == [2, 2, 1]
    assert found.gained.tolist() == [2, -2, -1]


def test_unsigned_counts_do_not_wrap_around():
    first, second = judged([0.9, 0.3])
    assert first.cells.dtype == np.uint16
    assert abs(list_changed_items(first, second).gained).max() <= 6
    assert compare(first, second, ["percent"])["percent"].value < 0


def test_means_leave_out_items_without_a_number():
    first, second = [0.5, None, 0.25, 1.0], [1.0, 0.5, float("nan"), 0.75]
    found = compare_means(first, second, name="f1")
    assert (found.name, found.items) == ("f1", 2)
    assert found.value == pytest.approx(0.125)
    assert found.low is None
    assert "fewer than 20" in found.reason
    # Differences 0.5 and -0.25: all four swaps are at least as far from nothing as 0.25.
    assert found.p == 1


def test_means_that_always_differ_alike_have_no_interval():
    found = compare_means([0.25] * 30, [0.5] * 30)
    assert found.value == pytest.approx(0.25)
    assert found.low is None
    assert "certainty" in found.reason
    assert found.p < 0.001


def test_means_of_no_item_are_undefined():
    found = compare_means([None], [0.5])
    assert (found.value, found.p, found.reason) == (None, None, "no item has both")
    assert compare_means([], []).value is None


def test_means_of_other_items_are_refused():
    with pytest.raises(ValueError, match="not of the same items"):
        compare_means([0.5], [0.5, 0.25])
