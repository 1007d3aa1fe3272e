"""Cache results that depend only on runs and items, until a run is imported or removed."""

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from data.store.cache.incremental_cache import stamp_now
from data.store.store import Store

T = TypeVar("T")
State = tuple[int, ...]

_kept: WeakKeyDictionary[Store, dict[str, tuple[State, Any]]] = WeakKeyDictionary()
_changing = Lock()


def of_runs(store: Store, name: str, ask: Callable[[Store], T]) -> T:
    """What `ask` answered since the last import or removal, else what it answers now.

    Ratings, decisions and replies of judges, of which most writes are, leave such an answer as it
    is. The state is read before the question: an answer may be newer than it, never older.
    """
    stamp = stamp_now(store)
    state = (stamp.opening, stamp.item, stamp.run, stamp.run_items, stamp.removals)
    with _changing:
        found = _kept.setdefault(store, {}).get(name)
    if found is None or found[0] != state:
        found = (state, ask(store))
        with _changing:
            _kept.setdefault(store, {})[name] = found
    return cast("T", found[1])
