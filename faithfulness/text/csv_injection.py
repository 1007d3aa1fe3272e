"""Protect CSV and Excel cells against formula injection.

A cell gets a leading apostrophe if its first character, after any blanks and quotes, is one that a
spreadsheet may interpret as a formula. The apostrophe itself counts as a quote, so removing one
(`unguard_cell`) restores the exact text of every cell, guarded or not.
"""

import re

# The guarded first column tells our own CSV from others, whose apostrophes are not ours to take.
FIRST_COLUMN = "plumbline_item"

LONGEST_CELL = 32_767
CUT_NOTE = " [cut: an Excel cell holds 32,767 characters]"

# ASCII, full-width, small, raised and lowered = + - @, and control characters that start a formula.
_STARTS = "=+\\-@\t\r\n＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−"
_QUOTES = "\"'`´‘’‚‛“”„‟«»‹›＂＇"
_UNSEEN = "\ufeff\u00ad\u200b-\u200f\u2060\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
_RISKY = re.compile(f"[\\s{_QUOTES}{_UNSEEN}]*[{_STARTS}]")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def guard_cell(text: str) -> str:
    """The cell with an apostrophe in front where it could be taken for a formula."""
    return f"'{text}" if _RISKY.match(text) else text


def unguard_cell(cell: str) -> str:
    """The text that `guard_cell` was given."""
    return cell[1:] if cell.startswith("'") and _RISKY.match(cell[1:]) else cell


def clean_excel_text(text: str) -> str:
    """The text as an Excel cell can hold it: no control characters, cut with a note."""
    clean = _NOT_IN_XML.sub("", text)
    if len(clean) * 2 <= LONGEST_CELL or _count_excel_characters(clean) <= LONGEST_CELL:
        return clean
    room = LONGEST_CELL - len(CUT_NOTE)
    shorter = clean[:room]
    while _count_excel_characters(shorter) > room:
        shorter = shorter[: len(shorter) - max(1, (_count_excel_characters(shorter) - room) // 2)]
    return shorter + CUT_NOTE


def _count_excel_characters(text: str) -> int:
    """Characters as Excel counts them: those beyond the first 65,536 count twice."""
    return len(text.encode("utf-16-le")) // 2
