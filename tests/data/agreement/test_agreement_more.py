"""What the public sets say beyond single pairs, through the store: every direction and rater."""

from collections.abc import Callable

from data.agreement.pairs import count_claims
from data.agreement.question import AgreementQuestion
from data.agreement.report import build_report, find_overall_row
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.statistics.claims import claim_f1
from tests.data.agreement.test_agreement_sets import CLAIMS, close
from tests.data.test_reference_numbers import (  # noqa: F401 - fixtures are found by name
    make_store,
    mirage,
    reference,
)
from tests.shared_data import needs_shared

pytestmark = needs_shared


def test_majority_of_claims_has_the_macro_precision_computed(mirage: Store) -> None:  # noqa: F811
    expected = reference("mirage")["qwen_72b_cag"]["majority"]
    counts = count_claims(mirage, CLAIMS, MAJORITY)
    found = claim_f1(counts.pred_true, counts.pred_n, counts.ref_true, counts.ref_n)
    assert found["precision_macro"].value == close(expected["macro"]["precision"])
    # Their recall takes a tie of two raters for false; here a tie is no label.
    topics = expected["per_topic"].values()
    assert sorted(counts.ref_true) == sorted(each["ref_true"] for each in topics)
    assert counts.ref_n.sum() <= sum(each["ref_claims"] for each in topics)


def test_unjudged_topic_has_no_recall(mirage: Store) -> None:  # noqa: F811
    raters = reference("mirage")["qwen_72b_cag"]["raters"]
    unjudged = [
        (name, topic)
        for name, each in raters.items()
        for topic, numbers in each["per_topic"].items()
        if numbers["null_excluded"] is None
    ]
    assert unjudged
    for name, _ in unjudged:
        counts = count_claims(mirage, CLAIMS, Side.from_text(f"rater:{name}"))
        (place,) = (counts.ref_n == 0).nonzero()[0]
        alone = slice(place, place + 1)
        found = claim_f1(counts.pred_true[alone], counts.pred_n[alone], counts.ref_true[alone], [0])
        assert found["recall"].value is None
        assert found["recall"].reason == "no claim of the reference was judged"
        assert found["f1"].value is None
        assert found["precision"].value is not None


def test_report_has_the_macro_score_of_every_rater(mirage: Store) -> None:  # noqa: F811
    raters = reference("mirage")["qwen_72b_cag"]["raters"]
    for name, each in raters.items():
        asked = AgreementQuestion(
            selection=CLAIMS, reference=MAJORITY, judge=Side.from_text(f"rater:{name}")
        )
        row = find_overall_row(build_report(mirage, asked), "claim_f1_macro")
        assert row is not None
        assert row["value"] == close(each["macro_null_excluded"]["f1"])


def test_model_of_dialogues_is_reported_as_computed(make_store: Callable[..., Store]) -> None:  # noqa: F811
    expected = reference("dialfact")["model_vs_human_4_labels_model_never_says_no_rad"]
    asked = AgreementQuestion(
        selection=Selection(protocol="sentence_grounding"),
        reference=Side.from_text("rater:dialfact annotators"),
        judge=Side.from_text("judge:fever_score"),
    )
    told = build_report(make_store("dialfact/*.jsonl"), asked)
    for name, value in (("percent", "accuracy"), ("kappa", "cohen_kappa")):
        row = find_overall_row(told, name)
        assert row is not None
        assert row["value"] == close(expected[value])
    never = find_overall_row(told, "precision:no_rad")
    assert never is not None
    assert (never["value"], never["reason"]) == (None, "the judge never says no_rad")
