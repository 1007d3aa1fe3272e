"""Samples are what was asked for: size, order, seed, and every stratum."""

from collections import Counter

import pytest

from faithfulness.judging.sampling import draw_evenly, draw_sample

ITEMS = list(range(100))
STRATA = ["common"] * 90 + ["rare"] * 7 + ["single"] + ["other"] * 2


def test_a_sample_is_the_same_for_the_same_seed_and_in_order():
    first = draw_sample(ITEMS, 10, seed=4)
    assert first == draw_sample(ITEMS, 10, seed=4) == sorted(first)
    assert first != draw_sample(ITEMS, 10, seed=5)
    assert len(set(first)) == 10


@pytest.mark.parametrize("count", [100, 500])
def test_a_sample_of_everything_is_everything(count):
    assert draw_sample(ITEMS, count) == ITEMS
    assert draw_evenly(ITEMS, STRATA, count) == ITEMS


@pytest.mark.parametrize("count", [0, -3])
def test_a_sample_of_nothing_is_empty(count):
    assert draw_sample(ITEMS, count) == draw_evenly(ITEMS, STRATA, count) == []


def test_every_stratum_gives_its_share_and_small_ones_all_they_have():
    chosen = draw_evenly(ITEMS, STRATA, 20, seed=1)
    found = Counter(STRATA[each] for each in chosen)
    # 20 over four strata: 1 of 1, 2 of 2, then 17 left for two, 7 of 7 and 10.
    assert found == {"single": 1, "other": 2, "rare": 7, "common": 10}
    assert chosen == sorted(chosen) == draw_evenly(ITEMS, STRATA, 20, seed=1)


@pytest.mark.parametrize("count", range(1, 100))
def test_an_even_sample_has_exactly_the_size_asked_for(count):
    chosen = draw_evenly(ITEMS, STRATA, count)
    assert len(chosen) == len(set(chosen)) == count


def test_fewer_than_the_strata_are_still_drawn():
    assert len(draw_evenly(ITEMS, ITEMS, 3)) == 3


def test_a_sample_smaller_than_the_strata_looks_at_the_rarest_first():
    strata = ["rare"] * 2 + ["mid"] * 10 + ["common"] * 50
    drawn = draw_evenly(strata, strata, 2)
    assert drawn == ["rare", "mid"]
    assert len(draw_evenly(strata, strata, 7)) == 7
