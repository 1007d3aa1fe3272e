"""Match every price, rating and percentage of a text to the same figure in its sources."""

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from faithfulness.model.vocabulary import Field, Span
from faithfulness.text.numbers.quantities import Quantity, are_same_percent, find_quantities

KINDS = {"money": "price", "rating": "rating", "percent": "percentage"}
_CLOSE = 1e-9


class Figure(NamedTuple):
    """A figure of a text and where a source gives the same one; nowhere when `found` is empty."""

    kind: str
    start: int
    end: int
    found: tuple[Span, ...]


def match_figures(text: str, sources: Sequence[Field]) -> tuple[Figure, ...]:
    """Every price, rating and percentage of the text, in its order."""
    known = [
        (each, Span(field=source.name, start=each.start, end=each.end))
        for source in sources
        for each in find_quantities(source.text)
        if _name_figure_kind(each)
    ]
    return tuple(
        Figure(_name_figure_kind(wanted), wanted.start, wanted.end, _find_equal(wanted, known))
        for wanted in find_quantities(text)
        if _name_figure_kind(wanted)
    )


def _find_equal(wanted: Quantity, known: Sequence[tuple[Quantity, Span]]) -> tuple[Span, ...]:
    return tuple(
        span
        for each, span in known
        if each.dimension == wanted.dimension
        and _are_equal_values(each.low, wanted.low, wanted.dimension)
        and _are_equal_values(each.high, wanted.high, wanted.dimension)
    )


def _are_equal_values(one: float, other: float, dimension: str) -> bool:
    if dimension == "percent" and isfinite(one) and isfinite(other):
        return are_same_percent(one, other)
    return one == other or abs(one - other) <= _CLOSE


def _name_figure_kind(quantity: Quantity) -> str:
    return KINDS.get(quantity.dimension.partition(" ")[0], "")
