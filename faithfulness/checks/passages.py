"""Word index of source sentences and reviews, used to locate the origin of a statement.

Words are stems and numbers. A statement is matched to the passage that contains nearly all of them.
A very short statement is compared with parts of a passage, because few words can match by chance.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import ceil
from typing import NamedTuple

from faithfulness.checks.reviews import split_reviews
from faithfulness.model.vocabulary import Field, Span
from faithfulness.text.numbers.measures import NUMBER_WORDS
from faithfulness.text.sentences import cut_sentences
from faithfulness.text.stems import list_stems, stem
from faithfulness.text.words import find_numbers

_SHORT_REVIEW = 600  # characters of a review that is read as one passage
_TRIED = 60  # passages compared with one statement
_TITLE_WORDS = 8
_LABEL = re.compile(r"\s*(?:(?:product|item) )?(?:title|name|product)\s*:\s*", re.I)
_TITLE_ENDS = re.compile(r"[,|(\n;:]|[.!?](?=\s|$)| [-–—] | with | for ")
# "The Orla kettle holds 1.2 litres" is a sentence, which names the product by "Orla kettle".
_NAMED_IN_SENTENCE = re.compile(r"(?:The|This|Our|Meet the) ((?:[A-Z][\w-]*\s?)*(?:[a-z-]+)?)")
_PRODUCT_NOUNS = frozenset(
    map(stem, ("product", "item", "device", "unit", "model", "article", "gadget"))
)
_NUMBER_STEMS = frozenset(map(stem, NUMBER_WORDS))


class SourcePassage(NamedTuple):
    """A sentence of a source, or a whole review, with its words."""

    span: Span
    text: str
    words: frozenset[str]
    is_review: bool = False  # a whole review: its sentences may speak of several things


class PassageIndex(NamedTuple):
    """Passages, and for each word the numbers of those that have it."""

    passages: Sequence[SourcePassage]
    places: Mapping[str, Sequence[int]]

    def with_share(self, wanted: frozenset[str], share: float) -> Iterator[SourcePassage]:
        """Passages that can have this share of the words.

        One that lacks no more than it may has at least one of the rarest words, so only those
        places are looked at. Where even these are all over a long text, the first places must do.
        """
        may_lack = len(wanted) - ceil(share * len(wanted))
        rarest = sorted(wanted, key=lambda word: (len(self.places.get(word, ())), word))
        places = (place for word in rarest[: may_lack + 1] for place in self.places.get(word, ()))
        likely = islice(dict.fromkeys(islice(places, 2 * _TRIED)), _TRIED)
        return (self.passages[place] for place in sorted(likely))


def read_words(text: str) -> frozenset[str]:
    """Stems and numbers of a text; "four" counts as the number 4 only."""
    numbers = {f"{each:g}" for each in find_numbers(text)}
    stems = list_stems(text)
    return (stems - _NUMBER_STEMS if numbers else stems) | numbers


@lru_cache(maxsize=16)  # asked for every statement of the response
def collect_words(fields: tuple[Field, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(read_words(each.text) for each in fields))


@lru_cache(maxsize=16)
def index_sentences(fields: tuple[Field, ...]) -> PassageIndex:
    passages = []
    for field in fields:
        for start, end in _split_sentences(field):
            text = field.text[start:end]
            if text.rstrip().endswith("?"):
                continue  # a question states nothing
            span = Span(field=field.name, start=start, end=end)
            passages.append(SourcePassage(span, text, read_words(text)))
    return _build_index(passages)


@lru_cache(maxsize=16)
def index_reviews(fields: tuple[Field, ...]) -> PassageIndex:
    """Whole reviews, where the fields can be taken apart into them."""
    texts = {each.name: each.text for each in fields}
    passages = []
    for span in split_reviews(fields):
        text = texts[span.field][span.start : span.end]
        if len(text) <= _SHORT_REVIEW:
            passages.append(SourcePassage(span, text, read_words(text), True))
    return _build_index(passages)


@lru_cache(maxsize=16)
def collect_product_words(pages: tuple[Field, ...]) -> frozenset[str]:
    """Words that mean the product as a whole: of the title that a page begins with, and "item"."""
    found = set(_PRODUCT_NOUNS)
    for each in pages:
        label = _LABEL.match(each.text)
        begin = label.end() if label is not None else 0
        title = _TITLE_ENDS.split(each.text[begin : begin + 200].lstrip("#* \n"), maxsplit=1)[0]
        if (named := _NAMED_IN_SENTENCE.match(title)) is not None:
            found |= list_stems(named[1])
        elif len(title.split()) <= _TITLE_WORDS:
            found |= list_stems(title)
    return frozenset(found)


def _build_index(passages: Sequence[SourcePassage]) -> PassageIndex:
    places: dict[str, list[int]] = {}
    for place, each in enumerate(passages):
        for word in each.words:
            places.setdefault(word, []).append(place)
    return PassageIndex(passages, places)


def _split_sentences(field: Field) -> Iterable[tuple[int, int]]:
    """The sentences of a field; none runs on from one review into the next."""
    parts = split_reviews([field]) if field.kind == "reviews" else ()
    for begin, stop in [(each.start, each.end) for each in parts] or [(0, len(field.text))]:
        for start, end in cut_sentences(field.text[begin:stop]):
            yield begin + start, begin + end
