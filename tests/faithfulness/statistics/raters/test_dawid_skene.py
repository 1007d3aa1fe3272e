"""Dawid and Skene's model meets its own paper, finds known raters, and declines below three."""

import json

import numpy as np
import pytest

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.raters.dawid_skene import dawid_skene, fit_model
from faithfulness.statistics.tables import Ratings
from tests.shared_data import SHARED, needs_shared

# Table 1 of Dawid and Skene (1979): 45 patients; observer 1 three times, then observers 2 to 5.
ANAESTHETISTS = """
111.1111 333.4334 112.2122 222.3121 222.3222 222.3322 122.2111 333.3433 222.2223 232.2223
444.4444 222.3343 111.1111 222.3212 121.1111 111.2111 111.1111 111.1111 222.2221 222.1322
222.2222 222.2221 222.3222 221.2222 111.1111 111.1111 232.2222 111.1111 111.1111 112.1121
111.1111 333.3233 111.1111 222.2222 222.3232 433.4343 221.2232 232.3233 333.3432 111.1111
111.1111 121.2111 232.2222 121.1111 222.2222
"""


def authors(many):
    return tuple(Author(kind=AuthorKind.RATER, name=f"rater {n}") for n in range(1, many + 1))


def ratings_of(codes, *, counts=None, values=("a", "b", "c")):
    codes = np.asarray(codes, np.int8)
    return Ratings(
        values=values,
        ordinal=False,
        authors=authors(codes.shape[1]),
        items=np.arange(len(codes)),
        codes=codes,
        counts=np.ones(len(codes), np.int64) if counts is None else np.asarray(counts, np.int64),
    )


def simulated(units, skills, seed=4):
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, units, p=[0.6, 0.3, 0.1])
    guess = rng.integers(0, 3, (units, len(skills)))
    return np.where(rng.random(guess.shape) < skills, truth[:, None], guess), truth


def test_anaesthetists_of_1979():
    votes = np.zeros((45, 5, 4))
    for patient, row in enumerate(ANAESTHETISTS.split()):
        first, others = row.split(".")
        for label in first:
            votes[patient, 0, int(label) - 1] += 1
        for observer, label in enumerate(others, 1):
            votes[patient, observer, int(label) - 1] += 1
    posterior, marginals, given, _ = fit_model(votes, np.ones(45))
    assert marginals.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    # The error rates of the paper: of class 1, observer 1 says 1 in 89 and 2 in 11 of a hundred.
    shares = given[0] / given[0].sum(axis=1, keepdims=True)
    assert shares[0].round(2).tolist() == [0.89, 0.11, 0.0, 0.0]
    assert posterior[1].argmax() == 3  # patient 2 is of class 4


@needs_shared
@pytest.mark.parametrize("unused", [0, 1, 2])
def test_every_reference_case_is_met(unused):
    cases = json.loads((SHARED / "agreement_cases.json").read_text(encoding="utf-8"))["cases"]
    (case,) = [case for case in cases if case["kind"] == "long_ratings"]
    rows = np.array(case["input"]["rows"]) - 1
    votes = np.zeros((*(rows[:, :2].max(axis=0) + 1), len(case["input"]["labels"]) + unused))
    np.add.at(votes, tuple(rows.T), 1)
    posterior, marginals, _, _ = fit_model(votes, np.ones(len(votes)))
    expected = {each["statistic"]: each["value"] for each in case["expected"]}
    for label, share in enumerate(marginals[: len(case["input"]["labels"])], 1):
        assert share == pytest.approx(expected[f"dawid_skene_marginal_{label}"], abs=1e-6)
    assert marginals[len(case["input"]["labels"]) :].sum() == 0
    assert (posterior.argmax(axis=1) + 1).tolist() == expected["dawid_skene_hard_labels"]


def test_good_and_careless_raters_are_told_apart():
    codes, truth = simulated(2_000, [0.9, 0.9, 0.8, 0.2])
    codes[np.random.default_rng(1).random(codes.shape) < 0.2] = -1
    found = dawid_skene(ratings_of(codes))
    assert found.marginals == pytest.approx([0.6, 0.3, 0.1], abs=0.04)
    # A rater of skill s is right with s and by luck with a third of the rest.
    for rater, skill in zip(found.authors, (0.9, 0.9, 0.8, 0.2), strict=True):
        assert found.shares(rater)[0][0] == pytest.approx(skill + (1 - skill) / 3, abs=0.05)
    labelled = (codes >= 0).any(axis=1)
    assert (found.labels() == truth)[labelled].mean() > 0.93
    assert not found.reason


def test_patterns_with_counts_say_the_same_as_single_units():
    codes, _ = simulated(300, [0.9, 0.7, 0.8])
    patterns, counts = np.unique(codes, axis=0, return_counts=True)
    single, packed = (
        dawid_skene(ratings_of(codes)),
        dawid_skene(ratings_of(patterns, counts=counts)),
    )
    assert packed.marginals == pytest.approx(single.marginals)
    assert packed.confusions == pytest.approx(single.confusions)
    for row, posterior in zip(codes, single.posterior, strict=True):
        assert posterior == pytest.approx(packed.posterior[(patterns == row).all(axis=1)][0])


def test_each_round_makes_the_labels_likelier():
    codes, _ = simulated(200, [0.8, 0.6, 0.7])
    votes = (codes[:, :, None] == np.arange(3)).astype(float)

    def likelihood(marginals, given):
        shares = given / np.maximum(given.sum(axis=2, keepdims=True), 1e-300)
        each = [shares[rater][:, codes[:, rater]].T for rater in range(3)]
        return np.log((marginals * np.prod(each, axis=0)).sum(axis=1)).sum()

    posterior, marginals, given, rounds = fit_model(votes, np.ones(200))
    start = votes.mean(axis=1)
    first = np.einsum("ut,ual->atl", start, votes)
    assert rounds > 2
    assert likelihood(marginals, given) > likelihood(start.mean(axis=0), first)
    assert posterior.sum(axis=1) == pytest.approx(1)


def test_label_that_never_occurs_has_no_shares():
    codes, _ = simulated(300, [0.9, 0.9, 0.9])
    found = dawid_skene(ratings_of(np.minimum(codes, 1)))
    assert found.shares(found.authors[0])[2] == (None, None, None)
    assert found.marginals[2] == pytest.approx(0)


@pytest.mark.parametrize("place", [0, 1, 3])
def test_declared_label_that_nobody_gave_changes_nothing(place):
    """Three labels with gaps, and a fourth one declared at each place of the scale."""
    codes, _ = simulated(150, [0.8, 0.6, 0.7, 0.5], seed=3)
    codes[np.random.default_rng(2).random(codes.shape) < 0.4] = -1
    three = dawid_skene(ratings_of(codes))
    moved = np.where(codes >= place, codes + 1, codes)
    four = dawid_skene(ratings_of(moved, values=("a", "b", "c", "d")))
    kept = [label for label in range(4) if label != place]
    assert four.marginals[kept] == pytest.approx(three.marginals, abs=1e-6)
    assert four.posterior[:, kept] == pytest.approx(three.posterior, abs=1e-6)
    assert four.confusions[:, kept][:, :, kept] == pytest.approx(three.confusions, abs=1e-6)
    assert four.posterior[:, place].max() == 0
    assert four.marginals[place] == 0
    assert not (four.labels() == place).any()
    assert not three.reason


def test_two_of_four_labels_with_gaps_keep_every_unit_on_a_label_that_was_given():
    codes, _ = simulated(120, [0.7, 0.7, 0.7, 0.7], seed=3)
    codes = np.minimum(codes, 1)
    codes[np.random.default_rng(2).random(codes.shape) < 0.4] = -1
    two = dawid_skene(ratings_of(codes, values=("a", "b")))
    four = dawid_skene(ratings_of(codes, values=("a", "b", "c", "d")))
    assert four.marginals == pytest.approx([*two.marginals, 0, 0], abs=1e-6)
    assert set(four.labels()) <= {-1, 0, 1}
    assert four.confusions[:, 2:].sum() == 0


def test_two_raters_are_too_few_even_when_a_third_is_silent():
    found = dawid_skene(ratings_of([[0, 1, -1], [1, 1, -1]]))
    assert found.marginals is None
    assert found.labels().tolist() == [-1, -1]
    assert found.shares(found.authors[0])[0] == (None, None, None)
    assert "at least 3" in found.reason


def test_unit_without_labels_has_none_and_does_not_count():
    codes, _ = simulated(100, [0.9, 0.9, 0.9])
    with_gap = dawid_skene(ratings_of([[-1, -1, -1], *codes]))
    without = dawid_skene(ratings_of(codes))
    assert with_gap.labels()[0] == -1
    assert with_gap.marginals == pytest.approx(without.marginals)
