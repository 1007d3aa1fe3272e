"""A text with its canonical sentences, indexed once for repeated alignment queries."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from faithfulness.text.normalise import PUNCTUATION, Normal, blank_line_numbers, normalize_text

ALL_PAIRS = 24  # longer texts are searched by shared words, so that time stays linear
_WORD = re.compile(r"\w{3,}|[^\W\d_a-zа-яё]{1,2}")


@dataclass(frozen=True, kw_only=True)
class Canonical:
    """A text, where its canonical sentences stand, and which of them hold a given word."""

    normal: Normal
    spans: tuple[tuple[int, int], ...]
    bounds: tuple[tuple[int, int], ...]  # the same spans in the normalised text
    texts: tuple[str, ...]
    by_core: dict[str, list[int]]
    by_word: dict[str, list[int]]


@lru_cache(maxsize=16)
def build_canonical(text: str, spans: tuple[tuple[int, int], ...]) -> Canonical:
    normal = normalize_text(blank_line_numbers(text))  # judges repeat a line without its number
    places = normal.places
    starts = places.searchsorted([start for start, _ in spans]).tolist()
    ends = places.searchsorted([end for _, end in spans]).tolist()
    bounds = tuple(zip(starts, ends, strict=True))
    texts = tuple(normal.text[start:end].strip() for start, end in bounds)
    by_core: dict[str, list[int]] = {}
    by_word: dict[str, list[int]] = {}
    for index, each in enumerate(texts):
        by_core.setdefault(strip_marks(each), []).append(index)
        if len(texts) > ALL_PAIRS:
            for word in list_word_pairs(each):
                by_word.setdefault(word, []).append(index)
    return Canonical(
        normal=normal, spans=spans, bounds=bounds, texts=texts, by_core=by_core, by_word=by_word
    )


def strip_marks(text: str) -> str:
    """A normalised sentence without the marks around it."""
    return text.strip(PUNCTUATION)


def list_word_pairs(text: str) -> set[str]:
    """Words and neighbouring words: where all words are common, their pairs are not."""
    words = _WORD.findall(text)
    return {*words, *map(" ".join, pairwise(words))}
