"""The preview of an import keeps many like complaints in one row."""

from components.import_view import complaint_rows
from data.importers.importer import Options
from data.importers.prepare import prepare
from data.importers.preview import complaints_found

HEADER = "id,context,response,sentence,label,rater\n"


def test_like_complaints_are_one_row_and_one_line_of_the_command(tmp_path):
    path, into = tmp_path / "upload-0", tmp_path / "into"
    rows = [f"q{number},Wipe it.,Wipe it.,Wipe it.,supported,ana\n" for number in range(6)]
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    into.mkdir()
    manifest = prepare([("long.csv", path)], options=Options(), into=into)
    assert manifest.complaint_count == len(manifest.complaints) == 6
    (row,) = complaint_rows(manifest.complaints)
    said = "6 × label: supported needs an excerpt, and there is none"
    assert [cell.text for cell in row.cells] == ["long.csv", "2, 3, 4 and 3 more", said]
    assert complaints_found(manifest) == [f"  long.csv lines 2, 3, 4 and 3 more: {said}"]
