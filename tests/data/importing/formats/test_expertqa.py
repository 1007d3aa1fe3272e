"""ExpertQA: one run a system, the file's own cut, and what an expert left unjudged."""

from pathlib import Path
from typing import Any

import pytest

from data.importing.formats.expertqa import IMPORTER
from faithfulness.model.errors import ImportRefused
from tests.data.importing.reading_files import all_said, drafts_of, labels, some_lines, sources_of
from tests.shared_data import SHARED, needs_shared


def claim(text: str = "Oak is hard [1].", **changes: Any) -> dict[str, Any]:
    return {
        "claim_string": text,
        "evidence": ["[1] https://example.org/oak\n\nOak is a hard wood.", "[2] http://bare.org"],
        "support": "Complete",
        "reason_missing_support": "",
        "correctness": "Definitely correct",
        "worthiness": "Yes",
    } | changes


def row(*claims: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = {"answer_string": "Oak is hard [1]. It lasts.", "usefulness": "Useful"}
    return {
        "question": "Which wood?",
        "answers": {"bing": answer | {"claims": list(claims)}, **more},
        "metadata": {"field": "Joinery"},
    }


def test_claims_are_the_cut_and_evidence_becomes_sources(tmp_path: Path) -> None:
    source = some_lines(tmp_path, "e.jsonl", row(claim(), claim(" It lasts.")))
    (draft,) = drafts_of(IMPORTER, source)
    assert (draft.system, draft.cut) == ("bing", ("Oak is hard [1].", "It lasts."))
    assert [(each.name, each.text) for each in draft.fields[2:]] == [
        ("external_1", "[1] https://example.org/oak\n\nOak is a hard wood.")
    ]
    assert draft.attributes == {"field": "Joinery", "usefulness": "Useful"}
    said = draft.said[0]
    assert said.excerpts == ("Oak is a hard wood.",)
    assert said.links == ("https://example.org/oak", "http://bare.org")
    assert said.comment == "support: Complete; correctness: Definitely correct; worthiness: Yes"


@pytest.mark.parametrize(
    ("support", "value", "problem"),
    [
        ("Partial", "unsupported", ""),
        ("Incomplete", "unsupported", ""),
        ("Missing", "unsupported", ""),
        ("Missing ", "unsupported", ""),
        ("N/A", None, "support is N/A: the expert did not judge it"),
        (None, None, "support is null: the expert did not judge it"),
        ("complete", None, "support is 'complete'; expected Complete"),
        ([1], None, "support is [1]; expected Complete"),
    ],
)
def test_support_follows_the_map_or_is_unread(
    tmp_path: Path, support: Any, value: str | None, problem: str
) -> None:
    reason = "The page speaks of pine."
    record = row(claim(support=support, reason_missing_support=reason))
    (draft,) = drafts_of(IMPORTER, some_lines(tmp_path, "e.jsonl", record))
    (said,) = draft.said
    assert (said.value, said.rationale, said.excerpts) == (value, reason, ())
    assert said.problem.startswith(problem)
    assert bool(said.problem) == (value is None)


def test_each_system_of_a_row_is_a_draft(tmp_path: Path) -> None:
    other = {"answer_string": "Use oak.", "claims": [claim("Use oak.")]}
    drafts = drafts_of(IMPORTER, some_lines(tmp_path, "e.jsonl", row(claim(), gpt=other)))
    assert [draft.system for draft in drafts] == ["bing", "gpt"]


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (row(claim("")), "claim_string is empty"),
        (row(claim(evidence=[5])), "evidence holds a number"),
        (row() | {"question": None}, "question is missing"),
        (row(gpt="text"), "gpt is a text"),
        (["a"], "the row is a list"),
    ],
)
def test_row_of_another_shape_is_refused_by_line(tmp_path: Path, record: Any, told: str) -> None:
    with pytest.raises(ImportRefused, match=rf"e\.jsonl line 2: .*{told}"):
        drafts_of(IMPORTER, some_lines(tmp_path, "e.jsonl", row(), record))


@needs_shared
def test_public_file_gives_forty_answers_of_six_systems() -> None:
    sources = sources_of((SHARED / "expertqa").glob("*.jsonl"))
    drafts = drafts_of(IMPORTER, sources)
    assert IMPORTER.recognise(sources) >= 90
    assert (len(drafts), len({draft.system for draft in drafts})) == (40, 6)
    assert labels(all_said(drafts)) == {"supported": 132, "unsupported": 81, None: 2}
