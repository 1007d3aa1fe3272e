"""Text in readable form: composed accents, no Markdown emphasis, with original offsets."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

# In pairs alone, and never inside a word: 20*30 cm, 5* and snake_case keep their signs. What is
# struck through (~~15~~) is taken back, so that its signs stay.
_EMPHASIS = re.compile(
    r"(?<![\w*`~])(?P<mark>\*{1,3}|_{1,3}|`)(?=[^\s*_`~])[^*_`~\n]{1,200}?(?<=\S)(?P=mark)"
    r"(?![\w*`~])"
)
_JAMO = range(0x1160, 0x1200)  # vowels and endings of Korean syllables, which begin nothing


class Readable(NamedTuple):
    """What is read, and for each of its characters where the original has it."""

    text: str
    starts: tuple[int, ...] = ()  # empty: the text is as it was
    ends: tuple[int, ...] = ()

    def place(self, start: int, end: int) -> tuple[int, int]:
        """A range of the text as a range of the original."""
        if not self.starts or start >= end:
            return start, end
        return self.starts[start], self.ends[end - 1]


@lru_cache(maxsize=512)
def make_readable(text: str) -> Readable:
    """The same words whichever way accents were typed and words were emphasised."""
    marks = _find_emphasis(text)
    if not marks and (text.isascii() or unicodedata.is_normalized("NFC", text)):
        return Readable(text)
    read = [
        (letter, start, end)
        for letter, start, end in _compose_characters(text)
        if start not in marks
    ]
    letters, starts, ends = zip(*read, strict=True) if read else ((), (), ())
    return Readable("".join(letters), starts, ends)


def compose_accents(text: str) -> Readable:
    """The same text with every letter and its accents in one character, where there is one."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return Readable(text)
    letters, starts, ends = zip(*_compose_characters(text), strict=True)
    return Readable("".join(letters), starts, ends)


def _find_emphasis(text: str) -> frozenset[int]:
    """Where the marks stand; none inside others, as "***" is one mark."""
    if "*" not in text and "_" not in text and "`" not in text:
        return frozenset()
    found: set[int] = set()
    for pair in _EMPHASIS.finditer(text):
        size = len(pair["mark"])
        found.update(range(pair.start(), pair.start() + size))
        found.update(range(pair.end() - size, pair.end()))
    return frozenset(found)


def _compose_characters(text: str) -> Iterator[tuple[str, int, int]]:
    """Each character with its place; letters joined with the accents that follow them."""
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and (unicodedata.combining(text[end]) or ord(text[end]) in _JAMO):
            end += 1
        letters = unicodedata.normalize("NFC", text[start:end])
        if len(letters) > end - start:
            letters = text[start:end]  # a few letters are only ever written in parts
        for at, letter in enumerate(letters, start=start):
            yield letter, at, end if at - start == len(letters) - 1 else at + 1
        start = end
