"""A file that is no text is called what it is, with what to do instead."""

import io
import zipfile

import pytest

from data.importing.importer import Source
from data.importing.readers.strict import explain_no_text
from data.importing.tables.tables import read_records
from faithfulness.model.errors import ImportRefused


def packed(*names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "<x/>")
    return file.getvalue()


WORKBOOK = packed("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.xlsx", WORKBOOK, "a.xlsx: this is a spreadsheet, not text; open it there and save"),
        ("a.csv", WORKBOOK, "spreadsheet"),
        ("a.XLSX", packed("docProps/app.xml"), "spreadsheet"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 99, "spreadsheet"),
        ("a.docx", packed("[Content_Types].xml", "word/document.xml"), "Office document"),
        ("a.zip", packed("a.csv"), "ZIP file, not text; unpack it first"),
        ("a.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a.png: this is a picture"),
        ("a.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF", "picture"),
        ("a.webp", b"RIFF\x24\x00\x00\x00WEBPVP8 ", "picture"),
        ("a.pdf", b"%PDF-1.7\n%\xe2\xe3", "PDF"),
    ],
)
def test_what_is_no_text_is_named(name, content, words, tmp_path):
    path = tmp_path / "upload-0"
    path.write_bytes(content)
    with pytest.raises(ImportRefused) as refused:
        next(read_records(Source(name, path)))
    assert words in str(refused.value)


def test_a_text_with_the_ending_of_a_spreadsheet_stays_a_text():
    assert explain_no_text("a.xlsx", b"id,response,score\n1,xl/,3\n") == ""
