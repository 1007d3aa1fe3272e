"""Cache query results for append-only rows; after a write, query only the new rows."""

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from data.store.cache.changes import Stamp
from data.store.cache.incremental_cache import SECONDS, stamp_now
from data.store.engine import Cursor
from data.store.store import Store

T = TypeVar("T")

_kept: WeakKeyDictionary[Store, dict[str, tuple[Stamp, Any]]] = WeakKeyDictionary()
_changing = Lock()


def appended(
    store: Store,
    name: str,
    ask: Callable[[Cursor, int, int], T],
    joined: Callable[[T, T], T],
) -> T:
    """An answer as of now, from the one before and what was added since.

    A run that is removed takes rows away, so that everything is asked about again. The state is
    read before the question: rows that come in between are asked about twice.

    Args:
        store: where to look.
        name: of the answer.
        ask: asks about annotations, or summaries, with greater numbers than the first, or second.
        joined: the answer before with what was added; nothing changes by joining a row twice.
    """
    stamp = stamp_now(store)
    with _changing:
        stood = _kept.setdefault(store, {}).get(name)
    if stood is None or not _only_added(stood[0], stamp):
        answer = _asked(store, ask, 0, 0)
    elif stood[0] == stamp:
        return cast("T", stood[1])
    else:
        added = _asked(store, ask, stood[0].annotation, stood[0].summary)
        answer = joined(cast("T", stood[1]), added)
    with _changing:
        _kept.setdefault(store, {})[name] = (stamp, answer)
    return answer


def _asked(store: Store, ask: Callable[[Cursor, int, int], T], annotation: int, summary: int) -> T:
    with store.read(seconds=SECONDS) as cursor:
        return ask(cursor, annotation, summary)


def _only_added(before: Stamp, stamp: Stamp) -> bool:
    return (before.opening, before.removals) == (stamp.opening, stamp.removals)
