"""Permutation p values equal trying every swap, and rarely reject when nothing differs."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.statistics.swapping import MOST_DRAWN, MOST_TRIED, compute_swap_p, generate_swaps


def mean_p(apart):
    apart = np.asarray(apart, np.float64)
    total = apart.sum()
    return compute_swap_p(-2 * apart[:, None], lambda added: {"mean": total + added[:, 0]})["mean"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_few_items_try_every_swap(apart):
    ways = itertools.product((1, -1), repeat=len(apart))
    sums = [abs(sum(s * a for s, a in zip(signs, apart, strict=True))) for signs in ways]
    assert mean_p(apart) == pytest.approx(np.mean([each >= abs(sum(apart)) for each in sums]))


def test_drawn_swaps_come_near_to_every_swap():
    apart = np.random.default_rng(3).integers(-2, 5, MOST_TRIED)
    exact = mean_p(apart)
    # An item that differs by nothing changes no sum, but makes them too many to try.
    assert mean_p([*apart, 0]) == pytest.approx(exact, abs=0.01)


def test_every_item_is_swapped_in_half_of_the_ways():
    for items in (5, 13, 14, 333):
        ways = np.concatenate(list(generate_swaps(items)))
        assert ways.shape == (min(2**items, MOST_DRAWN), items)
        assert ways.mean(axis=0) == pytest.approx(0.5, abs=0.03)


def test_fewer_ways_are_drawn_where_items_are_many():
    assert sum(len(ways) for ways in generate_swaps(20_000)) == 2_000


def test_equal_items_have_p_one():
    assert mean_p([0.0] * 30) == 1


def test_clear_difference_has_the_least_p():
    assert mean_p([1.0] * 40) == pytest.approx(1 / (MOST_DRAWN + 1))
    assert mean_p([1.0] * 5) == pytest.approx(2 / 2**5)


def test_undefined_difference_has_no_p():
    found = compute_swap_p(np.ones((30, 1)), lambda added: {"none": np.full(len(added), np.nan)})
    assert np.isnan(found["none"])


def test_nothing_differs_one_time_in_twenty():
    rng = np.random.default_rng(6)
    rejected = [mean_p(rng.normal(size=30)) <= 0.05 for _ in range(300)]
    assert 0.02 <= np.mean(rejected) <= 0.09
