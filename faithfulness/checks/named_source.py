"""Detect statements attributed to the wrong source: reviews or the detail page.

A statement is marked when it comes from reviews without naming them, or when review content is
attributed to the detail page. "Product page", "context", the seller and the manufacturer refer to
the detail page without its reviews; answers by the seller belong to it.

The comparison uses words, not meaning: a sentence is matched to a passage that contains nearly all
of its words, and only if the other side lacks most of them. Words for the product as a whole are
ignored. If only one or two words remain, a single clause must state them.
"""

from collections.abc import Iterator
from typing import NamedTuple

from faithfulness.checks.check import (
    CannotCheck,
    Check,
    FindingRange,
    Outcome,
    Statement,
    list_statements,
    make_finding,
    pair_with_previous,
    select_fields,
)
from faithfulness.checks.cues import (
    TELLING_WORDS,
    blank_out_cues,
    continues_customer_report,
    names_customers,
    names_page,
)
from faithfulness.checks.passages import (
    PassageIndex,
    SourcePassage,
    collect_product_words,
    collect_words,
    index_reviews,
    index_sentences,
    read_words,
)
from faithfulness.checks.short_facts import (
    LINKS,
    MOST_WORDS,
    PRAISE,
    find_supposing_words,
    split_clauses,
    states_fact,
)
from faithfulness.model.vocabulary import Field, Finding, Item
from faithfulness.text.clashes import clashes
from faithfulness.text.language import is_english
from faithfulness.text.no_source import needs_no_source

KEY = "named_source"
_FROM, _SURE = 0.75, 0.99  # share of a sentence's words that its passage has
_LACKS = 0.5  # share above which the other side may have said it


class _SourceMatch(NamedTuple):
    passage: SourcePassage
    share: float


class _Sides(NamedTuple):
    """Both sides of an item, with the words that mean the product as a whole."""

    reviews: tuple[Field, ...]
    pages: tuple[Field, ...]
    product: frozenset[str]


def run(item: Item) -> Outcome:
    reviews, pages = select_fields(item, "reviews"), select_fields(item, "detail_page", "context")
    if not reviews:
        return CannotCheck(why="the item has no reviews apart from the detail page")
    if not pages:
        return CannotCheck(why="the item has no detail page apart from the reviews")
    if not all(
        is_english(each.text) for each in (*reviews, *pages, *select_fields(item, "response"))
    ):
        return CannotCheck(why="the sources or the response are not in English")
    others = tuple(each for each in item.sources if each.kind != "reviews")
    sides = _Sides(reviews, others, collect_product_words(pages))
    found: list[Finding] = []
    for before, each in pair_with_previous(list_statements(item)):
        found += _check_statement(item, before, each, sides)
    return tuple(found)


def _check_statement(
    item: Item, before: Statement | None, said: Statement, sides: _Sides
) -> Iterator[Finding]:
    if needs_no_source(said.text):
        return
    words = FindingRange(said.start, said.end)
    previous = "" if before is None else before.text
    if not names_customers(said.text) and not continues_customer_report(previous, said.text):
        match = _match_source(said.text, sides.reviews, sides.pages, sides.product)
        if match is not None:
            kind, says = _describe_source_error(said.text)
            yield make_finding(KEY, kind, item, words, says, source=match.passage.span,
                          sure=match.share >= _SURE and not match.passage.is_review)  # fmt: skip
    elif not names_page(said.text):
        match = _match_source(said.text, sides.pages, sides.reviews, sides.product)
        if match is not None:
            says = "told as what customers say, but only the detail page seems to say so"
            yield make_finding(KEY, "not_in_reviews", item, words, says,
                          source=match.passage.span, sure=False)  # fmt: skip


def _describe_source_error(text: str) -> tuple[str, str]:
    if names_page(text):
        return "not_on_page", "told as what the detail page says, but it stands only in a review"
    return "review_as_fact", "stands only in a review and is told without naming customers"


def _match_source(
    text: str, own: tuple[Field, ...], others: tuple[Field, ...], product: frozenset[str]
) -> _SourceMatch | None:
    """Where one side states what a sentence says, and the other does not."""
    told = blank_out_cues(text)
    match = _match_part(text, told, own, others, product)
    if match is None and (parts := list(split_clauses(told))):
        found = (_match_part(part, part, own, others, product) for part in parts)
        return next((each for each in found if each is not None), None)
    return match


def _match_part(
    text: str, told: str, own: tuple[Field, ...], others: tuple[Field, ...], product: frozenset[str]
) -> _SourceMatch | None:
    wanted = read_words(told) - TELLING_WORDS
    fact = wanted - product - LINKS
    known = collect_words(others)
    if not fact or _compute_word_share(fact, known) > _LACKS:
        return None
    if len(fact) <= MOST_WORDS:
        if find_supposing_words(told) or fact <= PRAISE:
            return None
        index = index_sentences(own)
        likely = index.with_share(fact, 1.0)
        found = (each for each in likely if states_fact(each, fact, text, product | LINKS))
        return next((_SourceMatch(each, 1.0) for each in found), None)
    match = _find_best_passage(text, wanted, index_sentences(own))
    if match is None and own[0].kind == "reviews":
        match = _find_best_passage(text, wanted, index_reviews(own))
    return match


def _find_best_passage(
    text: str, wanted: frozenset[str], index: PassageIndex
) -> _SourceMatch | None:
    """The passage with most of the words; None below the bar or where the two clash."""
    likely = index.with_share(wanted, _FROM)
    best = max(
        (_SourceMatch(each, _compute_word_share(wanted, each.words)) for each in likely),
        key=lambda each: each.share,
        default=None,
    )
    if best is None or best.share < _FROM or clashes(text, best.passage.text):
        return None
    return best


def _compute_word_share(wanted: frozenset[str], known: frozenset[str]) -> float:
    return len(wanted & known) / len(wanted)


CHECK = Check(
    key=KEY,
    title="Named source",
    about="A fact that stands only in reviews must be told as what customers say.",
    needs=("reviews", "detail_page"),
    run=run,
)
