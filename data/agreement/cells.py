"""Count label pairs of two sides per item, and cache the counts until the store changes."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from data.agreement.codes import (
    TIED,
    UNREAD,
    AnnotatorColumns,
    CodeBlock,
    Codes,
    blocks,
    load_block,
)
from data.agreement.sides import (
    SideColumns,
    find_voices,
    list_side_authors,
    load_authors,
    query_authors,
)
from data.store.cache.incremental_cache import by_item, merged_arrays
from data.store.cache.single_flight import Turns
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection_sides import Side
from faithfulness.model.vocabulary import Author

SECONDS = 60.0
KEPT_BYTES = 64 * 2**20
# Behind the cells of the table: what one side alone labelled, ties, what could not be read; of the
# compared units those made of several, and those where one rater alone is the majority.
MORE = (
    *("reference_only", "judge_only", "ties", "unread_reference", "unread_judge"),
    *("joined", "one_rating"),
)

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparedSides:
    """What is compared: two sides under one criterion of a protocol."""

    protocol: Protocol
    criterion: Criterion
    reference: Side
    judge: Side
    field: str = ""
    runs: tuple[int, ...] = ()  # whose raters and judges count; see `counted_runs`

    @property
    def key(self) -> Hashable:
        sides = (self.reference, self.judge, self.field, self.runs)
        return ("cells", self.protocol.key, self.criterion.key, *sides)

    def asked(self, known: dict[Author, int]) -> tuple[AnnotatorColumns, SideColumns, SideColumns]:
        """Whose answers are needed; a rater who is compared does not vote on the other side."""
        first = find_voices(self.reference, known, but=list_side_authors(self.judge))
        second = find_voices(self.judge, known, but=list_side_authors(self.reference))
        columns = first.columns + second.columns
        asked = AnnotatorColumns(
            protocol=self.protocol,
            criterion=self.criterion,
            columns=columns,
            field=self.field,
            runs=self.runs,
        )
        return asked, first, second


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Cells:
    """For each item the counts of every pair of labels, then those that `MORE` names."""

    items: npt.NDArray[np.int64]
    counts: npt.NDArray[np.uint32] | npt.NDArray[np.uint16]

    @property
    def nbytes(self) -> int:
        return self.items.nbytes + self.counts.nbytes


def load_cells(store: Store, matter: ComparedSides) -> Cells:
    """The counts of all items that either side speaks about; kept until the next write."""
    return get_or_make(
        store, matter.key, lambda: _count_cells(store, matter), lambda found: found.nbytes
    )


def split_codes(block: CodeBlock, first: SideColumns, second: SideColumns) -> tuple[Codes, Codes]:
    """Reference and judge on every unit of a block."""
    split = len(first.columns)
    return first.labels(block.codes[:split]), second.labels(block.codes[split:])


def load_pairs(
    store: Store, matter: ComparedSides, items: Sequence[int]
) -> tuple[CodeBlock, Codes, Codes]:
    """Reference and judge on every unit of a few items."""
    with store.read(seconds=SECONDS) as cursor:
        asked, first, second = matter.asked(query_authors(cursor))
        block = load_block(cursor, asked, items)
    return block, *split_codes(block, first, second)


def classify_units(size: int, reference: Codes, judge: Codes) -> npt.NDArray[np.int32]:
    """The column of `Cells.counts` in which each unit is counted; behind the last for none."""
    width = size - TIED
    column = np.empty((width, width), np.int32)
    for low in range(TIED, size):
        for high in range(TIED, size):
            column[low - TIED, high - TIED] = _find_column(size, low, high)
    place = (reference.astype(np.int16) - TIED) * np.int16(width) + (judge - np.int8(TIED))
    found: npt.NDArray[np.int32] = column.reshape(-1)[place]
    return found


def _find_column(size: int, low: int, high: int) -> int:
    if TIED in (low, high):
        return size * size + MORE.index("ties")
    if low >= 0 and high >= 0:
        return low * size + high
    if low >= 0:
        return size * size + MORE.index("reference_only")
    return size * size + (MORE.index("judge_only") if high >= 0 else len(MORE))


def _count_cells(
    store: Store, matter: ComparedSides, known: dict[Author, int] | None = None
) -> Cells:
    _, first, second = matter.asked(known or load_authors(store))
    # Whether somebody settles is part of the question: where nobody does a verdict is what most
    # raters say, and from the first decision on what all of them say, everywhere.
    settles = seen = (first.settles, second.settles)

    def ask(cursor: Cursor, items: Sequence[int] | None) -> Cells:
        # Who speaks is read with the answers: an item that nobody new speaks about stays as it is.
        nonlocal known, seen
        known = query_authors(cursor)
        asked, first, second = matter.asked(known)
        seen = (first.settles, second.settles)
        size = len(matter.criterion.scale.values)
        found = [(np.zeros(0, np.int64), np.zeros((0, size * size + len(MORE)), np.uint16))]
        if first.columns or second.columns:
            several = blocks(cursor, asked) if items is None else [load_block(cursor, asked, items)]
            for block in several:
                found.append(_count_block(block, size, first, second))
        items_of, counts = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Cells(items=items_of, counts=counts)

    found = by_item(store, (matter.key, settles), ask, _merge_cells, lambda found: found.nbytes)
    # Who settles first while this is asked makes another question of it.
    return found if seen == settles else _count_cells(store, matter, known)


def _merge_cells(before: Cells, changed: Sequence[int], found: Cells) -> Cells:
    old, new = ((each.items, each.counts) for each in (before, found))
    items, counts = merged_arrays(old, changed, new)
    return Cells(items=items, counts=counts)


def _count_block(
    block: CodeBlock, size: int, first: SideColumns, second: SideColumns
) -> tuple[npt.NDArray[np.int64], Any]:
    width = size * size + len(MORE) + 1  # the last for units that neither side labelled
    if not len(block.items):
        return np.zeros(0, np.int64), np.zeros((0, width - 1), np.uint16)
    reference, judge = split_codes(block, first, second)
    lowest = int(block.items.min())
    rows = int(block.items.max()) - lowest + 1
    start = (block.items - lowest) * np.int32(width)
    column = classify_units(size, reference, judge)
    table = np.bincount(start + column, minlength=rows * width)
    for more, chosen in (
        ("unread_reference", reference == UNREAD),
        ("unread_judge", judge == UNREAD),
        ("joined", block.joined & (column < size * size)),
        ("one_rating", _find_single_rater_units(block, first, second) & (column < size * size)),
    ):
        places = start[np.flatnonzero(chosen)] + size * size + MORE.index(more)
        np.add.at(table, places, 1)
    counts = table.reshape(rows, width)[:, :-1]
    said = np.flatnonzero(counts.any(axis=1))
    small = np.uint16 if counts.max() <= np.iinfo(np.uint16).max else np.uint32
    return said + lowest, counts[said].astype(small)


def _find_single_rater_units(
    block: CodeBlock, first: SideColumns, second: SideColumns
) -> npt.NDArray[np.bool_]:
    """Units where what several raters come to is the label of the only one who gave any."""
    split = len(first.columns)
    found = np.zeros(len(block.units), np.bool_)
    for voice, codes in ((first, block.codes[:split]), (second, block.codes[split:])):
        if voice.side.kind == "majority":
            found |= (codes >= 0).sum(axis=0) == 1
    return found


_kept: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
_keeping = threading.Lock()
_turns = Turns()


def get_or_make(store: Store, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
    """What was made before for this state of the store, else made now and kept for a while.

    The oldest go when more than `KEPT_BYTES` are kept, and all of another state of the same store.
    """
    state = (str(store.path), store.version())
    # Several who look at the same wait for the first of them.
    with _turns.of((*state, key)):
        with _keeping:
            if (*state, key) in _kept:
                _kept.move_to_end((*state, key))
                found: T = _kept[*state, key][1]
                return found
        made = make()
        _keep_result(state, key, size(made), made)
    return made


def _keep_result(state: tuple[str, int], key: Hashable, size: int, made: object) -> None:
    with _keeping:
        for old in [each for each in _kept if each[:2] != state and each[0] == state[0]]:  # type: ignore[index]  # keys are tuples
            del _kept[old]
        _kept[*state, key] = (size, made)
        while len(_kept) > 1 and sum(each[0] for each in _kept.values()) > KEPT_BYTES:
            _kept.popitem(last=False)
