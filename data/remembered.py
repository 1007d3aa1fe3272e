"""Answers of the store that are kept until the next write."""

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from data.store import Store

T = TypeVar("T")

# By open store, so that a file that is replaced and opened again is asked again.
_kept: WeakKeyDictionary[Store, dict[str, tuple[int, Any]]] = WeakKeyDictionary()
_changing = Lock()


def remembered(store: Store, name: str, ask: Callable[[Store], T]) -> T:
    """What `ask` answered since the last write, else what it answers now.

    Only for answers that depend on nothing but the store and that nobody changes. The version is
    read before the question: an answer may be newer than its version, never older.
    """
    version = store.version()
    with _changing:
        kept = _kept.setdefault(store, {}).get(name)
    if kept is not None and kept[0] == version:
        return cast("T", kept[1])
    answer = ask(store)
    with _changing:
        _kept[store][name] = (version, answer)
    return answer
