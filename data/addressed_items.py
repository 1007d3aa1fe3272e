"""Items whose texts speak to their judge, looked for once and kept while the store is open."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from data.store import Store
from faithfulness.checks.addressed import hits
from faithfulness.selection import Selection

Numbers = npt.NDArray[np.int64]
AT_ONCE = 2_000  # items whose texts are in memory together
SECONDS = 60.0

_LAST = "select coalesce(max(item_no), 0) from items"
_TEXTS = """
select item_no, text
from fields
where item_no > $after
    and item_no <= $upto
"""

_AMONG = """
select count(distinct n.item_no)
from run_items n
join runs r on r.run_no = n.run_no
where r.run_id in (select unnest($run_ids::varchar[]))
    and r.run_no not in (select run_no from run_removals)
    and n.item_no in (select unnest($numbers::integer[]))
"""

# By open store: the last item that was looked at, and those found. Items are never edited and
# their numbers only grow, so that what was looked at once stays true.
_found: WeakKeyDictionary[Store, tuple[int, tuple[int, ...]]] = WeakKeyDictionary()
_looking = Lock()


def addressed_items(store: Store) -> Numbers:
    """The numbers of all items with a text that speaks to its judge, in their order."""
    with _looking:
        after, found = _found.get(store, (0, ()))
        with store.read(seconds=SECONDS) as cursor:
            last = int(cursor.execute(_LAST).fetchall()[0][0])
        for start in range(after, last, AT_ONCE):
            upto = min(start + AT_ONCE, last)
            found = (*found, *_look(store, start, upto))
            _found[store] = (upto, found)
    return np.array(found, np.int64)


def left_out(store: Store, selection: Selection) -> Numbers:
    """The items that a selection leaves out for that; none unless it asks for it."""
    return addressed_items(store) if selection.leaves_addressed else np.zeros(0, np.int64)


def left_out_of_runs(store: Store, selection: Selection, run_ids: Collection[str]) -> int:
    """How many items of these runs are left out for that."""
    facts = {"run_ids": list(run_ids), "numbers": left_out(store, selection).tolist()}
    with store.read(seconds=SECONDS) as cursor:
        return int(cursor.execute(_AMONG, facts).fetchall()[0][0])


def _look(store: Store, after: int, upto: int) -> Sequence[int]:
    texts: defaultdict[int, list[str]] = defaultdict(list)
    with store.read(seconds=SECONDS) as cursor:
        for number, text in cursor.execute(_TEXTS, {"after": after, "upto": upto}).fetchall():
            texts[number].append(text)
    return [
        number
        for number in sorted(texts)
        if any(True for text in texts[number] for _ in hits(text))
    ]
