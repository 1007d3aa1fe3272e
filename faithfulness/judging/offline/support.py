"""Decide whether a source that a statement may rely on states it, including its numbers.

Statements about customers may rely on the reviews only; statements about the seller or the detail
page, on that page only; all others, on all sources except the reviews. One sentence of a source
must contain every content word of the statement, and must not negate it, present it as a
supposition or make a comparison of it.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from faithfulness.checks.bound_words import are_bound, split_word_groups
from faithfulness.checks.cues import (
    TELLING_WORDS,
    blank_out_cues,
    continues_customer_report,
    names_customers,
    names_page,
)
from faithfulness.checks.page_figures import drop_figure_words, find_given_figures
from faithfulness.checks.passages import (
    SourcePassage,
    collect_product_words,
    index_sentences,
    read_words,
)
from faithfulness.checks.short_facts import (
    LINKS,
    MOST_WORDS,
    find_supposing_words,
    split_clauses,
    states_fact,
)
from faithfulness.model.vocabulary import Field, Span
from faithfulness.text.clashes import ClashKind, clashes
from faithfulness.text.numbers.quantities import find_quantities
from faithfulness.text.polarity import find_denied_stems
from faithfulness.text.stems import fold_apostrophes, stem, tokenize

_PAGE_KINDS = frozenset({"detail_page", "context"})
_SHOWN = 120  # characters of a statement that a reason quotes
_FIGURES = 6  # that a reason names
_FILLERS = frozenset(map(stem, ("have", "feature", "include", "offer", "provide", "come")))


_AMOUNTS = frozenset(["all", "only", "every", "both", "same", "never", "always", "none", "no"])
_ONE_OF = re.compile(r"\bone of\b")
_HEDGE = re.compile(r"\b(?:less|more|fewer) than\s*$")
_ROOM = 8  # further words and marks among which the words of a statement may stand


class Support(NamedTuple):
    """Where a statement is found; else why it is not, as a sentence."""

    spans: tuple[Span, ...]
    problem: str = ""


class _Named(NamedTuple):
    """Whom a statement names as its source."""

    customers: bool
    page: bool


def select_allowed_sources(text: str, before: str, fields: Sequence[Field]) -> tuple[Field, ...]:
    """The sources that a statement may rely on, by whom it names; none where it names both."""
    return _filter_allowed(_find_named_sources(text, before), fields)


def find_support(text: str, before: str, fields: Sequence[Field]) -> Support:
    """Where a source that the statement may rely on states it, with its numbers."""
    named = _find_named_sources(text, before)
    allowed = _filter_allowed(named, fields)
    product = collect_product_words(tuple(each for each in fields if each.kind in _PAGE_KINDS))
    told = blank_out_cues(text)
    spans = _find_supporting_spans(told, text, allowed, product)
    if spans is not None:
        return Support(spans)
    if all(named):
        return Support((), f"{quote_statement(text)} names two sources at once.")
    others = tuple(each for each in fields if each not in allowed)
    if _find_supporting_spans(told, text, others, product) is not None:
        return Support((), f"{quote_statement(text)} {_explain_wrong_source(named)}.")
    if not allowed:
        return Support((), f"{quote_statement(text)} {_explain_no_source(named)}.")
    return Support((), _explain_not_stated(text, told, allowed, product))


def _find_named_sources(text: str, before: str) -> _Named:
    of_customers = names_customers(text) or continues_customer_report(before, text)
    return _Named(of_customers, names_page(text))


def _filter_allowed(named: _Named, fields: Sequence[Field]) -> tuple[Field, ...]:
    if all(named):
        return ()
    if named.customers:
        return tuple(each for each in fields if each.kind == "reviews")
    if named.page:
        return tuple(each for each in fields if each.kind in _PAGE_KINDS)
    return tuple(each for each in fields if each.kind != "reviews")


def _explain_wrong_source(named: _Named) -> str:
    if any(named):
        return "stands only in a source that it does not name"
    return "stands only in the reviews and is not told as a customer's word"


def _explain_no_source(named: _Named) -> str:
    if named.customers:
        return "names customers, but the item has no reviews"
    if named.page:
        return "names the detail page, but the item has no detail page"
    return "names no customer, and the item has no source but reviews"


def _explain_not_stated(
    text: str, told: str, allowed: tuple[Field, ...], product: frozenset[str]
) -> str:
    figures = tuple(text[each.start : each.end] for each in find_quantities(text))
    if figures and find_given_figures(told, allowed, product) is None:
        given = ", ".join(figures[:_FIGURES])
        return f"no source it may rely on gives the figures of {quote_statement(text)} ({given})."
    return (
        f"no source it may rely on states {quote_statement(text)} in these words; whether it "
        "is paraphrased, "
        "invented or common knowledge cannot be told by words."
    )


def quote_statement(text: str) -> str:
    """A statement as a reason quotes it."""
    return f"“{text.strip()}”" if len(text) <= _SHOWN else f"“{text[:_SHOWN].strip()}…”"


def _find_supporting_spans(
    told: str, text: str, fields: tuple[Field, ...], product: frozenset[str]
) -> tuple[Span, ...] | None:
    """The sentences of these fields that state a sentence, or each of its parts."""
    if not fields:
        return None
    whole = _find_spans(told, text, fields, product)
    parts = list(split_clauses(told))
    if whole is not None or not parts or not _is_of_product(parts[0], product):
        return whole
    found = [_find_spans(part, part, fields, product) for part in parts]
    spans = [span for each in found if each is not None for span in each]
    return None if None in found else tuple(dict.fromkeys(spans))


def _is_of_product(part: str, product: frozenset[str]) -> bool:
    """Whether the subject is the product, so that what follows "and" is said of it as well."""
    first = next((each for each in tokenize(part) if each not in {"the", "this", "a"}), "")
    return first in {"it", "they", "its"} or stem(first) in product


def _find_spans(
    told: str, text: str, fields: tuple[Field, ...], product: frozenset[str]
) -> tuple[Span, ...] | None:
    fact = read_words(told) - TELLING_WORDS - product - LINKS - _FILLERS
    if find_quantities(told):
        return _place_of_figures(told, text, fields, product)
    if not fact:
        return None
    for passage in index_sentences(fields).with_share(fact, 1.0):
        if len(fact) <= MOST_WORDS and not states_fact(
            passage, fact, text, product | LINKS | _FILLERS
        ):
            continue
        if not fact <= passage.words or not _states_same_fact(told, fact, passage):
            continue
        if _is_put_together_so(told, fact, passage, product):
            return (passage.span,)
    return None


def _is_put_together_so(
    told: str, fact: frozenset[str], passage: SourcePassage, product: frozenset[str]
) -> bool:
    idle = TELLING_WORDS | product | LINKS | _FILLERS
    parts = [each.words & fact for each in split_word_groups(told)]
    return all(are_bound(each, told, passage.text, idle) for each in parts if each)


def _place_of_figures(
    told: str, text: str, fields: tuple[Field, ...], product: frozenset[str]
) -> tuple[Span, ...] | None:
    spans = find_given_figures(told, fields, product)
    if spans is None:
        return None
    texts = {each.name: each.text for each in fields}
    sentences = [texts[span.field][span.start : span.end] for span in spans]
    held = frozenset[str]().union(*(read_words(each) for each in sentences))
    rest = drop_figure_words(read_words(_remove_figures(told)) - TELLING_WORDS - product - LINKS)
    denied = (ClashKind.NEGATION, ClashKind.EXCLUSIVE)
    turned = any(each.kind in denied for part in sentences for each in clashes(text, part))
    if turned or not rest <= held:
        return None
    bare, other = _remove_figures(told), " ".join(_remove_figures(each) for each in sentences)
    alike = find_supposing_words(bare) == find_supposing_words(other) and _have_same_quantifier(
        bare, other
    )
    return spans if alike else None


def _remove_figures(text: str) -> str:
    for each in reversed(find_quantities(text)):
        text = f"{_HEDGE.sub('', text[: each.start])} {text[each.end :]}"
    return text


def _states_same_fact(told: str, fact: frozenset[str], passage: SourcePassage) -> bool:
    if not _have_same_quantifier(told, passage.text):
        return False
    if len(fact) <= MOST_WORDS:
        return True  # `states_fact` has looked at the clause
    if find_supposing_words(told) != find_supposing_words(passage.text):
        return False
    if not _are_words_near(told, fact, passage.text):
        return False
    if find_denied_stems(told) & fact != find_denied_stems(passage.text) & fact:
        return False
    return not clashes(told, passage.text)


def _have_same_quantifier(told: str, passage: str) -> bool:
    """Whether "all" is told of what the passage says of all, not of one or of some."""
    ours, theirs = tokenize(told), tokenize(passage)
    if not _AMOUNTS.intersection(ours) <= frozenset(theirs):
        return False
    return "one" in ours or _ONE_OF.search(fold_apostrophes(passage)) is None


def _are_words_near(told: str, fact: frozenset[str], passage: str) -> bool:
    """Whether the words stand near each other, and in the same order where things are compared."""
    ours = [root for each in tokenize(told) if (root := stem(each)) in fact]
    theirs = [stem(each) for each in tokenize(passage)]
    if find_supposing_words(told):
        rest = iter(theirs)
        return all(each in rest for each in ours)
    room = 2 * len(fact) + _ROOM
    held = [at for at, each in enumerate(theirs) if each in fact]
    wanted = frozenset(ours)
    return any(wanted <= frozenset(theirs[at : at + room]) for at in held)
