"""Every number of both reference files is read back from a store, or the reason stands here."""

import json
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tests.data.agreement.test_agreement_cases import CASES, SCORES, told_cases
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared

RATER = "mirage/qwen_72b_cag/raters/*"
TOPIC = f"{RATER}/per_topic/*"
MODEL = "mirage/qwen_72b_cag/published_model_infof1/*"
SCORED = "summeval_op/dimensions/*"
DIALOGUES = "test_dialogues_keep_their_rows_kinds_and_evidence"
DIMENSIONS = "test_scores_of_every_dimension_agree_as_computed"
FACTCHECK = "test_factcheck_labels_are_equal_for_sentences_and_claims"
EXPERTS = "test_expertqa_keeps_what_experts_said_beside_the_label"
MARKED = "test_marked_spans_are_equal_for_every_kind_and_system"
FAITHFUL = "test_published_faithfulness_is_the_share_of_unmarked_words"
VOTES = "test_xsum_labels_spans_and_votes_are_equal"
FALSE = "test_unjudged_claims_may_be_counted_as_false"
# A star stands for any part of the way to a number.
CHECKED = {
    "mirage/qwen_72b_cag/topics": "test_majority_is_equal_where_all_claims_count",
    "mirage/qwen_72b_cag/majority/*": "test_majority_is_equal_where_all_claims_count",
    f"{TOPIC}/pred_*": FALSE,
    f"{TOPIC}/ref_*": FALSE,
    f"{TOPIC}/null_as_false/*": FALSE,
    f"{TOPIC}/null_excluded*": "test_claim_scores_are_equal_for_every_topic",
    f"{RATER}/totals/*": FALSE,
    f"{RATER}/m?cro_null_as_false/*": FALSE,
    f"{RATER}/macro_null_excluded/*": "test_macro_f1_leaves_out_the_unjudged_topic",
    "mirage/qwen_72b_cag/agreement/*/pairs/*": "test_raters_of_claims_agree_as_computed",
    "mirage/qwen_72b_cag/agreement/*": "test_all_raters_of_claims_agree_as_computed",
    f"{MODEL}/macro/*": "test_published_scores_have_the_published_mean",
    f"{MODEL}/topics_whose_*": "test_published_scores_are_made_of_whole_claims",
    "mirage/qwen_72b_cag/identical_rater_files": "test_no_rater_of_claims_copied_another",
    "mirage/human_majority_f1_*": "test_people_and_model_order_topics_as_computed",
    "summeval_op/products": "test_published_means_stand_beside_all_scores",
    "summeval_op/ratings_with_*": "test_published_means_stand_beside_all_scores",
    "summeval_op/models": "test_faithfulness_scores_are_distributed_alike",
    "summeval_op/max_abs_*": "test_published_means_stand_beside_all_scores",
    f"{SCORED}/mean*": "test_scores_have_the_means_of_each_rater_and_system",
    f"{SCORED}/n_*": DIMENSIONS,
    f"{SCORED}/raters_per_unit/*": DIMENSIONS,
    f"{SCORED}/pairwise_agreement": DIMENSIONS,
    f"{SCORED}/unanimous_share": DIMENSIONS,
    f"{SCORED}/fleiss_kappa": DIMENSIONS,
    f"{SCORED}/gwet_ac1": DIMENSIONS,
    f"{SCORED}/alpha_*": DIMENSIONS,
    f"{SCORED}/distribution_*": DIMENSIONS,
    f"{SCORED}/pairs_quadratic/*": DIMENSIONS,
    f"{SCORED}/share_*": DIMENSIONS,
    "xsum/documents": "test_three_raters_marked_one_hundred_articles",
    "xsum/raters_per_summary/*": "test_three_raters_marked_one_hundred_articles",
    "xsum/summaries": VOTES,
    "xsum/span_rows": MARKED,
    "xsum/real_spans": MARKED,
    "xsum/rows_by_type/*": MARKED,
    "xsum/per_system/*/span_rows/*": MARKED,
    "xsum/per_system/*/majority_??trinsic": MARKED,
    "xsum/per_system/*/summaries": VOTES,
    "xsum/per_system/*/majority_hallucinated": VOTES,
    "xsum/offsets/spans_equal_to_text_at_offset": VOTES,
    "xsum/offsets/spans_not_equal": "test_spans_not_in_the_summary_stay_as_notes",
    "xsum/offsets/of_those_*": "test_spans_not_in_the_summary_stay_as_notes",
    "xsum/summary_level_agreement/*": "test_raters_agree_which_summaries_hallucinate",
    "xsum/factual_agreement/*": "test_raters_agree_which_summaries_are_factual",
    "xsum/factual_rows/*": VOTES,
    "xsum/published_scores/factual_*": VOTES,
    "xsum/published_scores/faithful_*": FAITHFUL,
    "xsum/published_scores/rows": FAITHFUL,
    "xsum/spearman_metric_*": "test_metrics_order_summaries_as_computed",
    "factcheck_gpt/responses*": FACTCHECK,
    "factcheck_gpt/sentences": FACTCHECK,
    "factcheck_gpt/claims": FACTCHECK,
    "factcheck_gpt/claim_labels/*": FACTCHECK,
    "factcheck_gpt/sentence_labels/*": FACTCHECK,
    "factcheck_gpt/sentences_verbatim_*": (
        "test_factcheck_sentences_stand_in_the_response_or_keep_their_words"
    ),
    "factcheck_gpt/claim_checkworthiness/*": "test_factcheck_claims_keep_their_kind_and_verdict",
    "factcheck_gpt/claims_with_both_*": "test_factcheck_claims_keep_their_kind_and_verdict",
    "factcheck_gpt/contradictory_claims": "test_factcheck_claims_keep_their_kind_and_verdict",
    "factcheck_gpt/stance_counts/refute": "test_factcheck_claims_keep_their_kind_and_verdict",
    "expertqa/questions": "test_expertqa_labels_are_equal_for_every_system",
    "expertqa/claims": "test_expertqa_labels_are_equal_for_every_system",
    "expertqa/support_by_system/*/N/A": "test_expertqa_labels_are_equal_for_every_system",
    "expertqa/support*": EXPERTS,
    "expertqa/correctness/*": EXPERTS,
    "expertqa/usefulness/*": EXPERTS,
    "expertqa/claims_*": EXPERTS,
    "expertqa/labels_*": EXPERTS,
    "dialfact/rows": "test_dialfact_labels_of_people_and_model_are_equal",
    "dialfact/human_labels/*": "test_dialfact_labels_of_people_and_model_are_equal",
    "dialfact/mean_top_probability": "test_dialfact_labels_of_people_and_model_are_equal",
    "dialfact/data_type/*": DIALOGUES,
    "dialfact/evidence_items": DIALOGUES,
    "dialfact/contradictory_rows": DIALOGUES,
    "dialfact/model_vs_human_*": DIALOGUES,
    "refchecker/*": "test_claims_of_triplets_have_the_rates_computed",
}
REASONS = {
    "xsum/offsets/convention": "words about the file, which its importer follows",
    "factcheck_gpt/stance_counts/completely-support": "the store keeps passages that decide only",
    "factcheck_gpt/stance_counts/partially-support": "the store keeps passages that decide only",
    "factcheck_gpt/stance_counts/irrelevant": "the store keeps passages that decide only",
    "refchecker/*/labels/no_rad": "always 0: a triplet is a claim",
}


def leaves(value: Any, way: str = "") -> Iterator[str]:
    """The way to every number, list or text; an empty mapping has none."""
    if not isinstance(value, dict):
        yield way
        return
    for name, inner in value.items():
        yield from leaves(inner, f"{way}/{name}" if way else name)


def ways() -> list[str]:
    text = (SHARED / "reference_numbers.json").read_text(encoding="utf-8")
    return list(leaves(json.loads(text)["sets"]))


def test_every_reference_number_is_checked_or_has_a_reason() -> None:
    known = [*CHECKED, *REASONS]
    forgotten = [way for way in ways() if not any(fnmatchcase(way, each) for each in known)]
    assert forgotten == []


def test_register_names_nothing_that_is_not_there() -> None:
    found = ways()
    stale = [
        each for each in (*CHECKED, *REASONS) if not any(fnmatchcase(way, each) for way in found)
    ]
    assert stale == []
    tests = "".join(
        path.read_text(encoding="utf-8") for path in Path(__file__).parent.rglob("test_*.py")
    )
    gone = [name for name in CHECKED.values() if f"def {name}(" not in tests]
    assert gone == []


def test_every_agreement_case_goes_through_the_store() -> None:
    # Each of these computes all that its case expects, whatever the statistic is called.
    stored = {case.name for case in CASES} | set(SCORES)
    assert stored == {told["id"] for told in told_cases()}
    assert all(told["expected"] for told in told_cases())
