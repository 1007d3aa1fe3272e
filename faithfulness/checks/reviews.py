"""Split a reviews field into single reviews if its layout separates them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from faithfulness.model.vocabulary import Field, Span

# What a line begins with when it begins a review; the first line of the field decides which.
_STARTS = (
    re.compile(r"[ \t]*[★☆⭐✩✪]"),
    re.compile(r"[ \t]*(?:customer )?review(?: (?:no\.? ?)?#?\d+\b|er\b[^:\n]{0,40}:|:)", re.I),
    re.compile(r"[ \t]*(?:rating|stars)[: ]", re.I),
    re.compile(r"[ \t]*[1-5](?:[.,]\d)? ?(?:/ ?5|out of 5|stars?)\b", re.I),
    re.compile(r"[ \t]*[\[(]?\d{1,4}[.):\]]\)?[ \t]"),
    re.compile(r"[ \t]*[-•*–][ \t]"),
)
_BLANK = re.compile(r"\n[ \t]*\r?\n\s*")
_LINE = re.compile(r"[^\n]+")


def split_reviews(fields: Iterable[Field]) -> tuple[Span, ...]:
    """Every review of these fields; empty when one of them is a block that cannot be parted."""
    found: list[Span] = []
    for field in fields:
        parts = _split_text(field.text)
        if not parts:
            return ()
        found += [Span(field=field.name, start=start, end=end) for start, end in parts]
    return tuple(found)


@lru_cache(maxsize=32)
def _split_text(text: str) -> tuple[tuple[int, int], ...]:
    lines = [each.span() for each in _LINE.finditer(text) if each.group().strip()]
    if not lines:
        return ()
    for pattern in _STARTS:
        if pattern.match(text, lines[0][0]):
            begins = [start for start, _ in lines if pattern.match(text, start)]
            return _build_ranges(text, begins)
    gaps = [each.end() for each in _BLANK.finditer(text.rstrip())]
    if gaps:
        return _build_ranges(text, [lines[0][0], *[each for each in gaps if each > lines[0][0]]])
    return tuple(lines) if len(lines) > 1 else ()


def _build_ranges(text: str, begins: list[int]) -> tuple[tuple[int, int], ...]:
    ends = [*begins[1:], len(text)]
    return tuple(
        (start, start + len(text[start:end].rstrip()))
        for start, end in zip(begins, ends, strict=True)
    )
