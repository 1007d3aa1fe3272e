"""Check that quoted reviews occur verbatim in the reviews; suggest the nearest passage."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from faithfulness.checks.check import (
    CannotCheck,
    Check,
    FindingRange,
    Outcome,
    list_statements,
    make_finding,
    make_outcome,
    select_fields,
)
from faithfulness.checks.cues import SPEECH, names_customers, names_page
from faithfulness.checks.reviews import split_reviews
from faithfulness.model.vocabulary import Field, Finding, Item, Placement, Span, Tier
from faithfulness.text.excerpts import PreparedSource, find_nearest, place_excerpt, prepare_source
from faithfulness.text.language import is_english
from faithfulness.text.stems import fold_apostrophes

KEY = "quoted_review"
# A straight mark opens only before a word and closes only after one: 15" is a length.
_QUOTED = re.compile(
    r"“([^“”]{8,600})”|„([^„“”]{8,600})[“”]|«([^«»]{8,600})»"
    r"|(?<![\w\d])\"(?=\S)([^\"\n]{8,600})(?<=\S)\"(?!\w)"
)
_FEWEST, _SURE = 3, 5  # words: fewer are a term; from five on nobody writes them by chance
_SMALL = frozenset({"of", "the", "and", "for", "in", "a", "to", "with"})
_SAYS_BEFORE = re.compile(rf"(?:\b(?:{SPEECH})|:)[,:]?(?: [\w'-]+){{0,4}}[,:]?\s*$")
_SAYS_AFTER = re.compile(rf"[\s,.–—-]*(?:\(?(?:one|a|an|another) \w+|(?:{SPEECH})\b)")
_ELLIPSIS = re.compile(r"\.{3}|…")
_END = re.compile(r"[.!?]+[\"'”’)]*(?:\s+|$)|\n\s*")
_FAR = 0.45  # a nearest passage less alike than this helps nobody


class _ReviewQuote(NamedTuple):
    text: str
    words: FindingRange
    told_by_customers: bool
    introduced: bool  # by a verb of saying right before or after it, or by a colon


def run(item: Item) -> Outcome:
    fields = select_fields(item, "reviews")
    if not fields:
        return CannotCheck(why="the item has no reviews to look for quotations in")
    quotes = [each for each in _find_quotes(item) if len(each.text.split()) >= _FEWEST]
    if not quotes:
        return ()
    reviews = [prepare_source(each) for each in fields]
    others = [prepare_source(each) for each in item.sources if each.kind != "reviews"]
    if query := item.text_of("query"):
        others.append(prepare_source(Field(name="query", kind="query", text=query)))
    found: list[Finding] = []
    left_out: list[str] = []
    for quote in quotes:
        placement = place_excerpt(quote.text, reviews)
        if placement.tier is Tier.VERBATIM and _is_in_one_review(placement, fields):
            continue
        if is_english(quote.text) != all(is_english(each.text) for each in fields):
            left_out.append("the quotation and the reviews are in different languages")
            continue
        found += _check_quote(item, quote, placement, reviews, others)
    return make_outcome(found, left_out)


def _find_quotes(item: Item) -> Iterator[_ReviewQuote]:
    text = item.text_of("response")
    for hit in _QUOTED.finditer(text):
        group = hit.lastindex or 0
        around = _read_surrounding_text(item, hit.start(), hit.end(), text)
        if names_page(around) and not names_customers(around):
            continue
        introduced = _is_introduced(fold_apostrophes(text), *hit.span())
        words = FindingRange(*hit.span(group))
        yield _ReviewQuote(hit[group].strip(" ,"), words, names_customers(around), introduced)


def _is_introduced(plain: str, start: int, end: int) -> bool:
    before, after = plain[max(0, start - 60) : start], plain[end : end + 30]
    return _SAYS_BEFORE.search(before) is not None or _SAYS_AFTER.match(after) is not None


def _read_surrounding_text(item: Item, start: int, end: int, text: str) -> str:
    """The sentences that the quotation stands in, without quotations, or the one before them."""
    said = list_statements(item)
    touched = [place for place, each in enumerate(said) if each.start < end and start < each.end]
    if not touched:
        return ""
    here = _QUOTED.sub(" ", text[said[touched[0]].start : max(end, said[touched[-1]].end)])
    if len(here.split()) > 2 or touched[0] == 0:
        return here
    return _QUOTED.sub(" ", said[touched[0] - 1].text)


def _is_in_one_review(placement: Placement, fields: Sequence[Field]) -> bool:
    """Whether the words stand in one review and do not run on from one into the next."""
    reviews = split_reviews(fields)
    return not reviews or any(
        all(_contains_span(each, span) for span in placement.spans) for each in reviews
    )


def _contains_span(review: Span, span: Span) -> bool:
    return review.field == span.field and review.start <= span.start and span.end <= review.end


def _check_quote(
    item: Item,
    quote: _ReviewQuote,
    placement: Placement,
    reviews: Sequence[PreparedSource],
    others: Sequence[PreparedSource],
) -> Iterator[Finding]:
    elsewhere = place_excerpt(quote.text, others)
    if elsewhere.tier is Tier.VERBATIM:
        told = quote.told_by_customers and quote.introduced
        if told and elsewhere.spans[0].field != "query":
            says = "the words are quoted as a review but stand in another source"
            yield make_finding(KEY, "elsewhere", item, quote.words, says, source=elsewhere.spans[0])
        return
    kind, says = _classify_quote(quote, placement, select_fields(item, "reviews"))
    if kind == "absent" and not quote.introduced:
        return  # a term, a title or an example: nothing says that somebody spoke these words
    if not quote.told_by_customers and (kind == "absent" or _is_short(quote)):
        return  # nobody says that these words are a review
    if _is_title(quote.text) or (_is_short(quote) and kind == "absent"):
        return  # the name of a thing
    near = placement.spans[0] if placement.spans else _find_nearest(quote.text, reviews)
    near = near and _expand_to_sentence(near, {each.field: each.text for each in reviews})
    sure = quote.told_by_customers and kind != "shortened" and not _is_short(quote)
    yield make_finding(KEY, kind, item, quote.words, says, source=near, sure=sure,
                  candidates=placement.spans[1:])  # fmt: skip


def _is_title(text: str) -> bool:
    """Whether every word but the small ones has a capital, and not every letter."""
    words = [each for each in text.split() if each not in _SMALL]
    return not text.isupper() and all(each[0].isupper() or each[0].isdigit() for each in words)


def _is_short(quote: _ReviewQuote) -> bool:
    return len(quote.text.split()) < _SURE


def _classify_quote(
    quote: _ReviewQuote, placement: Placement, fields: Sequence[Field]
) -> tuple[str, str]:
    if placement.tier is Tier.ABSENT:
        return "absent", "the quoted words stand in no review"
    if placement.tier in {Tier.VERBATIM, Tier.STITCHED}:
        if _ELLIPSIS.search(quote.text):
            return "shortened", "the quotation leaves out words of the review"
        if not _is_in_one_review(placement, fields):
            return "glued", "the quotation joins words of different reviews into one"
    return "differs", "the quotation differs from the words of the review"


def _find_nearest(text: str, reviews: Sequence[PreparedSource]) -> Span | None:
    found = find_nearest(text, reviews)
    return found.span if found is not None and found.distance <= _FAR else None


def _expand_to_sentence(span: Span, texts: Mapping[str, str]) -> Span:
    """People compare sentences: the words that were left out stand beside those that were found."""
    text = texts[span.field]
    before = max((each.end() for each in _END.finditer(text, 0, span.start)), default=0)
    after = _END.search(text, max(span.start, span.end - 1))
    end = len(text.rstrip()) if after is None else after.start() + len(after.group().rstrip())
    return Span(field=span.field, start=before, end=max(end, span.end))


CHECK = Check(
    key=KEY,
    title="Quoted reviews",
    about="A quoted review must occur word for word in one review.",
    needs=("reviews",),
    run=run,
)
