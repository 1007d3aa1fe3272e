"""Factcheck-GPT: labels from stances, for sentences and, in a run of their own, for claims."""

from pathlib import Path
from typing import Any

import pytest

from data.importing.formats.factcheck_gpt import IMPORTER
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import UnitKind
from tests.data.importing.reading_files import all_said, drafts_of, labels, some_lines, sources_of
from tests.shared_data import SHARED, needs_shared


def sentence(*stances: list[str], text: str = "Rome fell.", **changes: Any) -> dict[str, Any]:
    """A sentence with one claim for each list of stances."""
    count = len(stances)
    return {
        "text": text,
        "sentence_checkworthiness": "yes",
        "claims": [f"{text} claim {number}" for number in range(count)],
        "claim_checkworthiness": ["factual"] * count,
        "auto_evidence": [
            [f"{text} {c} {n}" for n in range(len(stances[c]))] for c in range(count)
        ],
        "auto_evidence_url": [["https://example.org/a"] * len(each) for each in stances],
        "stance_claim_autoEvid": list(stances),
        "claims_factuality_label": [True] * count,
    } | changes


def row(*sentences: dict[str, Any]) -> dict[str, Any]:
    named = {f"sentence{number}": each for number, each in enumerate(sentences, start=1)}
    return {"prompt": "When?", "response": "Rome fell. It was late.", "sentences": named}


FULL, PART, NOT, NONE = "completely-support", "partially-support", "refute", "irrelevant"


@pytest.mark.parametrize(
    ("given", "claims", "whole"),
    [
        (sentence([FULL, NONE], [FULL]), ["supported", "supported"], "supported"),
        (sentence([FULL], [PART]), ["supported", "unsupported"], "unsupported"),
        (sentence([FULL], [NOT]), ["supported", "contradictory"], "contradictory"),
        (sentence([NOT, FULL]), ["contradictory"], "contradictory"),
        (sentence([FULL], claim_checkworthiness=["opinion"]), ["no_rad"], "unsupported"),
        (sentence([NOT], sentence_checkworthiness="opinion"), ["contradictory"], "no_rad"),
        (sentence(["so-so"]), [None], None),
    ],
)
def test_label_follows_the_stances(
    tmp_path: Path, given: dict[str, Any], claims: list[str | None], whole: str | None
) -> None:
    first, second = drafts_of(IMPORTER, some_lines(tmp_path, "f.jsonl", row(given)))
    assert [said.value for said in first.said] == [whole]
    assert [said.value for said in second.said] == claims


def test_claims_are_a_run_of_their_own_on_the_same_item(tmp_path: Path) -> None:
    record = row(sentence([NOT, FULL, NOT]), sentence([FULL], text="It was late."))
    first, second = drafts_of(IMPORTER, some_lines(tmp_path, "f.jsonl", record))
    assert (first.system, second.system) == ("ChatGPT", "ChatGPT (claims)")
    assert (first.fields, first.cut) == (second.fields, second.cut)
    assert first.cut == ("Rome fell.", "It was late.")
    assert [each.name for each in first.fields[2:]] == [f"external_{n}" for n in range(1, 5)]
    assert {said.unit for said in first.said} == {UnitKind.SENTENCE}
    assert {said.unit for said in second.said} == {UnitKind.CLAIM}
    claim = second.said[0]
    assert claim.excerpts == ("Rome fell. 0 0", "Rome fell. 0 2")
    assert claim.sentence == "Rome fell."
    assert "contradictory wins" in claim.comment
    assert "factuality: true" in claim.comment


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"auto_evidence": []}, "auto_evidence has 0"),
        ({"stance_claim_autoEvid": [[FULL, FULL]]}, "stances has 2"),
        ({"stance_claim_autoEvid": [[["x"]]]}, "stances holds a list"),
        ({"text": ""}, "text is empty"),
        ({"claims": [5]}, "claims holds a number"),
    ],
)
def test_sentence_of_another_shape_is_refused_by_line(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    odd = row(sentence([FULL], **changes))
    with pytest.raises(ImportRefused, match=rf"f\.jsonl line 2, sentence1.*{told}"):
        drafts_of(IMPORTER, some_lines(tmp_path, "f.jsonl", row(sentence([FULL])), odd))


@needs_shared
def test_public_file_gives_the_known_labels() -> None:
    sources = sources_of((SHARED / "factcheck_gpt").glob("*.jsonl"))
    said = all_said(drafts_of(IMPORTER, sources))
    assert IMPORTER.recognise(sources) >= 90
    claims = [each for each in said if each.unit is UnitKind.CLAIM]
    assert labels(claims) == {
        "supported": 167,
        "unsupported": 128,
        "contradictory": 44,
        "no_rad": 7,
    }
    assert sum("contradictory wins" in each.comment for each in claims) == 5
    decided = [each for each in said if each.value in ("supported", "contradictory")]
    assert all(each.excerpts for each in decided)
