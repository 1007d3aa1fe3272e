"""Cache results that are computed per item; after a write, query only the changed items."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import nullcontext
from threading import Lock
from typing import Any, NamedTuple, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from data.store.cache.changed_rows import lend
from data.store.cache.changes import Stamp, changed_elsewhere, changed_items, stamp_of
from data.store.cache.import_cache_fill import PendingImport, held_import
from data.store.cache.item_filter_sql import between, narrowed
from data.store.cache.single_flight import Turns
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.judging.request_priority import give_way

SECONDS = 60.0
KEPT_BYTES = 96 * 2**20
LARGE = 500  # changed items from which a question is large
PATIENCE = 1.0  # seconds that counting an import waits before each answer for people
CHANGES = 8  # lists of changed items that are kept for each store
CHUNKS = 16  # pieces of a table above which they are put together

T = TypeVar("T")


class _Computation(NamedTuple):
    """How an answer is found; see `by_item`."""

    ask: Callable[[Cursor, Sequence[int] | None], Any]
    merged: Callable[[Any, Sequence[int], Any], Any]
    size: Callable[[Any], int]


class _Kept(NamedTuple):
    """An answer, the state it is of, and the import it lacks."""

    stamp: Stamp
    answer: Any
    bytes: int
    way: _Computation
    lacks: PendingImport | None


_kept: WeakKeyDictionary[Store, OrderedDict[Hashable, _Kept]] = WeakKeyDictionary()
_changes: WeakKeyDictionary[Store, OrderedDict[tuple[Stamp, Stamp], list[int] | None]] = (
    WeakKeyDictionary()
)
_changing = Lock()
_turns = Turns()
# A large question takes all of the engine's threads and up to 100 MB: side by side several take as
# long as one after the other, and what each needs at once. None asks for another answer meanwhile.
_large = Lock()


def by_item(
    store: Store,
    key: Hashable,
    ask: Callable[[Cursor, Sequence[int] | None], T],
    merged: Callable[[T, Sequence[int], T], T],
    size: Callable[[T], int],
) -> T:
    """An answer as of now, from the one before where only a few items changed since.

    The state is read before the question, so that an answer may be newer than its stamp: what is
    asked twice gives the same. Of several who want an answer one asks: whoever waited asks for
    nothing, or for what changed meanwhile, also where a write let them want it anew.

    Args:
        store: where to look.
        key: what is asked; everything that the answer depends on but the store.
        ask: asks about these items, or about all.
        merged: the answer before, with the part of these items replaced.
        size: bytes of an answer; those not wanted for longest go when all are too many.
    """
    way = _Computation(ask, merged, size)
    with _turns.of((id(store), key)):
        before = _kept_of(store, key)
        stamp = stamp_now(store)
        changed, lacks = (None, None) if before is None else _to_ask(store, before, stamp)
        if before is not None and changed == []:
            answer = cast("T", before.answer)
        else:
            # Its time begins with its turn: who waits for others' questions has asked for nothing.
            with (
                _large if _is_large(changed) else nullcontext(),
                store.read(seconds=SECONDS) as cursor,
            ):
                lend(store, cursor, stamp, changed)
                answer = ask(cursor, changed)
            if before is not None and changed is not None:
                answer = merged(cast("T", before.answer), changed, answer)
        _keep(store, key, _Kept(stamp, answer, size(answer), way, lacks))
        return answer


def take_up(store: Store, held: PendingImport) -> None:
    """Count a large import into every answer that is kept, while others get them without it.

    All are asked first and then put in at once, so that a page never mixes both for long.
    """
    with store.read(seconds=SECONDS) as cursor:
        items = held.items(cursor)
    if not _is_large(items):
        return
    store.being_counted = len(items)
    with _changing:
        keys = [*_kept.get(store, ())]
    found: list[tuple[Hashable, Stamp, Any]] = []
    for key in keys:
        give_way(PATIENCE)
        if (known := _lacking(store, key, held)) is not None:
            stamp = stamp_now(store)
            with _large, store.read(seconds=SECONDS) as cursor:
                found.append((key, stamp, known.way.ask(cursor, items)))
    for key, stamp, part in found:
        _put_in(store, key, held, items, stamp, part)


def forget(store: Store) -> None:
    """Drop every answer that is kept: whoever wants one next asks for all of it."""
    with _changing:
        _kept.pop(store, None)


def _lacking(store: Store, key: Hashable, held: PendingImport) -> _Kept | None:
    """What is kept, with all that is new but the import; None where the import is in it."""
    if (known := _kept_of(store, key)) is None:
        return None
    by_item(store, key, *known.way)
    now = _kept_of(store, key)
    return now if now is not None and now.lacks is held else None


def _put_in(
    store: Store, key: Hashable, held: PendingImport, items: list[int], stamp: Stamp, part: object
) -> None:
    with _turns.of((id(store), key)):
        now = _lacking(store, key, held)
        if now is None:  # given up, or found anew meanwhile
            return
        answer = now.way.merged(now.answer, items, part)
        # Of the import it holds what one state had, of all else what the other had.
        older = min(now.stamp, stamp)
        _keep(store, key, _Kept(older, answer, now.way.size(answer), now.way, None))


def _kept_of(store: Store, key: Hashable) -> _Kept | None:
    with _changing:
        return _kept.setdefault(store, OrderedDict()).get(key)


def _keep(store: Store, key: Hashable, found: _Kept) -> None:
    with _changing:
        kept = _kept.setdefault(store, OrderedDict())
        kept[key] = found
        kept.move_to_end(key)
        while len(kept) > 1 and sum(each.bytes for each in kept.values()) > KEPT_BYTES:
            kept.popitem(last=False)


def _is_large(changed: Sequence[int] | None) -> bool:
    return changed is None or len(changed) > LARGE


def _to_ask(
    store: Store, before: _Kept, stamp: Stamp
) -> tuple[list[int] | None, PendingImport | None]:
    """The items to ask about again, or None for all; and the import that is still left out."""
    held = held_import(store)
    if before.lacks is not None and before.lacks is not held:
        return None, None  # it was never taken up
    if before.lacks is None and held is not None:
        with store.read(seconds=SECONDS) as cursor:
            elsewhere = changed_elsewhere(cursor, before.stamp, stamp, held.runs(cursor))
            if elsewhere is not None and _is_large(held.items(cursor)):
                held.is_left_out = True
                return elsewhere, held
    return _changed(store, before.stamp, stamp), before.lacks


def _changed(store: Store, before: Stamp, stamp: Stamp) -> list[int] | None:
    """As `changed_items`, found once for all the answers of a page."""
    if before == stamp:
        return []
    with _changing:
        known = _changes.setdefault(store, OrderedDict())
        if (before, stamp) in known:
            return known[before, stamp]
    with store.read(seconds=SECONDS) as cursor:
        found = changed_items(cursor, before, stamp)
    with _changing:
        known[before, stamp] = found
        while len(known) > CHANGES:
            known.popitem(last=False)
    return found


def stamp_now(store: Store) -> Stamp:
    """What the store holds as of its version."""

    def ask(asked: Store) -> Stamp:
        opening = asked.openings
        with asked.read(seconds=SECONDS) as cursor:
            return stamp_of(cursor, opening)

    return remembered(store, "stamp", ask)


def table_by_item(
    store: Store, key: Hashable, ask: Callable[[Cursor, Sequence[int] | None], pa.Table]
) -> pa.Table:
    """As `by_item`, of a table with a column item_no."""
    return by_item(store, key, ask, merged_tables, lambda table: int(table.nbytes))


def asked_of(
    cursor: Cursor, question: str, facts: Mapping[str, Any], items: Sequence[int] | None
) -> Cursor:
    """Ask a question that can be narrowed to items (see `of_items_sql`) about these, or all."""
    if items is None:
        return cursor.execute(narrowed(question, None), dict(facts))
    return cursor.execute(narrowed(question, items), {**facts, **between([*items])})


def merged_tables(before: pa.Table, changed: Sequence[int], found: pa.Table) -> pa.Table:
    """A table with the rows of these items replaced; the new ones stand at its end."""
    if not before.num_rows:
        return found
    items = pa.array(changed, before.schema.field("item_no").type)
    kept = before.filter(pc.invert(pc.is_in(before["item_no"], value_set=items)))
    joined = pa.concat_tables([kept, found.cast(before.schema)]).unify_dictionaries()
    return joined.combine_chunks() if joined["item_no"].num_chunks > CHUNKS else joined


def merged_arrays(
    before: Sequence[npt.NDArray[Any]], changed: Sequence[int], found: Sequence[npt.NDArray[Any]]
) -> list[npt.NDArray[Any]]:
    """Arrays of one length, the first of them items, with the rows of these replaced in order."""
    stays = np.isin(before[0], np.asarray(changed), invert=True)
    joined = [np.concatenate([old[stays], new]) for old, new in zip(before, found, strict=True)]
    order = np.argsort(joined[0], kind="stable")
    return [each[order] for each in joined]
