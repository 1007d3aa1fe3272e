"""SQL conditions and parameters that limit a query to certain items or include all items."""

from collections.abc import Sized
from typing import Any

_ALL = "true"
# The range lets the engine skip blocks of the file; see `between`.
_OF_ITEMS = "item_no between $first and $last and item_no in (select unnest($numbers::integer[]))"
_A_OF_ITEMS = _OF_ITEMS.replace("item_no", "a.item_no")
# Up to so many the engine looks faster through the list than it makes a table of it.
FEW = 300
_OF_FEW = "item_no between $first and $last and list_contains($numbers::integer[], item_no)"
_A_OF_FEW = _OF_FEW.replace("item_no", "a.item_no")


def narrowed(question: str, items: Sized | None) -> str:
    """A question with {of_items}, or {a_of_items} of annotations, in the place of a condition.

    Of the items only their number matters here; `between` has them as parameters.
    """
    if items is None:
        return question.format(of_items=_ALL, a_of_items=_ALL)
    if len(items) <= FEW:
        return question.format(of_items=_OF_FEW, a_of_items=_A_OF_FEW)
    return question.format(of_items=_OF_ITEMS, a_of_items=_A_OF_ITEMS)


def between(numbers: list[int]) -> dict[str, Any]:
    """Parameters for rows with these numbers; the range lets the engine skip blocks of the file."""
    return {
        "numbers": numbers,
        "first": min(numbers, default=0),
        "last": max(numbers, default=0),
    }
