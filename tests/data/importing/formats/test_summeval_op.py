"""SummEval-OP: the detailed file, the published means, and both together."""

from pathlib import Path
from typing import Any

import pytest

from data.importing.formats.summeval_op import IMPORTER
from faithfulness.model.errors import ImportRefused
from tests.data.importing.reading_files import drafts_of, some_lines, sources_of
from tests.shared_data import SHARED, needs_shared

SHORT = ("fl", "co", "re", "fa", "ac", "sc", "sp")


def detailed(**changes: Any) -> dict[str, Any]:
    scores = {key: [[4, 5], [1, 2]] for key in SHORT}
    return {"reviews": ["Good.", "Bad."], "summaries": ["Mixed.", "All good."]} | scores | changes


def published(**changes: Any) -> dict[str, Any]:
    means = {"Fluency": 4.5, "Faithfulness": 4.5}
    return {
        "reviews": {"rev1": "Good.", "rev2": "Bad."},
        "summaries": {
            "alpha": {"summary": "Mixed.", "dimensions": means},
            "beta": {"summary": "All good.", "dimensions": means},
        },
    } | changes


def test_detailed_file_alone_names_systems_by_position(tmp_path: Path) -> None:
    drafts = drafts_of(IMPORTER, some_lines(tmp_path, "d.jsonl", detailed()))
    assert [draft.system for draft in drafts] == ["system_1", "system_2"]
    first = drafts[0]
    assert [(each.name, each.text) for each in first.fields] == [
        ("response", "Mixed."),
        ("reviews", "Good.\n\nBad."),
    ]
    assert [(said.author.name, said.value) for said in first.said] == [
        ("rater_1", "4"),
        ("rater_2", "5"),
    ]
    assert len(first.numbers) == 6 * 2
    assert {number.name for number in first.numbers} >= {"Fluency", "Sentiment Consistency"}


def test_published_file_alone_gives_means_without_answers(tmp_path: Path) -> None:
    drafts = drafts_of(IMPORTER, some_lines(tmp_path, "p.jsonl", published()))
    assert [draft.system for draft in drafts] == ["alpha", "beta"]
    assert drafts[0].said == ()
    assert [(each.author.name, each.name, each.value) for each in drafts[0].numbers] == [
        ("published mean", "Fluency", 4.5),
        ("published mean", "Faithfulness", 4.5),
    ]


def test_both_files_share_drafts_and_names_in_any_order_of_lines(tmp_path: Path) -> None:
    other = {"reviews": ["Loud."], "summaries": ["Noisy.", "Quiet."]}
    files = [
        some_lines(tmp_path, "d.jsonl", detailed(**other), detailed()),
        some_lines(tmp_path, "p.jsonl", published()),
    ]
    drafts = drafts_of(IMPORTER, files)
    assert [draft.system for draft in drafts] == ["alpha", "beta"] * 2
    assert [len(draft.numbers) for draft in drafts] == [12, 12, 14, 14]


@pytest.mark.parametrize("score", [0, 6, 3.5, 1.0, True])
def test_number_off_the_scale_is_refused_with_its_line(tmp_path: Path, score: Any) -> None:
    records = [detailed(fa=[[1, 1], [1, 1]]), detailed(fa=[[1, 1], [score, 1]])]
    with pytest.raises(ImportRefused, match=rf"d\.jsonl line 2: fa is {score!r}; .* another scale"):
        drafts_of(IMPORTER, some_lines(tmp_path, "d.jsonl", *records))


@pytest.mark.parametrize("score", ["4", None])
def test_score_that_is_no_number_is_unread(tmp_path: Path, score: Any) -> None:
    record = detailed(fa=[[score, 5], [1, 2]])
    first, _ = drafts_of(IMPORTER, some_lines(tmp_path, "d.jsonl", record))
    assert first.said[0].value is None
    assert first.said[0].problem == f"fa is {score!r}; expected a whole number from 1 to 5"


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (detailed(fa=[[1, 2]]), "fa has 1"),
        (detailed(fl=[[4], [1, 2]]), "fl has 1"),
        (detailed(co=[["x", 5], [1, 2]]), "co is 'x'; expected a number"),
        (detailed(summaries=["Mixed.", ""]), "summary 2 is empty"),
        (detailed(reviews="Good."), "reviews is a text"),
        (published(summaries={"a": {"summary": "s"}}), "dimensions of a is missing"),
    ],
)
def test_row_of_another_shape_is_refused_by_line(tmp_path: Path, record: Any, told: str) -> None:
    with pytest.raises(ImportRefused, match=rf"d\.jsonl line 2: .*{told}"):
        drafts_of(IMPORTER, some_lines(tmp_path, "d.jsonl", detailed(), record))


@needs_shared
def test_public_files_give_sixteen_products_for_each_of_thirteen_systems() -> None:
    sources = sources_of((SHARED / "summeval_op").glob("*.jsonl"))
    assert IMPORTER.recognise(sources) >= 90
    for files in (sources, sources[:1], sources[1:]):
        drafts = drafts_of(IMPORTER, files)
        assert len(drafts) == 208
        assert len({draft.system for draft in drafts}) == 13
