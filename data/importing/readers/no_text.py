"""No text: what a file is that cannot be read as text, with what to do instead."""

from pathlib import PurePath

LOOKED_AT = 4096  # bytes: an Excel file names its parts within them
_PACKED = {b"\x1f\x8b": "gzip", b"PAR1": "Parquet", b"BZh": "bzip2", b"ARROW1": "Arrow"}
_PACKED |= {b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "Zstandard"}
_PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*")
_ZIP, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SHEET_ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xltx", ".xls", ".ods", ".numbers")
_SHEET_PARTS = (b"xl/", b"opendocument.spreadsheet")
_OFFICE_PARTS = (b"[Content_Types].xml", b"opendocument.")  # also of what holds no tables


def why_no_text(name: str, head: bytes) -> str:
    """What the file is and what to do; empty when its beginning may be text.

    Args:
        name: the file's own name, for its ending.
        head: its first bytes, as many as LOOKED_AT.
    """
    if head.startswith((_ZIP, _OLD_OFFICE)):
        return _packed_office(name, head)
    if head.startswith(_PICTURES) or (head.startswith(b"RIFF") and head[8:12] == b"WEBP"):
        return "this is a picture, not a text file; choose the file that holds the answers"
    if head.startswith(b"%PDF-"):
        return "this is a PDF, not a text file; choose the file that holds the answers"
    for magic, kind in _PACKED.items():
        if head.startswith(magic):
            return f"this is a {kind} file, not text; unpack it first"
    return ""


def _packed_office(name: str, head: bytes) -> str:
    is_sheet = PurePath(name).suffix.lower() in _SHEET_ENDINGS
    if is_sheet or any(part in head for part in _SHEET_PARTS):
        return "this is a spreadsheet, not text; open it there and save the sheet as CSV (UTF-8)"
    if head.startswith(_OLD_OFFICE) or any(part in head for part in _OFFICE_PARTS):
        return "this is an Office document, not text; save what it holds as CSV or text (UTF-8)"
    return "this is a ZIP file, not text; unpack it first"
