"""Corrected rates cover the truth, equal the published formulas, and say when they cannot."""

import json
from statistics import NormalDist

import numpy as np
import pytest

from faithfulness.statistics.correction import (
    JudgedItems,
    LabelledItems,
    compute_labels_needed,
    compute_rate_errors,
    estimate_corrected_rate,
)
from tests.shared_data import SHARED, needs_shared


def simulated(labelled, others, *, rate=0.85, right=0.93, wrong=0.35, seed=0, units=(3, 18)):
    """Items of several units; `right` and `wrong`: how often the judge says yes to yes and no."""
    rng = np.random.default_rng(seed)
    many = rng.integers(*units, labelled + others)
    human = rng.binomial(many, rng.beta(8 * rate, 8 * (1 - rate), len(many)))
    judge = rng.binomial(human, right) + rng.binomial(many - human, wrong)
    human, judge, many = (array.astype(np.float64) for array in (human, judge, many))
    return (
        LabelledItems(human=human[:labelled], judge=judge[:labelled], units=many[:labelled]),
        JudgedItems(judge=judge[labelled:], units=many[labelled:]),
    )


def one_unit_items(case):
    human, judge = (np.array(case["input"][name], float) for name in ("human", "judge_on_labelled"))
    others = np.zeros(case["input"]["n_unlabelled"])
    others[: case["input"]["judge_positive_unlabelled"]] = 1
    return (
        LabelledItems(human=human, judge=judge, units=np.ones(len(human))),
        JudgedItems(judge=others, units=np.ones(len(others))),
    )


@needs_shared
def test_every_reference_case_is_met():
    cases = json.loads((SHARED / "agreement_cases.json").read_text(encoding="utf-8"))["cases"]
    (case,) = [case for case in cases if case["kind"] == "ppi_binary"]
    assert_published(case, *one_unit_items(case))


def assert_published(case, labelled: LabelledItems, others: JudgedItems) -> None:
    """Every number of the case, from what people and judge said about each item."""
    expected = {each["statistic"]: each for each in case["expected"]}
    found = estimate_corrected_rate(labelled, others)
    assert found.human_only.value == pytest.approx(expected["classical_mean"]["value"])
    spread = compute_rate_errors(labelled, others)
    assert spread.other_rate == pytest.approx(expected["judge_only_mean_unlabelled"]["value"])
    plain = estimate_corrected_rate(labelled, others, power_tuning=1.0)
    assert plain.corrected.value == pytest.approx(expected["ppi_mean"]["value"])
    # The library takes the judge's spread from all items together; we take each group's own, which
    # covers the truth at least as often with shorter intervals. Its tuning gives its rate.
    tuned = expected["ppi_plus_plus_mean"]
    published_tuning = expected["ppi_plus_plus_mean_ci95"]["params"]["lambda"]
    same = estimate_corrected_rate(labelled, others, power_tuning=published_tuning)
    assert same.corrected.value == pytest.approx(tuned["value"], abs=tuned["tolerance"])
    assert found.power_tuning == pytest.approx(published_tuning, abs=0.15)
    # The published interval divides by n and takes the normal; ours n - 1 and Student's t.
    wide = NormalDist().inv_cdf(0.975)
    published = compute_rate_errors(labelled, others, ddof=0)
    for statistic, tuning in (
        ("ppi_mean_ci95", 1.0),
        ("ppi_plus_plus_mean_ci95", published_tuning),
    ):
        reach = wide * published.variance(tuning, len(labelled.units), len(others.units)) ** 0.5
        ends = published.rate(tuning) - reach, published.rate(tuning) + reach
        tolerance = expected[statistic]["tolerance"]
        assert ends == pytest.approx(expected[statistic]["value"], abs=tolerance)
    low, high = expected["ppi_mean_ci95"]["value"]
    assert plain.corrected.low < low < high < plain.corrected.high


def test_correction_by_hand():
    # People: 30 of 40 units; the judge says 36 of these 40, and 90 of 100 among the others, so it
    # is 0.15 too kind: 0.90 + 0.75 - 0.90 = 0.75 with full trust in the judge.
    labelled = LabelledItems(
        human=np.array([2.0, 1.0] * 10), judge=np.array([2.0, 1.6] * 10), units=np.full(20, 2.0)
    )
    others = JudgedItems(judge=np.array([2.0, 1.6] * 25), units=np.full(50, 2.0))
    found = estimate_corrected_rate(labelled, others, power_tuning=1.0)
    assert found.judge_only.value == pytest.approx(0.9)
    assert found.human_only.value == pytest.approx(0.75)
    assert found.corrected.value == pytest.approx(0.75)
    assert (found.corrected.items, found.corrected.units) == (70, 140)
    assert (found.human_only.items, found.human_only.units) == (20, 40)


@pytest.mark.parametrize("rate", [0.85, 0.98, 0.04])
def test_corrected_interval_covers_the_truth_and_the_judge_alone_does_not(rate):
    corrected = judge = 0
    for seed in range(500):
        found = estimate_corrected_rate(*simulated(100, 1_000, rate=rate, right=0.85, seed=seed))
        corrected += found.corrected.low <= rate <= found.corrected.high
        judge += found.judge_only.low <= rate <= found.judge_only.high
    assert corrected / 500 >= 0.91
    assert judge / 500 < 0.5


def test_good_judge_shortens_the_interval_and_useless_one_costs_nothing():
    def widths(**judge):
        found = estimate_corrected_rate(*simulated(100, 2_000, seed=5, **judge))
        human, corrected = found.human_only, found.corrected
        return (corrected.high - corrected.low) / (human.high - human.low), found.power_tuning

    good, trusted = widths(right=0.99, wrong=0.05)
    useless, ignored = widths(right=0.5, wrong=0.5)
    assert good < 0.5
    assert trusted > 0.8
    assert useless < 1.02
    assert ignored < 0.3


def test_extreme_rates_trust_the_judge_fully():
    for rate in (0.985, 0.01):
        assert estimate_corrected_rate(*simulated(100, 1_000, rate=rate)).power_tuning == 1.0
    assert estimate_corrected_rate(*simulated(100, 1_000, rate=0.8)).power_tuning < 1.0


def test_few_labelled_items_have_no_interval():
    found = estimate_corrected_rate(*simulated(19, 500))
    for estimate in (found.human_only, found.corrected):
        assert estimate.value is not None
        assert (estimate.low, estimate.high) == (None, None)
        assert "fewer than 20" in estimate.reason
    assert found.judge_only.low is not None


def test_items_without_units_are_no_items():
    labelled, others = simulated(30, 100)
    padded = LabelledItems(
        human=np.append(labelled.human, 0.0),
        judge=np.append(labelled.judge, 0.0),
        units=np.append(labelled.units, 0.0),
    )
    assert estimate_corrected_rate(padded, others) == estimate_corrected_rate(labelled, others)


def test_nothing_labelled_leaves_only_the_judge():
    found = estimate_corrected_rate(*simulated(0, 100))
    assert found.judge_only.value is not None
    assert found.human_only.value is None
    assert found.corrected.value is None
    assert found.power_tuning is None
    assert "people labelled none" in found.corrected.reason


def test_nothing_at_all_is_undefined():
    found = estimate_corrected_rate(*simulated(0, 0))
    assert found.judge_only.value is None
    assert "labelled nothing" in found.judge_only.reason


def test_everything_labelled_needs_no_correction():
    found = estimate_corrected_rate(*simulated(100, 0))
    assert found.corrected.value == found.human_only.value
    assert found.corrected.low == found.human_only.low
    assert "what people say" in found.corrected.reason


def test_few_items_of_both_kinds_tell_both_reasons():
    found = estimate_corrected_rate(*simulated(17, 13)).corrected
    assert found.low is None
    assert found.reason.startswith("no interval from fewer than 20 items; too few items are left")


def test_equal_items_have_no_interval():
    labelled = LabelledItems(human=np.full(30, 4.0), judge=np.full(30, 4.0), units=np.full(30, 4.0))
    others = JudgedItems(judge=np.full(50, 4.0), units=np.full(50, 4.0))
    found = estimate_corrected_rate(labelled, others)
    assert found.corrected.value == 1
    assert found.corrected.low is None
    assert "certainty" in found.corrected.reason
    assert compute_labels_needed(labelled, others, 0.01) is None


def test_needed_labels_do_give_the_margin():
    labelled, others = simulated(50, 3_000, seed=9)
    more = compute_labels_needed(labelled, others, 0.025)
    assert 0 < more < 3_000
    again = simulated(50 + more, 3_000 - more, seed=10)
    found = estimate_corrected_rate(*again).corrected
    assert (found.high - found.low) / 2 == pytest.approx(0.025, rel=0.2)


def test_narrower_margins_need_more_labels():
    labelled, others = simulated(50, 3_000)
    needed = [compute_labels_needed(labelled, others, margin) for margin in (0.5, 0.04, 0.03, 0.02)]
    assert needed[0] == 0
    assert needed == sorted(needed)
    assert compute_labels_needed(labelled, others, 0.0001) is None


def test_too_few_items_cannot_say_how_many_are_needed():
    assert compute_labels_needed(*simulated(19, 500), 0.05) is None
    assert compute_labels_needed(*simulated(100, 10), 0.05) is None


@pytest.mark.parametrize("by_judge", [0.0, 1.0])
@pytest.mark.parametrize("by_people", [0.0, 1.0])
@pytest.mark.parametrize("power_tuning", [None, 0.5, 1.0])
def test_labels_that_never_vary_have_no_corrected_interval(by_people, by_judge, power_tuning):
    labelled = LabelledItems(
        human=np.full(30, by_people), judge=np.full(30, by_judge), units=np.ones(30)
    )
    others = JudgedItems(judge=np.tile([0.0, 1.0], 50), units=np.ones(100))
    corrected = estimate_corrected_rate(labelled, others, power_tuning=power_tuning).corrected
    assert corrected.value is not None
    assert (corrected.low, corrected.high) == (None, None)
    assert "certainty" in corrected.reason
