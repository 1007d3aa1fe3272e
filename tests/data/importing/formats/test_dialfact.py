"""DialFact: people's four labels, a model's three, twins, and rows of another shape."""

from pathlib import Path
from typing import Any

import pytest

from data.importing.formats.dialfact import IMPORTER
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import AuthorKind
from tests.data.importing.reading_files import all_said, drafts_of, labels, some_lines, sources_of
from tests.shared_data import SHARED, needs_shared


def row(**changes: Any) -> dict[str, Any]:
    return {
        "id": "d1--0",
        "context_id": "d1",
        "context": ["Do you like tea?", "Yes, where is it from?"],
        "response": "Tea comes from China.",
        "evidence_list": [
            ["Tea", "https://example.org/tea", "Tea originated in China.", "0"],
            ["", "", "   ", "extra"],
        ],
        "response_label": "SUPPORTS",
        "type_label": "factual",
        "fever_score": [0.1, 0.7, 0.2],
    } | changes


def test_row_has_dialogue_evidence_and_two_authors(tmp_path: Path) -> None:
    (draft,) = drafts_of(IMPORTER, some_lines(tmp_path, "d.jsonl", row()))
    assert [(each.name, each.kind) for each in draft.fields] == [
        ("query", "query"),
        ("response", "response"),
        ("external_1", "external"),
    ]
    assert draft.cut == ("Tea comes from China.",)
    people, model = draft.said
    assert (people.author.kind, people.value) == (AuthorKind.RATER, "supported")
    assert people.excerpts == ("Tea originated in China.",)
    assert people.links == ("https://example.org/tea",)
    assert (model.author.kind, model.value, model.confidence) == (
        AuthorKind.JUDGE,
        "contradictory",
        0.7,
    )


@pytest.mark.parametrize(
    ("changes", "value", "problem"),
    [
        ({"response_label": "REFUTES"}, "contradictory", ""),
        ({"response_label": "NOT ENOUGH INFO"}, "unsupported", ""),
        ({"type_label": "personal", "response_label": "NOT ENOUGH INFO"}, "no_rad", ""),
        ({"response_label": "REFUTES\u00a0"}, "contradictory", ""),
        ({"response_label": "supports"}, None, "response_label is 'supports'"),
        ({"response_label": ["SUPPORTS"]}, None, "response_label is ['SUPPORTS']"),
        ({"type_label": "joke"}, None, "type_label is 'joke'"),
    ],
)
def test_people_label_follows_the_map_or_is_unread(
    tmp_path: Path, changes: dict[str, Any], value: str | None, problem: str
) -> None:
    (draft,) = drafts_of(IMPORTER, some_lines(tmp_path, "d.jsonl", row(**changes)))
    assert draft.said[0].value == value
    assert draft.said[0].problem.startswith(problem)
    assert bool(draft.said[0].problem) == (value is None)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"response": " "}, "response is empty"),
        ({"evidence_list": "none"}, "evidence_list is a text"),
        ({"evidence_list": [["Tea"]]}, "a passage has 1"),
        ({"fever_score": [0.5, 0.5]}, "fever_score has 2"),
        ({"fever_score": [7, 0, 0]}, "expected probabilities"),
        ({"context": [3]}, "context holds a number"),
    ],
)
def test_row_of_another_shape_is_refused_by_line(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    with pytest.raises(ImportRefused, match=rf"d\.jsonl line 2: .*{told}"):
        drafts_of(IMPORTER, some_lines(tmp_path, "d.jsonl", row(), row(id="x", **changes)))


@needs_shared
def test_public_file_gives_the_known_labels() -> None:
    sources = sources_of((SHARED / "dialfact").glob("*.jsonl"))
    drafts = drafts_of(IMPORTER, sources)
    assert IMPORTER.recognise(sources) >= 90
    assert len(drafts) == 150
    assert labels(each for each in all_said(drafts) if each.author.kind is AuthorKind.RATER) == {
        "supported": 49,
        "unsupported": 25,
        "contradictory": 50,
        "no_rad": 26,
    }
