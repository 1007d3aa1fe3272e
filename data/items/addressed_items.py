"""Find items that may have influenced their judge: text addressed to the judge, or failed traps."""

from collections import defaultdict
from collections.abc import Collection
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.checks.addressed import find_hits
from faithfulness.judging.traps import FAILED
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import AuthorKind

Numbers = npt.NDArray[np.int64]
AT_ONCE = 2_000  # items whose texts are in memory together
SECONDS = 60.0

_LAST = "select coalesce(max(item_no), 0) from items"
_MARK = """
select coalesce(arg_max(item_id, item_no), '')
from items
where item_no <= $number
"""
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

# A reply counts while an answer of its question does; the samples of a question count together.
_TRAPPED = """
with told as (
    select r.reply_id, r.run_no, r.item_no, unnest(r.notes) as note
    from replies r
    where len(r.notes) > 0
        and r.run_no in (
            select run_no
            from runs
            where run_no not in (select run_no from run_removals)
                and ($protocol = '' or protocol = $protocol)
                and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        )
        and (
            len($judges::varchar[]) = 0
            or r.author_no in (
                select author_no
                from authors
                where kind = 'judge'
                    and list_contains($judges::varchar[], name)
            )
        )
),
failed as (
    select distinct t.reply_id, t.item_no, coalesce(f.group_id, t.reply_id) as question
    from told t
    left join reply_facts f on f.reply_id = t.reply_id
    where starts_with(t.note, $failed)
),
asked as (
    select reply_id, item_no from failed
    union
    select f.reply_id, x.item_no from failed x join reply_facts f on f.group_id = x.question
)
select distinct a.item_no
from annotations a
join asked q on q.reply_id = a.reply_id and q.item_no = a.item_no
where a.annotation_no not in (select supersedes from annotations where supersedes is not null)
order by a.item_no
"""


class _SearchedItems(NamedTuple):
    """Up to which item was looked, its id, and the items found."""

    upto: int = 0
    mark: str = ""
    found: tuple[int, ...] = ()


# By open store. Items are never edited and their numbers only grow, so that what was looked at
# once stays true; but a backup that is put back gives out again the numbers that it does not know.
_looked: WeakKeyDictionary[Store, _SearchedItems] = WeakKeyDictionary()
_looking = Lock()


def find_addressed_items(store: Store) -> Numbers:
    """The numbers of all items with a text that speaks to its judge, in their order."""
    with _looking:
        looked = _looked.get(store, _SearchedItems())
        with store.read(seconds=SECONDS) as cursor:
            last = int(cursor.execute(_LAST).fetchall()[0][0])
            if _load_mark(cursor, looked.upto) != looked.mark:
                looked = _SearchedItems()
        for start in range(looked.upto, last, AT_ONCE):
            looked = _search_items(store, looked, min(start + AT_ONCE, last))
            _looked[store] = looked
    return np.array(looked.found, np.int64)


def find_trapped_items(store: Store, selection: Selection) -> Numbers:
    """The numbers of items on which a judge's current reply answered a trap wrongly.

    Of a selection count its protocol, runs and authors: what a judge did elsewhere is no reason.
    """
    facts = {
        "failed": FAILED,
        "protocol": selection.protocol,
        "runs": list(selection.runs),
        "judges": [each.name for each in selection.authors if each.kind is AuthorKind.JUDGE],
    }
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(_TRAPPED, facts).fetchall()
    return np.array([number for (number,) in rows], np.int64)


def left_out(store: Store, selection: Selection) -> Numbers:
    """The items that a selection leaves out for either; none unless it asks for it."""
    none = np.zeros(0, np.int64)
    addressed = find_addressed_items(store) if selection.leaves_addressed else none
    return (
        np.union1d(addressed, find_trapped_items(store, selection))
        if selection.leaves_trapped
        else addressed
    )


def count_left_out_items(store: Store, selection: Selection, run_ids: Collection[str]) -> int:
    """How many items of these runs are left out for that."""
    facts = {"run_ids": list(run_ids), "numbers": left_out(store, selection).tolist()}
    with store.read(seconds=SECONDS) as cursor:
        return int(cursor.execute(_AMONG, facts).fetchall()[0][0])


def _search_items(store: Store, before: _SearchedItems, upto: int) -> _SearchedItems:
    texts: defaultdict[int, list[str]] = defaultdict(list)
    with store.read(seconds=SECONDS) as cursor:
        mark = _load_mark(cursor, upto)
        facts = {"after": before.upto, "upto": upto}
        for number, text in cursor.execute(_TEXTS, facts).fetchall():
            texts[number].append(text)
    found = (
        number
        for number in sorted(texts)
        if any(True for text in texts[number] for _ in find_hits(text))
    )
    return _SearchedItems(upto, mark, (*before.found, *found))


def _load_mark(cursor: Cursor, number: int) -> str:
    return str(cursor.execute(_MARK, {"number": number}).fetchall()[0][0])
