"""Normalize a text for matching, with a mapping back to the original offsets."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from faithfulness.text.readable import compose_accents

Places = NDArray[np.int32]

_QUOTES = {
    **dict.fromkeys("“”„«»‟″＂", '"'),
    **dict.fromkeys("‘’‚‛′`´＇", "'"),
    **dict.fromkeys("‐‑‒–—−－", "-"),
}
_NON_ASCII_SPACES = "".join(chr(code) for code in range(128, 0x3001) if chr(code).isspace())
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_CONTROLS = "".join(map(chr, range(32))) + "\x7f"
_SAME_LENGTH = {**_QUOTES, **dict.fromkeys(_NON_ASCII_SPACES + _INVISIBLE + _CONTROLS, " ")}
_ASCII_TABLE = str.maketrans({old: new for old, new in _SAME_LENGTH.items() if old.isascii()})
_ODD = re.compile("[" + re.escape("".join(_SAME_LENGTH)) + "]")
_NON_ASCII_SPACE = re.compile("[" + _NON_ASCII_SPACES + "]")
# Each pattern begins with a fixed character: the search then skips through the text.
_EMPHASIS = re.compile(r"\*\*|__")
_CITATION = re.compile(r"\[\d{1,3}\]")
_LINE_MARK = re.compile(r"\n[ \t]*(?:[-*+•>]|#{1,6})(?=[ \t])")
_LINE_NUMBER = re.compile(r"(?m)^[ \t]*\d{1,3}[.)](?=[ \t])")

# Between digits punctuation carries the value: 1.5 is not 15, 10-20 is not 1020. It survives
# squashing as a control character, which a normalised text cannot contain.
_BETWEEN_DIGITS = re.compile(r"\d[^\w$€£¥₹%‰°+<>=≤≥±]+(?=\d)")
_BETWEEN_DIGITS_ASCII = re.compile(r"[0-9][^\w$%+<>=]+(?=[0-9])", re.ASCII)
_MINUS = re.compile(r"-(?=\d)(?<![\w)\]]-)")
_KEPT = {".": "\x01", ",": "\x02", ":": "\x03", "/": "\x04", "-": "\x05"}
_GAP, _NEGATIVE = "\x06", "\x07"
_KEPT_PUNCTUATION = frozenset("%‰&@°")
PUNCTUATION = "|~" + "".join(
    chr(code)
    for code in (*range(32, 0x3100), *range(0xFE00, 0xFE70), *range(0xFF00, 0xFF66))
    if unicodedata.category(chr(code)) in {"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Zs", "Sk"}
    and chr(code) not in _KEPT_PUNCTUATION
)
_DROP_ASCII = "".join(each for each in PUNCTUATION if each.isascii()).encode("ascii")
_DROPPED_CODES = np.zeros(0x110000, dtype=bool)
_DROPPED_CODES[[ord(each) for each in PUNCTUATION]] = True


def replace_spaces(text: str) -> str:
    """The same text with every non-ASCII space as a blank; the length stays."""
    return text if text.isascii() else _NON_ASCII_SPACE.sub(" ", text)


def lower_same_length(text: str) -> str:
    """Lower case that never changes the length (İ would become two characters)."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def fold_blanks(text: str) -> str:
    return " ".join(text.split())


def normalize_text(text: str) -> "Normal":
    read = compose_accents(text)
    if not read.starts:
        return Normal(same_length_text=_fold_same_length(text))
    return Normal(
        same_length_text=_fold_same_length(read.text),
        starts=np.array(read.starts, np.int32),
        ends=np.array(read.ends, np.int32),
    )


def reduce_text(text: str) -> str:
    """The normalised text alone, for short texts that need no way back."""
    return _fold_text(_fold_same_length(compose_accents(text).text))


def squashed(normal_text: str) -> str:
    """A normalised text without punctuation but between digits."""
    return _remove_punctuation(_mark_numbers(normal_text))


def blank_line_numbers(text: str) -> str:
    """The text with blanks in place of the numbers that lead its lines; the length stays."""
    return _LINE_NUMBER.sub(_make_blanks, text)


def _fold_text(text: str) -> str:
    return text.strip(" ") if "  " not in text else fold_blanks(text)


def _remove_punctuation(marked: str) -> str:
    if marked.isascii():
        # Bytes are translated many times as fast as characters.
        return marked.encode("ascii").translate(None, _DROP_ASCII).decode("ascii")
    codes = _encode_characters(marked)
    return codes[~_DROPPED_CODES[codes]].tobytes().decode("utf-32-le", "surrogatepass")


def _fold_same_length(text: str) -> str:
    plain = _blank_markdown(text)
    if plain.isascii():
        # Most texts hold nothing to replace, and looking is much cheaper than replacing.
        odd = "`" in plain or not plain.isprintable()
        return (plain.translate(_ASCII_TABLE) if odd else plain).lower()
    return lower_same_length(_ODD.sub(lambda odd: _SAME_LENGTH[odd.group()], plain))


def _blank_markdown(text: str) -> str:
    if "**" in text or "__" in text:
        text = _EMPHASIS.sub("  ", text)
    if "[" in text:
        text = _CITATION.sub(_make_blanks, text)
    if "\n" not in text and text[:1].isalpha():
        return text
    return _LINE_MARK.sub(_make_blanks, "\n" + text)[1:]


def _make_blanks(mark: re.Match[str]) -> str:
    return " " * len(mark.group())


def _mark_numbers(text: str) -> str:
    pattern = _BETWEEN_DIGITS_ASCII if text.isascii() else _BETWEEN_DIGITS
    return _MINUS.sub(_NEGATIVE, pattern.sub(_replace_mark, text))


def _replace_mark(between: re.Match[str]) -> str:
    found = between.group()
    return found[0] + _KEPT.get(found[1:], _GAP) + " " * (len(found) - 2)


def _encode_characters(text: str) -> NDArray[np.uint8] | NDArray[np.uint32]:
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


@dataclass(frozen=True, kw_only=True)
class Normal:
    """A text in lower case, plain quotes and single blanks, without Markdown; maps are lazy."""

    same_length_text: str  # as long as the text with composed accents
    # Where each of its characters begins and ends in the original, when accents were composed.
    starts: Places | None = None
    ends: Places | None = None

    @cached_property
    def text(self) -> str:
        return _fold_text(self.same_length_text)

    @cached_property
    def _kept(self) -> Places:
        """For every character of `text`, where it stands in `same_length_text`."""
        start = len(self.same_length_text) - len(self.same_length_text.lstrip(" "))
        if "  " not in self.same_length_text:
            return np.arange(start, start + len(self.text), dtype=np.int32)
        blank = _encode_characters(self.same_length_text) == 32
        keep = ~blank
        keep[1:] |= blank[1:] & ~blank[:-1]
        keep[:start] = False
        keep[len(self.same_length_text.rstrip(" ")) :] = False
        return np.flatnonzero(keep).astype(np.int32)

    @cached_property
    def places(self) -> Places:
        """For every character of `text`, where it stands in the original."""
        return self._kept if self.starts is None else self.starts[self._kept]

    @cached_property
    def _marked(self) -> str:
        return _mark_numbers(self.text)

    @cached_property
    def squashed(self) -> str:
        """Words and numbers run together, for copies that differ in punctuation alone."""
        return _remove_punctuation(self._marked)

    @cached_property
    def _squashed_kept(self) -> Places:
        return self._kept[~_DROPPED_CODES[_encode_characters(self._marked)]]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A range of `text` as a range of the original."""
        return self._span(int(self._kept[start]), int(self._kept[end - 1]))

    def squashed_span(self, start: int, end: int) -> tuple[int, int]:
        """A range of `squashed` as a range of the original."""
        return self._span(int(self._squashed_kept[start]), int(self._squashed_kept[end - 1]))

    def _span(self, first: int, last: int) -> tuple[int, int]:
        """From the first character to the last one, with the accents that follow it."""
        if self.starts is None or self.ends is None:
            return first, last + 1
        return int(self.starts[first]), int(self.ends[last])
