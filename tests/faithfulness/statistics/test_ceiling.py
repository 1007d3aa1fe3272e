"""A judge beside the raters: pairs counted by hand on the same units."""

import itertools

import numpy as np
import pytest

from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.ceiling import compute_ceiling
from faithfulness.statistics.tables import Ratings

RATERS = tuple(Author(kind=AuthorKind.RATER, name=name) for name in ("ada", "ben", "cai"))
JUDGE = Author(kind=AuthorKind.JUDGE, name="north")


def ratings_of(codes: list[list[int]], items: list[int] | None = None) -> Ratings:
    return Ratings(
        values=("yes", "no"),
        ordinal=False,
        authors=(*RATERS, JUDGE),
        items=np.array(items or range(len(codes))),
        codes=np.array(codes, np.int8),
        counts=np.ones(len(codes), np.int64),
    )


def test_pairs_are_counted_on_units_with_the_judge_and_two_raters():
    # Unit 1: raters 0 0 1, judge 0: with raters 2 of 3, among raters 1 of 3.
    # Unit 2: raters 0 0 -, judge 1: with raters 0 of 2, among raters 1 of 1.
    # Unit 3 has one rater only, unit 4 no judge: neither counts.
    found = compute_ceiling(
        ratings_of([[0, 0, 1, 0], [0, 0, -1, 1], [0, -1, -1, 0], [1, 1, 1, -1]]), JUDGE
    )
    assert found.judge.value == pytest.approx(2 / 5)
    assert found.raters.value == pytest.approx(2 / 4)
    assert found.difference.value == pytest.approx(2 / 5 - 2 / 4)
    assert (found.judge.units, found.judge.items) == (2, 2)
    assert found.judge.low is None
    assert "fewer than 20" in found.judge.reason


def test_the_shares_equal_a_count_pair_by_pair_and_lie_in_their_intervals():
    drawn = np.random.default_rng(7).integers(-1, 2, (400, 4)).tolist()
    found = compute_ceiling(ratings_of(drawn, [place // 4 for place in range(400)]), JUDGE)
    judge, people = [], []
    for *raters, machine in drawn:
        said = [code for code in raters if code >= 0]
        if machine >= 0 and len(said) >= 2:
            judge += [code == machine for code in said]
            people += [one == other for one, other in itertools.combinations(said, 2)]
    assert found.judge.value == pytest.approx(np.mean(judge))
    assert found.raters.value == pytest.approx(np.mean(people))
    for each in (found.judge, found.raters, found.difference):
        assert each.low < each.value < each.high


def test_one_rater_is_no_ceiling():
    found = compute_ceiling(ratings_of([[0, -1, -1, 0]] * 3), JUDGE)
    assert found.raters.value is None
    assert "no unit" in found.raters.reason
    alone = compute_ceiling(ratings_of([[0, 1, 1, 0]]), RATERS[0])
    assert alone.raters_n == 2  # a rater who is the judge is no rater


def test_a_judge_without_labels_has_no_ceiling():
    other = Author(kind=AuthorKind.JUDGE, name="south")
    assert compute_ceiling(ratings_of([[0, 1, 1, 0]]), other).difference.value is None
