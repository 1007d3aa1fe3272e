"""Cache results computed from the store until the next write."""

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from data.store.cache.single_flight import Turns
from data.store.store import Store

T = TypeVar("T")

# By open store, so that a file that is replaced and opened again is asked again.
_kept: WeakKeyDictionary[Store, dict[str, tuple[int, Any]]] = WeakKeyDictionary()
_changing = Lock()
_turns = Turns()


def remembered(store: Store, name: str, ask: Callable[[Store], T]) -> T:
    """What `ask` answered since the last write, else what it answers now.

    Only for answers that depend on nothing but the store and that nobody changes. The version is
    read before the question: an answer may be newer than its version, never older. After a write
    one thread asks, and whoever wants the same meanwhile waits for its answer.
    """
    found = _kept_now(store, name)
    if found is None:
        with _turns.of((id(store), name)):
            version = store.version()
            found = _kept_now(store, name)
            if found is None:
                found = (version, ask(store))
                with _changing:
                    _kept.setdefault(store, {})[name] = found
    return cast("T", found[1])


def _kept_now(store: Store, name: str) -> tuple[int, Any] | None:
    version = store.version()
    with _changing:
        kept = _kept.setdefault(store, {}).get(name)
    return kept if kept is not None and kept[0] == version else None
