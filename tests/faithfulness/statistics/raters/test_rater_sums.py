"""Coefficients for several raters meet published examples and a count of every pair."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from faithfulness.statistics.raters.rater_sums import (
    compute_coefficients,
    compute_unit_sums,
    count_paired_units,
    count_votes,
    find_distinct_patterns,
)
from tests.shared_data import SHARED, needs_shared

NAMES = {
    "percent_agreement": "percent",
    "fleiss_kappa": "fleiss",
    "gwet_ac1": "ac1",
    "gwet_ac2": "ac2",
    "brennan_prediger": "brennan_prediger",
    "krippendorff_alpha": "alpha",
    "krippendorff_alpha_nominal": "alpha",
    "krippendorff_alpha_weighted": "alpha",
}

# Units by raters of section C in Krippendorff (2011); 0 stands for no label.
KRIPPENDORFF_C = [
    [1, 1, 0, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [0, 5, 5, 5],
    [0, 0, 1, 1],
    [0, 3, 0, 0],
]
ratings = arrays.arrays(
    np.int8, st.tuples(st.integers(1, 9), st.integers(2, 5)), elements=st.integers(-1, 3)
)


def values_of(votes, *, ordinal=True):
    each = compute_unit_sums(np.asarray(votes, np.float64), ordinal=ordinal)
    return compute_coefficients(each.sum(axis=0), np.shape(votes)[1], ordinal=ordinal)


def votes_in(case):
    given_input = case["input"]
    if "counts" in given_input:
        return given_input["counts"]
    return [[row.count(value) for value in given_input["values"]] for row in given_input["ratings"]]


def name_of(expected):
    params = expected.get("params", {})
    name = NAMES[expected["statistic"]]
    if params.get("level", "nominal") != "nominal":
        name += "_" + params["level"]
    if "weights" in params:
        name += "_" + params["weights"]
    # Squared distances are what quadratic weights leave over.
    return "alpha_interval" if name == "alpha_quadratic" else name


@needs_shared
def test_every_reference_case_is_met():
    cases = json.loads((SHARED / "agreement_cases.json").read_text(encoding="utf-8"))["cases"]
    met = 0
    for case in cases:
        if case["kind"] not in ("rater_counts_per_unit", "ratings_matrix"):
            continue
        found = values_of(votes_in(case))
        for expected in case["expected"]:
            assert found[name_of(expected)] == pytest.approx(expected["value"], abs=1e-9), case
            met += 1
    assert met >= 38


def test_krippendorff_a():
    # Ten units, two observers; 0s and 1s: 14 and 6 of 20 labels. Four units differ, so the
    # observed disagreement is 8 of 20 labels, and 2 * 14 * 6 / 19 = 8.842 are expected by chance.
    # alpha = 1 - 8 / 8.842 = 0.095.
    pairs = ["01", "11", "01", "00", "00", "01", "00", "00", "10", "00"]
    found = values_of([[pair.count("0"), pair.count("1")] for pair in pairs])
    assert found["alpha"] == pytest.approx(1 - 8 / (2 * 14 * 6 / 19))
    assert round(float(found["alpha"]), 3) == 0.095


def test_krippendorff_c():
    found = values_of([[row.count(value) for value in range(1, 6)] for row in KRIPPENDORFF_C])
    # 40 pairable labels: 9, 13, 10, 5 and 3 of each. Off the diagonal of the coincidences stand
    # 4/3 for (1,2), 1/3 for (1,3), (1,4), (2,4), (3,4) and 4/3 for (2,3): twice their sum is 8.
    # alpha = 1 - 39 * 8 / (40**2 - 81 - 169 - 100 - 25 - 9) = 1 - 312 / 1216.
    assert found["alpha"] == pytest.approx(1 - 312 / 1216)
    # Squared steps: 4/3 * 1 + 1/3 * (4 + 9 + 4 + 1) + 4/3 * 1 = 26/3, twice = 17.333. By chance
    # 2 * (9*13 + 9*10*4 + 9*5*9 + 9*3*16 + 13*10 + 13*5*4 + 13*3*9 + 10*5 + 10*3*4 + 5*3) / 39.
    expected = 117 + 360 + 405 + 432 + 130 + 260 + 351 + 50 + 120 + 15
    assert found["alpha_interval"] == pytest.approx(1 - 39 * (26 / 3) / expected)
    shown = {name: round(float(found[name]), 3) for name in found}
    assert (shown["alpha"], shown["alpha_ordinal"], shown["alpha_interval"]) == (
        0.743,
        0.815,
        0.849,
    )
    assert shown["alpha_ratio"] == 0.797


def test_fleiss_1971():
    # 30 patients, 6 raters: sum of squared votes 680, so P = (680 - 180) / (30 * 6 * 5) = 0.5556.
    # Labels 26, 26, 30, 55 and 43 times among 180: chance (26² + … + 43²) / 180² = 7,126 / 32,400.
    # kappa = (0.5556 - 0.2199) / (1 - 0.2199) = 0.430.
    rows = (
        "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 "
        "00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
    )
    votes = np.array([[int(vote) for vote in row] for row in rows.split()])
    chance = (votes.sum(axis=0) ** 2).sum() / 180**2
    percent = ((votes**2).sum() - 180) / (30 * 6 * 5)
    found = values_of(votes, ordinal=False)
    assert found["fleiss"] == pytest.approx((percent - chance) / (1 - chance))
    assert round(float(found["fleiss"]), 7) == 0.4302445
    # Everybody labelled everything: both rules for gaps are the same.
    assert found["fleiss_pairs"] == pytest.approx(found["fleiss"])


def brute_force(codes):
    """Alpha and percent by going over every pair of labels on every unit."""
    met = np.zeros((4, 4))
    shares = []
    for row in codes:
        said = [int(code) for code in row if code >= 0]
        if len(said) < 2:
            continue
        same = 0
        for place, one in enumerate(said):
            for other in said[:place] + said[place + 1 :]:
                met[one, other] += 1 / (len(said) - 1)
                same += one == other
        shares.append(same / (len(said) * (len(said) - 1)))
    used, n = met.sum(axis=0), met.sum()
    steps = np.subtract.outer(np.arange(4), np.arange(4)) ** 2.0
    found = {"percent": np.mean(shares) if shares else np.nan}
    for name, distance in (("alpha", (steps > 0) * 1.0), ("alpha_interval", steps)):
        expected = used @ distance @ used
        found[name] = 1 - (n - 1) * (met * distance).sum() / expected if expected else np.nan
    return found


@settings(max_examples=150, deadline=None)
@given(ratings)
def test_sums_give_what_counting_every_pair_gives(codes):
    found = values_of(count_votes(codes, 4))
    for name, expected in brute_force(codes).items():
        assert float(found[name]) == pytest.approx(expected, abs=1e-9, nan_ok=True), name


@settings(max_examples=100, deadline=None)
@given(ratings, st.integers(0, 2), st.integers(0, 2))
def test_declaring_further_labels_changes_no_coefficient(codes, before, after):
    votes = count_votes(codes, 4)
    longer = values_of(np.pad(votes, ((0, 0), (before, after))))
    for name, value in values_of(votes).items():
        if name != "alpha_ratio":  # counts from the first label of the scale
            assert float(longer[name]) == pytest.approx(float(value), abs=1e-9, nan_ok=True), name


@settings(max_examples=50, deadline=None)
@given(ratings)
def test_distinct_patterns_give_every_row_back(codes):
    patterns, place = find_distinct_patterns(codes, 4)
    assert (patterns[place] == codes).all()
    assert len(np.unique(patterns, axis=0)) == len(patterns)


@pytest.mark.parametrize("authors", [1, 8, 9, 26, 27, 40])
def test_patterns_of_many_authors_do_not_run_into_each_other(authors):
    codes = np.random.default_rng(1).integers(-1, 4, (50, authors)).astype(np.int8)
    patterns, place = find_distinct_patterns(codes, 4)
    assert (patterns[place] == codes).all()


def test_one_label_leaves_alpha_undefined_and_percent_whole():
    found = values_of([[3, 0], [2, 0]])
    assert np.isnan(found["alpha"])
    assert np.isnan(found["fleiss"])
    assert found["percent"] == 1
    assert found["ac1"] == 1


def test_units_with_one_label_are_seen_and_not_paired():
    sums = compute_unit_sums(np.array([[1.0, 0], [1, 1]]), ordinal=False)
    assert count_paired_units(sums, 2).tolist() == [0, 1]
