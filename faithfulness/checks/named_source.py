"""Facts told with the wrong source: from reviews without naming them, or named as the detail page.

"Product page", "context", the seller and the manufacturer mean the detail page without the
reviews; what the seller answers there belongs to it. Words decide, not meaning: a sentence is taken
to come from a passage that has nearly all of its words, and only where the other side lacks most.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import ceil
from typing import NamedTuple

from faithfulness.checks.check import (
    CannotCheck,
    Check,
    Outcome,
    Statement,
    Words,
    finding,
    following,
    of_kind,
    statements,
)
from faithfulness.checks.cues import SPEECH, names_customers, names_page, without_cues
from faithfulness.checks.reviews import reviews_of
from faithfulness.text.clashes import clashes
from faithfulness.text.language import is_english
from faithfulness.text.no_source import needs_no_source
from faithfulness.text.sentences import cut
from faithfulness.text.stems import stem, stems_of
from faithfulness.text.words import numbers_in
from faithfulness.vocabulary import Field, Finding, Item, Span

KEY = "named_source"
_FEWEST = 3  # content words: two meet by chance
_FROM, _SURE = 0.75, 0.99  # share of a sentence's words that its passage has
_SHORT = 600  # characters of a review that is read as one passage
_TRIED = 60  # passages compared with one sentence
_LACKS = 0.5  # share above which the other side may have said it
_SPEECH = frozenset(
    stem(each) for word in SPEECH.replace("?", "").split("|") for each in word.split()
) | {"accord", "stat", "list", "giv", "provid", "specif", "includ", "describ", "page"}
_GOES_ON = re.compile(r"(?:he|she|they|another|others|one|some|it also|the same)\b", re.I)


class _Passage(NamedTuple):
    span: Span
    text: str
    words: frozenset[str]
    whole: bool = False  # a whole review: its sentences may speak of several things


class _Index(NamedTuple):
    passages: Sequence[_Passage]
    places: Mapping[str, Sequence[int]]  # of each word, the passages that have it


class _Match(NamedTuple):
    passage: _Passage
    share: float


def run(item: Item) -> Outcome:
    reviews, pages = of_kind(item, "reviews"), of_kind(item, "detail_page", "context")
    if not reviews:
        return CannotCheck(why="the item has no reviews apart from the detail page")
    if not pages:
        return CannotCheck(why="the item has no detail page apart from the reviews")
    if not all(is_english(each.text) for each in (*reviews, *pages, *of_kind(item, "response"))):
        return CannotCheck(why="the sources or the response are not in English")
    others = tuple(each for each in item.sources if each.kind != "reviews")
    found: list[Finding] = []
    for before, each in following(statements(item)):
        found += _marks(item, before, each, reviews, others)
    return tuple(found)


def _marks(
    item: Item,
    before: Statement | None,
    said: Statement,
    reviews: tuple[Field, ...],
    pages: tuple[Field, ...],
) -> Iterator[Finding]:
    if needs_no_source(said.text):
        return
    wanted = _words(without_cues(said.text)) - _SPEECH
    if len(wanted) < _FEWEST:
        return
    words = Words(said.start, said.end)
    customers = names_customers(said.text) or _is_carried(before, said)
    if not customers:
        if _share(wanted, _all(pages)) > _LACKS:
            return
        match = _best(said.text, wanted, _passages(reviews))
        match = match or _best(said.text, wanted, _whole_reviews(reviews))
        if match is None:
            return
        kind, says = _told(said.text)
        yield finding(KEY, kind, item, words, says, source=match.passage.span,
                      sure=match.share >= _SURE and not match.passage.whole)  # fmt: skip
    elif not names_page(said.text):
        match = _best(said.text, wanted, _passages(pages))
        if match is not None and _share(wanted, _all(reviews)) <= _LACKS:
            says = "told as what customers say, but only the detail page seems to say so"
            yield finding(KEY, "not_in_reviews", item, words, says,
                          source=match.passage.span, sure=False)  # fmt: skip


def _told(text: str) -> tuple[str, str]:
    if names_page(text):
        return "not_on_page", "told as what the detail page says, but it stands only in a review"
    return "review_as_fact", "stands only in a review and is told without naming customers"


def _is_carried(before: Statement | None, said: Statement) -> bool:
    """Whether the sentence goes on with what a customer named before it says."""
    return (
        before is not None
        and names_customers(before.text)
        and _GOES_ON.match(said.text.lstrip("-*• ")) is not None
    )


def _best(text: str, wanted: frozenset[str], index: _Index) -> _Match | None:
    """The passage with most of the words; None below the bar or where the two clash."""
    likely = (index.passages[place] for place in sorted(_likely(wanted, index)))
    best = max(
        (_Match(each, _share(wanted, each.words)) for each in likely),
        key=lambda each: each.share,
        default=None,
    )
    if best is None or best.share < _FROM or clashes(text, best.passage.text):
        return None
    return best


def _likely(wanted: frozenset[str], index: _Index) -> Iterable[int]:
    """Passages that can have enough of the words.

    One that lacks no more than it may has at least one of the rarest words, so only those places
    are looked at. Where even these stand all over a long text, the first places must do.
    """
    may_lack = len(wanted) - ceil(_FROM * len(wanted))
    rarest = sorted(wanted, key=lambda word: (len(index.places.get(word, ())), word))
    places = (place for word in rarest[: may_lack + 1] for place in index.places.get(word, ()))
    return islice(dict.fromkeys(islice(places, 2 * _TRIED)), _TRIED)


def _share(wanted: frozenset[str], known: frozenset[str]) -> float:
    return len(wanted & known) / len(wanted)


def _words(text: str) -> frozenset[str]:
    """Stems and numbers of a text."""
    return stems_of(text) | {f"{each:g}" for each in numbers_in(text)}


@lru_cache(maxsize=16)  # asked for every sentence of the response
def _all(fields: tuple[Field, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(_words(each.text) for each in fields))


@lru_cache(maxsize=16)
def _passages(fields: tuple[Field, ...]) -> _Index:
    found = []
    for field in fields:
        for start, end in _sentences(field):
            text = field.text[start:end]
            if text.rstrip().endswith("?"):
                continue  # a customer's question states nothing
            span = Span(field=field.name, start=start, end=end)
            found.append(_Passage(span, text, _words(text)))
    return _indexed(found)


@lru_cache(maxsize=16)
def _whole_reviews(fields: tuple[Field, ...]) -> _Index:
    texts = {each.name: each.text for each in fields}
    found = []
    for span in reviews_of(fields):
        text = texts[span.field][span.start : span.end]
        if len(text) <= _SHORT:
            found.append(_Passage(span, text, _words(text), True))
    return _indexed(found)


def _indexed(found: Sequence[_Passage]) -> _Index:
    places: dict[str, list[int]] = {}
    for place, each in enumerate(found):
        for word in each.words:
            places.setdefault(word, []).append(place)
    return _Index(found, places)


def _sentences(field: Field) -> Iterator[tuple[int, int]]:
    """The sentences of a field; none runs on from one review into the next."""
    parts = reviews_of([field]) if field.kind == "reviews" else ()
    for begin, stop in [(each.start, each.end) for each in parts] or [(0, len(field.text))]:
        for start, end in cut(field.text[begin:stop]):
            yield begin + start, begin + end


CHECK = Check(
    key=KEY,
    title="Named source",
    about="A fact that stands only in reviews must be told as what customers say.",
    needs=("reviews", "detail_page"),
    run=run,
)
