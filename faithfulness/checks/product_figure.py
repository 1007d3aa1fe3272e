"""Check figures against the compared products, or against the detail page.

Prices, savings, ratings, measurements and rankings must match the product that is named. The detail
page is used where the item has one.

If a sentence names one product, the finding is definite. If it names several, or says "it", a
program cannot decide which figure belongs to which product, so the finding asks for a human check.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from faithfulness.checks.check import (
    CannotCheck,
    Check,
    FindingRange,
    Outcome,
    Statement,
    list_statements,
    make_finding,
    make_outcome,
    pair_with_previous,
    select_detail_pages,
    select_fields,
)
from faithfulness.checks.cues import continues_customer_report, names_customers
from faithfulness.checks.page_figures import find_page_clashes, is_difference
from faithfulness.checks.product_order import order_marks
from faithfulness.checks.product_prices import PriceMark, check_prices
from faithfulness.checks.products import (
    Mention,
    Product,
    find_mentions,
    find_twin_title,
    parse_product,
)
from faithfulness.model.vocabulary import Finding, Item, Span
from faithfulness.text.clashes import ClashKind, clashes
from faithfulness.text.language import is_english
from faithfulness.text.no_source import needs_no_source
from faithfulness.text.numbers.measures import MEASURES
from faithfulness.text.numbers.numerals import has_numeral
from faithfulness.text.numbers.quantities import Quantity, find_quantities

KEY = "product_figure"
_PRONOUN = re.compile(r"[-*•\s]*(?:it|its|it's|this (?:one|model|product|option))\b", re.I)
_TIMES = {each.unit: word for word, each in MEASURES.items() if each.dimension == "time"}
_MUCH = 100
_CLOSE = 1e-9
_NAMED = {"rating": "rating", "percent": "percentage", "count": "number", "year": "number"}


class _FigurePlace(NamedTuple):
    statement: Statement
    named: tuple[Mention, ...]
    carried: int | None  # the product that "it" means


def run(item: Item) -> Outcome:
    products = [parse_product(each) for each in select_fields(item, "product")]
    if len(products) < 2:
        return _check_against_page(item)
    if not all(each.title for each in products):
        return CannotCheck(why="a product has no title and prices of its own")
    if twin := find_twin_title(products):
        return CannotCheck(why=f"two products have the same title: {twin}")
    found: list[Finding] = []
    left_out: list[str] = []
    query = item.text_of("query")
    for place in _locate_figures(item, products):
        found += [
            _make_mark_finding(item, place.statement, each)
            for each in _check_place(place, products, query)
        ]
        left_out += _explain_unread_prices(place, products)
    return make_outcome(found, left_out)


def _check_against_page(item: Item) -> Outcome:
    pages = select_detail_pages(item)
    if not pages:
        return CannotCheck(why="the item has neither products nor a detail page to compare with")
    if not all(is_english(each.text) for each in (*pages, *select_fields(item, "response"))):
        return CannotCheck(why="the detail page or the response is not in English")
    found: list[Finding] = []
    for before, each in pair_with_previous(list_statements(item)):
        if not has_numeral(each.text) or _is_of_customers(before, each):
            continue
        if not needs_no_source(each.text):
            found += [
                _make_mark_finding(item, each, mark) for mark in find_page_clashes(each.text, pages)
            ]
    return tuple(found)


def _is_of_customers(before: Statement | None, said: Statement) -> bool:
    """Whether customers gave the figure: theirs may differ from the page's."""
    previous = "" if before is None else before.text
    return names_customers(said.text) or continues_customer_report(previous, said.text)


def _locate_figures(item: Item, products: Sequence[Product]) -> Iterator[_FigurePlace]:
    carried: int | None = None
    for each in list_statements(item):
        named = find_mentions(each.text, products)
        numbers = {mention.product for mention in named}
        if not numbers and not _PRONOUN.match(each.text):
            carried = None
        yield _FigurePlace(each, named, carried if not numbers else None)
        if numbers:
            carried = numbers.pop() if len(numbers) == 1 else None


def _check_place(
    place: _FigurePlace, products: Sequence[Product], query: str
) -> Iterator[PriceMark]:
    text = place.statement.text
    numbers = sorted({each.product for each in place.named})
    if not numbers and place.carried is not None:
        for mark in _check_one_product(text, products, place.carried, query):
            yield mark._replace(sure=False)
    elif len(numbers) == 1:
        yield from _check_one_product(text, products, numbers[0], query)
    elif numbers:
        yield from _check_several_products(text, products, numbers, query)
    yield from order_marks(text, products, place.named)


def _check_one_product(
    text: str, products: Sequence[Product], own: int, query: str
) -> Iterator[PriceMark]:
    yield from check_prices(text, products[own], query)
    product = products[own]
    figures = [each for each in find_quantities(text) if _is_figure(each, text, products)]
    clashing = {
        each.left: each
        for each in clashes(text, product.body)
        if each.kind in {ClashKind.NUMBER, ClashKind.UNIT}
    }
    for figure in figures:
        said = text[figure.start : figure.end]
        clash = clashing.get((figure.start, figure.end))
        if clash is not None and _is_far(product, figure, clash.right[0]):
            continue
        if clash is not None and not _has_figure(product, figure):
            source = Span(field=product.field, start=clash.right[0], end=clash.right[1])
            stands = product.body[slice(*clash.right)]
            says = f"{said}, but {product.title} has {stands}"
            yield PriceMark(
                _name_figure_kind(figure),
                FindingRange(figure.start, figure.end),
                says,
                source,
                True,
            )
        elif not _has_dimension(product, figure):
            yield from _find_other_product_figures(text, figure, products, own)


def _find_other_product_figures(
    text: str, figure: Quantity, products: Sequence[Product], own: int
) -> Iterator[PriceMark]:
    """A figure that the product named lacks altogether, and that another product has."""
    said = text[figure.start : figure.end]
    for number, other in enumerate(products):
        same = next((each for each in other.figures if _are_equal_figures(each, figure)), None)
        if number != own and same is not None:
            source = Span(field=other.field, start=same.start, end=same.end)
            says = f"{said} is a figure of {other.title}, not of {products[own].title}"
            sure = figure.dimension != "count"
            yield PriceMark(
                _name_figure_kind(figure),
                FindingRange(figure.start, figure.end),
                says,
                source,
                sure,
            )
            return


def _check_several_products(
    text: str, products: Sequence[Product], numbers: Sequence[int], query: str
) -> Iterator[PriceMark]:
    """Only what fits none of the products named."""
    each_one = [{mark.words: mark for mark in _check_one_product(text, products, own, query)}
                for own in numbers]  # fmt: skip
    for words, mark in each_one[0].items():
        if mark.kind != "saving" and all(words in others for others in each_one[1:]):
            names = ", ".join(products[own].title for own in numbers)
            says = f"{text[words.start : words.end]} fits none of {names}"
            yield mark._replace(says=says, sure=False)


def _is_figure(figure: Quantity, text: str, products: Sequence[Product]) -> bool:
    """Prices are compared by themselves; the 40 of "Tower 40" is a name."""
    if figure.dimension.startswith("money"):
        return False
    if is_difference(figure, text):
        return False
    said = text[figure.start : figure.end].strip()
    named = figure.dimension in {"count", "year"} and any(
        re.search(rf"(?<![\w.]){re.escape(said)}(?![\w.])", each.title) for each in products
    )
    return not named


def _is_far(product: Product, figure: Quantity, start: int) -> bool:
    """Hours of use and years of warranty are both times, and no clash."""
    other = next((each for each in product.figures if each.start == start), None)
    if other is None or figure.dimension != "time" or other.unit == figure.unit:
        return False
    one, two = sorted((MEASURES[_TIMES[figure.unit]].factor, MEASURES[_TIMES[other.unit]].factor))
    return two > _MUCH * one


def _has_figure(product: Product, figure: Quantity) -> bool:
    return any(_are_equal_figures(each, figure) for each in product.figures)


def _has_dimension(product: Product, figure: Quantity) -> bool:
    if figure.dimension == "count":
        return any(not each.names.isdisjoint(figure.names) for each in product.figures)
    return any(each.dimension == figure.dimension for each in product.figures)


def _are_equal_figures(one: Quantity, other: Quantity) -> bool:
    if one.dimension != other.dimension or abs(one.low - other.low) > _CLOSE:
        return False
    if abs(one.high - other.high) > _CLOSE:
        return False
    return one.dimension != "count" or not one.names.isdisjoint(other.names)


def _name_figure_kind(figure: Quantity) -> str:
    return _NAMED.get(figure.dimension, "measure")


def _explain_unread_prices(place: _FigurePlace, products: Sequence[Product]) -> Iterator[str]:
    """Why a price that the sentence gives was not compared."""
    if not any(
        each.dimension.startswith("money") for each in find_quantities(place.statement.text)
    ):
        return
    for own in sorted({each.product for each in place.named}):
        if products[own].unclear:
            yield (f"the price of {products[own].title} is given as "
                   f"“{products[own].unclear}”, which is not one amount")  # fmt: skip


def _make_mark_finding(item: Item, statement: Statement, mark: PriceMark) -> Finding:
    words = FindingRange(statement.start + mark.words.start, statement.start + mark.words.end)
    return make_finding(KEY, mark.kind, item, words, mark.says, source=mark.source, sure=mark.sure)


CHECK = Check(
    key=KEY,
    title="Figures of the products",
    about="Prices, ratings, measures and order must be those of the product named, or of the page.",
    needs=(),
    run=run,
)
