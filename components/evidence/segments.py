"""Split a text into segments at the boundaries of its marks.

The browser receives segments instead of offsets: Python counts characters, JavaScript counts UTF-16
code units, so offsets would be wrong after the first emoji.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple


class TextMark(NamedTuple):
    """A range of a text and the name of what it belongs to."""

    start: int
    end: int
    name: str


Segment = tuple[str, list[str]]  # the words, and the names of the marks that cover them


def segments(text: str, marks: Iterable[TextMark]) -> list[Segment]:
    """Cut the text wherever a mark begins or ends; one sweep, whatever the number of marks."""
    begins: dict[int, list[str]] = defaultdict(list)
    ends: dict[int, list[str]] = defaultdict(list)
    for mark in marks:
        start, end = max(0, mark.start), min(len(text), mark.end)
        if start < end:
            begins[start].append(mark.name)
            ends[end].append(mark.name)
    open_now: list[str] = []
    found: list[Segment] = []
    for start, end in pairwise(sorted({0, len(text), *begins, *ends})):
        for name in ends[start]:
            open_now.remove(name)
        open_now.extend(begins[start])
        found.append((text[start:end], list(dict.fromkeys(open_now))))
    return found
