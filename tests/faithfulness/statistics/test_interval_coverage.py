"""Intervals of every kind of number contain the truth as often as they say, from 20 items on.

The whole table is made by `python -m benchmarks.interval_coverage`; here stand the numbers that
once fell short, with the benchmark's own items and repetitions.
"""

import pytest

from benchmarks import clustered_items as simulated
from benchmarks import interval_coverage as benchmark
from faithfulness.statistics.agreement import pair_estimates

REPEATS = 800
SCALE = ("kappa_quadratic", "mean_difference", "pearson", "icc_2_1")


def of_scale(tables):
    return pair_estimates(tables, SCALE)


def covered(study, items, monkeypatch):
    monkeypatch.setattr(benchmark, "TRUTH_ITEMS", 100_000)
    tallies = benchmark.measure(study, items, REPEATS, benchmark.truth_of(study))
    assert all(tally.given > 0.9 * REPEATS for tally in tallies.values())
    return {name: tally.share(REPEATS) for name, tally in tallies.items()}


@pytest.mark.parametrize("items", [20, 30])
@pytest.mark.parametrize("like", [simulated.SENTENCES, simulated.RESPONSES, simulated.MOSTLY_GOOD])
def test_intervals_on_a_scale_contain_the_truth(like, items, monkeypatch):
    study = benchmark.Study(
        "scores", lambda rng, many: simulated.score_tables(rng, many, like), of_scale
    )
    for name, share in covered(study, items, monkeypatch).items():
        assert 0.93 <= share <= 0.97, (name, share)


@pytest.mark.parametrize("study", list(benchmark.studies_of_means()), ids=lambda study: study.title)
def test_intervals_of_means_contain_the_truth(study, monkeypatch):
    for items in (20, 30):
        for share in covered(study, items, monkeypatch).values():
            assert 0.925 <= share <= 0.975


def test_intervals_of_shares_contain_the_truth_where_an_item_has_mostly_one_label(monkeypatch):
    study = benchmark.Study("shares", simulated.counts_of_one_kind, benchmark.of_label_counts)
    monkeypatch.setattr(benchmark, "TRUTH_ITEMS", 100_000)
    truth = benchmark.truth_of(study)
    for items in (20, 30, 100):
        for name, tally in benchmark.measure(study, items, REPEATS, truth).items():
            share = tally.share(REPEATS)
            assert share is None or 0.93 <= share <= 0.97, (name, items, share)
