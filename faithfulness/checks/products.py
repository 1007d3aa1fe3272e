"""Parse the products of a comparison (names, prices, figures) and locate their mentions."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from faithfulness.model.vocabulary import Field, Span
from faithfulness.protocols.comparative_summary import split_product
from faithfulness.text.numbers.quantities import Quantity, find_quantities
from faithfulness.text.opposites import OPPOSITES
from faithfulness.text.stems import STOP_WORDS

_TOKEN = re.compile(r"[^\W_][\w'’&+./-]*[\w+]|[^\W_]")
_HEAD = re.compile(r",| - | – | — |\(|\|| with | for |: ")
_UNCLEAR = re.compile(
    r"\b(?:from|starting|starts|as low as|up to|approx|about|around|varies|each|per|unavailable|"
    r"and up|or more|ab|dès|desde)\b|~~|<(?:s|del|strike)\b|\+\s*$|\u0336"
)
_COMMON = (
    "the a an new original classic premium portable electric digital smart mini pro plus max lite "
    "set pack home best ultra super deluxe professional women men kids baby"
)
_GENERIC = frozenset(_COMMON.split())
_ORDINALS = ("first", "second", "third", "fourth", "fifth")


class ProductPrice(NamedTuple):
    """One amount in one currency, and where the product's text gives it."""

    value: float
    dimension: str
    span: Span


class Product(NamedTuple):
    """A product field taken apart; a price is None where it cannot be read as one amount."""

    field: str
    title: str
    base: ProductPrice | None
    final: ProductPrice | None
    body: str  # the whole field; spans of figures count in it
    figures: tuple[Quantity, ...]  # of title and opinions, prices of the head left out
    unclear: str  # the first price text that is no plain amount


class Mention(NamedTuple):
    """A place of a text that names a product."""

    product: int
    start: int
    end: int


@lru_cache(maxsize=64)
def parse_product(field: Field) -> Product:
    """A product field with its prices read; a text of another shape has neither title nor price."""
    parts = split_product(field.text)
    at_base = len("Title: ") + len(parts.title) + len("\nBase price: ") if parts.title else 0
    at_final = at_base + len(parts.base_price) + len("\nFinal price: ")
    base = _parse_price(parts.base_price, field.name, at_base)
    final = _parse_price(parts.final_price, field.name, at_final)
    told = (parts.base_price, base), (parts.final_price, final)
    unclear = next((text.strip() for text, price in told if price is None and text.strip()), "")
    tail = at_final + len(parts.final_price) if parts.title else 0
    figures = tuple(
        each
        for each in find_quantities(field.text)
        if each.start >= tail or (parts.title and each.end <= at_base)
    )
    return Product(field.name, parts.title.strip(), base, final, field.text, figures, unclear)


def find_twin_title(products: Sequence[Product]) -> str:
    """A title that two products share, so that no sentence can name one of them."""
    seen: set[str] = set()
    for each in products:
        title = " ".join(each.title.casefold().split())
        if title in seen:
            return each.title
        seen.add(title)
    return ""


def find_mentions(text: str, products: Sequence[Product]) -> tuple[Mention, ...]:
    """Where the text names a product, in order; a word that two titles share names none."""
    found = [
        Mention(number, hit.start(), hit.end())
        for number, pattern in enumerate(
            _compile_title_patterns(tuple(each.title for each in products))
        )
        if pattern is not None
        for hit in pattern.finditer(text)
    ]
    return tuple(sorted(found, key=lambda each: each.start))


@lru_cache(maxsize=256)
def _compile_title_patterns(titles: tuple[str, ...]) -> tuple[re.Pattern[str] | None, ...]:
    heads = [_TOKEN.findall(_HEAD.split(title)[0]) for title in titles]
    found = []
    for number, tokens in enumerate(heads):
        others = {
            each.casefold()
            for place, title in enumerate(titles)
            if place != number
            for each in _TOKEN.findall(title)
        }
        names = list(_list_name_patterns(tokens, others))
        if number < len(_ORDINALS):
            names.append(rf"(?i:\b(?:product|option) {number + 1}\b)")
            names.append(rf"(?i:\bthe {_ORDINALS[number]} (?:product|option)\b)")
        found.append(re.compile("|".join(names)))
    return tuple(found)


def _list_name_patterns(tokens: Sequence[str], others: set[str]) -> Iterator[str]:
    """Patterns of the ways to name a product, longest first: first words, or a model number."""
    for place, token in enumerate(tokens):
        if not _is_name(token, place, others):
            continue
        before = "".join(rf"(?:{re.escape(each)} )?" for each in tokens[:place])
        after = "".join(rf"(?: {re.escape(each)})?" for each in tokens[place + 1 :])
        yield rf"(?<![\w-]){before}{re.escape(token)}{after}(?![\w-])"


def _is_name(token: str, place: int, others: set[str]) -> bool:
    plain = token.casefold()
    if plain in others or len(token) < 3:
        return False
    if any(each.isdigit() for each in token):
        return any(each.isalpha() for each in token)
    common = plain in _GENERIC or plain in STOP_WORDS or plain in OPPOSITES
    return place == 0 and token[0].isupper() and not common


def _parse_price(text: str, field: str, at: int) -> ProductPrice | None:
    read = find_quantities(text)
    if len(read) != 1 or _UNCLEAR.search(text.casefold()):
        return None
    (only,) = read
    if not only.dimension.startswith("money") or only.low != only.high or only.hedge:
        return None
    return ProductPrice(only.low, only.dimension, Span(field=field, start=at + only.start,
                                                end=at + only.end))  # fmt: skip
