"""Agreement of two sides: worked examples, definitions row by row, and reasons in plain words."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

from faithfulness.statistics.agreement import (
    compute_pair_spreads,
    compute_pair_values,
    list_pair_names,
    pair_estimates,
)
from faithfulness.statistics.tables import PairTables, count_pairs

AB = ("a", "b")
ABC = ("a", "b", "c")
ROWS = np.arange(60)
calmly = settings(deadline=None, max_examples=60)  # a busy machine is no failure
tables_of_three = arrays.arrays(np.int64, (3, 3), elements=some.integers(0, 6)).filter(np.any)


def one_unit_an_item(table, ordinal=False):
    table = np.array(table)
    first, second = np.indices(table.shape).reshape(2, -1)
    many = table.ravel()
    return count_pairs(
        tuple("abcdefgh"[: len(table)]),
        ordinal,
        items=np.arange(many.sum()),
        reference=np.repeat(first, many),
        judge=np.repeat(second, many),
    )


def units_of(table):
    return [
        (i, j)
        for i, j in itertools.product(range(len(table)), repeat=2)
        for _ in range(int(table[i][j]))
    ]


def test_grants_example_has_the_textbook_kappa():
    # Two readers of 50 grants: both yes 20, both no 15, yes/no 5, no/yes 10.
    # Agreement (20 + 15) / 50 = 0.7. By chance: yes .5 * .6 = .3, no .5 * .4 = .2, together .5.
    # kappa = (.7 - .5) / (1 - .5) = .4; Brennan-Prediger = 2 * .7 - 1 = .4.
    # pooled yes .55: pi's chance .55^2 + .45^2 = .505, pi = .195 / .495 = .3939;
    # AC1's chance 2 * .55 * .45 = .495, AC1 = .205 / .505 = .4059.
    found = compute_pair_values([[20, 5], [10, 15]], AB, False)
    assert found["percent"] == pytest.approx(0.7)
    assert found["kappa"] == pytest.approx(0.4)
    assert found["brennan_prediger"] == pytest.approx(0.4)
    assert found["pi"] == pytest.approx(0.195 / 0.495)
    assert found["ac1"] == pytest.approx(0.205 / 0.505)
    # The reference says a in 25 of 50; the judge in 30: precision 20/30, recall 20/25, F1 40/55.
    assert found["baseline"] == pytest.approx(0.5)
    assert found["precision:a"] == pytest.approx(20 / 30)
    assert found["recall:a"] == pytest.approx(20 / 25)
    assert found["f1:a"] == pytest.approx(40 / 55)
    assert found["bias:a"] == pytest.approx(5 / 50)


def test_krippendorffs_first_example_has_his_alpha():
    # Krippendorff (2011) A: ten units, o_01 = 4 of 20 values disagree, n_0 = 14, n_1 = 6.
    # alpha = 1 - (20 - 1) * 4 / (14 * 6) = 1 - 76 / 84 = .0952.
    reference = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    judge = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    tables = count_pairs(AB, False, items=range(10), reference=reference, judge=judge)
    assert pair_estimates(tables, ["alpha"])["alpha"].value == pytest.approx(1 - 76 / 84)


def test_skewed_labels_part_kappa_from_ac1():
    # Both tables agree on 94 of 100; only the second has a rare label that is never met.
    even = compute_pair_values([[45, 3], [3, 49]], AB, False)
    skewed = compute_pair_values([[94, 3], [3, 0]], AB, False)
    assert even["percent"] == skewed["percent"]
    assert even["kappa"] == pytest.approx(even["ac1"], abs=0.01)
    assert skewed["kappa"] < 0 < 0.9 < skewed["ac1"]
    assert skewed["f1:b"] == 0


@calmly
@given(tables_of_three)
def test_coefficients_are_their_definitions_unit_by_unit(table):
    units = units_of(table)
    found = compute_pair_values(table, ABC, False)
    first, second = [i for i, _ in units], [j for _, j in units]
    agreed = sum(i == j for i, j in units) / len(units)
    assert found["percent"] == pytest.approx(agreed)

    def close(name, expected):
        assert found[name] == pytest.approx(expected, nan_ok=True, abs=1e-9)

    def beyond(chance):
        return (agreed - chance) / (1 - chance) if 1 - chance > 1e-12 else np.nan

    # Chance is the agreement over all pairings of any label of one side with any of the other.
    close("kappa", beyond(np.mean([i == j for i in first for j in second])))
    pooled = first + second
    close("pi", beyond(np.mean([i == j for i in pooled for j in pooled])))
    used = len(set(pooled))
    close("brennan_prediger", beyond(1 / used))
    shares = [pooled.count(label) / len(pooled) for label in range(3)]
    close("ac1", beyond(sum(share * (1 - share) for share in shares) / max(used - 1, 1)))
    # Krippendorff pairs each value with every other one, but not with itself.
    apart = [i != j for i, j in itertools.permutations(pooled, 2)]
    close("alpha", 1 - (1 - agreed) / np.mean(apart) if any(apart) else np.nan)
    for label, value in enumerate(ABC):
        both = units.count((label, label))
        said, meant = second.count(label), first.count(label)
        close(f"precision:{value}", both / said if said else np.nan)
        close(f"recall:{value}", both / meant if meant else np.nan)
        close(f"f1:{value}", 2 * both / (said + meant) if said + meant else np.nan)
        close(f"bias:{value}", (said - meant) / len(units))


@calmly
@given(tables_of_three)
def test_mcc_is_the_correlation_of_label_indicators(table):
    units = np.array(units_of(table))
    one_hot = np.eye(3)[units] - np.eye(3)[units].mean(axis=0)
    together = (one_hot[:, 0] * one_hot[:, 1]).sum()
    spread = (one_hot[:, 0] ** 2).sum() * (one_hot[:, 1] ** 2).sum()
    expected = together / np.sqrt(spread) if spread > 1e-12 else np.nan
    assert compute_pair_values(table, ABC, False)["mcc"] == pytest.approx(
        expected, nan_ok=True, abs=1e-9
    )


@calmly
@given(tables_of_three, some.permutations(range(3)))
def test_naming_labels_otherwise_changes_nothing(table, order):
    plain = compute_pair_values(table, ABC, False)
    moved = compute_pair_values(table[np.ix_(order, order)], tuple(ABC[i] for i in order), False)
    assert plain.keys() == moved.keys()
    for name, value in plain.items():
        assert moved[name] == pytest.approx(value, nan_ok=True, abs=1e-9)


@calmly
@given(tables_of_three)
def test_exchanging_the_sides_exchanges_precision_and_recall(table):
    plain, turned = compute_pair_values(table, ABC, True), compute_pair_values(table.T, ABC, True)
    for name in ("percent", "kappa", "ac1", "alpha", "mcc", "f1:b", "tau_b", "icc_2_1"):
        assert turned[name] == pytest.approx(plain[name], nan_ok=True, abs=1e-9)
    assert turned["precision:a"] == pytest.approx(plain["recall:a"], nan_ok=True)
    assert turned["bias:a"] == pytest.approx(-plain["bias:a"])
    assert turned["mean_difference"] == pytest.approx(-plain["mean_difference"])


@calmly
@given(tables_of_three)
def test_twice_the_units_change_only_what_corrects_for_few_units(table):
    once, twice = compute_pair_values(table, ABC, True), compute_pair_values(table * 2, ABC, True)
    few = {"alpha", "alpha_interval", "alpha_ordinal", "sd_difference"}
    few |= {"icc_1_1", "icc_2_1", "icc_3_1"}
    for name in once.keys() - few:
        assert twice[name] == pytest.approx(once[name], nan_ok=True, abs=1e-9)


@calmly
@given(arrays.arrays(np.int64, (2, 4, 3, 3), elements=some.integers(0, 5)))
def test_batch_is_each_table_by_itself(batch):
    together = compute_pair_values(batch, ABC, True)
    for where in np.ndindex(2, 4):
        alone = compute_pair_values(batch[where], ABC, True)
        for name, value in alone.items():
            assert value.shape == ()
            assert together[name][where] == pytest.approx(float(value), nan_ok=True, abs=1e-9)


def test_label_that_nobody_uses_still_belongs_to_the_scale():
    two = compute_pair_values([[20, 5], [10, 15]], AB, True)
    three = compute_pair_values([[20, 0, 5], [0, 0, 0], [10, 0, 15]], ABC, True)
    assert three["kappa"] == pytest.approx(float(two["kappa"]))
    # Yes and no are now two steps apart, so that one step is no longer the worst there is.
    assert two["within_one"] == 1
    assert three["within_one"] == pytest.approx(0.7)


def test_ac1_of_two_labels_among_four_declared_is_that_of_the_two():
    # Both use a and b equally often and agree on .671. AC1's chance is .5 with two labels,
    # .171 / .5 = .342; a chance shared with two labels that never occur would give .605.
    table = np.zeros((4, 4))
    table[1:3, 1:3] = [[671, 329], [329, 671]]
    found = compute_pair_values(table, tuple("xaby"), False)
    assert found["ac1"] == pytest.approx(0.342)
    assert found["brennan_prediger"] == pytest.approx(0.342)


@calmly
@given(tables_of_three, some.integers(0, 2), some.integers(0, 2))
def test_declaring_further_labels_changes_no_number(table, before, after):
    plain = compute_pair_values(table, ABC, True)
    wide = np.pad(table, (before, after))
    values = ("y", "z")[:before] + ABC + ("v", "w")[:after]
    longer = compute_pair_values(wide, values, True, plain)
    for name, value in plain.items():
        assert longer[name] == pytest.approx(float(value), nan_ok=True, abs=1e-9), name


def test_intervals_count_the_labels_of_the_whole_comparison():
    # The third label stands on one of 30 items, so that it does not occur without that item.
    cells = np.tile(np.array([[6, 1, 0], [1, 2, 0], [0, 0, 0]]).ravel(), (30, 1))
    cells[:, 1] += np.arange(30) % 3
    cells[0, 8] = 1
    tables = PairTables(values=ABC, ordinal=False, items=np.arange(30), cells=cells)

    def without_each(used):
        parts = (cells.sum(axis=0) - cells).reshape(-1, 3, 3)
        return compute_pair_values(parts, ABC, False, ["ac1"], used=used)["ac1"]

    def error(without):
        return np.sqrt(((without - without.mean()) ** 2).sum() * 29 / 30)

    spread = compute_pair_spreads(tables, ["ac1"])["ac1"]
    assert spread.error == pytest.approx(error(without_each(tables.used)))
    assert spread.error < error(without_each(None)) / 2


@pytest.mark.parametrize(
    ("table", "name", "reason"),
    [
        ([[0, 0], [0, 0]], "percent", "no unit has both"),
        ([[0, 0], [0, 0]], "f1:a", "no unit has both"),
        ([[9, 0], [0, 0]], "kappa", "both use one label only"),
        ([[9, 0], [0, 0]], "alpha", "both use one label only"),
        ([[9, 0], [0, 0]], "brennan_prediger", "both use one label only"),
        ([[9, 0], [0, 0]], "mcc", "both use one label only"),
        ([[9, 0], [3, 0]], "mcc", "the judge uses one label only"),
        ([[9, 3], [0, 0]], "spearman", "the reference uses one label only"),
        ([[9, 3], [0, 0]], "gamma", "no two units differ on both sides"),
        ([[9, 0], [3, 0]], "precision:b", "the judge never says b"),
        ([[9, 3], [0, 0]], "recall:b", "the reference never says b"),
        ([[9, 0], [0, 0]], "f1:b", "neither ever says b"),
        ([[0, 9], [0, 0]], "icc_3_1", "both use one label only"),
        ([[0, 1], [0, 0]], "sd_difference", "only one unit has both"),
        ([[1, 0], [0, 0]], "icc_2_1", "only one unit has both"),
        ([[9, 0], [0, 0]], "kappa_quadratic", "both use one label only"),
        ([[9, 0], [0, 0]], "alpha_ordinal", "both use one label only"),
    ],
)
def test_undefined_number_says_why(table, name, reason):
    found = pair_estimates(one_unit_an_item(table, ordinal=True), [name])[name]
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.reason == reason


def test_order_is_needed_for_numbers_of_scores():
    found = pair_estimates(one_unit_an_item([[20, 5], [10, 15]]), ["spearman", "kappa_linear"])
    assert {estimate.value for estimate in found.values()} == {None}
    assert {estimate.reason for estimate in found.values()} == {"the labels have no order"}


def test_rare_label_that_the_judge_misses_has_an_f1_of_zero():
    found = pair_estimates(one_unit_an_item([[20, 0], [3, 0]]), ["f1:b", "recall:b", "kappa"])
    assert found["f1:b"].value == 0
    assert found["recall:b"].value == 0
    assert found["kappa"].value == 0


@calmly
@given(tables_of_three, some.booleans())
def test_estimates_are_numbers_or_none_with_a_reason(table, ordinal):
    tables = one_unit_an_item(table, ordinal)
    found = pair_estimates(tables)
    assert tuple(found) == list_pair_names(ABC, ordinal)
    for name, estimate in found.items():
        assert estimate.name == name
        of_a_label = name.partition(":")[0] in ("precision", "recall", "f1")
        assert estimate.units == estimate.items
        assert estimate.units == table.sum() or of_a_label
        if estimate.low is None:
            assert estimate.high is None
            assert estimate.reason
        else:
            assert estimate.reason == ""
            assert np.isfinite([estimate.value, estimate.low, estimate.high]).all()
            assert estimate.low <= estimate.high
        assert estimate.value is None or np.isfinite(estimate.value)


def test_unknown_number_is_refused():
    with pytest.raises(KeyError):
        compute_pair_values([[1, 0], [0, 1]], AB, False, ["kapa"])


def test_number_of_a_large_run_stays_in_its_range():
    rng = np.random.default_rng(2)
    cells = np.zeros((30_000, 4), np.uint16)
    cells[:, 0] = rng.integers(1, 9, 30_000)
    cells[:24, 3] = 1
    cells[:2, 2] = 1
    tables = PairTables(values=AB, ordinal=False, items=np.arange(30_000), cells=cells)
    found = pair_estimates(tables, ["recall:b", "precision:b"])
    assert found["recall:b"].value == pytest.approx(24 / 26)
    assert 24 / 26 < found["recall:b"].high < 1.0
    assert 0.7 < found["recall:b"].low < 24 / 26
    assert found["precision:b"].low is None
    assert "no item changes it" in found["precision:b"].reason


def test_number_of_one_label_has_an_interval_from_twenty_items_with_the_label():
    cells = np.zeros((60, 4), np.int64)
    cells[:, 0] = 4
    cells[:19, 3], cells[5:19, 3] = 1, 2
    cells[3, 1], cells[4, 2] = 1, 1
    for items, has_interval in ((19, False), (20, True)):
        cells[:items, 3] = np.maximum(cells[:items, 3], 1)
        found = pair_estimates(PairTables(values=AB, ordinal=False, items=ROWS, cells=cells))
        for name in ("precision:b", "recall:b", "f1:b", "bias:b"):
            assert (found[name].low is not None) is has_interval, name
            assert ("fewer than 20 items with this label" in found[name].reason) is not has_interval
        assert found["f1:a"].low is not None


@pytest.mark.parametrize("name", ["ac2", "gamma", "sd_difference", "within_one"])
def test_number_that_few_far_misses_decide_has_an_interval_from_a_hundred_items(name):
    rng = np.random.default_rng(1)
    cells = rng.integers(0, 3, (100, 9))
    for items in (99, 100):
        tables = PairTables(
            values=ABC, ordinal=True, items=np.arange(items), cells=cells[:items].copy()
        )
        found = pair_estimates(tables, [name, "kappa_quadratic"])
        assert (found[name].low is not None) is (items == 100)
        assert found["kappa_quadratic"].low is not None
    assert found[name].reason == ""


def test_largest_share_has_no_interval():
    rng = np.random.default_rng(1)
    tables = PairTables(values=AB, ordinal=False, items=ROWS, cells=rng.integers(0, 5, (60, 4)))
    found = pair_estimates(tables, ["baseline"])["baseline"]
    assert (found.low, found.high) == (None, None)
    assert "no interval holds for the largest share" in found.reason


def test_a_share_of_one_label_names_the_units_it_is_counted_from():
    # Rows are the reference, columns the judge: “a” is given 8 times by the one, 9 by the other.
    found = pair_estimates(one_unit_an_item([[6, 2, 0], [1, 5, 0], [2, 1, 0]]))
    assert found["precision:a"].value == pytest.approx(6 / 9)
    units = {name: found[name].units for name in found}
    assert (units["precision:a"], units["recall:a"], units["f1:a"]) == (9, 8, 11)
    assert (units["precision:c"], units["recall:c"], units["f1:c"]) == (0, 3, 3)
    assert {units[name] for name in ("percent", "kappa", "bias:a")} == {17}
    assert all(each.items == each.units for each in found.values())


def test_an_item_counts_for_a_label_only_where_a_unit_has_it():
    tables = count_pairs(AB, False, items=[1, 1, 2, 2], reference=[0, 1, 1, 1], judge=[0, 0, 1, 1])
    found = pair_estimates(tables)
    assert [found[name].items for name in ("percent", "precision:a", "recall:b")] == [2, 1, 2]
