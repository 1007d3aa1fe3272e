"""Agreement in the public sets beyond labels: majorities over all claims, given numbers, ranks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from data.agreement.pairs import count_claims, load_ratings
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.agreement import compute_pair_values, pair_estimates
from faithfulness.statistics.claims import claim_f1
from faithfulness.statistics.raters.several_raters import (
    build_pair_tables,
    estimate_coefficients,
    find_duplicates,
)
from faithfulness.statistics.tables import Ratings, count_pairs
from tests.data.agreement.test_agreement_sets import CLAIMS, FIELDS, close
from tests.data.test_reference_numbers import (  # noqa: F401 - fixtures are found by name
    DIMENSIONS,
    RATERS,
    make_store,
    mirage,
    numbers_of,
    reference,
    summeval,
)
from tests.shared_data import ROOT, needs_shared

pytestmark = needs_shared

SCORES = ("1", "2", "3", "4", "5")
METRICS = ("R1", "R2", "RL", "BERTScore", "Entailment")
SEVERAL = {
    "alpha_nominal": "alpha",
    # Gwet's rule: agreement of a unit's own pairs, shares over all units with a label.
    "gwet_ac1": "ac1",
    "unanimous_share": "unanimous",
    # With unequal numbers of raters the reference pools pairs of raters.
    "fleiss_kappa": "fleiss_pairs",
    "pairwise_agreement": "percent_pairs",
}
# The three numbers of a topic or of a whole run, in the order in which they are stacked here.
MEASURES = ("precision", "recall", "f1")

_CLAIMS_OF_TOPICS = """
select i.item_no, any_value(i.external_id) as topic,
    count(*) filter (where u.field = 'response') as pred_claims,
    count(*) filter (where u.field = 'reference') as ref_claims
from run_items i join units u on u.item_no = i.item_no and u.kind = 'claim'
group by i.item_no
"""


def topics_of(store: Store, side: Side) -> pd.DataFrame:
    """For each topic what a side found true and judged, beside all claims of the store."""
    with store.read() as cursor:
        claims = cursor.execute(_CLAIMS_OF_TOPICS).df().set_index("item_no")
    found = count_claims(store, CLAIMS, side)
    counts = pd.DataFrame(
        {
            "pred_true": found.pred_true,
            "ref_true": found.ref_true,
            "pred_n": found.pred_n,
            "ref_n": found.ref_n,
        },
        index=found.items,
    )
    topics = claims.join(counts, how="inner").set_index("topic")
    assert len(topics) == len(claims)
    # The reference takes every claim of a topic, also those without a verdict.
    topics["precision"] = topics["pred_true"] / topics["pred_claims"]
    topics["recall"] = topics["ref_true"] / topics["ref_claims"]
    both = topics["precision"] + topics["recall"]
    topics["f1"] = (2 * topics["precision"] * topics["recall"] / both).where(both > 0, 0.0)
    return topics


def test_majority_is_equal_where_all_claims_count(mirage: Store) -> None:  # noqa: F811
    expected = reference("mirage")["qwen_72b_cag"]
    topics = topics_of(mirage, MAJORITY)
    assert sorted(topics.index) == sorted(expected["topics"])
    for topic, numbers in expected["majority"]["per_topic"].items():
        assert topics.loc[topic, list(numbers)].to_dict() == close(numbers)
    assert topics[list(MEASURES)].mean().to_dict() == close(expected["majority"]["macro"])


def test_product_leaves_out_claims_on_which_raters_tie(mirage: Store) -> None:  # noqa: F811
    topics = topics_of(mirage, MAJORITY)
    patterns = load_ratings(mirage, CLAIMS, "supported", field="reference")
    votes = np.stack([(patterns.codes == label).sum(axis=1) for label in (0, 1)])
    ties = int(patterns.counts[votes[0] == votes[1]].sum())
    assert ties > 0
    assert topics["ref_n"].sum() == topics["ref_claims"].sum() - ties
    told = claim_f1(topics["pred_true"], topics["pred_n"], topics["ref_true"], topics["ref_n"])
    assert told["recall_macro"].value == close((topics["ref_true"] / topics["ref_n"]).mean())
    assert told["recall_macro"].value > topics["recall"].mean()
    words = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    assert "ties give no label" in words


@pytest.mark.parametrize("rater", RATERS)
def test_unjudged_claims_may_be_counted_as_false(mirage: Store, rater: str) -> None:  # noqa: F811
    expected = reference("mirage")["qwen_72b_cag"]["raters"][rater]
    topics = topics_of(mirage, Side.from_text(f"rater:{rater}"))
    topics["pred_null"] = topics["pred_claims"] - topics["pred_n"]
    topics["ref_null"] = topics["ref_claims"] - topics["ref_n"]
    counts = list(expected["totals"])
    for topic, numbers in expected["per_topic"].items():
        assert topics.loc[topic, list(MEASURES)].to_dict() == close(numbers["null_as_false"])
        assert all(topics.loc[topic, name] == numbers[name] for name in counts)
    assert topics[counts].sum().to_dict() == expected["totals"]
    assert topics[list(MEASURES)].mean().to_dict() == close(expected["macro_null_as_false"])
    pooled = topics[["pred_true", "pred_claims", "ref_true", "ref_claims"]].sum()
    told = claim_f1(*([each] for each in pooled))
    found = {name: told[name].value for name in MEASURES}
    assert found == close(expected["micro_null_as_false"])


def test_no_rater_of_claims_copied_another(mirage: Store) -> None:  # noqa: F811
    assert reference("mirage")["qwen_72b_cag"]["identical_rater_files"] == []
    assert find_duplicates(load_ratings(mirage, CLAIMS, "supported")) == ()


def published(store: Store, verifier: str) -> pd.DataFrame:
    found = numbers_of(store)
    mine = found[(found["author"] == verifier) & found["given"]]
    wide = mine.pivot_table(index="external_id", columns="name", values="value")
    return wide.rename(columns=str.lower)


@pytest.mark.parametrize("verifier", ["qwen_72b", "qwen_7b"])
def test_published_scores_are_made_of_whole_claims(mirage: Store, verifier: str) -> None:  # noqa: F811
    expected = reference("mirage")["qwen_72b_cag"]["published_model_infof1"][verifier]
    told = published(mirage, verifier)
    harmonic = 2 * told["precision"] * told["recall"] / (told["precision"] + told["recall"])
    apart = told.index[(told["f1"] - harmonic).abs() > 1e-9]
    assert list(apart) == expected["topics_whose_f1_is_not_the_harmonic_mean"]
    topics = topics_of(mirage, MAJORITY)
    counts = [
        told["precision"] * topics["pred_claims"],
        told["recall"] * topics["ref_claims"],
    ]
    whole = [(each - each.round()).abs() < 1e-6 for each in counts]
    name = "topics_whose_precision_and_recall_are_whole_claim_counts"
    assert int((whole[0] & whole[1]).sum()) == expected[name]


@pytest.mark.parametrize("verifier", ["qwen_72b", "qwen_7b"])
def test_people_and_model_order_topics_as_computed(mirage: Store, verifier: str) -> None:  # noqa: F811
    sets = reference("mirage")["human_majority_f1_vs_model_f1_over_the_systems_here"]
    expected = sets[verifier]
    people = topics_of(mirage, MAJORITY)["f1"]
    model = published(mirage, verifier)["f1"].reindex(people.index)
    assert int(model.notna().sum()) == len(people) == expected["n"]
    found = by_rank(people, model)
    assert found["spearman"] == close(expected["spearman"])
    assert found["tau_b"] == close(expected["kendall_tau_b"])
    # The product has no product-moment correlation of numbers off a scale.
    assert np.corrcoef(people, model)[0, 1] == close(expected["pearson"])


def by_rank(first: pd.Series, second: pd.Series) -> dict[str, float]:
    """Spearman and Kendall of any numbers: each value is a label of an ordered scale."""
    values = sorted({*first, *second})
    names = tuple(str(value) for value in values)
    place = {value: number for number, value in enumerate(values)}
    tables = count_pairs(
        names,
        True,
        items=np.arange(len(first)),
        reference=[place[value] for value in first],
        judge=[place[value] for value in second],
    )
    found = compute_pair_values(tables.total, names, True, ("spearman", "tau_b"))
    return {name: float(value) for name, value in found.items()}


def ratings_of(numbers: pd.DataFrame, values: tuple[str, ...], lowest: int) -> Ratings:
    """Given numbers that are whole, as labels: the store keeps no answers behind them."""
    wide = numbers.pivot_table(index=["system", "external_id"], columns="author", values="value")
    codes = np.nan_to_num(wide.to_numpy() - lowest, nan=-1)
    return Ratings(
        values=values,
        ordinal=len(values) > 2,
        authors=tuple(Author(kind=AuthorKind.RATER, name=name) for name in wide.columns),
        items=np.arange(len(wide)),
        codes=codes.astype(np.int8),
        counts=np.ones(len(wide), np.int64),
    )


def check_several(found: Ratings, expected: dict[str, Any]) -> None:
    said = (found.codes >= 0).sum(axis=1)
    paired = said >= 2
    assert found.counts[paired].sum() == expected["n_units"]
    assert (found.counts * said)[paired].sum() == expected["n_ratings"]
    sizes = {int(size): int(found.counts[said == size].sum()) for size in np.unique(said[paired])}
    assert sizes == {int(size): n for size, n in expected["raters_per_unit"].items()}
    together = estimate_coefficients(found)
    for theirs, ours in SEVERAL.items():
        assert together[ours].value == close(expected[theirs]), theirs
    for name in ("alpha_ordinal", "alpha_interval"):
        if name in expected:
            assert together[name].value == close(expected[name]), name


@pytest.mark.parametrize("direction", FIELDS)
def test_all_raters_of_claims_agree_as_computed(mirage: Store, direction: str) -> None:  # noqa: F811
    expected = reference("mirage")["qwen_72b_cag"]["agreement"][direction]
    check_several(load_ratings(mirage, CLAIMS, "supported", field=FIELDS[direction]), expected)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_scores_of_every_dimension_agree_as_computed(summeval: Store, dimension: str) -> None:  # noqa: F811
    expected = reference("summeval_op")["dimensions"][dimension]
    given = numbers_of(summeval)
    mine = given[(given["name"] == dimension) & (given["author"] != "published mean")]
    found = ratings_of(mine, SCORES, lowest=1)
    check_several(found, expected)
    for author, column in zip(found.authors, found.codes.T, strict=True):
        counts = dict(zip(SCORES, np.bincount(column, minlength=5).tolist(), strict=True))
        assert without_zeros(counts) == expected["distribution_by_rater"][author.name]
    every = dict(zip(SCORES, np.bincount(found.codes.ravel(), minlength=5).tolist(), strict=True))
    assert without_zeros(every) == expected["distribution_all"]
    reach = found.codes.max(axis=1) - found.codes.min(axis=1)
    assert (reach == 0).mean() == close(expected["share_all_three_equal"])
    assert (reach >= 2).mean() == close(expected["share_range_at_least_2"])
    for first, second, tables in build_pair_tables(found):
        numbers = expected["pairs_quadratic"][f"{first.name} | {second.name}"]
        pair = pair_estimates(tables, ["percent", "kappa_quadratic"])
        assert tables.units_n == numbers["n"]
        assert pair["percent"].value == close(numbers["agreement"])
        assert pair["kappa_quadratic"].value == close(numbers["cohen_kappa"])


def without_zeros(counts: dict[str, int]) -> dict[str, int]:
    return {label: count for label, count in counts.items() if count}


def test_published_means_stand_beside_all_scores(summeval: Store) -> None:  # noqa: F811
    expected = reference("summeval_op")
    given = numbers_of(summeval)
    means = given[given["author"] == "published mean"]
    assert len(means) == expected["ratings_with_published_mean"]
    assert means["external_id"].nunique() == expected["products"]
    summary = ["name", "system", "external_id"]
    scores = given[given["name"].isin(DIMENSIONS) & (given["author"] != "published mean")]
    apart = scores.groupby(summary)["value"].mean() - means.set_index(summary)["value"]
    assert apart.abs().max() == close(expected["max_abs_difference_to_published_means"])


@pytest.fixture(scope="module")
def xsum(make_store: Callable[..., Store]) -> Store:  # noqa: F811
    return make_store("xsum_hallucination/*.csv")


def test_raters_agree_which_summaries_hallucinate(xsum: Store) -> None:
    labels = load_ratings(xsum, Selection(), "label")
    found = Ratings(
        values=("supported", "hallucinated"),
        ordinal=False,
        authors=labels.authors,
        items=labels.items,
        codes=np.minimum(labels.codes, 1).astype(np.int8),
        counts=labels.counts,
    )
    check_several(found, reference("xsum")["summary_level_agreement"])


def test_raters_agree_which_summaries_are_factual(xsum: Store) -> None:
    given = numbers_of(xsum)
    votes = given[(given["name"] == "Factual") & (given["author"] != "published mean")]
    check_several(ratings_of(votes, ("no", "yes"), 0), reference("xsum")["factual_agreement"])


@pytest.mark.parametrize("metric", METRICS)
def test_metrics_order_summaries_as_computed(xsum: Store, metric: str) -> None:
    given = numbers_of(xsum)
    wide = given[given["author"].isin([metric, "published mean"])].pivot_table(
        index=["system", "external_id"], columns="name", values="value"
    )
    assert len(wide) == reference("xsum")["published_scores"]["rows"]
    for mean in ("Faithful", "Factual"):
        expected = reference("xsum")[f"spearman_metric_vs_published_{mean.lower()}"]
        assert by_rank(wide[metric], wide[mean])["spearman"] == close(expected[metric])
