"""Find the score that a judge gave on a verdict line of its own."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from faithfulness.reading import hear
from faithfulness.vocabulary import Item

_VERDICT = re.compile(
    r"[ \t]*(?:\*\*|__)?(?:final[ \t]+)?score[ \t]*[-–—:][ \t]*(?:\*\*|__)?[ \t]*"
    r"<score>([^<]{0,60})</score>[ \t]*(?:\*\*|__)?\.?\s*",
    re.IGNORECASE,
)
# The same line with a list number (the published prompt asks for a numbered structure), as a
# heading, in backticks, or followed by a remark in parentheses.
_DECORATION = r"[`*_]{0,3}"
_LENIENT_VERDICT = re.compile(
    rf"[ \t]*(?:#{{1,6}}[ \t]+)?(?:{_DECORATION}\d{{1,2}}[.)]{_DECORATION}[ \t]+)?"
    rf"{_DECORATION}(?:final[ \t]+)?score{_DECORATION}[ \t]*[-–—:][ \t]*{_DECORATION}[ \t]*"
    rf"<score>([^<]{{0,60}})</score>[ \t]*{_DECORATION}\.?"
    rf"(?:[ \t]*\([^()<>]{{1,120}}\))?{_DECORATION}\.?{_DECORATION}\s*",
    re.IGNORECASE,
)
_SCORE_TAG = re.compile(r"<score>([^<]{0,60})</score>", re.IGNORECASE)
_READ_LENIENTLY = "the verdict line was read leniently, it is not just Score- <score>X</score>"
_LONGEST_VERDICT = 200  # characters of a line


class VerdictLine(NamedTuple):
    """What the line says, or why there is none; `reasons` is the reply around it."""

    value: str | None
    problem: str
    reasons: str
    notes: tuple[str, ...] = ()


def verdict_line(reply: str, item: Item, mark: str) -> VerdictLine:
    """The score on a line `Score- <score>X</score>` of its own; a tag in a sentence never counts.

    Where no line has exactly this form, one with a list number, as a heading, in backticks or with
    a remark in parentheses is read, with a note.
    A verdict whose value also stands in a score tag of the item's own texts may be a quotation.
    It counts only when the line above it is the call's mark, which no text can know.
    """
    heard = hear(reply)
    lines = heard.text.split("\n")
    found = [(number, match) for number, line in enumerate(lines) if (match := _fits(line))]
    below_mark = _below_mark(lines, mark)
    marked = [(number, match) for number, match in found if number in below_mark]
    notes = list(heard.notes)
    if marked and len(marked) < len(found):
        notes.append("verdict lines without this call's mark were not counted")
    exact = [(number, match) for number, match in marked or found if match.re is _VERDICT]
    counted = exact or marked or found
    values = {match.group(1).strip() for _, match in counted}
    if counted and not exact:
        notes.append(f"{_READ_LENIENTLY}: “{counted[-1][1].string.strip()}”")
    spoken = {number for number, _ in counted}
    reasons = "\n".join(
        line
        for number, line in enumerate(lines)
        if number not in spoken and (not mark or line.strip() != mark)
    ).strip()
    problem = _no_verdict(values, heard.text)
    value = next(iter(values)) if not problem else None
    if value is not None and not marked and value in _planted_scores(item):
        problem = f"the item's own text holds a score tag with {value!r}; this may be a quotation"
        value = None
    return VerdictLine(value=value, problem=problem, reasons=reasons, notes=tuple(notes))


def _planted_scores(item: Item) -> set[str]:
    return {tag.strip() for each in item.fields for tag in _SCORE_TAG.findall(each.text)}


def _fits(line: str) -> re.Match[str] | None:
    if len(line) > _LONGEST_VERDICT:
        return None
    return _VERDICT.fullmatch(line) or _LENIENT_VERDICT.fullmatch(line)


def _below_mark(lines: Sequence[str], mark: str) -> set[int]:
    """Numbers of the lines whose nearest line above, blank ones aside, is the mark alone."""
    below: set[int] = set()
    above = ""
    for number, line in enumerate(lines):
        if not (bare := line.strip().strip("*`")):
            continue
        if mark and above == mark:
            below.add(number)
        above = bare
    return below


def _no_verdict(values: set[str], text: str) -> str:
    if len(values) > 1:
        return f"the reply has verdict lines that differ: {', '.join(sorted(values)[:5])}"
    if values:
        return ""
    if not text.strip():
        return "the reply is empty"
    return "the reply has no line of its own with Score- <score>X</score>"
