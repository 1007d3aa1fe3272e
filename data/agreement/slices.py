"""Group the items of a comparison by system, run, attribute, other criterion or text length."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.agreement.cells import SECONDS, get_or_make
from data.agreement.items import build_parameters, find_question, load_compared_runs
from data.agreement.pairs_sql import STAYS
from data.items.filters import FEW
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import SOURCE_KINDS
from faithfulness.protocols import PROTOCOLS

# What the file says about an item, in the first of the chosen runs that says it.
ATTRIBUTE = (
    STAYS
    + """
select
    item_no,
    arg_min(
        list_filter(map_entries(attributes), lambda each: each.key = $key)[1].value, run_no
    ) as value_said
from chosen
where list_contains(map_keys(attributes), $key)
group by item_no
"""
)

RUN_OF = (
    STAYS
    + """
select c.item_no, arg_min(s.system, s.run_no) as system, arg_min(s.run_id, s.run_no) as run_id
from chosen c
join stays s on s.run_no = c.run_no
group by c.item_no
"""
)

# Raters' word before judges', the commonest before others; each has one, the last.
OTHER_ANSWER = """
with latest as (
    select a.item_no, a.value as answer, w.kind
    from annotations a
    join authors w on w.author_no = a.author_no
    where a.criterion = $key
        and a.value is not null
        and a.run_no in (
            select run_no
            from runs
            where protocol = $protocol
                and run_no not in (select run_no from run_removals)
        )
        and (
            len($runs::integer[]) = 0
            or list_contains($runs::integer[], a.run_no)
            or w.kind = 'adjudicator'
        )
        and a.annotation_no not in (
            select supersedes from annotations where supersedes is not null
        )
    qualify row_number() over (
        partition by a.unit_no, a.author_no
        order by a.annotation_no desc
    ) = 1
),
said as (
    select
        item_no,
        answer,
        count(*) filter (where kind = 'rater') as raters,
        count(*) as authors
    from latest
    group by item_no, answer
)
select item_no, answer as value_said
from (
    select
        item_no,
        answer,
        row_number() over (
            partition by item_no
            order by raters desc, authors desc, answer
        ) as place
    from said
)
where place = 1
"""

TEXT_LENGTHS = """
select item_no, sum(length(text))::bigint as characters
from fields
where list_contains($kinds::varchar[], kind)
    and length(text) > 0
group by item_no
"""

SLICE_KEYS = (
    STAYS  # noqa: S608 - put together from constants
    + """
, said as (
    select key, value, count(distinct item_no) as items
    from (
        select
            item_no, unnest(map_keys(attributes)) as key, unnest(map_values(attributes)) as value
        from chosen
    )
    group by key, value
)
select key as named, count(*) as kinds
from said
group by key
having count(*) between 2 and $few
order by key
"""
)


Words = npt.NDArray[np.object_]

SYSTEM, RUN = "system", "run"
LENGTHS = {"source length": tuple(sorted(SOURCE_KINDS)), "response length": ("response",)}
_QUARTERS = ("shortest quarter", "second quarter", "third quarter", "longest quarter")


def list_slice_keys(store: Store, selection: Selection, criterion: str = "") -> tuple[str, ...]:
    """What the items of a selection can be told apart by, in the order in which to offer it."""
    protocol, asked = find_question(selection, criterion)
    facts = build_parameters(selection, protocol)
    with store.read(seconds=SECONDS) as cursor:
        seen = cursor.execute(RUN_OF, facts).df()
        rows = cursor.execute(SLICE_KEYS, {**facts, "few": FEW}).fetchall()
    said = [str(row[0]) for row in rows]
    found = [
        key
        for key, column in ((SYSTEM, "system"), (RUN, "run_id"))
        if _has_different_values(seen, column)
    ]
    found += [each for each in said if each not in (*found, *LENGTHS)]
    found += (
        [each.key for each in protocol.criteria if each.key not in (asked.key, *found)]
        if protocol.unit.value == "response"
        else []
    )
    return (*found, *LENGTHS)


def load_item_slices(
    store: Store, selection: Selection, by: str, items: Sequence[int] | npt.NDArray[np.int64]
) -> Words:
    """The slice in which each item falls; empty where nothing is known about it.

    Args:
        store: where to look.
        selection: names the protocol; an item of several runs is described by the first of them.
        by: system, run (its id), source length or response length (quarters of these items),
            another criterion of the protocol (what raters say, else judges), or what the file
            says about an item under this name.
        items: the store's item numbers, in the order of the answer.

    Raises:
        ReviewError: the selection names no protocol.
    """
    numbers = np.asarray(items, np.int64)
    protocol = PROTOCOLS.get(selection.protocol)
    if protocol is None:
        raise ReviewError("Slices are those of one protocol. Choose a protocol first.")
    if by in LENGTHS:
        return _name_quarters(numbers, _load_lengths(store, by))
    said = _load_values(store, selection, protocol, by)
    return np.array([said.get(each, "") for each in numbers.tolist()], dtype=object)


def _load_values(store: Store, selection: Selection, protocol: Protocol, by: str) -> dict[int, str]:
    facts = build_parameters(selection, protocol)
    if by in (SYSTEM, RUN):
        found = _query_frame(store, RUN_OF, facts)
        return _map_items(found, "system" if by == SYSTEM else "run_id")
    found = _query_frame(store, ATTRIBUTE, {**facts, "key": by})
    if found.empty and by in {each.key for each in protocol.criteria}:
        runs = list(load_compared_runs(store, selection, protocol))
        asked = {"protocol": protocol.key, "key": by, "runs": runs}
        found = _query_frame(store, OTHER_ANSWER, asked)
    return _map_items(found, "value_said")


def _map_items(found: pd.DataFrame, column: str) -> dict[int, str]:
    return {
        int(item): str(said)
        for item, said in zip(found["item_no"], found[column], strict=True)
        if said
    }


def _has_different_values(seen: pd.DataFrame, column: str) -> bool:
    return seen[column].nunique() > 1


def _load_lengths(store: Store, by: str) -> dict[int, int]:
    def make() -> dict[int, int]:
        found = _query_frame(store, TEXT_LENGTHS, {"kinds": list(LENGTHS[by])})
        return dict(zip(found["item_no"].tolist(), found["characters"].tolist(), strict=True))

    return get_or_make(store, ("lengths", by), make, lambda made: 200 * len(made))


def _name_quarters(items: npt.NDArray[np.int64], characters: dict[int, int]) -> Words:
    """Four bands of about as many items each, named with their limits in characters."""
    lengths = np.array([characters.get(each, 0) for each in items.tolist()], np.int64)
    known = lengths > 0
    found = np.full(len(items), "", dtype=object)
    if not known.any():
        return found
    limits = np.quantile(lengths[known], (0.25, 0.5, 0.75), method="inverted_cdf").astype(int)
    names = [
        f"{_QUARTERS[0]} (up to {limits[0]:,} characters)",
        f"{_QUARTERS[1]} (up to {limits[1]:,})",
        f"{_QUARTERS[2]} (up to {limits[2]:,})",
        f"{_QUARTERS[3]} (more than {limits[2]:,})",
    ]
    band = np.searchsorted(limits, lengths, side="left")
    found[known] = np.array(names, dtype=object)[band[known]]
    return found


def _query_frame(store: Store, asked: str, facts: dict[str, Any]) -> pd.DataFrame:
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(asked, facts).df()
    return found
