"""Some items or all, as SQL: in one place for every question that is asked again in part."""

from typing import Any

ALL = "true"
# The range lets the engine skip blocks of the file; see `between`.
OF_ITEMS = "item_no between $first and $last and item_no in (select unnest($numbers::integer[]))"
A_OF_ITEMS = OF_ITEMS.replace("item_no", "a.item_no")


def narrowed(question: str, *, some: bool) -> str:
    """A question with {of_items}, or {a_of_items} of annotations, in the place of a condition."""
    if some:
        return question.format(of_items=OF_ITEMS, a_of_items=A_OF_ITEMS)
    return question.format(of_items=ALL, a_of_items=ALL)


def between(numbers: list[int]) -> dict[str, Any]:
    """Parameters for rows with these numbers; the range lets the engine skip blocks of the file."""
    return {
        "numbers": numbers,
        "first": min(numbers, default=0),
        "last": max(numbers, default=0),
    }
