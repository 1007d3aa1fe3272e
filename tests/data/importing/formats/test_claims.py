"""Claim files: three shapes, several raters, sides and systems, merged by topic."""

from pathlib import Path
from typing import Any

import pytest

from data.importing.formats.claims import IMPORTER
from data.importing.importer import Source
from data.importing.prepare import prepare
from faithfulness.intake.intake import take_in
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import AuthorKind, UnitKind
from tests.data.importing.reading_files import (
    a_document,
    a_file,
    all_said,
    drafts_of,
    labels,
    sources_of,
)
from tests.shared_data import SHARED, needs_shared

TEXT = "The bridge opened in 1932. It spans the fjord."


def predicted(claims: Any, text: str = TEXT) -> dict[str, Any]:
    return {"Bridge": {"prediction": text, "claims": claims}}


def judged_once(claims: list[Any]) -> dict[str, Any]:
    return predicted({"S.": claims}, "S.")


def referenced(claims: Any) -> dict[str, Any]:
    return {"Bridge": {"reference": "A bridge from 1932.", "claims": claims}}


def test_printed_shape_has_one_claim_a_sentence(tmp_path: Path) -> None:
    printed = {"The bridge opened in 1932.": {"claim": "It opened in 1932.", "judgment": True}}
    (draft,) = drafts_of(IMPORTER, a_document(tmp_path, "ana.json", predicted(printed)))
    (said,) = draft.said
    assert (said.value, said.field, said.unit) == ("true", "response", UnitKind.CLAIM)
    assert said.sentence == "The bridge opened in 1932."
    assert said.author.name == "ana"
    assert [(each.name, each.text) for each in draft.fields] == [
        ("topic", "Bridge"),
        ("response", TEXT),
    ]


def test_two_claims_of_one_sentence_and_twins_all_stay(tmp_path: Path) -> None:
    twin = {"claim": "It opened.", "judgment": False}
    listed = {"S.": [{"claim": "It spans.", "judgment": True}, twin, twin]}
    (draft,) = drafts_of(IMPORTER, a_document(tmp_path, "a.json", predicted(listed)))
    assert [said.text for said in draft.said] == ["It spans.", "It opened.", "It opened."]
    assert labels(draft.said) == {"true": 1, "false": 2}


def test_flat_list_has_no_sentences(tmp_path: Path) -> None:
    flat = [{"claim": "It is from 1932.", "judgment": None}]
    (draft,) = drafts_of(IMPORTER, a_document(tmp_path, "r.json", referenced(flat)))
    (said,) = draft.said
    assert (said.field, said.sentence, said.value, said.problem) == ("reference", "", None, "")


def test_judgment_off_the_scale_is_unread_with_its_line(tmp_path: Path) -> None:
    odd = ["maybe", 1, "true", []]
    listed = {"S.": [{"claim": f"c{n}", "judgment": value} for n, value in enumerate(odd)]}
    source = a_document(tmp_path, "a.json", predicted(listed))
    (draft,) = drafts_of(IMPORTER, source)
    assert [said.value for said in draft.said] == [None] * 4
    assert draft.said[0].problem == "judgment is 'maybe'; expected true, false or null"
    assert draft.said[1].problem == "judgment is 1; expected true, false or null"
    lines = source.path.read_text(encoding="utf-8").split("\n")
    assert all(f'"c{n}"' in lines[said.line - 1] for n, said in enumerate(draft.said))


def test_complaint_names_the_file_its_line_counts_in(tmp_path: Path) -> None:
    fine, odd = [{"claim": "C.", "judgment": True}], [{"claim": "C.", "judgment": "perhaps"}]
    first = a_document(tmp_path, "metric_prediction_Sys_annotator_1.json", judged_once(fine))
    second = a_document(tmp_path, "metric_prediction_Sys_annotator_2.json", judged_once(odd))
    (complaint,) = prepare(
        [(each.name, each.path) for each in (first, second)], into=tmp_path
    ).complaints
    line = next(n for n, text in enumerate(second.path.open(), 1) if '"claim"' in text)
    assert (complaint.file, complaint.line) == (second.name, line)
    assert "perhaps" in complaint.text


def test_missing_judgment_is_unread_and_not_unjudged(tmp_path: Path) -> None:
    (draft,) = drafts_of(IMPORTER, a_document(tmp_path, "a.json", predicted([{"claim": "c"}])))
    assert draft.said[0].problem == "judgment is missing; expected true, false or null"


def test_sentence_given_twice_is_refused_with_advice(tmp_path: Path) -> None:
    raw = """{"Bridge": {"prediction": "S. T.", "claims": {
    "S.": {"claim": "a", "judgment": true},
    "S.": {"claim": "b", "judgment": true}}}}"""
    with pytest.raises(ImportRefused, match=r"line 3.*'S\.'.*list them under one key"):
        drafts_of(IMPORTER, a_file(tmp_path, "a.json", raw))


def of_rater(folder: Path, side: str, system: str, rater: int, judgment: bool) -> Source:
    claims = [{"claim": f"{side} claim", "judgment": judgment}]
    content = predicted(claims, f"By {system}.") if side == "prediction" else referenced(claims)
    return a_document(folder, f"metric_{side}_{system}_annotator_{rater}_DONE.json", content)


def test_sides_and_raters_meet_and_systems_stay_apart(tmp_path: Path) -> None:
    files = [
        of_rater(tmp_path, side, system, rater, rater == 1)
        for side in ("prediction", "reference")
        for system in ("small_one", "large")
        for rater in (1, 2)
    ]
    drafts = drafts_of(IMPORTER, files)
    assert [draft.system for draft in drafts] == ["small_one", "large"]
    for draft in drafts:
        assert [each.name for each in draft.fields] == ["topic", "response", "reference"]
        assert [(said.author.name, said.field, said.value) for said in draft.said] == [
            ("annotator_1", "response", "true"),
            ("annotator_2", "response", "false"),
            ("annotator_1", "reference", "true"),
            ("annotator_2", "reference", "false"),
        ]


def test_unnamed_reference_joins_the_only_system(tmp_path: Path) -> None:
    files = [
        of_rater(tmp_path, "prediction", "small", 1, True),
        a_document(tmp_path, "gold.json", referenced([{"claim": "c", "judgment": True}])),
    ]
    (draft,) = drafts_of(IMPORTER, files)
    assert draft.system == "small"


def test_unnamed_reference_among_two_systems_is_refused(tmp_path: Path) -> None:
    files = [
        of_rater(tmp_path, "prediction", "small", 1, True),
        of_rater(tmp_path, "prediction", "large", 1, True),
        a_document(tmp_path, "gold.json", referenced([{"claim": "c", "judgment": True}])),
    ]
    with pytest.raises(ImportRefused, match=r"gold\.json.*which of small, large"):
        drafts_of(IMPORTER, files)


def test_person_may_name_author_and_system(tmp_path: Path) -> None:
    source = a_document(tmp_path, "a.json", predicted([{"claim": "c", "judgment": True}]))
    options = {"author": "gpt-x", "author_kind": AuthorKind.JUDGE, "system": "mine"}
    (draft,) = drafts_of(IMPORTER, source, **options)
    assert draft.system == "mine"
    assert (draft.said[0].author.kind, draft.said[0].author.name) == (AuthorKind.JUDGE, "gpt-x")


def test_one_author_for_two_named_raters_is_refused(tmp_path: Path) -> None:
    files = [of_rater(tmp_path, "prediction", "small", rater, True) for rater in (1, 2)]
    with pytest.raises(ImportRefused, match=r"annotator_1, annotator_2; leave the author out"):
        drafts_of(IMPORTER, files, author="Ana")


def test_same_rater_twice_is_refused_naming_both_files(tmp_path: Path) -> None:
    one = of_rater(tmp_path, "prediction", "small", 1, True)
    content = predicted([{"claim": "c", "judgment": True}], "By small.")
    two = a_document(tmp_path, "metric_prediction_small_annotator_1_v2.json", content)
    with pytest.raises(ImportRefused, match=r"_v2\.json.*already speaks of it in .*DONE\.json"):
        drafts_of(IMPORTER, [one, two])


def test_two_texts_of_one_topic_and_system_are_refused(tmp_path: Path) -> None:
    claims = [{"claim": "c", "judgment": True}]
    files = [
        a_document(tmp_path, f"{name}.json", predicted(claims, text))
        for name, text in (("ana", "One text."), ("bo", "Another text."))
    ]
    with pytest.raises(ImportRefused, match=r"bo\.json.*differs from the one in ana\.json"):
        drafts_of(IMPORTER, files)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"T": {"prediction": "P.", "reference": "R.", "claims": []}}, "prediction and reference"),
        ({"T": {"prediction": 3, "claims": []}}, "prediction is a number"),
        ({"T": {"prediction": "P.", "claims": 5}}, "claims is a number"),
        ({"T": {"prediction": "P.", "claims": [{"judgment": True}]}}, "claim is missing"),
        ({"T": {"precision": "high", "recall": 1, "f1": 1}}, "precision is 'high'"),
        ({"T": {"prediction": "P.", "sentences": ["a"], "claims": []}}, "sentences has 1"),
        ({"T": 5}, "no claim file"),
        ([], "the file is a list"),
    ],
)
def test_wrong_shape_is_refused_by_name(tmp_path: Path, content: Any, told: str) -> None:
    with pytest.raises(ImportRefused, match=f"odd\\.json( line 2)?[,:].*{told}"):
        drafts_of(IMPORTER, a_document(tmp_path, "odd.json", content))


def test_unjudged_predictions_are_units_without_answers(tmp_path: Path) -> None:
    listed = {
        "Bridge": {
            "prediction": "S. T.",
            "sentences": ["S.", "T."],
            "claims": [["a", "b"], ["c"]],
            "citations": [["film_1"], ["film_1", "film_2"]],
        }
    }
    (draft,) = drafts_of(IMPORTER, a_document(tmp_path, "small.json", listed))
    assert draft.said == ()
    assert [(each.text, each.sentence) for each in draft.claims] == [
        ("a", "S."),
        ("b", "S."),
        ("c", "T."),
    ]
    assert (draft.system, draft.attributes) == ("small", {"citations": "3"})
    taken = take_in(draft)
    assert [unit.text for unit in taken.item.units_of(UnitKind.CLAIM)] == ["a", "b", "c"]
    assert (taken.signed, taken.summaries) == ((), ())


def test_claims_listed_and_judged_are_the_same_units(tmp_path: Path) -> None:
    twins = [{"claim": "a", "judgment": True}, {"claim": "a", "judgment": False}]
    listed = {"prediction": "S.", "sentences": ["S."], "claims": [["a", "a", "b"]]}
    files = [
        a_document(tmp_path, "metric_prediction_small_annotator_1.json", judged_once(twins)),
        a_document(tmp_path, "small.json", {"Bridge": listed}),
    ]
    (draft,) = drafts_of(IMPORTER, files)
    taken = take_in(draft)
    assert [unit.text for unit in taken.item.units_of(UnitKind.CLAIM)] == ["a", "a", "b"]
    assert [signed.answer.value for signed in taken.signed] == ["true", "false"]


def test_scores_alone_make_items_with_a_topic_only(tmp_path: Path) -> None:
    scores = {"Bridge": {"precision": 0.5, "recall": 1, "f1": 2 / 3}}
    name = "small_one_reference_info_f1_scores_checker_7b.json"
    (draft,) = drafts_of(IMPORTER, a_document(tmp_path, name, scores))
    assert (draft.system, [each.name for each in draft.fields]) == ("small_one", ["topic"])
    assert {number.author.name for number in draft.numbers} == {"checker_7b"}
    assert {number.author.kind for number in draft.numbers} == {AuthorKind.JUDGE}
    assert {number.name: number.value for number in draft.numbers} == {
        "Precision": 0.5,
        "Recall": 1.0,
        "F1": 2 / 3,
    }


@needs_shared
def test_every_public_file_reads_alone() -> None:
    for source in sources_of((SHARED / "mirage").rglob("*.json")):
        assert IMPORTER.recognise([source]) >= 90
        assert len(drafts_of(IMPORTER, source)) == 10


@needs_shared
def test_public_files_together_keep_the_foreign_system_apart() -> None:
    drafts = drafts_of(IMPORTER, sources_of((SHARED / "mirage").rglob("*.json")))
    by_system = {draft.system: draft for draft in drafts}
    assert sorted(by_system) == ["qwen2vl_72b_cag_2_no_citations", "qwen_72b_cag"]
    own = by_system["qwen_72b_cag"]
    assert {number.author.name for number in own.numbers} == {"qwen_7b"}
    assert own.attributes["citations"].isdigit()
    assert len(all_said(drafts)) == 3 * (316 + 316)
