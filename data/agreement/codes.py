"""Load labels as arrays of integer codes, one block of items at a time.

A unit's number is an array index, so the answers of two annotators are aligned without a join: a
comparison takes one pass over the annotations.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from data.agreement import pairs_sql as sql
from data.store.cache.item_filter_sql import between, narrowed
from data.store.engine import Cursor
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.scale import rank_severity
from faithfulness.model.vocabulary import UnitKind
from faithfulness.protocols import PROTOCOLS

Codes = npt.NDArray[np.int8]
Places = npt.NDArray[np.int32]

ABSENT, UNREAD, NOT_JUDGED, TIED = -1, -2, -3, -4
# What one block may hold: rows of annotations, and units times columns.
ROWS_AT_ONCE = 3_000_000
CELLS_AT_ONCE = 48_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class AnnotatorColumns:
    """Whose answers to one criterion are wanted: the authors' numbers, column by column."""

    protocol: Protocol
    criterion: Criterion
    columns: tuple[tuple[int, ...], ...]
    field: str = ""  # only units of this reviewed field: one direction of a claim check
    runs: tuple[int, ...] = ()  # only raters and judges of these runs; see `counted_runs`
    joins: bool = True  # whether units that one author took as one piece become one

    @property
    def authors(self) -> list[int]:
        """Everybody once, also who stands on both sides of a comparison."""
        return list(dict.fromkeys(author for column in self.columns for author in column))

    @property
    def is_alone(self) -> bool:
        """Whether no other protocol has a criterion of this name."""
        key = self.criterion.key
        return sum(key == each.key for one in PROTOCOLS.values() for each in one.criteria) == 1


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CodeBlock:
    """Some items' units with a row of codes for each column that was asked for.

    Units that somebody took as one piece stand as one, the first of them, with the most severe
    label of each column; `joined` says which these are, the others have no label any more.
    """

    units: Places
    items: Places
    codes: Codes
    joined: npt.NDArray[np.bool_]


def blocks(cursor: Cursor, asked: AnnotatorColumns) -> Iterator[CodeBlock]:
    """All units of the protocol's kind, item by item, in parts that fit into memory."""
    size = _load_size(cursor)
    cells = size.units * len(asked.columns)
    wanted = max(size.annotations / ROWS_AT_ONCE, cells / CELLS_AT_ONCE, 1)
    step = max(1, int(size.items / wanted))
    for first in range(1, size.items + 1, step):
        yield _load_block(cursor, asked, size, {"first": first, "last": first + step - 1})


def load_block(cursor: Cursor, asked: AnnotatorColumns, items: Sequence[int]) -> CodeBlock:
    """The units of a few items."""
    return _load_block(cursor, asked, None, between([*items]))


def convert_to_array(found: object) -> Places:
    """A column of the engine's as an array of numbers."""
    return np.asarray(found)


def _load_block(
    cursor: Cursor, asked: AnnotatorColumns, size: "_Size | None", among: Mapping[str, Any]
) -> CodeBlock:
    """The units of all items between two, or of a few of them where no size is given."""
    question = narrowed(sql.UNITS_OF_ITEMS, among["numbers"]) if size is None else sql.UNITS
    kind = {"kind": asked.protocol.unit.value, "field": asked.field}
    found = cursor.execute(question, {**among, **kind}).fetchnumpy()
    units, items = convert_to_array(found["unit_no"]), convert_to_array(found["item_no"])
    codes = np.full((len(asked.columns), len(units)), ABSENT, np.int8)
    joined = np.zeros(len(units), np.bool_)
    block = CodeBlock(units=units, items=items, codes=codes, joined=joined)
    if not len(units) or not asked.columns:
        return block
    index = _UnitIndex(units)
    rows = (
        _load_few_rows(cursor, asked, among)
        if size is None
        else _load_rows(cursor, asked, size, among)
    )
    _fill_codes(codes, rows, index, asked.columns)
    is_cut = rows["is_cut"].any() if size is None else size.cut
    if asked.joins and is_cut and asked.protocol.unit is UnitKind.SENTENCE:
        severe = rank_severity(asked.criterion.scale)
        for group in _load_joined_units(cursor, asked, among):
            members = np.sort(index.places(np.array(group)))
            if members[0] >= 0:
                codes[:, members] = _join_codes(codes[:, members], severe)
                joined[members[0]] = True
    return block


def _load_rows(
    cursor: Cursor, asked: AnnotatorColumns, size: "_Size", among: Mapping[str, Any]
) -> dict[str, Any]:
    """Current answers as unit, author and code, in the order in which they were stored."""
    question, facts = sql.ROWS, _build_parameters(asked, among)
    if size.superseded:
        question += sql.ONLY_CURRENT
    if size.removed or not asked.is_alone:
        question += sql.ONLY_STANDING
        facts["standing"] = _load_standing_runs(cursor, asked)
    if asked.runs:
        question += sql.ONLY_OF_RUNS
        facts |= {"runs": list(asked.runs), "settling": _load_adjudicators(cursor)}
    if len(asked.authors) < size.authors:
        question += sql.ONLY_AUTHORS
        facts["authors"] = asked.authors
    return cursor.execute(question, facts).fetchnumpy()


def _load_few_rows(
    cursor: Cursor, asked: AnnotatorColumns, among: Mapping[str, Any]
) -> dict[str, Any]:
    """As `_load_rows`, of a few items, with whether an answer is about a piece of its own cut."""
    question = narrowed(sql.ROWS_OF_ITEMS, among["numbers"])
    found = cursor.execute(question, _build_parameters(asked, among)).fetchnumpy()
    number = convert_to_array(found["annotation_no"])
    superseded = convert_to_array(found["supersedes"])
    gone = np.concatenate([superseded[superseded > 0], number[found["takes_back"]]])
    counts = np.isin(found["author_no"], asked.authors) & ~np.isin(number, gone)
    counts &= np.isin(found["run_no"], _load_standing_runs(cursor, asked))
    if asked.runs:
        is_decision = np.isin(found["author_no"], _load_adjudicators(cursor))
        counts &= np.isin(found["run_no"], asked.runs) | is_decision
    order = np.flatnonzero(counts)[np.argsort(number[counts])]
    return {name: found[name][order] for name in ("unit_no", "author_no", "code", "is_cut")}


def _build_parameters(asked: AnnotatorColumns, among: Mapping[str, Any]) -> dict[str, Any]:
    labels = list(asked.criterion.scale.values)
    return {"criterion": asked.criterion.key, "labels": labels, **among}


def _load_standing_runs(cursor: Cursor, asked: AnnotatorColumns) -> list[int]:
    """The runs of the protocol that were not removed."""
    rows = cursor.execute(sql.STANDING, {"protocol": asked.protocol.key}).fetchall()
    return [int(row[0]) for row in rows]


def _load_adjudicators(cursor: Cursor) -> list[int]:
    """Adjudicators: what they decide counts in every run of the protocol with the item."""
    return [int(row[0]) for row in cursor.execute(sql.SETTLING).fetchall()]


def _fill_codes(
    codes: Codes, rows: Mapping[str, Any], index: "_UnitIndex", columns: Sequence[Sequence[int]]
) -> None:
    at = index.places(convert_to_array(rows["unit_no"]))
    flat, code = codes.reshape(-1), rows["code"]
    for apart in _group_columns(columns):
        # One place more, for whoever signed first after it was read who there is.
        start_of = np.full(max(max(column) for column in apart.values()) + 2, -1, np.int32)
        for number, column in apart.items():
            start_of[list(column)] = number * codes.shape[1]
        start = start_of[np.minimum(rows["author_no"], len(start_of) - 1)]
        _put_codes(flat, start, at, code)


def _group_columns(columns: Sequence[Sequence[int]]) -> list[dict[int, Sequence[int]]]:
    """Columns by number, in groups where nobody stands twice: nearly always one group of all."""
    groups: list[tuple[set[int], dict[int, Sequence[int]]]] = []
    for number, column in enumerate(columns):
        free = (group for group in groups if group[0].isdisjoint(column))
        taken, group = next(free, (set(), {}))
        if not group:
            groups.append((taken, group))
        taken.update(column)
        group[number] = column
    return [group for _, group in groups]


def _put_codes(flat: Codes, start: Places, at: Places, code: Codes) -> None:
    """Codes at their places; nothing for people of other columns and units of another kind."""
    place = start + at
    if start.min(initial=0) < 0 or at.min(initial=0) < 0:
        known = (start >= 0) & (at >= 0)
        place, code = place[known], code[known]
    flat[place] = code
    is_label = code >= 0
    if not is_label.all():  # what cannot be read in a later run replaces no label
        flat[place[is_label]] = code[is_label]


def _load_joined_units(
    cursor: Cursor, asked: AnnotatorColumns, among: Mapping[str, Any]
) -> list[list[int]]:
    """Units that belong together: pieces that share a unit are one chain."""
    facts = {
        "criterion": asked.criterion.key,
        "authors": asked.authors,
        "standing": list(asked.runs) or _load_standing_runs(cursor, asked),
        "first": among["first"],
        "last": among["last"],
    }
    parent: dict[int, int] = {}

    def top(unit: int) -> int:
        while parent.setdefault(unit, unit) != unit:
            unit = parent[unit]
        return unit

    for (units,) in cursor.execute(sql.JOINED, facts).fetchall():
        for unit in units[1:]:
            parent[top(unit)] = top(units[0])
    chains: dict[int, list[int]] = {}
    for unit in parent:
        chains.setdefault(top(unit), []).append(unit)
    return list(chains.values())


def _join_codes(codes: Codes, severe: Sequence[int]) -> Codes:
    """The worst label of each row in the first column, nothing in the others.

    A row that lacks a label on one of the units has none on all of them together: its worst one
    may be the one that is missing.
    """
    one = np.full_like(codes, ABSENT)
    for row, said in enumerate(codes):
        if (said >= 0).all():
            one[row, 0] = max(said.tolist(), key=lambda code: severe[code])
        elif (said == UNREAD).any():
            one[row, 0] = UNREAD
        elif (said == NOT_JUDGED).any():
            one[row, 0] = NOT_JUDGED
    return one


class _Size(NamedTuple):
    """How much the store holds, and what a question must therefore leave out."""

    items: int
    units: int
    annotations: int
    cut: int
    superseded: int
    removed: int
    authors: int


def _load_size(cursor: Cursor) -> _Size:
    return _Size(*(held for _, held in sorted(cursor.execute(sql.SIZES).fetchall())))


class _UnitIndex:
    """Where each unit stands in a block."""

    def __init__(self, units: Places) -> None:
        self._lowest, self._highest = int(units.min()), int(units.max())
        count = len(units)
        # Numbers of one import follow each other, so that most blocks need no table.
        self._table: npt.NDArray[np.int32] | None = None
        if self._highest - self._lowest + 1 != count or (np.diff(units) != 1).any():
            self._table = np.full(self._highest - self._lowest + 1, -1, np.int32)
            self._table[units - self._lowest] = np.arange(count, dtype=np.int32)

    def places(self, units: Places) -> npt.NDArray[np.int32]:
        """The place of each unit, below zero for a unit that is not in the block."""
        offset = (units - self._lowest).astype(np.int32)
        if len(units) and (offset.min() < 0 or units.max() > self._highest):
            inside = (offset >= 0) & (units <= self._highest)
            found = self.places(np.where(inside, units, self._lowest))
            return np.where(inside, found, np.int32(-1))
        return offset if self._table is None else self._table[offset]
