"""The preview of an import: numbers that fit together, like complaints in one row."""

from components.import_view import author_lines, complaint_rows
from data.importers.importer import Options
from data.importers.prepare import prepare
from data.importers.preview import complaints_found
from faithfulness.complaints import alike

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
    assert author_lines(run) == [
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
    (row,) = complaint_rows(alike(manifest.complaints, manifest.complaint_times))
    said = "6 × label: supported needs an excerpt, and there is none"
    assert [cell.text for cell in row.cells] == ["long.csv", "2, 3, 4 and 3 more", said]
    assert complaints_found(manifest) == [f"  long.csv lines 2, 3, 4 and 3 more: {said}"]


def test_a_long_file_without_excerpts_is_counted_whole_and_hides_nothing_else(tmp_path):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    rows = [f"q{number},Wipe it.,Wipe it.,Wipe it.,supported,ana\n" for number in range(700)]
    rows.append("q700,Wipe it.,Wipe it.,Wipe it.,so-so,ana\n")
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    into.mkdir()
    manifest = prepare([("long.csv", path)], options=Options(), into=into)
    first, second = complaints_found(manifest)
    said = "700 × label: supported needs an excerpt, and there is none"
    assert first == f"  long.csv lines 2, 3, 4 and more: {said}"
    assert second.startswith("  long.csv line 702: ")
    assert "so-so" in second
