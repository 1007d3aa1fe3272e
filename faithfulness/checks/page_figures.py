"""Compare figures of a response with those of the detail page: "4 ft" against 2.5 ft.

Two figures are compared if they measure the same quantity in the same dimension and the words next
to them refer to the same part: "the cord is 4 ft long" and "Cord length: 2.5 ft".
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from faithfulness.checks.bound_words import are_bound
from faithfulness.checks.check import FindingRange
from faithfulness.checks.cues import TELLING_WORDS, blank_out_cues
from faithfulness.checks.passages import collect_product_words
from faithfulness.checks.product_prices import PriceMark, is_plain_price
from faithfulness.model.vocabulary import Field, Span
from faithfulness.text.clashes import are_comparable, can_agree, find_aspects, is_denied
from faithfulness.text.glance import can_compare
from faithfulness.text.numbers.numerals import has_numeral
from faithfulness.text.numbers.quantities import Quantity, find_quantities
from faithfulness.text.opposites import ASPECTS
from faithfulness.text.sentences import cut_sentences
from faithfulness.text.stems import fold_apostrophes, list_stems, stem

_MOST = 100  # figures of one dimension; a page with more is no page of one product
_MOST_SENTENCES = 300  # with numbers
_MOST_IN_SENTENCE = 30  # a sentence with more is a table, whose columns no words part
# How far two things lie apart is a figure of neither: "13 hours longer", "by 2 kg", "20 % off".
_APART_AFTER = re.compile(
    r" ?-?(?:more|less|longer|shorter|heavier|lighter|higher|lower|cheaper|fewer|better|worse|"
    r"faster|slower|extra|additional|off\b|discount|reduc|sav|taller|wider|larger|smaller|than)",
    re.I,
)
_APART_BEFORE = re.compile(r"\b(?:by|save[sd]?|saving|another|additional|extra)(?: \w+)? $", re.I)
_EVERY = re.compile(r" (?:a|per|each|every) (?:day|week|month|year|hour|minute|use|load)\b", re.I)
# Words after which a figure is none of this product, or is only supposed.
_OF_OTHERS = re.compile(
    r"\b(?:other|others|most|some|many|typical|average|usual|usually|competitors?|unlike|compared|"
    r"than (?:its|the|other|most)|would|could|should|might)\b|^\W*(?:if|unless|when|for those)\b"
)
_CLAUSE_ENDS = re.compile(
    r"[.;:!?]\s|[\n|]|, |\s[-–—]\s|\b(?:but|while|whereas)\b"
    r"| and (?=(?:it|its|they|the|an?|is|are|has|have|had|with|weighs?|costs?|measures?|takes?|"
    r"holds?|comes?|supports?|lasts?)\b)",
    re.IGNORECASE,
)
# Words that tell neither what is measured nor of which part.
_EMPTY_WORDS = (
    "have come feature include offer provide use give measure make run need require take deliver "
    "boast reach total exact exactly approximate approximately rough roughly near nearly almost "
    "just full generous whole maximum max minimum min rated rating one two hold contain capacity "
    "size version around today current currently final fit suit get buy sell available cost costs "
    "price priced retail power wattage brightness output weight volume resolution listed list "
    "go"
)
_EMPTY = frozenset(map(stem, _EMPTY_WORDS.split())) | TELLING_WORDS
# Of these, what a source must have as well to give the figure: "12 hours at full volume".
_EXTENTS = frozenset(map(stem, ("full", "whole", "maximum", "max", "minimum", "min")))
_THIS_FIGURE = "thisfigure"  # stands in a sentence for the figure that is looked for
# Lengths and the like belong to any part, so that they alone tell of none.
_OF_ANY_PART_WORDS = (
    "wide width tall height high deep depth long length diameter thick thickness weigh weighs "
    "weight last lasts lasting"
)
_OF_ANY_PART = frozenset(map(stem, _OF_ANY_PART_WORDS.split()))
# Dimensions that a product has one figure of, so that a bare "1.7 litres" is its own.
_TELLING = frozenset(
    ["volume", "mass", "power", "light", "loudness", "charge", "energy", "voltage", "resolution",
     "fineness", "rating", "data", "money", "length"]
)  # fmt: skip
_ROUNDED = 0.03  # how far equal values in other units may lie apart
_KINDS = {"rating": "rating", "percent": "percentage", "count": "number", "money": "price"}
_NEVER = frozenset({"year", "day"})


class _PageSentence(NamedTuple):
    """A sentence of the page that has numbers."""

    text: str
    span: Span


class _PageFigure(NamedTuple):
    quantity: Quantity  # places count in its sentence
    sentence: _PageSentence
    clause: frozenset[str]  # stems of the words beside it
    around: frozenset[str]  # stems of its whole sentence
    aspects: frozenset[int]

    @property
    def span(self) -> Span:
        begin = self.sentence.span.start
        start, end = begin + self.quantity.start, begin + self.quantity.end
        return Span(field=self.sentence.span.field, start=start, end=end)


class _StatedFigure(NamedTuple):
    """A figure of a statement with the stems beside it and what they say that it is."""

    quantity: Quantity
    text: str
    words: frozenset[str]
    extents: frozenset[str]
    aspects: frozenset[int]


def find_page_clashes(text: str, pages: tuple[Field, ...]) -> Iterator[PriceMark]:
    """Figures of a statement that clash with the one which the detail page gives instead."""
    if not has_numeral(text) or _OF_OTHERS.search(fold_apostrophes(text)):
        return
    product = collect_product_words(pages)
    said, text = text, blank_out_cues(text)
    read = find_quantities(text)
    if len(read) > _MOST_IN_SENTENCE:
        return
    for figure in read:
        rivals = _list_comparable_figures(figure, pages) if _is_checkable(figure, text) else []
        if not rivals:
            continue
        told = _build_stated_figure(figure, text, read, product)
        found = _find_clashing_figure(told, rivals, product)
        if found is None and len(read) == 1 and " and " in text:
            found = _find_clashing_figure(
                _build_partial_figure(figure, text, product), rivals, product
            )
        if found is not None:
            stands = found.sentence.text[found.quantity.start : found.quantity.end]
            says = f"{said[figure.start : figure.end]}, but the detail page gives {stands}"
            kind = _KINDS.get(_get_dimension_family(figure), "measure")
            yield PriceMark(kind, FindingRange(figure.start, figure.end), says, found.span, True)


def find_given_figures(
    text: str, fields: tuple[Field, ...], product: frozenset[str]
) -> tuple[Span, ...] | None:
    """The sentences that give every figure of a statement; None where one is given nowhere."""
    read = find_quantities(text)
    if len(read) > _MOST_IN_SENTENCE:
        return None
    found = []
    for figure in read:
        told = _build_stated_figure(figure, text, read, product)
        rivals = _list_comparable_figures(figure, fields)
        given = next((each for each in rivals if _is_given(told, each, product)), None)
        if given is None:
            return None
        found.append(given.sentence.span)
    return tuple(dict.fromkeys(found))


def drop_figure_words(words: frozenset[str]) -> frozenset[str]:
    """The words without those that only belong to a figure: "holds", "wide", "approximately"."""
    return words - _EMPTY - _OF_ANY_PART


def is_difference(figure: Quantity, text: str) -> bool:
    """Whether a figure says how far two things lie apart, or how often something happens."""
    # "Rated by 3,400 buyers" counts buyers.
    apart = figure.dimension != "count" and _APART_BEFORE.search(text[: figure.start])
    return bool(apart or _APART_AFTER.match(text, figure.end) or _EVERY.match(text, figure.end))


def _is_checkable(figure: Quantity, text: str) -> bool:
    if figure.dimension in _NEVER or is_difference(figure, text):
        return False
    if figure.dimension == "count":
        return bool(figure.names) and figure.raw > 1
    return _get_dimension_family(figure) != "money" or is_plain_price(text, figure)


def _build_stated_figure(
    figure: Quantity, text: str, read: Sequence[Quantity], product: frozenset[str]
) -> _StatedFigure:
    words = _collect_nearby_stems(figure, text, read) - product
    aspects = frozenset(find_aspects(text, figure))
    return _StatedFigure(figure, text, words - _EMPTY, words & _EXTENTS, aspects)


def _build_partial_figure(figure: Quantity, text: str, product: frozenset[str]) -> _StatedFigure:
    """The figure with the words between the "and" before it and the one after it."""
    start = max(text.rfind(" and ", 0, figure.start), 0)
    end = text.find(" and ", figure.end)
    part = text[start : figure.start], text[figure.end : end if end >= 0 else len(text)]
    words = list_stems(" ".join(part)) - product
    aspects = frozenset(find_aspects(text, figure))
    return _StatedFigure(figure, text, words - _EMPTY, words & _EXTENTS, aspects)


def _is_given(told: _StatedFigure, other: _PageFigure, product: frozenset[str]) -> bool:
    figure, given = told.quantity, other.quantity
    if not are_comparable(figure, given) or not can_agree(figure, given):
        return False
    if figure.low != figure.high and not figure.hedge and not _is_within(figure, given):
        return False  # "3 to 5 hours" of 4 hours
    if figure.low != figure.high and not _is_within(given, figure):
        return False  # "up to 30 hours" of "up to 40 hours"
    if given.low != given.high and not _is_within(given, figure):
        return False  # "30 hours" of "up to 30 hours"
    alike = is_denied(told.text, figure) == is_denied(other.sentence.text, given)
    return alike and _score_nearness(told, other, product) > 0 and _is_bound(told, other, product)


def _is_bound(told: _StatedFigure, other: _PageFigure, product: frozenset[str]) -> bool:
    """Whether the page binds the words told to its figure: "1.4 kg with base" is not the base's."""
    text, given = other.sentence.text, other.quantity
    marked = f"{text[: given.start]} {_THIS_FIGURE} {text[given.end :]}"
    said = (told.words & other.around) | told.extents | {stem(_THIS_FIGURE)}
    return are_bound(said, told.text, marked, product | _OF_ANY_PART | _EMPTY - _EXTENTS)


def _is_within(given: Quantity, figure: Quantity) -> bool:
    slack = _ROUNDED * max(
        (abs(each) for each in (figure.low, figure.high) if isfinite(each)), default=0.0
    )
    return figure.low - slack <= given.low and given.high <= figure.high + slack


def _find_clashing_figure(
    told: _StatedFigure, rivals: Sequence[_PageFigure], product: frozenset[str]
) -> _PageFigure | None:
    """The page's figure for the same thing, where none of the page's figures is the one told."""
    figure = told.quantity
    same = [each for each in rivals if are_comparable(figure, each.quantity)]
    if any(_is_equal(figure, each.quantity) for each in same):
        return None
    near = [(score, each) for each in same if (score := _score_nearness(told, each, product))]
    if not near or any(can_agree(figure, each.quantity) for _, each in near):
        return None
    best = max(near, key=lambda each: each[0])[1]
    # "Resists 3,000 mm" reads as a denial on both sides; "no 5 GHz" on one.
    alike = is_denied(told.text, figure) == is_denied(best.sentence.text, best.quantity)
    return best if alike else None


def _score_nearness(told: _StatedFigure, other: _PageFigure, product: frozenset[str]) -> int:
    """How surely two figures are of the same thing; 0 where they may not be."""
    if told.aspects and other.aspects and told.aspects.isdisjoint(other.aspects):
        return 0
    shared_aspects = told.aspects & other.aspects
    explained = other.around | _list_aspect_stems(shared_aspects) | _OF_ANY_PART
    if not told.words <= explained:
        return 0
    theirs = other.clause - product - _EMPTY
    if told.quantity.dimension == "count":
        same = told.quantity.names == other.quantity.names and theirs <= told.words | _OF_ANY_PART
        # "The bag has five pockets" is not told of the case of "Bag in a case, 3 pockets".
        return 4 if same and told.words <= theirs | _OF_ANY_PART else 0
    if (told.words & theirs) - _OF_ANY_PART:
        return 4
    if shared_aspects and theirs <= told.words | _OF_ANY_PART | _list_aspect_stems(shared_aspects):
        return 3
    is_bare = not theirs and _get_dimension_family(told.quantity) in _TELLING
    return 2 if is_bare and _is_own_dimension(told, other) else 0


def _is_own_dimension(told: _StatedFigure, other: _PageFigure) -> bool:
    """Whether a bare figure of the page can be meant: a length only where an extent is told."""
    return told.quantity.dimension != "length" or bool(told.aspects or other.aspects)


def _is_equal(one: Quantity, other: Quantity) -> bool:
    exact = one.low == one.high and other.low == other.high
    return exact and can_agree(one, other)


def _get_dimension_family(figure: Quantity) -> str:
    return figure.dimension.partition(" ")[0]


@lru_cache(maxsize=256)
def _list_aspect_stems(aspects: frozenset[int]) -> frozenset[str]:
    return frozenset(stem(word) for word, number in ASPECTS.items() if number in aspects)


def _collect_nearby_stems(
    figure: Quantity, text: str, read: Sequence[Quantity], *, by_clause: bool = False
) -> frozenset[str]:
    """Stems of the figure's clause, of the whole sentence where that has no other figure."""
    if len(read) == 1 and not by_clause:
        start, end = 0, len(text)
    else:
        ends = [(0, 0), *(each.span() for each in _CLAUSE_ENDS.finditer(text)),
                (len(text), len(text))]  # fmt: skip
        start = max(after for _, after in ends if after <= figure.start)
        end = min(before for before, _ in ends if before >= figure.end)
    words = ""
    for each in read:
        if start <= each.start < end:
            words, start = f"{words} {text[start : each.start]}", each.end
    stems = list_stems(f"{words} {text[start:end]}") | _get_counted_names(figure)
    return frozenset(each for each in stems if len(each) > 1)  # the x of "20 x 30 cm"


def _get_counted_names(figure: Quantity) -> frozenset[str]:
    return figure.names if figure.dimension == "count" else frozenset()


def _list_comparable_figures(figure: Quantity, fields: tuple[Field, ...]) -> list[_PageFigure]:
    """The figures of the fields that measure the same kind of thing; none of a catalog's."""
    family, sentences = _get_dimension_family(figure), _list_number_sentences(fields)
    if len(sentences) > _MOST_SENTENCES:
        return []
    found = [
        other
        for sentence in sentences
        if can_compare((figure,), sentence.text)
        for other in _parse_sentence_figures(sentence)
        if _get_dimension_family(other.quantity) == family
    ]
    return found if len(found) <= _MOST else []


@lru_cache(maxsize=16)
def _list_number_sentences(fields: tuple[Field, ...]) -> list[_PageSentence]:
    """The sentences of the fields that have numbers; questions of customers state none."""
    return [
        _PageSentence(text, Span(field=each.name, start=start, end=end))
        for each in fields
        for start, end in cut_sentences(each.text)
        if has_numeral(text := each.text[start:end]) and not text.rstrip().endswith("?")
    ]


@lru_cache(maxsize=1_024)
def _parse_sentence_figures(sentence: _PageSentence) -> list[_PageFigure]:
    text, read = sentence.text, find_quantities(sentence.text)
    if len(read) > _MOST_IN_SENTENCE:
        return []
    return [
        # A list counts each thing apart: "Train set, 80 pieces, beech wood".
        _PageFigure(each, sentence,
                    _collect_nearby_stems(each, text, read, by_clause=each.dimension == "count"),
                    list_stems(text), frozenset(find_aspects(text, each)))
        for each in read
        if not is_difference(each, text)
        and (_get_dimension_family(each) != "money" or is_plain_price(text, each))
    ]  # fmt: skip
