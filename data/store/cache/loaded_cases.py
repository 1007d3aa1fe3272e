"""Cache of recently loaded disagreements; entries are dropped when their item changes."""

from collections.abc import Collection
from threading import Lock
from weakref import WeakKeyDictionary

from data.store.store import Store
from faithfulness.review.disagreement import Disagreement

# The unit, the question, the runs whose raters and judges count, with the baseline or without, and
# the run that the card names.
Key = tuple[int, int, tuple[int, ...], bool, int]
MOST = 60  # three pages of a queue; each holds the texts of its item

_cases: WeakKeyDictionary[Store, dict[Key, tuple[int, Disagreement]]] = WeakKeyDictionary()
_changing = Lock()


def loaded(store: Store, key: Key) -> Disagreement | None:
    with _changing:
        found = _cases.get(store, {}).get(key)
    return None if found is None else found[1]


def keep(store: Store, version: int, found: dict[Key, tuple[int, Disagreement]]) -> None:
    """Keep what was loaded, with its item's number, unless somebody wrote since `version`."""
    with _changing:
        if store.version() != version:
            return
        kept = _cases.get(store, {}) | found
        _cases[store] = dict(list(kept.items())[-MOST:])


def forget(store: Store, items: Collection[int] | None) -> None:
    """Forget the cases of these items, or all."""
    with _changing:
        kept = {} if items is None else _cases.get(store, {})
        gone = set(items or ())
        _cases[store] = {key: each for key, each in kept.items() if each[0] not in gone}
