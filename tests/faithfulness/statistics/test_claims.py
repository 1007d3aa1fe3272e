"""Claims over topics: not judged is not false, and topics are what is drawn."""

import json

import numpy as np
import pytest

from faithfulness.statistics.claims import claim_f1
from tests.shared_data import SHARED, needs_shared


def test_numbers_are_those_of_the_sums_and_of_the_topics():
    # Two topics: predictions 3 of 4 and 1 of 2, references 2 of 5 and 4 of 4.
    # Pooled: precision 4/6, recall 6/9, F1 2 * (2/3 * 2/3) / (4/3) = 2/3.
    # Topics: precision (.75 + .5) / 2, recall (.4 + 1) / 2,
    # F1 (2 * .75 * .4 / 1.15 + 2 * .5 * 1 / 1.5) / 2 = (.521739 + .666667) / 2.
    found = claim_f1([3, 1], [4, 2], [2, 4], [5, 4])
    assert found["precision"].value == pytest.approx(2 / 3)
    assert found["recall"].value == pytest.approx(2 / 3)
    assert found["f1"].value == pytest.approx(2 / 3)
    assert found["precision_macro"].value == pytest.approx(0.625)
    assert found["recall_macro"].value == pytest.approx(0.7)
    assert found["f1_macro"].value == pytest.approx((0.6 / 1.15 + 1 / 1.5) / 2)
    assert (found["f1"].items, found["f1"].units) == (2, 15)
    assert found["f1"].reason == "no interval from fewer than 20 topics judged on each side"
    assert found["recall"].reason == "no interval from fewer than 20 topics"


def test_recall_is_undefined_where_nothing_was_judged():
    found = claim_f1([3, 1], [4, 2], [0, 0], [0, 0])
    assert found["precision"].value == pytest.approx(2 / 3)
    assert found["recall"].value is None
    assert found["recall"].reason == "no claim of the reference was judged"
    assert found["f1"].value is None
    assert found["f1_macro"].value is None
    assert found["f1_macro"].reason == "no topic was judged on both sides"
    assert found["f1_macro"].items == 0


def test_topic_without_judgements_changes_nothing():
    with_empty = claim_f1([3, 1, 0], [4, 2, 0], [2, 4, 0], [5, 4, 0])
    assert with_empty == claim_f1([3, 1], [4, 2], [2, 4], [5, 4])


def test_nothing_right_on_both_sides_is_an_f1_of_zero():
    assert claim_f1([0], [4], [0], [3])["f1"].value == 0
    assert claim_f1([0], [4], [0], [3])["f1_macro"].value == 0


def test_more_true_than_judged_is_refused():
    with pytest.raises(ValueError, match="more true claims than judged"):
        claim_f1([5], [4], [0], [3])


def test_no_topics_have_no_numbers():
    found = claim_f1([], [], [], [])
    assert {estimate.value for estimate in found.values()} == {None}
    assert all(estimate.reason for estimate in found.values())


def test_one_side_with_few_topics_takes_the_interval_from_f1():
    rng = np.random.default_rng(3)
    judged = rng.integers(5, 30, 60)
    found = claim_f1(rng.binomial(judged, 0.7), judged, [4] * 6 + [0] * 54, [9] * 6 + [0] * 54)
    assert found["precision"].low is not None
    assert found["recall"].low is None
    assert found["f1"].value is not None
    assert found["f1"].low is None


@pytest.mark.soak
def test_intervals_cover_the_truth_over_topics():
    rng = np.random.default_rng(11)
    hits = dict.fromkeys(("precision", "recall", "f1", "f1_macro"), 0)
    # Recall of a topic leans with its precision; both means are known: .7 and .5.
    truth = {"precision": 0.7, "recall": 0.5, "f1": 0.7 / 1.2}
    large = rng.beta(7, 3, 400_000), rng.beta(5, 5, 400_000)
    mean_of_small = 2 * large[0] * large[1] / (large[0] + large[1])
    truth["f1_macro"] = float(mean_of_small.mean())
    for _ in range(200):
        easy, covered = rng.beta(7, 3, 40), rng.beta(5, 5, 40)
        # Many claims a topic, so that a topic's own F1 is nearly that of its shares.
        claims = rng.integers(300, 600, 40)
        found = claim_f1(rng.binomial(claims, easy), claims, rng.binomial(claims, covered), claims)
        for name in hits:
            hits[name] += found[name].low <= truth[name] <= found[name].high
    assert all(0.90 <= many / 200 <= 0.99 for many in hits.values()), hits


@needs_shared
@pytest.mark.parametrize("rater", ["annotator_1", "annotator_2", "annotator_3"])
def test_published_topics_have_the_published_means(rater):
    path = SHARED / "reference_numbers.json"
    given = json.loads(path.read_text(encoding="utf-8"))["sets"]["mirage"]["qwen_72b_cag"]
    topics = given["raters"][rater]["per_topic"].values()
    columns = {
        side: (
            [topic[f"{side}_true"] for topic in topics],
            [topic[f"{side}_claims"] - topic[f"{side}_null"] for topic in topics],
        )
        for side in ("pred", "ref")
    }
    found = claim_f1(*columns["pred"], *columns["ref"])
    expected = given["raters"][rater]["macro_null_excluded"]
    for name in ("precision", "recall", "f1"):
        assert found[f"{name}_macro"].value == pytest.approx(expected[name], abs=1e-9)
        assert found[f"{name}_macro"].items == expected["topics"]
    if rater == "annotator_1":
        # One topic's reference was left out as a whole, 39 claims: it has no recall, not a bad one.
        assert found["recall"].items == 9
        assert found["recall"].value == pytest.approx(107 / (316 - 39))
        assert found["precision"].items == 10
