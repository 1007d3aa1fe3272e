"""Several raters: numbers with intervals, pairs, profiles, copies, and reasons where undefined."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.agreement import compute_pair_values, pair_estimates
from faithfulness.statistics.raters.several_raters import (
    build_pair_tables,
    build_profiles,
    choose_headline,
    estimate_coefficients,
    find_duplicates,
    leave_one_out,
)
from faithfulness.statistics.tables import Ratings

LABELS = ("supported", "unsupported", "contradictory")


def people(many):
    return tuple(Author(kind=AuthorKind.RATER, name=f"rater {n}") for n in range(1, many + 1))


def ratings_of(codes, *, items=None, counts=None, ordinal=False, values=LABELS):
    codes = np.asarray(codes, np.int8)
    rows = len(codes)
    return Ratings(
        values=values,
        ordinal=ordinal,
        authors=people(codes.shape[1]),
        items=np.arange(rows) if items is None else np.asarray(items, np.int64),
        codes=codes,
        counts=np.ones(rows, np.int64) if counts is None else np.asarray(counts, np.int64),
    )


def simulated(items, *, units=6, raters=4, gaps=0.3, seed=3, skill=0.8):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items * units)
    guess = rng.integers(0, 3, (len(truth), raters))
    codes = np.where(rng.random(guess.shape) < skill, truth[:, None], guess)
    codes[rng.random(codes.shape) < gaps] = -1
    return codes, np.repeat(np.arange(items), units)


@settings(max_examples=60, deadline=None)
@given(
    arrays.arrays(
        np.int8, st.tuples(st.integers(0, 30), st.integers(1, 4)), elements=st.integers(-1, 2)
    ),
    st.booleans(),
    st.integers(1, 3),
)
def test_whatever_is_undefined_says_why_and_is_no_number(codes, ordinal, units):
    ratings = ratings_of(codes, items=np.arange(len(codes)) // units, ordinal=ordinal)
    found = [
        *estimate_coefficients(ratings).values(),
        *(row.others for row in leave_one_out(ratings)),
    ]
    for profile in build_profiles(ratings):
        found += pair_estimates(profile.against).values()
    for estimate in found:
        if estimate.value is None:
            assert estimate.reason
            assert estimate.low is None
            continue
        assert math.isfinite(estimate.value)
        assert (estimate.low is None) == (estimate.high is None) == bool(estimate.reason)
    for copied in find_duplicates(ratings):
        assert copied.equal <= copied.units


def test_every_number_has_its_interval_and_counts():
    codes, items = simulated(60)
    found = estimate_coefficients(ratings_of(codes, items=items))
    paired = (codes >= 0).sum(axis=1) >= 2
    assert found["alpha"].units == paired.sum()
    assert found["alpha"].items == len(set(items[paired]))
    for name, estimate in found.items():
        assert estimate.name == name
        assert estimate.low < estimate.value < estimate.high, name
        assert not estimate.reason


def test_patterns_with_counts_say_the_same_as_single_units():
    codes, items = simulated(40)
    rows = np.column_stack([items, codes])
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    single = estimate_coefficients(ratings_of(codes, items=items))
    packed = estimate_coefficients(ratings_of(distinct[:, 1:], items=distinct[:, 0], counts=counts))
    for name, estimate in single.items():
        assert packed[name].value == pytest.approx(estimate.value)
        assert packed[name].low == pytest.approx(estimate.low)
        assert packed[name].units == estimate.units


def test_interval_is_wider_where_items_decide_and_not_units():
    rng = np.random.default_rng(5)
    easy = np.repeat(rng.random(80) < 0.5, 10)
    truth = rng.integers(0, 3, 800)
    guess = rng.integers(0, 3, (800, 3))
    codes = np.where(easy[:, None], truth[:, None], guess)
    by_item = estimate_coefficients(ratings_of(codes, items=np.repeat(np.arange(80), 10)))["alpha"]
    by_unit = estimate_coefficients(ratings_of(codes))["alpha"]
    assert by_item.value == pytest.approx(by_unit.value)
    assert by_item.high - by_item.low > 2 * (by_unit.high - by_unit.low)


def test_few_items_have_a_number_and_no_interval():
    codes, items = simulated(19)
    for estimate in estimate_coefficients(ratings_of(codes, items=items)).values():
        assert estimate.value is not None
        assert (estimate.low, estimate.high) == (None, None)
        assert "fewer than 20 items" in estimate.reason


def test_items_without_two_labels_do_not_count_towards_an_interval():
    lonely = [[0, -1]] * 30
    found = estimate_coefficients(ratings_of([*lonely, *[[0, 0], [1, 1], [0, 1]] * 4]))
    assert found["percent"].items == 12
    assert found["percent"].low is None


def test_no_overlap_is_undefined_with_its_reason():
    found = estimate_coefficients(ratings_of([[0, -1], [-1, 1]] * 15))
    for estimate in found.values():
        assert estimate.value is None
        assert estimate.units == 0
        assert "two authors" in estimate.reason


def test_nobody_at_all_is_undefined():
    found = estimate_coefficients(ratings_of(np.empty((0, 2))))
    assert all(estimate.value is None for estimate in found.values())


def test_one_label_leaves_alpha_undefined_and_percent_whole():
    found = estimate_coefficients(ratings_of([[0, 0, 0]] * 40))
    assert found["alpha"].value is None
    assert "one label" in found["alpha"].reason
    assert found["percent"].value == 1
    assert found["percent"].low is None


def test_ordinal_scale_adds_what_needs_an_order():
    codes, items = simulated(40, gaps=0)
    found = estimate_coefficients(ratings_of(codes, items=items, ordinal=True))
    assert {"alpha_ordinal", "alpha_interval", "ac2", "icc_2_1"} <= set(found)
    # Without gaps squared steps between all pairs are what one-way variance counts as well.
    assert found["icc_1_1"].value == pytest.approx(found["alpha_interval"].value, abs=0.01)
    assert choose_headline(ratings_of(codes, ordinal=True)) == "alpha_ordinal"
    assert "alpha_ordinal" not in estimate_coefficients(ratings_of(codes))


def test_gaps_leave_intraclass_correlation_undefined():
    codes, items = simulated(40)
    found = estimate_coefficients(ratings_of(codes, items=items, ordinal=True))
    assert found["icc_2_1"].value is None
    assert "interval alpha" in found["icc_2_1"].reason
    assert found["alpha_interval"].value is not None


def test_pairs_hold_the_labels_of_both_in_order():
    codes, items = simulated(30)
    pairs = build_pair_tables(ratings_of(codes, items=items))
    assert [(one.name, other.name) for one, other, _ in pairs] == list(
        itertools.combinations([f"rater {n}" for n in range(1, 5)], 2)
    )
    for (first, second), (_, _, tables) in zip(
        itertools.combinations(range(4), 2), pairs, strict=True
    ):
        table = np.zeros((3, 3))
        for row in codes:
            if min(row[first], row[second]) >= 0:
                table[row[first], row[second]] += 1
        assert (tables.total == table).all()


def test_two_raters_have_the_alpha_of_their_table():
    codes, items = simulated(30, raters=2)
    ratings = ratings_of(codes, items=items)
    ((_, _, tables),) = build_pair_tables(ratings)
    of_table = compute_pair_values(tables.total, LABELS, False)["alpha"]
    assert estimate_coefficients(ratings)["alpha"].value == pytest.approx(float(of_table))


def test_leaving_out_the_careless_one_helps_most():
    codes, items = simulated(60, gaps=0.1)
    codes[:, 2] = np.random.default_rng(8).integers(0, 3, len(codes))
    rows = leave_one_out(ratings_of(codes, items=items))
    assert max(rows, key=lambda row: row.change).author.name == "rater 3"
    assert rows[0].change < 0 < rows[2].change
    without = estimate_coefficients(ratings_of(np.delete(codes, 2, axis=1), items=items))["alpha"]
    assert rows[2].others.value == pytest.approx(without.value)
    assert rows[2].others.low == pytest.approx(without.low)


def test_leaving_out_one_of_two_leaves_nothing_to_compare():
    codes, items = simulated(30, raters=2)
    for row in leave_one_out(ratings_of(codes, items=items)):
        assert row.others.value is None
        assert row.change is None


def test_profile_counts_each_rater_against_the_others():
    # Of rater 1: agrees with a majority, stands against it, meets a tie, is alone, is silent.
    codes = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [2, -1, -1], [-1, 1, 1]]
    first, second, _ = build_profiles(ratings_of(codes, counts=[4, 3, 2, 5, 7]))
    assert first.against.total.tolist() == [[4, 3, 0], [0, 0, 0], [0, 0, 0]]
    assert (first.tied, first.alone) == (2, 5)
    # Of rater 2, where rater 1 is silent the other one is the consensus.
    assert second.against.total.tolist() == [[4, 0, 0], [0, 7, 0], [0, 0, 0]]
    assert (second.tied, second.alone) == (5, 0)


def test_copies_are_found_and_their_owners_named():
    codes, items = simulated(30, raters=3, gaps=0)
    codes[:, 2] = codes[:, 0]
    (found,) = find_duplicates(ratings_of(codes, items=items))
    assert (found.first.name, found.second.name) == ("rater 1", "rater 3")
    assert (found.units, found.equal) == (180, 180)
    # One slip in a hundred and eighty does not hide a copy; a tenth of other labels is no copy.
    codes[0, 2] = (codes[0, 0] + 1) % 3
    assert find_duplicates(ratings_of(codes, items=items))[0].equal == 179
    codes[:18, 2] = (codes[:18, 0] + 1) % 3
    assert not find_duplicates(ratings_of(codes, items=items))


def test_skewed_labels_and_few_units_are_no_copies():
    assert not find_duplicates(ratings_of([[0, 0]] * 100 + [[1, 1]] * 4))
    assert find_duplicates(ratings_of([[0, 0]] * 100 + [[1, 1]] * 5))
    assert not find_duplicates(ratings_of([[0, 0]] * 10 + [[1, 1]] * 9))
