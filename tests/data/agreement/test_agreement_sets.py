"""The public sets, imported and compared in the store, agree as computed independently."""

from collections.abc import Callable
from typing import Any

import pytest

from data.agreement.pairs import compare_sides, count_claims, load_ratings
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.statistics.agreement import pair_estimates
from faithfulness.statistics.claims import claim_f1
from faithfulness.statistics.raters.several_raters import estimate_coefficients
from tests.data.test_reference_numbers import (  # noqa: F401 - fixtures are found by name
    make_store,
    mirage,
    reference,
    summeval,
)
from tests.shared_data import needs_shared

pytestmark = needs_shared

CLAIMS = Selection(protocol="claim_overlap", systems=("qwen_72b_cag",))
FIELDS = {"prediction": "response", "reference": "reference"}


def close(value: float) -> Any:
    return pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("direction", FIELDS)
def test_raters_of_claims_agree_as_computed(mirage: Store, direction: str) -> None:  # noqa: F811
    expected = reference("mirage")["qwen_72b_cag"]["agreement"][direction]
    field = FIELDS[direction]
    for pair, numbers in expected["pairs"].items():
        first, second = (Side.from_text(f"rater:{name}") for name in pair.split(" | "))
        result = compare_sides(mirage, CLAIMS, "supported", first, second, field=field)
        found = pair_estimates(result.tables, ["percent", "kappa"])
        assert result.both == numbers["n"]
        assert found["percent"].value == close(numbers["agreement"])
        assert found["kappa"].value == close(numbers["cohen_kappa"])
    patterns = load_ratings(mirage, CLAIMS, "supported", field=field)
    assert patterns.counts.sum() == expected["n_units"]
    assert (patterns.counts * (patterns.codes >= 0).sum(axis=1)).sum() == expected["n_ratings"]
    assert estimate_coefficients(patterns)["alpha"].value == close(expected["alpha_nominal"])


def test_claims_of_the_majority_add_up_by_topic(mirage: Store) -> None:  # noqa: F811
    expected = reference("mirage")["qwen_72b_cag"]["majority"]["per_topic"]
    found = count_claims(mirage, CLAIMS, MAJORITY)
    assert len(found.items) == len(expected)
    assert sorted(found.pred_true) == sorted(each["pred_true"] for each in expected.values())
    assert sorted(found.pred_n) == sorted(each["pred_claims"] for each in expected.values())


@pytest.mark.parametrize("rater", ["annotator_1", "annotator_2", "annotator_3"])
def test_claims_of_a_rater_add_up_to_their_scores(mirage: Store, rater: str) -> None:  # noqa: F811
    expected = reference("mirage")["qwen_72b_cag"]["raters"][rater]
    found = count_claims(mirage, CLAIMS, Side.from_text(f"rater:{rater}"))
    totals = expected["totals"]
    assert found.pred_true.sum() == totals["pred_true"]
    assert found.ref_true.sum() == totals["ref_true"]
    assert found.pred_n.sum() == totals["pred_claims"] - totals["pred_null"]
    assert found.ref_n.sum() == totals["ref_claims"] - totals["ref_null"]
    scores = claim_f1(found.pred_true, found.pred_n, found.ref_true, found.ref_n)
    macro = {name: each.value for name, each in scores.items()}
    assert macro["f1_macro"] == close(expected["macro_null_excluded"]["f1"])


def test_scores_of_summaries_agree_as_computed(summeval: Store) -> None:  # noqa: F811
    expected = reference("summeval_op")["dimensions"]["Faithfulness"]
    selection = Selection(protocol="comparative_summary")
    for pair, numbers in expected["pairs_quadratic"].items():
        first, second = (Side.from_text(f"rater:{name}") for name in pair.split(" | "))
        result = compare_sides(summeval, selection, "faithfulness", first, second)
        found = pair_estimates(result.tables, ["percent", "kappa_quadratic"])
        assert result.both == numbers["n"]
        assert found["percent"].value == close(numbers["agreement"])
        assert found["kappa_quadratic"].value == close(numbers["cohen_kappa"])
    found = estimate_coefficients(load_ratings(summeval, selection, "faithfulness"))
    assert found["percent"].value == close(expected["pairwise_agreement"])
    assert found["fleiss"].value == close(expected["fleiss_kappa"])
    assert found["ac1"].value == close(expected["gwet_ac1"])
    assert found["alpha"].value == close(expected["alpha_nominal"])
    assert found["alpha_ordinal"].value == close(expected["alpha_ordinal"])
    assert found["alpha_interval"].value == close(expected["alpha_interval"])


def test_model_and_people_meet_as_computed(make_store: Callable[..., Store]) -> None:  # noqa: F811
    expected = reference("dialfact")["model_vs_human_4_labels_model_never_says_no_rad"]
    store = make_store("dialfact/*.jsonl")
    people, model = Side.from_text("rater:dialfact annotators"), Side.from_text("judge:fever_score")
    tables = compare_sides(store, Selection(), "label", people, model).tables
    cells = {
        f"{low} -> {high}": int(tables.total[i, j])
        for i, low in enumerate(tables.values)
        for j, high in enumerate(tables.values)
        if tables.total[i, j]
    }
    assert cells == expected["matrix_human_model"]
    found = pair_estimates(tables)
    assert found["percent"].value == close(expected["accuracy"])
    assert found["kappa"].value == close(expected["cohen_kappa"])
    for label, numbers in expected["per_label"].items():
        for name in ("recall", "f1", "precision"):
            value = found[f"{name}:{label}"].value
            # Precision of a label that the model never gives has no denominator.
            if name != "precision" or numbers["model_n"]:
                assert value == close(numbers[name])
            else:
                assert value is None
    joined = tables.collapsed({"no_rad": "unsupported"})
    three = reference("dialfact")["model_vs_human_3_labels"]
    assert pair_estimates(joined)["kappa"].value == close(three["cohen_kappa"])


def test_raters_of_hallucinations_agree_as_computed(
    make_store: Callable[..., Store],  # noqa: F811
) -> None:
    expected = reference("xsum")["summary_level_agreement"]
    patterns = load_ratings(make_store("xsum_hallucination/*.csv"), Selection(), "label")
    two = patterns.codes.copy()
    two[two >= 1] = 1  # supported or not
    assert patterns.counts.sum() == expected["n_units"]
    assert (patterns.counts * (two >= 0).sum(axis=1)).sum() == expected["n_ratings"]
    same = (two >= 0).all(axis=1) if two.shape[1] == 3 else (two >= 0).sum(axis=1) == 3
    assert same.all()
    unanimous = [len({code for code in row if code >= 0}) == 1 for row in two.tolist()]
    assert patterns.counts[unanimous].sum() / expected["n_units"] == close(
        expected["unanimous_share"]
    )
