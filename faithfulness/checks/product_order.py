"""Check claimed rankings of products: cheapest, heaviest, only one under a limit."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from faithfulness.checks.check import FindingRange
from faithfulness.checks.product_prices import PriceMark
from faithfulness.checks.products import Mention, Product
from faithfulness.model.vocabulary import Span
from faithfulness.text.numbers.quantities import Quantity, find_quantities
from faithfulness.text.stems import fold_apostrophes

_NOT = re.compile(
    r"\b(?:not|isn't|never|nor|second|third|next|one of the|among the|than the|n't)(?: \w+)? ?$"
)
_NOT_AFTER = re.compile(
    r" (?:way|setting|to run|to operate|mode|among|of its|shipping|refill|part)"
)
_OTHERS = re.compile(r" than (?:the )?(?:other|both|all|any|either|its)")
_ONLY = re.compile(r"\b(?:only|sole)\b")
_ALL = re.compile(r"\b(?:all(?: three| of them| of these| products| options)?|each|every|both)\b")
_LIMITS = {"most", "up to", "least"}


class _ProductValue(NamedTuple):
    """One value of a product, and where it stands."""

    value: float
    span: Span


class _OrderWords(NamedTuple):
    """Words for the one end of an order, and how to read a product's place in it."""

    best: re.Pattern[str]
    than: re.Pattern[str]
    sign: int  # 1 when the best is the highest
    read: Callable[[Product], list[_ProductValue]]
    noun: str


def order_marks(
    text: str, products: Sequence[Product], named: Sequence[Mention]
) -> Iterator[PriceMark]:
    """Superlatives, comparisons and limits that the products' own figures rule out."""
    plain = fold_apostrophes(text)
    for scale in _SCALES:
        yield from _check_superlatives(plain, products, named, scale)
        yield from _check_comparisons(plain, products, named, scale)
    for amount in find_quantities(text):
        if amount.dimension.startswith("money") and amount.hedge in _LIMITS:
            yield from _check_limits(text, plain, amount, products, named)


def _check_superlatives(
    plain: str, products: Sequence[Product], named: Sequence[Mention], scale: _OrderWords
) -> Iterator[PriceMark]:
    numbers = {each.product for each in named}
    for hit in scale.best.finditer(plain):
        if not numbers or _NOT.search(plain[: hit.start()]) or _NOT_AFTER.match(plain, hit.end()):
            continue
        own = _find_nearest_mention(named, hit.start(), hit.end())
        yield from _find_beaten(products, own, scale, hit, sure=len(numbers) == 1)


def _find_beaten(
    products: Sequence[Product], own: int, scale: _OrderWords, hit: re.Match[str], *, sure: bool
) -> Iterator[PriceMark]:
    """Wrong when another product goes further by every value that both of them have."""
    mine = scale.read(products[own])
    for number, other in enumerate(products):
        theirs = scale.read(other)
        if number == own or not mine or len(mine) != len(theirs):
            continue
        pairs = zip(mine, theirs, strict=True)
        if all(scale.sign * (two.value - one.value) > 0 for one, two in pairs):
            says = f"“{hit.group()}”, but {other.title} goes further by {scale.noun}"
            yield PriceMark("superlative", FindingRange(*hit.span()), says, theirs[0].span, sure)
            return


def _check_comparisons(
    plain: str, products: Sequence[Product], named: Sequence[Mention], scale: _OrderWords
) -> Iterator[PriceMark]:
    for hit in scale.than.finditer(plain):
        before = [each for each in named if each.end <= hit.start()]
        after = [each for each in named if each.start >= hit.end()]
        if _NOT.search(plain[: hit.start()]) or _OTHERS.match(plain, hit.end() - 5):
            continue
        if len(before) != 1 or len(after) != 1 or before[0].product == after[0].product:
            continue
        mine = scale.read(products[before[0].product])
        theirs = scale.read(products[after[0].product])
        sign = scale.sign if hit.lastgroup != "less" else -scale.sign
        if not mine or len(mine) != len(theirs):
            continue
        pairs = zip(mine, theirs, strict=True)
        if all(sign * (one.value - two.value) <= 0 for one, two in pairs):
            says = f"“{hit.group()}” does not fit the {scale.noun} of the two products"
            yield PriceMark("comparison", FindingRange(*hit.span()), says, theirs[0].span, False)


def _check_limits(
    text: str, plain: str, amount: Quantity, products: Sequence[Product], named: Sequence[Mention]
) -> Iterator[PriceMark]:
    before = plain[max(0, amount.start - 60) : amount.start]
    numbers = {each.product for each in named}
    outside, inside = _split_by_limit(amount, products)
    words, said = FindingRange(amount.start, amount.end), text[amount.start : amount.end]
    if not numbers and _ALL.search(before) and outside:
        over = outside[0]
        says = f"{said}, but {products[over].title} costs {_get_final_price(products[over]):,.2f}"
        yield PriceMark("limit", words, says, _get_price_span(products[over]), True)
    elif len(numbers) == 1 and _ONLY.search(before):
        others = [each for each in inside if each not in numbers]
        if others:
            says = f"{products[others[0]].title} meets this limit, too"
            yield PriceMark("limit", words, says, _get_price_span(products[others[0]]), True)


def _split_by_limit(amount: Quantity, products: Sequence[Product]) -> tuple[list[int], list[int]]:
    """Products beyond a limit and within it, by both prices; those between are in neither."""
    outside, inside = [], []
    for number, product in enumerate(products):
        known = [each.value for each in (product.final, product.base)
                 if each is not None and each.dimension == amount.dimension]  # fmt: skip
        if product.final is None or len(known) < 2:
            continue
        if all(not amount.low <= each <= amount.high for each in known):
            outside.append(number)
        elif amount.low <= known[0] <= amount.high and known[0] != amount.raw:
            inside.append(number)
    return outside, inside


def _get_final_price(product: Product) -> float:
    return product.final.value if product.final is not None else 0.0


def _get_price_span(product: Product) -> Span | None:
    return product.final.span if product.final is not None else None


def _find_nearest_mention(named: Sequence[Mention], start: int, end: int) -> int:
    """Of whom a superlative is told: the product named last before it, else the first after it."""
    before = [each for each in named if each.end <= start]
    return (before[-1] if before else min(named, key=lambda each: each.start - end)).product


def _list_prices(product: Product) -> list[_ProductValue]:
    known = [each for each in (product.final, product.base) if each is not None]
    return [_ProductValue(each.value, each.span) for each in known] if not product.unclear else []


def _make_single_value_getter(dimension: str) -> Callable[[Product], list[_ProductValue]]:
    """The product's only value of a dimension; nothing when it has none or several."""

    def read(product: Product) -> list[_ProductValue]:
        found = [each for each in product.figures if each.dimension == dimension]
        if len(found) != 1 or found[0].hedge or found[0].low != found[0].high:
            return []
        span = Span(field=product.field, start=found[0].start, end=found[0].end)
        return [_ProductValue(found[0].low, span)]

    return read


def _compile_order_patterns(
    best: str, than: str, less: str = ""
) -> tuple[re.Pattern[str], re.Pattern[str]]:
    more = rf"\b(?:{than}) than\b"
    pattern = more if not less else rf"{more}|(?P<less>\b(?:{less}) than\b)"
    return re.compile(rf"\b(?:{best})\b"), re.compile(pattern)


_SCALES = (
    _OrderWords(
        *_compile_order_patterns(
            "cheapest|least expensive|most affordable|lowest[- ]priced|lowest (?:price|cost)|"
            "most budget-friendly|least costly|most economical|most inexpensive",
            "cheaper|less expensive|more affordable|costs? less|lower[- ]priced|priced lower",
            "more expensive|costs? more|pricier|costlier|higher[- ]priced|priced higher",
        ),
        -1,
        _list_prices,
        "price",
    ),
    _OrderWords(
        *_compile_order_patterns(
            "most expensive|priciest|highest[- ]priced|highest (?:price|cost)|costliest",
            "no such words",
        ),
        1,
        _list_prices,
        "price",
    ),
    _OrderWords(
        *_compile_order_patterns(
            "highest[- ]rated|best[- ]rated|top[- ]rated|highest rating|best rating",
            "higher[- ]rated|better[- ]rated|rated higher|rated better",
            "lower[- ]rated|worse[- ]rated|rated lower|rated worse",
        ),
        1,
        _make_single_value_getter("rating"),
        "rating",
    ),
    _OrderWords(
        *_compile_order_patterns(
            "lowest[- ]rated|worst[- ]rated|lowest rating|worst rating", "no such words"
        ),
        -1,
        _make_single_value_getter("rating"),
        "rating",
    ),
    _OrderWords(
        *_compile_order_patterns("heaviest", "heavier|weighs more", "lighter|weighs less"),
        1,
        _make_single_value_getter("mass"),
        "weight",
    ),
    _OrderWords(
        *_compile_order_patterns("lightest", "no such words"),
        -1,
        _make_single_value_getter("mass"),
        "weight",
    ),
)
