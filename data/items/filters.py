"""Query the available filter values: runs, systems, protocols, annotators and slices."""

from operator import or_

import pandas as pd

from data.store.cache.append_cache import appended
from data.store.cache.run_cache import of_runs
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store

FEW = 24  # a key with more values than this is no slice but a name
SECONDS = 30.0

_OF_RUNS = """
with brought as (
    select import_id, min(run_no) as first_no
    from runs
    group by import_id
),
stays as (
    select
        r.run_no, r.run_id, r.name, r.system, r.protocol, r.is_sample,
        row_number() over (order by i.first_no desc, r.run_no) as place
    from runs r
    join brought i on i.import_id = r.import_id
    where r.run_no not in (select run_no from run_removals)
),
said as (
    select key, value, count(*) as items
    from (
        select unnest(map_keys(attributes)) as key, unnest(map_values(attributes)) as value
        from run_items
        where run_no in (select run_no from stays)
    )
    group by key, value
),
few as (
    select key
    from said
    group by key
    having count(*) between 2 and $few
)
select 'run' as part, run_id as value, name || ' · ' || protocol as title, place
from stays
union all
select 'system', system, system, min(place)
from stays
where system <> ''
group by system
union all
select 'protocol', protocol, protocol, min(place)
from stays
group by protocol
union all
select 'sample', run_id, name, place
from stays
where is_sample
union all
select 'slice', key || chr(31) || value, key || ': ' || value, -items
from said
where key in (select key from few)
order by part, place, title
"""

# Authors are counted from the summaries, which are few beside annotations.
_AUTHORS = """
select author_no, kind || ':' || name, kind || ' ' || name
from authors
where author_no in (
    select author_no
    from summaries
    where summary_no > $summary
        and run_no not in (select run_no from run_removals)
)
"""


def load_filter_values(store: Store) -> pd.DataFrame:
    """Every value that a filter can choose; runs and systems of the newest import come first.

    Columns:
        part: run, system, protocol, author or slice; sample names the runs of the sample again.
        value: its key; of a slice, its key and value with the unit separator between them.
        title: what people read.
    """
    return remembered(store, "offered", _build_filter_values)


def _build_filter_values(store: Store) -> pd.DataFrame:
    """The authors, who come with any rating, before what only an import or a removal changes."""
    authors = appended(store, "authors", _load_authors, or_)
    rows = [("author", *authors[number]) for number in sorted(authors)]
    rows += of_runs(store, "offered", _load_run_values)
    return pd.DataFrame(rows, columns=["part", "value", "title"], dtype="str")


def _load_authors(cursor: Cursor, _: int, summary: int) -> dict[int, tuple[str, str]]:
    rows = cursor.execute(_AUTHORS, {"summary": summary}).fetchall()
    return {number: (value, title) for number, value, title in rows}


def _load_run_values(store: Store) -> list[tuple[str, str, str]]:
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(_OF_RUNS, {"few": FEW}).fetchall()
    return [(part, value, title) for part, value, title, _ in rows]
