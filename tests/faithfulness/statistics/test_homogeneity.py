"""Equal shares of labels: published tables, and items instead of sentences."""

import subprocess
import sys

import numpy as np
import pytest

from faithfulness.statistics.homogeneity import (
    bowker,
    marginal_homogeneity,
    mcnemar,
    stuart_maxwell,
)
from faithfulness.statistics.tables import PairTables, count_pairs
from tests.shared_data import ROOT

VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]


def test_vision_of_two_eyes_has_the_published_statistics():
    # Stuart (1955): 7,477 women, left and right eye; 11.96 on 3 degrees, Bowker 19.11 on 6.
    statistic, freedom, p = stuart_maxwell(VISION)
    assert (round(statistic, 2), freedom) == (11.96, 3)
    assert p == pytest.approx(0.0075, abs=5e-5)
    statistic, freedom, _ = bowker(VISION)
    assert (round(statistic, 2), freedom) == (19.11, 6)


def test_approval_has_the_published_mcnemar():
    # Agresti (1990): 150 changed to disapproval, 86 to approval.
    # (150 - 86)^2 / 236 = 17.356; with continuity 63^2 / 236 = 16.818.
    plain, corrected, exact = mcnemar([[794, 150], [86, 570]])
    assert plain == pytest.approx(64**2 / 236)
    assert corrected == pytest.approx(63**2 / 236)
    assert exact == pytest.approx(3.7e-5, abs=1e-6)


def test_exact_p_is_a_coin_thrown_for_every_confusion():
    # 1 against 4: two-sided 2 * (C(5,0) + C(5,1)) / 2^5 = 12 / 32.
    assert mcnemar([[3, 1], [4, 3]])[2] == pytest.approx(12 / 32)
    assert mcnemar([[3, 2], [2, 3]])[2] == 1.0


def test_label_that_is_never_confused_costs_no_degree_of_freedom():
    # Gwet's abstractors: only labels 2 and 3 are confused, 7 against 4: 3^2 / 11.
    statistic, freedom, _ = stuart_maxwell([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    assert (statistic, freedom) == (pytest.approx(9 / 11), 1)


def test_nothing_confused_is_nothing_to_test():
    assert stuart_maxwell([[3, 0], [0, 4]]) == (None, 0, None)
    assert bowker([[3, 0], [0, 4]]) == (None, 0, None)
    assert mcnemar([[3, 0], [0, 4]]) == (None, None, None)
    one = count_pairs(("a", "b"), False, items=[1], reference=[0], judge=[1])
    assert marginal_homogeneity(one) == (None, 0, None)


def test_units_as_items_are_stuart_and_maxwell():
    table = np.array(VISION)
    first, second = np.indices((4, 4)).reshape(2, -1)
    many = table.ravel()
    tables = count_pairs(
        tuple("abcd"),
        True,
        items=np.arange(many.sum()),
        reference=np.repeat(first, many),
        judge=np.repeat(second, many),
    )
    statistic, freedom, p = marginal_homogeneity(tables)
    plain = stuart_maxwell(VISION)
    assert (statistic, freedom, p) == (pytest.approx(plain[0]), plain[1], pytest.approx(plain[2]))


def test_few_items_cannot_be_surer_than_their_ways_round():
    # Six items differ, all the same way: 2 of 2^6 ways lie as far apart, however many sentences.
    cells = np.array([[3, 5, 0, 2]] * 6 + [[4, 0, 0, 4]] * 6)
    tables = PairTables(values=("a", "b"), ordinal=False, items=np.arange(12), cells=cells)
    assert marginal_homogeneity(tables) == (pytest.approx(6.0), 1, pytest.approx(2 / 2**6))
    # One of the six the other way: 4 against 1 way, of both signs: 2 * (1 + 6) of 64.
    tables.cells[0] = [3, 0, 5, 2]
    assert marginal_homogeneity(tables)[2] == pytest.approx(14 / 64)


def test_test_over_items_is_calm_where_the_test_over_sentences_is_not():
    rng = np.random.default_rng(5)
    alarms = {"items": 0, "sentences": 0}
    for _ in range(300):
        # Whole items lean to one side: the same number of sentences is confused all one way.
        leaning = rng.integers(0, 2, 60)
        confused = rng.binomial(8, 0.15, 60)
        cells = np.zeros((60, 4), np.int64)
        cells[:, 0] = 8 - confused
        cells[np.arange(60), np.where(leaning, 1, 2)] = confused
        tables = PairTables(values=("a", "b"), ordinal=False, items=np.arange(60), cells=cells)
        alarms["items"] += marginal_homogeneity(tables)[2] < 0.05
        alarms["sentences"] += stuart_maxwell(tables.total)[2] < 0.05
    assert alarms["items"] / 300 < 0.09
    assert alarms["sentences"] / 300 > 0.12


def test_agreement_is_computed_without_loading_scipy():
    # Its import takes up to a second, longer than the first page may take.
    code = (
        "import sys, numpy as np\n"
        "from faithfulness.statistics import agreement, claims, slices, tables\n"
        "found = tables.count_pairs(('a', 'b'), True, items=range(40),"
        " reference=[0, 1] * 20, judge=[0, 1, 1, 1] * 10)\n"
        "slices.slices(found, [i % 2 for i in range(40)], ['kappa'])\n"
        "agreement.pair_estimates(found)\n"
        "claims.claim_f1([1] * 30, [2] * 30, [1, 2] * 15, [3] * 30)\n"
        "sys.exit('scipy' in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)
