"""Check amounts of money stated about a product against its base and final price."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from faithfulness.checks.check import FindingRange
from faithfulness.checks.products import Product, ProductPrice
from faithfulness.model.vocabulary import Span
from faithfulness.text.numbers.quantities import Quantity, find_quantities
from faithfulness.text.stems import fold_apostrophes

_BEFORE, _AFTER = 48, 32  # characters beside an amount that say what it is
_CENT = 0.005
_ABOUT = 0.10
_SAVING_AFTER = re.compile(
    r"[ -]*(?:off\b|less\b|cheaper|below\b|discount|savings?\b|reduction|price (?:cut|drop)|"
    r"markdown)"
)
_MORE = re.compile(r" (?:more|higher|extra|dearer|pricier|above|on top)\b")
_SAVING_BEFORE = re.compile(
    r"\b(?:sav(?:e|es|ed|ing|ings)|discount(?:ed)?(?: of| by)|reduced by|cut by|"
    r"(?:drop|dropp|fall|fell|lower|mark)(?:s|ed|ing|en)?(?: down)? by|price (?:falls|drops) by|"
    r"knocks?|takes?|rebate(?: of)?)(?: (?:you|of|a|an|about|around|nearly|almost|roughly|up to|"
    r"over|another))* ?$"
)
_OF_OTHERS = re.compile(
    r"\bthan (?!(?:its|the|it|usual|before|normal|regular|base|list|original)\b)"
)
_NO_PRICE = re.compile(
    r"\b(?:your budget|within (?:a |the )?budget|budget (?:of|is)|shipping|delivery|postage|"
    r"deposit|subscription|membership|warranty|refund|coupon|"
    r"voucher|gift card|refills?|replacement|accessor\w+)\b"
)
_EACH = re.compile(
    r" ?(?:/|per\b|each\b|apiece|an? (?:month|year|week|day|piece|load|use|bag|cup))"
)
_WAS = re.compile(
    r"\b(?:was|were|originally|original(?:ly)? (?:price|priced)|(?:down|reduced|dropped|lowered|"
    r"discounted|marked down|cut) from|instead of|regular(?:ly)?|list price|base price|"
    r"usual(?:ly)?|normally|formerly|previously|rrp|msrp)"
    r"(?: (?:is|was|of|at|a|an|the|its|their|price|priced|listed|around|about|costs?|"
    r"sells? for))* ?$"
)
_NOW = re.compile(
    r"\b(?:now|currently|today|final price|sale price|current price|(?:discounted|reduced|down|"
    r"dropped|drops|lowered|cut) to|on sale (?:for|at))"
    r"(?: (?:is|of|at|a|an|the|its|price|priced|costs?|only|just|sells? for|available for))* ?$"
)


class PriceMark(NamedTuple):
    """A finding within one sentence: rule, words, what is wrong, the words against it."""

    kind: str
    words: FindingRange
    says: str
    source: Span | None
    sure: bool


def check_prices(text: str, product: Product, query: str) -> Iterator[PriceMark]:
    """Amounts and discounts of a sentence that are not the product's."""
    asked = {each.raw for each in find_quantities(query) if _is_money(each)}
    plain = fold_apostrophes(text)
    for amount in find_quantities(text):
        before = plain[max(0, amount.start - _BEFORE) : amount.start]
        after = plain[amount.end : amount.end + _AFTER]
        if amount.dimension == "percent":
            yield from _check_discount_share(text, amount, before, after, product)
        elif _is_money(amount) and not _is_something_else(before, after):
            if _MORE.match(after):
                continue
            if _SAVING_AFTER.match(after) or _SAVING_BEFORE.search(before):
                if not _OF_OTHERS.search(after):
                    yield from _check_saving(text, amount, product)
            elif amount.raw not in asked or amount.hedge not in {"most", "up to", "least"}:
                yield from _check_price(text, amount, before, product)


def is_plain_price(text: str, amount: Quantity) -> bool:
    """Whether an amount is what the product costs: no saving, no shipping, no price of a refill."""
    plain = fold_apostrophes(text)
    before = plain[max(0, amount.start - _BEFORE) : amount.start]
    after = plain[amount.end : amount.end + _AFTER]
    others = (_MORE.match(after), _SAVING_AFTER.match(after), _SAVING_BEFORE.search(before))
    return not any(others) and not _is_something_else(before, after)


def _is_money(each: Quantity) -> bool:
    return each.dimension.startswith("money")


def _is_something_else(before: str, after: str) -> bool:
    beside = before[-24:] + " " + after[:20]
    return _EACH.match(after) is not None or _NO_PRICE.search(beside) is not None


def _check_saving(text: str, amount: Quantity, product: Product) -> Iterator[PriceMark]:
    base, final = product.base, product.final
    if base is None or final is None or base.dimension != amount.dimension:
        return
    if amount.low != amount.high and not amount.hedge:
        return  # "by $20 to $99" is no range
    saved = base.value - final.value
    if abs(amount.raw - saved) <= _compute_slack(amount, saved) or _is_told(amount, product):
        return
    said = text[amount.start : amount.end]
    says = f"{said}, but {product.title} went from {base.value:,.2f} to {final.value:,.2f}"
    yield PriceMark("saving", FindingRange(amount.start, amount.end), says, base.span, True)


def _check_discount_share(
    text: str, share: Quantity, before: str, after: str, product: Product
) -> Iterator[PriceMark]:
    if not (_SAVING_AFTER.match(after) or _SAVING_BEFORE.search(before)) or _OF_OTHERS.search(
        after
    ):
        return
    base, final = product.base, product.final
    if base is None or final is None or not base.value or _is_told(share, product):
        return
    saved = 100 * (base.value - final.value) / base.value
    if abs(share.raw - saved) <= 1 + _compute_slack(share, saved):
        return
    said = text[share.start : share.end]
    says = f"{said}, but {product.title} is {saved:.0f} % below its base price"
    yield PriceMark("saving", FindingRange(share.start, share.end), says, base.span, True)


def _check_price(text: str, amount: Quantity, before: str, product: Product) -> Iterator[PriceMark]:
    known = [each for each in (product.final, product.base) if each is not None]
    final = product.final
    if final is None or final.dimension != amount.dimension or product.unclear:
        return
    words, said = FindingRange(amount.start, amount.end), text[amount.start : amount.end]
    if amount.hedge in {"most", "up to", "least"}:
        if all(_breaks_limit(each.value, amount) for each in known):
            says = f"{said}, but {product.title} costs {final.value:,.2f}"
            yield PriceMark("price", words, says, final.span, True)
        return
    if amount.low != amount.high or _is_told(amount, product):
        return
    wanted = _select_price_role(before, product)
    if any(
        abs(each.value - amount.raw) <= _compute_slack(amount, each.value)
        for each in wanted or known
    ):
        return
    against = (wanted or known)[0]
    rounded = amount.raw == int(amount.raw) and abs(against.value - amount.raw) < 1
    says = f"{said}, but {product.title} has {against.value:,.2f}"
    yield PriceMark("price", words, says, against.span, not rounded)


def _select_price_role(before: str, product: Product) -> list[ProductPrice]:
    """The one price that the words before an amount ask for; empty when they ask for none."""
    if _WAS.search(before):
        return [product.base] if product.base is not None else []
    if _NOW.search(before):
        return [product.final] if product.final is not None else []
    return []


def _breaks_limit(value: float, amount: Quantity) -> bool:
    if amount.hedge == "least":
        return value < amount.low - _CENT
    return value > amount.high + _CENT


def _is_told(amount: Quantity, product: Product) -> bool:
    """Whether the opinions give the same amount: then it may be any price."""
    return any(
        each.dimension == amount.dimension and abs(each.raw - amount.raw) <= _CENT
        for each in product.figures
    )


def _compute_slack(amount: Quantity, value: float) -> float:
    return _ABOUT * abs(value) if amount.hedge else _CENT
