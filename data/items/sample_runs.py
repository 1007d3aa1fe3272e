"""Queries for the sample's runs, which count only in a store without other runs or when selected.

All queries across runs exclude them by one rule: `narrowing_sql.run_is_counted` in SQL, and the
functions here. The rule considers the whole store, not a single protocol.
"""

import pandas as pd

from data.items.narrowing_sql import ONLY_SAMPLE, run_is_counted
from data.store.cache.run_cache import of_runs
from data.store.store import Store
from faithfulness.model.selection import Selection

_LEFT_OUT = f"""
select run_id
from runs
where is_sample
    and run_no not in (select run_no from run_removals)
    and not {run_is_counted()}
    and ($protocol = '' or protocol = $protocol)
    and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
order by run_no
"""  # noqa: S608 - put together from constants

# An item may stand in a run of the sample under one protocol and in another run under another.
_PLACES = f"""
with standing as (
    select run_no, protocol, is_sample
    from runs
    where run_no not in (select run_no from run_removals)
)
select
    n.item_no, s.protocol,
    bool_and(bool_and(s.is_sample)) over (partition by n.item_no) as is_alone
from run_items n
join standing s on s.run_no = n.run_no
where n.item_no in (
        select item_no
        from run_items
        where run_no in (select run_no from standing where is_sample)
    )
    and not {ONLY_SAMPLE}
group by n.item_no, s.protocol
qualify bool_and(s.is_sample)
order by n.item_no, s.protocol
"""  # noqa: S608 - put together from constants

_ALL = """
select run_id, run_no
from runs
where is_sample
    and run_no not in (select run_no from run_removals)
order by run_no
"""


def find_left_out_sample_runs(store: Store, selection: Selection) -> tuple[str, ...]:
    """The ids of the sample's runs that a selection would hold and that do not count in it."""
    facts = {
        "runs": list(selection.runs),
        "protocol": selection.protocol,
        "systems": list(selection.systems),
    }
    with store.read() as cursor:
        return tuple(run_id for (run_id,) in cursor.execute(_LEFT_OUT, facts).fetchall())


def find_sample_items(store: Store, selection: Selection) -> list[int]:
    """The numbers of items that stand in no run that counts, under any protocol."""
    places = find_sample_places(store, selection)
    return [int(each) for each in places.loc[places["is_alone"], "item_no"].unique()]


def find_sample_places(store: Store, selection: Selection) -> pd.DataFrame:
    """Items by protocol under which they stand only in runs of the sample that do not count.

    Columns: item_no, protocol, is_alone (they stand in no other run, under any protocol). Empty
    where runs are chosen, or nothing else is stored.
    """

    def ask(asked: Store) -> pd.DataFrame:
        with asked.read() as cursor:
            found: pd.DataFrame = cursor.execute(_PLACES).df()
        return found

    found = of_runs(store, "sample places", ask)
    return found.iloc[:0] if selection.runs else found


def load_sample_runs(store: Store) -> dict[str, int]:
    """The ids of all runs of the sample, with their numbers."""

    def ask(asked: Store) -> dict[str, int]:
        with asked.read() as cursor:
            return dict(cursor.execute(_ALL).fetchall())

    return of_runs(store, "sample runs", ask)


def in_any_run(store: Store, selection: Selection) -> tuple[str, ...]:
    """The runs to choose for looking beyond those of a selection: none, which means all that count.

    Where the selection names a run of the sample, all runs of the sample.
    """
    known = load_sample_runs(store)
    return tuple(known) if set(known) & set(selection.runs) else ()
