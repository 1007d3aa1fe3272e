"""Find the passages of the sources that come nearest to a free text."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from math import log
from typing import NamedTuple

from rapidfuzz import fuzz

from faithfulness.model.vocabulary import Field, Span
from faithfulness.text.normalise import lower
from faithfulness.text.stems import STOP_WORDS, stem

# A passage is a sentence, or a line; a longer one is cut between words.
_PASSAGE = re.compile(
    r"\S(?:[^\n]{0,380}?(?:[.!?]+[\"'”’)\]]*(?=\s|$)|[。！？])|[^\n]{0,380}(?=\s|$)|\S{0,380})"
)
_TERM = re.compile(r"\d+(?:[.,]\d+)*|[a-z][a-z'’]*|[^\W\d_a-z]")
_TERMS_READ = 400  # of a longer selection the beginning decides
_LOOKED_AT = 40  # passages compared letter by letter
_LEAST = 0.10  # a passage that scores lower shares only chance words


class Candidate(NamedTuple):
    """A passage that may bear on a text; `score` runs from 0 (unlike) to 1 (all of it is there)."""

    span: Span
    text: str
    score: float


class _Index(NamedTuple):
    spans: list[tuple[int, int]]
    holders: dict[str, list[int]]


def candidates(text: str, sources: Sequence[Field], most: int = 5) -> tuple[Candidate, ...]:
    """The nearest passages of all sources, best first; never raises, empty when nothing is near."""
    wanted = Counter(_terms(text)[:_TERMS_READ])
    indexes = [_indexed(each.text) for each in sources]
    passages = sum(len(each.spans) for each in indexes)
    if not wanted or not passages:
        return ()
    weights = {}
    for term in wanted:
        held = sum(len(each.holders.get(term, ())) for each in indexes)
        weights[term] = log(1 + passages / (held + 0.5))
    total = sum(weights.values())
    scores: defaultdict[tuple[int, int], float] = defaultdict(float)
    for number, index in enumerate(indexes):
        for term, weight in weights.items():
            for passage in index.holders.get(term, ()):
                scores[number, passage] += weight
    best = nlargest(
        _LOOKED_AT, scores.items(), key=lambda each: (each[1], -each[0][0], -each[0][1])
    )
    plain = lower(text)
    found = [_candidate(plain, sources[at[0]], indexes[at[0]].spans[at[1]], score / total)
             for at, score in best]  # fmt: skip
    near = [each for each in found if each.score >= _LEAST]
    return tuple(sorted(near, key=lambda each: -each.score)[:most])


def _candidate(plain: str, source: Field, span: tuple[int, int], shared: float) -> Candidate:
    start, end = span
    passage = source.text[start:end]
    alike = fuzz.token_set_ratio(plain, lower(passage)) / 100.0
    score = round(shared * (0.6 + 0.4 * alike), 4)
    return Candidate(Span(field=source.name, start=start, end=end), passage, score)


def _terms(text: str) -> list[str]:
    """Stems of words and numbers; a script without blanks gives its characters."""
    found = _TERM.findall(lower(text))
    return [stem(each) for each in found if each not in STOP_WORDS]


@lru_cache(maxsize=32)
def _indexed(text: str) -> _Index:
    spans = list(_passages(text))
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for number, (start, end) in enumerate(spans):
        for term in set(_terms(text[start:end])):
            holders[term].append(number)
    return _Index(spans, dict(holders))


def _passages(text: str) -> Iterator[tuple[int, int]]:
    for found in _PASSAGE.finditer(text):
        yield found.span()
