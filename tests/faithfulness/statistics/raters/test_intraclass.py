"""Intraclass correlation meets the published example and declines where scores are missing."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from faithfulness.statistics.raters.several_raters import NAMES, icc
from tests.shared_data import SHARED, needs_shared

# Table 2 of Shrout and Fleiss (1979): six targets, four judges.
SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]


def test_shrout_and_fleiss():
    # Mean squares of the paper: targets 11.24, within 6.26, judges 32.49, residual 1.02. So
    # (1,1) = (11.24 - 6.26) / (11.24 + 3 * 6.26) = 0.17,
    # (2,1) = (11.24 - 1.02) / (11.24 + 3 * 1.02 + 4 * (32.49 - 1.02) / 6) = 0.29,
    # (3,1) = (11.24 - 1.02) / (11.24 + 3 * 1.02) = 0.71.
    found = icc(SHROUT_FLEISS)
    shown = [round(found[name].value, 2) for name in NAMES]
    assert shown == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    assert found["icc_2_1"].units == 6
    assert found["icc_2_1"].low is None
    assert "fewer than 20 items" in found["icc_2_1"].reason


@needs_shared
def test_every_reference_case_is_met():
    cases = json.loads((SHARED / "agreement_cases.json").read_text(encoding="utf-8"))["cases"]
    met = [case for case in cases if case["kind"] == "ratings_matrix_complete"]
    assert met
    for case in met:
        found = icc(case["input"]["ratings"])
        for expected in case["expected"]:
            assert found[expected["statistic"]].value == pytest.approx(expected["value"], abs=1e-9)


def brute_force(scores):
    """The mean squares from deviations, as a textbook has them."""
    units, authors = scores.shape
    mean, rows, columns = scores.mean(), scores.mean(axis=1), scores.mean(axis=0)
    target = authors * ((rows - mean) ** 2).sum() / (units - 1)
    inside = ((scores - rows[:, None]) ** 2).sum() / (units * (authors - 1))
    bias = units * ((columns - mean) ** 2).sum() / (authors - 1)
    left = scores - rows[:, None] - columns + mean
    error = (left**2).sum() / ((units - 1) * (authors - 1))
    return {
        "icc_1_1": (target - inside) / (target + (authors - 1) * inside),
        "icc_2_1": (target - error)
        / (target + (authors - 1) * error + authors * (bias - error) / units),
        "icc_3_1": (target - error) / (target + (authors - 1) * error),
    }


@settings(max_examples=100, deadline=None)
@given(
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(2, 8), st.integers(2, 4)),
        elements=st.integers(1, 5).map(float),
    )
)
def test_sums_give_what_deviations_give(scores):
    found = icc(scores)
    if np.ptp(scores.mean(axis=1)) == 0:
        assert found["icc_2_1"].value is None
        return
    for name, expected in brute_force(scores).items():
        assert found[name].value == pytest.approx(expected, abs=1e-9)


def test_rows_may_stand_for_several_units_of_an_item():
    rng = np.random.default_rng(2)
    scores = rng.integers(1, 6, 30)[:, None] + rng.integers(0, 2, (30, 3))
    counts, items = rng.integers(1, 4, 30), np.arange(30)
    packed = icc(scores, items=items, counts=counts)
    spread = icc(np.repeat(scores, counts, axis=0), items=np.repeat(items, counts))
    for name in NAMES:
        assert packed[name].value == pytest.approx(spread[name].value)
        assert packed[name].low == pytest.approx(spread[name].low)
        assert packed[name].low < packed[name].value < packed[name].high
        assert packed[name].units == counts.sum()


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([[1, np.nan], [2, 3]], "use interval alpha"),
        ([[3, 3], [3, 3], [3, 3]], "do not vary"),
        ([[1], [2]], "two authors"),
        ([[1, 2]], "two units"),
    ],
)
def test_undefined_says_why(scores, words):
    for estimate in icc(scores).values():
        assert estimate.value is None
        assert words in estimate.reason
