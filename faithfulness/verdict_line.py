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
_SCORE_TAG = re.compile(r"<score>([^<]{0,60})</score>", re.IGNORECASE)
_LONGEST_VERDICT = 200  # characters of a line


class VerdictLine(NamedTuple):
    """What the line says, or why there is none; `reasons` is the reply around it."""

    value: str | None
    problem: str
    reasons: str
    notes: tuple[str, ...] = ()


def verdict_line(reply: str, item: Item, mark: str) -> VerdictLine:
    """The score on a line `Score- <score>X</score>` of its own; a tag in a sentence never counts.

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
    counted = marked or found
    values = {match.group(1).strip() for _, match in counted}
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
    return _VERDICT.fullmatch(line) if len(line) <= _LONGEST_VERDICT else None


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
