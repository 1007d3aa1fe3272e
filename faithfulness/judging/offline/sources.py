"""Index the sentences of an item's sources by word stem, with a cache."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from faithfulness.model.vocabulary import Field
from faithfulness.text.sentences import cut_sentences
from faithfulness.text.words import find_numbers, join_thousands, read_words

_LONGEST = 600  # characters of a passage; a text without full stops is cut between words
_APART = 100  # tokens between two passages, so that no two words lie near each other across them
_NEAR = 8


class SourceSentence(NamedTuple):
    """A sentence of a source."""

    source: int  # which of the fields
    start: int
    end: int
    text: str
    stems: frozenset[str]
    names: frozenset[str]


class IndexedSources(NamedTuple):
    """All passages of all sources with an index of their words."""

    fields: tuple[Field, ...]
    passages: tuple[SourceSentence, ...]
    holders: dict[str, list[int]]  # stem -> passages, in order
    places: dict[str, list[int]]  # stem -> places of its tokens, passages far apart
    pairs: dict[tuple[str, str], set[int]]  # neighbouring content stems -> passages
    numbers: frozenset[float]

    def holds(self, root: str) -> bool:
        return root in self.holders

    def are_near(self, one: str, other: str) -> bool:
        """Whether some passage has both stems within a few words."""
        few, many = self.places.get(one, ()), self.places.get(other, ())
        if len(few) > len(many):
            few, many = many, few
        for place in few:
            at = bisect_left(many, place - _NEAR)
            if at < len(many) and many[at] <= place + _NEAR:
                return True
        return False


@lru_cache(maxsize=16)
def index_sources(fields: tuple[Field, ...]) -> IndexedSources:
    """The passages of these fields; kept, because a judge asks for the same ones again."""
    passages: list[SourceSentence] = []
    holders: dict[str, list[int]] = {}
    places: dict[str, list[int]] = {}
    pairs: dict[tuple[str, str], set[int]] = {}
    numbers: set[float] = set()
    first = 0
    for source, field in enumerate(fields):
        for start, end in _split_passages(field.text):
            text = field.text[start:end]
            words = read_words(text)
            numbers |= find_numbers(text) | find_numbers(join_thousands(text))
            number = len(passages)
            stems = frozenset(words.stems)
            passages.append(SourceSentence(source, start, end, text, stems, words.names))
            for root in words.content:
                holders.setdefault(root, []).append(number)
            for root, place in zip(words.stems, words.places, strict=True):
                places.setdefault(root, []).append(first + place)
            for pair in zip(words.stems, words.stems[1:], strict=False):
                pairs.setdefault(pair, set()).add(number)
            first += words.tokens + _APART
    return IndexedSources(fields, tuple(passages), holders, places, pairs, frozenset(numbers))


def _split_passages(text: str) -> Iterator[tuple[int, int]]:
    for start, end in cut_sentences(text):
        while end - start > _LONGEST:
            blank = text.rfind(" ", start + 1, start + _LONGEST)
            middle = blank if blank > start else start + _LONGEST
            yield start, middle
            start = middle + len(text[middle:end]) - len(text[middle:end].lstrip())
        if start < end:
            yield start, end
