"""Fast column-wise parser for blocks of JSON lines with plain labeled sentences.

Plain means that every record is a sentence with an id, has only the usual keys, and holds texts or
nothing under them. A block with anything else is left to the parser for single records, which
also reports what is wrong and where.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from types import NoneType
from typing import Any, NamedTuple

from data.importing.formats.sentence_columns import find_columns
from data.importing.tables import cells
from faithfulness.model.drafts import DraftAnswer
from faithfulness.model.vocabulary import Author, UnitKind
from faithfulness.protocols.sentence_grounding import LABEL

LABELS = frozenset(LABEL.scale.values)
_LAYOUTS = 8  # sets of keys in one block; with more of them columns save nothing
_UNUSUAL = frozenset({"author_kind", "excerpts"})
_TEXT_OR_NOTHING = frozenset({str, NoneType})

Signs = Callable[[str, str], Author]  # the author by column and name


class PlainRows(NamedTuple):
    """Labelled sentences with the ids of their items; what rows say of an item by their place."""

    system: str
    lines: Sequence[int]
    ids: list[str]
    said: list[DraftAnswer]
    texts: Mapping[int, list[tuple[str, str]]]


class _NotPlain(Exception):
    """Something in a block needs to be looked at record by record."""


class _Layout(NamedTuple):
    """The columns that all records of a block have, and fields that some of them have."""

    ids: str
    signed: str | None
    fields: Sequence[tuple[str, str]]


def read_plain_rows(
    lines: Sequence[int],
    records: list[Any],
    otherwise: Author,
    signs: Signs,
    system: str,
    most: int,
) -> PlainRows | None:
    """A block of records as columns; None where one of them is not plain.

    Args:
        lines: the number of each record's line.
        records: what the lines hold.
        otherwise: who signs where no column says it.
        signs: gives the author of a column and a name.
        system: whose outputs these are.
        most: keys that a record may have.
    """
    try:
        layout = _find_layout(records, most)
        ids = _read_full_column(records, layout.ids)
        said = _build_answers(
            lines, records, _read_authors(records, layout.signed, otherwise, signs)
        )
        return PlainRows(system, lines, ids, said, _collect_texts(records, layout.fields))
    except _NotPlain:
        return None


def _find_layout(records: list[Any], most: int) -> _Layout:
    if {*map(type, records)} != {dict}:
        raise _NotPlain
    layouts = {*map(tuple, records)}
    if len(layouts) > _LAYOUTS or max(map(len, layouts)) > most:
        raise _NotPlain
    found = [find_columns(keys) for keys in layouts]
    heads = {(each.ids, each.signed, each.notes, each.has_more) for each in found}
    fields = max((each.fields for each in found), key=len)
    if len(heads) > 1 or not all({*each.fields} <= {*fields} for each in found):
        raise _NotPlain
    ids, signed, notes, has_more = heads.pop()
    is_twice = len({name for name, _ in fields}) < len(fields)
    if ids is None or len(signed) > 1 or notes or has_more or is_twice:
        raise _NotPlain
    if any("sentence" not in keys or not _UNUSUAL.isdisjoint(keys) for keys in layouts):
        raise _NotPlain
    return _Layout(ids, signed[0] if signed else None, fields)


def _build_answers(
    lines: Sequence[int], records: list[Any], authors: Iterable[Author]
) -> list[DraftAnswer]:
    sentences = _read_full_column(records, "sentence")
    labels = _read_column(records, "label")
    read = {each: (each, "") if each in LABELS else _read_label(each) for each in {*labels}}
    excerpts = [_read_excerpts(each) if each else () for each in _read_column(records, "excerpt")]
    nothing: Iterable[tuple[()]] = repeat(())
    rows = zip(
        authors,
        repeat("label"),
        [read[each][0] for each in labels],
        repeat(UnitKind.SENTENCE),
        sentences,
        repeat("response"),
        repeat(""),
        _read_column(records, "rationale"),
        excerpts,
        nothing,
        nothing,
        repeat(""),
        repeat(None),
        nothing,
        [read[each][1] for each in labels],
        lines,
        repeat(""),
        repeat(""),
        repeat(None),
        repeat(None),
        repeat(None),
    )
    return list(map(DraftAnswer._make, rows))


def _read_label(label: str) -> tuple[str | None, str]:
    return cells.read_value(LABEL, label)


def _read_excerpts(text: str) -> tuple[str, ...]:
    # A letter in front: no blanks only, and no list written as text.
    return (text,) if text[0].isalnum() else cells.parse_excerpts(text)


def _read_authors(
    records: list[Any], column: str | None, otherwise: Author, signs: Signs
) -> Iterable[Author]:
    if column is None:
        return repeat(otherwise)
    names = _read_full_column(records, column)
    known = {name: signs(column, name) for name in {*names}}
    return [known[name] for name in names]


def _collect_texts(
    records: list[Any], fields: Sequence[tuple[str, str]]
) -> Mapping[int, list[tuple[str, str]]]:
    """The texts of items by the place of the row that has them."""
    found: dict[int, list[tuple[str, str]]] = {}
    for name, column in fields:
        for at, text in enumerate(_read_column(records, column)):
            if text:
                found.setdefault(at, []).append((name, text))
    return found


def _read_full_column(records: list[Any], key: str) -> list[str]:
    """A column that has a text in every row."""
    found = _read_column(records, key)
    if not all(found):
        raise _NotPlain
    return found


def _read_column(records: list[Any], key: str) -> list[str]:
    """A column of texts, empty where a row has none."""
    found = [record.get(key) for record in records]
    kinds = {*map(type, found)}
    if kinds == {str}:
        return found
    if not kinds <= _TEXT_OR_NOTHING:
        raise _NotPlain
    return [each or "" for each in found]
