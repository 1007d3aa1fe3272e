"""The preview of an import: numbers that fit together, like complaints in one row."""

import pytest
from streamlit.testing.v1 import AppTest

from components.importing.view import build_complaint_group, list_author_counts
from data.importing.importer import Options
from data.importing.prepare import prepare
from data.importing.preview.preview import list_complaints
from faithfulness.intake.complaints import group_by_kind, group_complaints

pytestmark = pytest.mark.usefixtures("reading_here")

HEADER = "id,context,response,sentence,label,rater\n"


def test_counts_of_authors_add_up_to_the_answers_with_unread_ones_named(tmp_path):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    about = "It opened in 1932.,A bridge opened in 1932.,It opened in 1932."
    said = [("ana", "true"), ("ben", "maybe"), ("cleo", "")]
    rows = [f"q1,{about},{value},{name}\n" for name, value in said]
    path.write_text("id,response,reference,claim,judgment,rater\n" + "".join(rows), "utf-8")
    into.mkdir()
    options = Options(protocol="claim_overlap")
    (run,) = prepare([("c.csv", path)], options=options, into=into).runs
    assert (run.answers, run.unread, run.not_judged) == (1, 1, 1)
    assert list_author_counts(run) == [
        ("rater ana", "1 answer"),
        ("rater ben", "0 answers, 1 unread"),
        ("rater cleo", "0 answers, 1 not judged"),
    ]


def test_like_complaints_are_one_row_and_one_line_of_the_command(tmp_path):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    rows = [f"q{number},Wipe it.,Wipe it.,Wipe it.,supported,ana\n" for number in range(6)]
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    into.mkdir()
    manifest = prepare([("long.csv", path)], options=Options(), into=into)
    assert manifest.complaint_count == len(manifest.complaints) == 6
    (kind,) = group_by_kind(group_complaints(manifest.complaints, manifest.complaint_times))
    (row,) = build_complaint_group(kind).rows
    said = "6 × label: supported needs an excerpt, and there is none"
    assert [cell.text for cell in row.cells] == ["long.csv", "2, 3, 4 and 3 more", said]
    assert list_complaints(manifest) == [f"  long.csv lines 2, 3, 4 and 3 more: {said}"]


def test_a_long_file_without_excerpts_is_counted_whole_and_hides_nothing_else(tmp_path):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    rows = [f"q{number},Wipe it.,Wipe it.,Wipe it.,supported,ana\n" for number in range(700)]
    rows.append("q700,Wipe it.,Wipe it.,Wipe it.,so-so,ana\n")
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    into.mkdir()
    manifest = prepare([("long.csv", path)], options=Options(), into=into)
    first, second = list_complaints(manifest)
    assert first.startswith("  long.csv line 702: ")
    assert "so-so" in first
    said = "700 × label: supported needs an excerpt, and there is none"
    assert second == f"  long.csv lines 2, 3, 4 and more: {said}"


SOURCE = "Wipe the kettle with a damp cloth. It has a warranty of 24 months."


def shown_page(folder: str) -> None:
    from pathlib import Path

    from components.importing.view import show_preview
    from data.importing.preview.preview import read_manifest

    show_preview(read_manifest(Path(folder)), {}, {})


def headings_of(page):
    return [each.value for each in page.markdown if each.value.startswith("## ")]


def test_quotes_that_differ_stand_before_many_complaints_by_kind(tmp_path):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    rows = [f"q{number},{SOURCE},Wipe it.,Wipe it.,supported,ana,\n" for number in range(96)]
    quote = "Wipe the kettel with a damp cloth."
    rows.append(f"q96,{SOURCE},Wipe it.,Wipe it.,supported,ana,{quote}\n")
    rows.append(f"q97,{SOURCE},Wipe it.,Wipe it.,so-so,ana,\n")
    rows.append(f"q98,{SOURCE},Wipe it.,Soak it for long.,no_rad,ana,\n")
    path.write_text(f"{HEADER.strip()},excerpt\n" + "".join(rows), encoding="utf-8")
    into.mkdir()
    manifest = prepare([("own.csv", path)], options=Options(), into=into)
    assert [(each.line, each.text) for each in manifest.differing_quotes] == [
        (98, f"“kettel” where the source has “kettle”: “{quote}”")
    ]
    page = AppTest.from_function(shown_page, args=(str(into),)).run()
    assert not page.exception
    told = "## 1 quote: 1 with small differences"
    assert headings_of(page)[1:3] == [told, "## 98 complaints"]
    kinds = group_by_kind(group_complaints(manifest.complaints, manifest.complaint_times))
    assert [build_complaint_group(each).title for each in kinds] == [
        "Left out: the words are not in the item (1)",
        "Unread: no answer that counts (1)",
        "Evidence is missing (96)",
    ]


def test_quote_with_other_quotation_marks_only_is_no_example_of_one_that_differs(tmp_path):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    row = f"q1,{SOURCE},Wipe it.,Wipe it.,supported,ana,WIPE the kettle  with a damp cloth.\n"
    path.write_text(f"{HEADER.strip()},excerpt\n{row}", encoding="utf-8")
    into.mkdir()
    manifest = prepare([("own.csv", path)], options=Options(), into=into)
    assert manifest.runs[0].quotes == 1
    assert not manifest.differing_quotes
