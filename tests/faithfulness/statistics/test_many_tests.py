"""Corrected p values keep their order and equal the published rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithfulness.statistics.many_tests import benjamini_yekutieli

chances = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=12)


def test_three_tests_by_hand():
    # 1 + 1/2 + 1/3 = 11/6 times three tests over the rank: 0.01 * 5.5, 0.03 * 2.75, 0.04 * 11/6;
    # the second may not be larger than the third.
    found = benjamini_yekutieli([0.04, 0.01, 0.03])
    assert found == pytest.approx([0.04 * 11 / 6, 0.055, 0.04 * 11 / 6])


@given(chances, st.sampled_from([0.01, 0.05, 0.1, 0.3]))
def test_corrected_value_decides_like_the_step_up_rule(p, q):
    found = benjamini_yekutieli(p)
    tests = len(p)
    harmonic = sum(1 / rank for rank in range(1, tests + 1))
    cut = max(
        (each for rank, each in enumerate(sorted(p), 1) if each * tests * harmonic / rank <= q),
        default=-1.0,
    )
    assert [bool(each <= q) for each in found] == [each <= cut for each in p]
    assert all(corrected >= min(each, 1) for each, corrected in zip(p, found, strict=True))


def test_no_test_needs_no_correction():
    assert benjamini_yekutieli([]).tolist() == []


@pytest.mark.parametrize("wrong", [1.2, -0.1, float("nan")])
def test_what_is_no_probability_is_refused(wrong):
    with pytest.raises(ValueError, match="outside 0 to 1"):
        benjamini_yekutieli([0.1, wrong])
