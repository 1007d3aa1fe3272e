"""Piece ids: columns that name sentences or rows where the id of their item is looked for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from data.importers.cells import is_empty, plain_text
from faithfulness.complaints import in_files
from faithfulness.drafts import Draft
from faithfulness.vocabulary import UnitKind
from faithfulness.wording import counted


def names_pieces(
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
        own, unit = _key(row, (ids,)), _key(row, units)
        if is_empty(row.get(response)) or about.setdefault(own, unit) != unit:
            return False
        other, before = first.setdefault(_key(row, texts), (own, unit))
        is_torn = is_torn or (other != own and before != unit)
    return is_torn


def torn_items(groups: Iterable[Sequence[Draft]]) -> Iterator[str]:
    """A warning for each file with items that only ids tell apart, each answered on one piece."""
    torn = ((each.file, each.line) for drafts in groups for each in drafts if _is_torn(each))
    for found in in_files(torn):
        have = counted(len(found.lines), "item has", "items have")
        yield (
            f"{have} the texts of an earlier one under another id, and answers about one part of "
            f"them: {found.place}. If the ids name rows and not items, keep their column beside "
            "the item in a column mapping; the answers are then about one item."
        )


def _is_torn(draft: Draft) -> bool:
    if "same_texts_as" not in draft.attributes:
        return False
    about = {(each.unit, each.text) for each in draft.said}
    whole = {each.text.strip() for each in draft.fields}
    return len(about) == 1 and all(
        unit is not UnitKind.RESPONSE and text.strip() not in whole for unit, text in about
    )


def _key(row: Mapping[str, Any], columns: Sequence[str]) -> int:
    return hash(tuple(plain_text(row.get(each)) for each in columns))
