"""The alt-test is the published procedure on single units, and sums items where they have more."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.alt_test import EPSILON, alt_test
from faithfulness.statistics.tables import Ratings

JUDGE = Author(kind=AuthorKind.JUDGE, name="a judge")
RATERS = tuple(Author(kind=AuthorKind.RATER, name=name) for name in ("Ada", "Ben", "Cy", "Di"))


def ratings_of(codes, *, items=None, ordinal=False):
    codes = np.asarray(codes, np.int8)
    return Ratings(
        values=("1", "2", "3", "4"),
        ordinal=ordinal,
        authors=(JUDGE, *RATERS[: codes.shape[1] - 1]),
        items=np.arange(len(codes)) if items is None else np.asarray(items, np.int64),
        codes=codes,
        counts=np.ones(len(codes), np.int64),
    )


def simulated(units, skills, *, seed=0, gaps=0.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, units)
    guess = rng.integers(0, 4, (units, len(skills)))
    codes = np.where(rng.random(guess.shape) < skills, truth[:, None], guess)
    codes[:, 1:][rng.random(codes[:, 1:].shape) < gaps] = -1
    return codes


def closeness(label, others, *, ordinal):
    if ordinal:
        return -math.sqrt(sum((label - other) ** 2 for other in others) / len(others))
    return sum(label == other for other in others) / len(others)


def by_the_book(codes, epsilon, *, ordinal):
    """Unit by unit, with scipy's t test; (rater, judge's share, p) of the raters with 30 units."""
    found = []
    for rater in range(1, codes.shape[1]):
        ahead, wins = [], []
        for row in codes:
            others = [int(row[c]) for c in range(1, len(row)) if c != rater and row[c] >= 0]
            if row[0] < 0 or row[rater] < 0 or not others:
                continue
            judge = closeness(int(row[0]), others, ordinal=ordinal)
            person = closeness(int(row[rater]), others, ordinal=ordinal)
            alike = math.isclose(judge, person, abs_tol=1e-12)
            wins.append(alike or judge > person)
            ahead.append((alike or person > judge) - (alike or judge > person))
        if len(ahead) < 30:
            continue
        p = float(ahead[0] >= epsilon)
        if np.std(ahead) > 0:
            p = stats.ttest_1samp(ahead, epsilon, alternative="less").pvalue
        found.append((rater, np.mean(wins), p))
    return found


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.lists(st.sampled_from([0.2, 0.6, 0.9]), min_size=3, max_size=5),
    st.booleans(),
    st.sampled_from([0.0, 0.3]),
)
def test_single_units_give_the_published_procedure(seed, skills, ordinal, gaps):
    codes = simulated(60, skills, seed=seed, gaps=gaps)
    found = alt_test(ratings_of(codes, ordinal=ordinal), JUDGE, epsilon=0.15)
    expected = by_the_book(codes, 0.15, ordinal=ordinal)
    tested = [row for row in found.rows if row.p is not None]
    assert [row.author for row in tested] == [RATERS[rater - 1] for rater, _, _ in expected]
    for row, (_, share, p) in zip(tested, expected, strict=True):
        assert row.judge_as_close == pytest.approx(share)
        assert row.p == pytest.approx(p, abs=1e-9)
    if expected:
        assert found.judge_as_close.value == pytest.approx(
            np.mean([share for _, share, _ in expected])
        )
        ranked = sorted(p for _, _, p in expected)
        harmonic = sum(1 / rank for rank in range(1, len(ranked) + 1))
        won = [r for r, p in enumerate(ranked, 1) if p <= 0.05 * r / len(ranked) / harmonic]
        assert found.winning_rate == (max(won) if won else 0) / len(ranked)
        assert found.passes == (found.winning_rate >= 0.5)


def test_good_judge_stands_in_and_careless_one_does_not():
    good = alt_test(ratings_of(simulated(300, [0.9, 0.7, 0.7, 0.7])), JUDGE, epsilon=0.1)
    assert (good.winning_rate, good.passes) == (1.0, True)
    assert good.epsilon == 0.1
    poor = alt_test(ratings_of(simulated(300, [0.1, 0.9, 0.9, 0.9])), JUDGE, epsilon=0.1)
    assert (poor.winning_rate, poor.passes) == (0.0, False)
    assert good.judge_as_close.value > poor.judge_as_close.value


def test_units_of_one_item_do_not_count_as_many():
    codes = simulated(60, [0.6, 0.7, 0.7, 0.7], seed=2)
    once = alt_test(ratings_of(codes), JUDGE, epsilon=0.2)
    # Ten equal units an item say no more than one; taken as independent they would.
    copied = np.repeat(codes, 10, axis=0)
    items = np.repeat(np.arange(60), 10)
    by_item = alt_test(ratings_of(copied, items=items), JUDGE, epsilon=0.2)
    by_unit = alt_test(ratings_of(copied), JUDGE, epsilon=0.2)
    for one, other, naive in zip(once.rows, by_item.rows, by_unit.rows, strict=True):
        assert other.p == pytest.approx(one.p)
        assert (other.items, other.units) == (60, 600)
        assert abs(naive.p - 0.5) > abs(one.p - 0.5)


def test_more_reward_makes_winning_easier():
    ratings = ratings_of(simulated(100, [0.7, 0.75, 0.75, 0.75]))
    ps = [alt_test(ratings, JUDGE, epsilon=each).rows[0].p for each in sorted(EPSILON.values())]
    assert ps == sorted(ps, reverse=True)


def test_two_raters_are_tested_with_a_warning():
    found = alt_test(ratings_of(simulated(100, [0.9, 0.8, 0.8])), JUDGE, epsilon=0.1)
    assert found.passes is not None
    assert "three raters" in found.reason


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (simulated(100, [0.9, 0.9]), "at least 2 raters"),
        (simulated(29, [0.9, 0.9, 0.9]), "fewer than 30 items"),
        (np.full((50, 4), -1), "fewer than 30 items"),
    ],
)
def test_too_little_is_undecided_with_its_reason(codes, words):
    found = alt_test(ratings_of(codes), JUDGE, epsilon=0.1)
    assert (found.winning_rate, found.judge_as_close.value, found.passes) == (None, None, None)
    assert words in found.reason


def test_rater_with_few_items_is_listed_untested():
    codes = simulated(100, [0.9, 0.8, 0.8, 0.8])
    codes[20:, 3] = -1
    found = alt_test(ratings_of(codes), JUDGE, epsilon=0.1)
    assert [row.p is None for row in found.rows] == [False, False, True]
    assert found.rows[2].wins is None
    assert "fewer than 30" in found.rows[2].reason


def test_judge_without_labels_here_is_named():
    stranger = Author(kind=AuthorKind.JUDGE, name="a stranger")
    ratings = ratings_of(simulated(50, [0.9, 0.9, 0.9]))
    found = alt_test(ratings, stranger, epsilon=0.1)
    assert found.winning_rate is None
    assert "a stranger" in found.reason


def test_chosen_raters_only():
    ratings = ratings_of(simulated(100, [0.9, 0.8, 0.8, 0.1]))
    found = alt_test(ratings, JUDGE, epsilon=0.1, raters=RATERS[:2])
    assert [row.author for row in found.rows] == list(RATERS[:2])
    alone = alt_test(ratings_of(ratings.codes[:, :3]), JUDGE, epsilon=0.1)
    assert [row.p for row in found.rows] == [row.p for row in alone.rows]
