"""Detect id columns that identify sentences or rows instead of items."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from data.importing.tables.cells import format_cell, is_empty


def are_piece_ids(
    rows: Iterable[Mapping[str, Any]],
    *,
    ids: str,
    response: str,
    texts: Sequence[str],
    units: Sequence[str],
) -> bool:
    """Whether rows about different units of the same texts differ in the id, and no id has two.

    Args:
        rows: the whole table.
        ids: the column in doubt.
        response: the column of the response; without it only the id says what belongs together.
        texts: the columns that an item is known by.
        units: the columns that say which unit a row is about.
    """
    about: dict[int, int] = {}  # id -> the unit it is about
    first: dict[int, tuple[int, int]] = {}  # texts -> id and unit of their first row
    is_torn = False
    for row in rows:
        own, unit = _hash_row(row, (ids,)), _hash_row(row, units)
        if is_empty(row.get(response)) or about.setdefault(own, unit) != unit:
            return False
        other, before = first.setdefault(_hash_row(row, texts), (own, unit))
        is_torn = is_torn or (other != own and before != unit)
    return is_torn


def _hash_row(row: Mapping[str, Any], columns: Sequence[str]) -> int:
    return hash(tuple(format_cell(row.get(each)) for each in columns))
