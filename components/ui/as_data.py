"""Convert dataclasses to dictionaries for the browser without copying strings."""

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any


def as_data(value: Any) -> Any:
    """As `dataclasses.asdict` has it, with texts and numbers as they are.

    Its copy of each of them, which nobody changes here, takes most of the time of a page of cards.
    """
    kind: Any = type(value)
    if kind is str:
        return value
    if kind is tuple:
        return tuple([as_data(each) for each in value])
    if kind is list:
        return [as_data(each) for each in value]
    names = _list_field_names(kind)
    return {name: as_data(getattr(value, name)) for name in names} if names else value


@cache
def _list_field_names(kind: Any) -> tuple[str, ...]:
    """The fields of such a value; none of one that is a leaf."""
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
