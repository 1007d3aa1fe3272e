"""Load labels and scores of the whole store as arrays and count them by line without new queries.

The arrays are small compared with the annotations: one row per item, annotator and label. When a
filter changes, only two things are queried: the annotators and runs of each line, and the items
that remain.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from data.distributions import distributions_sql as sql
from data.items.current_sql import DECIDED_FOR_OTHER_RUNS
from data.store.cache.incremental_cache import asked_of, table_by_item
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store

Numbers = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]
SECONDS = 30.0
UNREAD, NOT_JUDGED, NONE = " unread", " not judged", " none"


class LineNumbers(NamedTuple):
    """A line's items, each with its number or none, and what the number is called."""

    called: str
    items: Numbers
    values: Values  # not a number where an item has none


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Rows:
    """Rows of an array that fall into the lines asked for, each with the place of its line."""

    at: Numbers
    line: Numbers


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CountedLines:
    """The lines that are drawn: `about` in their order, and who of which run belongs to which."""

    about: tuple[Mapping[str, Any], ...]
    place: Numbers  # by run and author; below zero for nobody
    left: Numbers | None  # keys of the items that a filter leaves; None for all

    def rows(self, where: "RowColumns") -> Rows:
        """Which rows are in a line, and in which."""
        inside = (where.run < self.place.shape[0]) & (where.author < self.place.shape[1])
        line = np.full(len(where.run), -1)
        line[inside] = self.place[where.run[inside], where.author[inside]]
        if self.left is not None:
            line[~np.isin(build_item_key(where.run, where.item), self.left)] = -1
        line[self._counts_already(where, line)] = -1
        at = np.flatnonzero(line >= 0)
        return Rows(at=at, line=line[at])

    def _counts_already(self, where: "RowColumns", line: Numbers) -> Numbers:
        """Rows of decisions that count in a line already, in another run of the same item."""
        at = np.flatnonzero((where.home != where.run) & (line >= 0))
        if not len(at):
            return at
        decided = (where.home != where.run) | np.isin(where.author, where.author[at])
        rows = np.flatnonzero(decided & (line >= 0))
        own = where.home[rows] == where.run[rows]
        order = np.lexsort((where.run[rows], ~own))
        keys = [each[rows][order] for each in (line, where.item, where.author, where.home)]
        _, first, place = np.unique(np.stack(keys), axis=1, return_index=True, return_inverse=True)
        place = place.ravel()
        runs = where.run[rows][order]
        repeated: Numbers = rows[order][runs != runs[first][place]]
        return repeated


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class RowColumns:
    """Run, item and author of every row, and the run in which it was signed."""

    run: Numbers
    item: Numbers
    author: Numbers
    home: Numbers

    def only(self, kept: npt.NDArray[Any]) -> "RowColumns":
        return RowColumns(
            run=self.run[kept],
            item=self.item[kept],
            author=self.author[kept],
            home=self.home[kept],
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LabelCounts:
    """How often an author gave an item's units a label, for one criterion and field."""

    where: RowColumns
    said: Numbers  # a place in `words`
    units: Numbers
    words: tuple[str, ...]

    def only(self, rows: Rows, line: int) -> "LabelCounts":
        """The rows of one line."""
        kept = rows.at[rows.line == line]
        return LabelCounts(
            where=self.where.only(kept),
            said=self.said[kept],
            units=self.units[kept],
            words=self.words,
        )

    def counts(self) -> dict[str, int]:
        """Units by what is said of them."""
        found = np.bincount(self.said, self.units, len(self.words))
        return {word: int(n) for word, n in zip(self.words, found, strict=True) if n}

    def labelled_items(self) -> int:
        """How many items have a label, and not only what stands apart."""
        is_label = np.array([not word.startswith(" ") for word in self.words], bool)[self.said]
        return len(np.unique(self.where.item[is_label]))

    def scores(self) -> LineNumbers:
        """The mean score of each item."""
        of = np.array([_parse_score(word) for word in self.words])[self.said]
        items, place = np.unique(self.where.item, return_inverse=True)
        return LineNumbers("Score", items, _compute_means(place, of, self.units, len(items)))

    def cells(self, values: Sequence[str]) -> Values:
        """By item that has labels: how often each of these is given."""
        code = {word: at for at, word in enumerate(values)}
        column = np.array([code.get(word, -1) for word in self.words], np.int64)[self.said]
        kept = column >= 0
        items, place = np.unique(self.where.item[kept], return_inverse=True)
        at = place * len(values) + column[kept]
        cells = np.bincount(at, self.units[kept], len(items) * len(values))
        return cells.astype(float).reshape(len(items), len(values))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Summaries:
    """The newest numbers of items by author; `name` is a place in `names`, best first."""

    where: RowColumns
    name: Numbers
    value: Values
    names: tuple[str, ...]

    def told(self, rows: Rows, line: int) -> LineNumbers | None:
        """The numbers of one line: of its best name, the mean over its authors for each item."""
        kept = rows.at[rows.line == line]
        if not len(kept):
            return None
        first = self.name[kept].min()
        kept = kept[self.name[kept] == first]
        items, place = np.unique(self.where.item[kept], return_inverse=True)
        ones = np.ones(len(kept), np.int64)
        return LineNumbers(
            self.names[first], items, _compute_means(place, self.value[kept], ones, len(items))
        )


def build_item_key(run: Numbers, item: Numbers) -> Numbers:
    """One number for an item of a run."""
    return (run.astype(np.int64) << 32) | item


def load_lines(store: Store, facts: Mapping[str, Any]) -> CountedLines:
    """The lines in their order, and the items that the facts leave."""
    about: dict[str, Mapping[str, Any]] = {}
    with store.read(seconds=SECONDS) as cursor:
        asked = cursor.execute(sql.LINES, sql.select_parameters(sql.LINES, facts))
        names = [each[0] for each in asked.description]
        found = [dict(zip(names, row, strict=True)) for row in asked.fetchall()]
        left = None
        if facts["narrows"]:
            kept = cursor.execute(sql.LEFT, sql.select_parameters(sql.LEFT, facts)).fetchnumpy()
            left = build_item_key(np.asarray(kept["run_no"]), np.asarray(kept["item_no"]))
    shape = [max((row[name] for row in found), default=0) + 1 for name in ("run_no", "author_no")]
    place = np.full(shape, -1)
    numbers: dict[str, int] = {}
    for row in found:
        number = numbers.setdefault(row["line"], len(numbers))
        about.setdefault(row["line"], row)
        place[row["run_no"], row["author_no"]] = number
    return CountedLines(about=tuple(about.values()), place=place, left=left)


def load_labels(store: Store, criterion: str, field: str = "") -> LabelCounts:
    """All current labels of a criterion, of the units of one field where it is given."""
    kept = remembered(store, "labels_by_item", _query_labels)
    return kept.get((criterion, field)) or _NO_LABELS


def load_summaries(store: Store) -> Summaries:
    """The newest numbers of all items."""
    return remembered(store, "newest_numbers", _query_summaries)


def _query_labels(store: Store) -> dict[tuple[str, str], LabelCounts]:
    """By criterion; of criteria whose units lie in several fields, also by field."""
    found = table_by_item(store, "labels_by_item", _query_label_rows)
    where = _get_row_columns(found)
    units = found["units"].to_numpy()
    (criteria, criterion), (fields, field), (words, said) = (
        _sort_codes(found[name]) for name in ("criterion", "field", "said")
    )
    parts: dict[tuple[str, str], npt.NDArray[np.bool_]] = {}
    for at, key in enumerate(criteria):
        parts[key, ""] = criterion == at
        for number, name in enumerate(fields):
            if name:
                parts[key, name] = parts[key, ""] & (field == number)
    return {
        key: LabelCounts(where=where.only(kept), said=said[kept], units=units[kept], words=words)
        for key, kept in parts.items()
    }


def _query_label_rows(cursor: Cursor, items: Sequence[int] | None) -> pa.Table:
    superseded = bool(cursor.execute(sql.SUPERSEDED).fetchall()[0][0])
    question = sql.LABELS_BY_ITEM[superseded]
    if asked_of(cursor, DECIDED_FOR_OTHER_RUNS, {}, items).fetchall():
        question = sql.LABELS_WITH_DECISIONS
    return _encode_texts(asked_of(cursor, question, {}, items).to_arrow_table())


def _query_summaries(store: Store) -> Summaries:
    found = table_by_item(store, "newest_numbers", _query_number_rows)
    given = found["given"].to_numpy()
    titles, title = _sort_codes(found["name"])
    # Those of the protocol before those that came with a file, each by their names.
    order = [(is_given, each) for is_given in (False, True) for each in titles]
    return Summaries(
        where=_get_row_columns(found),
        name=title + len(titles) * given,
        value=found["value"].to_numpy(),
        names=tuple(each for _, each in order),
    )


def _query_number_rows(cursor: Cursor, items: Sequence[int] | None) -> pa.Table:
    return _encode_texts(asked_of(cursor, sql.NEWEST, {}, items).to_arrow_table())


def _get_row_columns(found: pa.Table) -> RowColumns:
    run, item, author = (found[f"{name}_no"].to_numpy() for name in ("run", "item", "author"))
    home = found["home_no"].to_numpy() if "home_no" in found.column_names else run
    return RowColumns(run=run, item=item, author=author, home=home)


def _encode_texts(found: pa.Table) -> pa.Table:
    """Texts as numbers of a short list: a few words stand in hundreds of thousands of rows."""
    texts = [each.name for each in found.schema if pa.types.is_string(each.type)]
    for name in texts:
        at = found.schema.get_field_index(name)
        found = found.set_column(at, name, found[name].dictionary_encode())
    return found


def _sort_codes(column: pa.ChunkedArray) -> tuple[tuple[str, ...], Numbers]:
    """The words in order, and the place of each row's among them."""
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):  # without a row there is no chunk either
        return (), np.zeros(0, np.int64)
    said = whole.dictionary.to_pylist()
    words = sorted(said)
    place = np.array([words.index(each) for each in said], np.int64)
    return tuple(words), place[whole.indices.to_numpy()]


def _parse_score(word: str) -> float:
    return float(word) if word.isdecimal() else np.nan


def _compute_means(place: Numbers, values: Values, weights: Numbers, size: int) -> Values:
    known = ~np.isnan(values)
    total = np.bincount(place[known], values[known] * weights[known], size)
    weight = np.bincount(place[known], weights[known], size)
    means: Values = np.divide(total, weight, out=np.full(size, np.nan), where=weight > 0)
    return means


def iterate_lines(
    asked: CountedLines, where: RowColumns
) -> Iterator[tuple[int, Mapping[str, Any], Rows]]:
    """Every line that has a row, with the rows of all."""
    rows = asked.rows(where)
    used = set(np.unique(rows.line).tolist())
    for place, about in enumerate(asked.about):
        if place in used:
            yield place, about, rows


_NOWHERE = RowColumns(
    run=np.zeros(0, int), item=np.zeros(0, int), author=np.zeros(0, int), home=np.zeros(0, int)
)
_NO_LABELS = LabelCounts(where=_NOWHERE, said=np.zeros(0, int), units=np.zeros(0, int), words=())
