"""XSum hallucinations: spans after unescaping, most severe labels, three files that meet."""

from pathlib import Path

import pytest

from data.importing.formats.xsum import IMPORTER
from data.importing.importer import Source
from data.importing.prepare import prepare
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import AuthorKind
from tests.data.importing.reading_files import a_file, all_said, drafts_of, sources_of
from tests.shared_data import SHARED, needs_shared

SPANS = (
    "bbcid,system,summary,hallucination_type,hallucinated_span,hallucinated_span_start,"
    "hallucinated_span_end,worker_id\r\n"
)
VOTES = "bbcid,system,summary,is_factual,worker_id\r\n"
SCORES = "system_bbcid,R1,Entailment,Faithful\r\n"
TEXT = "the club\\'s coach left in may."  # as the file writes it


def spans(folder: Path, *rows: str) -> Source:
    return a_file(folder, "spans.csv", SPANS + "".join(f"7,PtGen,{TEXT},{row}\r\n" for row in rows))


def test_most_severe_row_counts_and_all_spans_stay(tmp_path: Path) -> None:
    source = spans(
        tmp_path,
        "extrinsic,in may,23,29,w1",
        "intrinsic,the club\\'s,1,11,w1",
        "NULL ,NULL,-1,-1,w2",
    )
    (draft,) = drafts_of(IMPORTER, source)
    text = "the club's coach left in may."
    assert draft.cut == (text,)
    first, second = draft.said
    assert (first.value, second.value) == ("contradictory", "supported")
    assert [(text[start:end], value) for start, end, value in first.parts] == [
        ("the club's", "contradictory"),
        ("in may", "unsupported"),
    ]
    assert (second.parts, second.rationale) == ((), "")


def test_complaint_names_the_file_its_line_counts_in(tmp_path: Path) -> None:
    votes = a_file(tmp_path, "a_votes.csv", f"{VOTES}7,PtGen,{TEXT},yes,w1\r\n")
    marks = spans(tmp_path, "NULL,NULL,-1,-1,w1", "odd,NULL,-1,-1,w2")
    manifest = prepare([(each.name, each.path) for each in (votes, marks)], into=tmp_path)
    wrong = [each for each in manifest.complaints if "'odd'" in each.text]
    assert [(each.file, each.line) for each in wrong] == [("spans.csv", 3)]


def test_second_vote_names_the_file_of_the_first(tmp_path: Path) -> None:
    row = f"{VOTES}7,PtGen,{TEXT},yes,w1\r\n"
    files = [a_file(tmp_path, name, row) for name in ("a.csv", "b.csv")]
    with pytest.raises(ImportRefused, match=r"b\.csv line 2: .*first on line 2 of a\.csv"):
        drafts_of(IMPORTER, files)


@pytest.mark.parametrize(
    ("row", "value", "note"),
    [
        ("intrinsic,in june,24,30,w1", "contradictory", "not found at 24 to 30: 'in june'"),
        ("intrinsic,\\nin may,0,7,w1", "contradictory", "not found at 0 to 7"),
        ("extrinsic,in may,x,,w1", "unsupported", "not found at x to "),
        ("NULL,in may,-1,-1,w1", "supported", "yet these words are given: 'in may'"),
    ],
)
def test_span_that_is_not_at_its_offsets_is_kept_in_words(
    tmp_path: Path, row: str, value: str, note: str
) -> None:
    (draft,) = drafts_of(IMPORTER, spans(tmp_path, row))
    (said,) = draft.said
    assert (said.value, said.parts) == (value, ())
    assert note in said.rationale


def test_unknown_type_makes_the_rater_unread(tmp_path: Path) -> None:
    rows = ("intrinsic,in may,23,29,w1", "Intrinsic,left,18,22,w1")
    (draft,) = drafts_of(IMPORTER, spans(tmp_path, *rows))
    assert draft.said[0].value is None
    assert draft.said[0].problem.startswith("hallucination_type is 'Intrinsic'; expected")


def test_three_files_meet_on_article_and_system(tmp_path: Path) -> None:
    files = [
        spans(tmp_path, "NULL,NULL,-1,-1,w1"),
        a_file(tmp_path, "votes.csv", f"{VOTES}7,PtGen,{TEXT},yes,w1\r\n"),
        a_file(tmp_path, "scores.csv", f"{SCORES}ptgen_7,0.4,1e-3,0.9\r\n"),
    ]
    (draft,) = drafts_of(IMPORTER, files)
    assert (draft.system, draft.external_id) == ("PtGen", "7")
    assert [
        (each.author.kind, each.author.name, each.name, each.value) for each in draft.numbers
    ] == [
        (AuthorKind.RATER, "w1", "Factual", 1.0),
        (AuthorKind.JUDGE, "R1", "R1", 0.4),
        (AuthorKind.JUDGE, "Entailment", "Entailment", 0.001),
        (AuthorKind.RATER, "published mean", "Faithful", 0.9),
    ]


def test_scores_alone_make_items_without_a_summary(tmp_path: Path) -> None:
    source = a_file(tmp_path, "scores.csv", f"{SCORES}bert_nockpt_7,0.4,0.1,0.9\r\n")
    (draft,) = drafts_of(IMPORTER, source)
    assert (draft.system, [each.name for each in draft.fields]) == ("TranS2S", ["topic"])
    assert draft.cut is None


def test_equal_summaries_of_two_articles_are_two_items(tmp_path: Path) -> None:
    rows = "".join(f"{article},Gold,all images.,no,w1\r\n" for article in (7, 8))
    first, second = drafts_of(IMPORTER, a_file(tmp_path, "votes.csv", VOTES + rows))
    assert first.fields != second.fields


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (f"{VOTES}7,PtGen,a.,maybe,w1\r\n", "line 2: is_factual is 'maybe'; expected yes or no"),
        (f"{VOTES}7,PtGen,a.,no,w1\r\n7,PtGen,b.,no,w2\r\n", "line 3: another summary"),
        (f"{VOTES}7,PtGen,a.,no,w1\r\n7,PtGen,a.,no,w1\r\n", "line 3: .* second time .*line 2"),
        (f"{SCORES}ptgen_7,nan,0.1,0.9\r\n", "line 2: R1 is 'nan'; expected a number"),
        (f"{SCORES}ptgen7,0.1,0.1,0.9\r\n", "line 2: system_bbcid is 'ptgen7'"),
        ("a,b\r\n1,2\r\n", "none of the three XSum files"),
    ],
)
def test_row_of_another_shape_is_refused_by_line(tmp_path: Path, content: str, told: str) -> None:
    with pytest.raises(ImportRefused, match=rf"odd\.csv {told}|odd\.csv line 1: .*{told}"):
        drafts_of(IMPORTER, a_file(tmp_path, "odd.csv", content))


@needs_shared
def test_public_files_read_alone_and_together() -> None:
    sources = sources_of((SHARED / "xsum_hallucination").glob("*.csv"))
    assert IMPORTER.recognise(sources) >= 90
    assert [len(drafts_of(IMPORTER, each)) for each in sources] == [400, 373, 500]
    drafts = drafts_of(IMPORTER, sources)
    assert len(drafts) == 500
    assert sum(len(said.parts) for said in all_said(drafts)) == 2054
    assert sum("not found at" in said.rationale for said in all_said(drafts)) == 3
