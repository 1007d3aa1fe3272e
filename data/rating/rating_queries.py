"""Queries for the rating page: items to rate and the rater's own answers only.

No query here returns a name, label, reason or number of another annotator, and no sort order
depends on one. Whether an item has enough raters is returned as yes or no.
"""

from typing import Any

import pandas as pd

from data.items.loading import ANNOTATION_COLUMNS, build_annotations, find_item_number
from data.items.narrowing_sql import run_is_counted
from data.items.sample_people import SAMPLE_RATERS
from data.store.cache.version_cache import remembered
from data.store.store import Store
from faithfulness.model.vocabulary import Answer

SECONDS = 10.0

_RUNS = """
select r.run_id, r.name, r.protocol, r.system, r.is_sample, count(*) as items
from runs r
join run_items n on n.run_no = r.run_no
join (select import_id, min(run_no) as first_no from runs group by import_id) i
    on i.import_id = r.import_id
where r.run_no not in (select run_no from run_removals)
group by i.first_no, r.run_no, r.run_id, r.name, r.protocol, r.system, r.is_sample
order by r.is_sample, i.first_no desc, r.run_no
"""

_LAST_RUN = f"""
select r.run_id
from drafts d
join runs r on r.run_no = d.run_no
where d.rater = $rater
    and r.run_no not in (select run_no from run_removals)
    and {run_is_counted("r")}
order by d.draft_no desc
limit 1
"""  # noqa: S608 - put together from constants

_CAME_WITH_SAMPLE = f"""
with {SAMPLE_RATERS.strip()}
select 1
from sample_raters
where name = $rater
"""  # noqa: S608 - put together from constants

_QUEUE = """
with here as (
    select run_no
    from runs
    where run_id = $run_id
        and run_no not in (select run_no from run_removals)
),
mine as (
    select distinct a.item_no
    from annotations a
    join authors w on w.author_no = a.author_no
    where a.run_no in (select run_no from here)
        and a.supersedes is null
        and w.kind = 'rater'
        and w.name = $rater
),
sheets as (
    select item_no, arg_max(kind, draft_no) as last_kind
    from drafts
    where run_no in (select run_no from here)
        and rater = $rater
        and kind <> 'time'
    group by item_no
),
given as (
    select item_no, purpose, arg_max(is_withdrawn, assignment_no) as is_withdrawn
    from assignments
    where run_no in (select run_no from here)
        and rater = $rater
    group by item_no, purpose
)
select
    i.item_id,
    n.external_id,
    n.item_no in (select item_no from mine) as is_rated,
    n.item_no in (select item_no from sheets where last_kind <> 'signed') as is_begun,
    {is_full} as is_full,
    n.item_no in (select item_no from given where purpose = 'share' and not is_withdrawn)
        as is_assigned,
    n.item_no in (select item_no from given where purpose = 'calibration' and not is_withdrawn)
        as is_calibration
from run_items n
join items i on i.item_no = n.item_no
where n.run_no in (select run_no from here)
order by md5($rater || chr(31) || i.item_id), i.item_id
"""

_QUEUE_ALONE = _QUEUE.format(is_full="false")

# A chain of corrections begins once, so counting beginnings counts every author once.
_QUEUE_BESIDE_OTHERS = _QUEUE.format(
    is_full="""n.item_no in (
        select a.item_no
        from annotations a
        join authors w on w.author_no = a.author_no
        where a.run_no in (select run_no from here)
            and a.supersedes is null
            and w.kind = 'rater'
            and w.name <> $rater
        group by a.item_no
        having count(distinct a.author_no) >= $overlap
    )"""
)

_TIMES = """
select t.item_no, sum(t.seconds) as seconds
from rating_times t
join runs r on r.run_no = t.run_no
join authors w on w.author_no = t.author_no
where r.run_id = $run_id
    and w.kind = 'rater'
    and w.name = $rater
    and r.run_no not in (select run_no from run_removals)
group by t.item_no
"""

# Blind by construction: all name the author, so that nobody else's words are ever fetched.
_ANY = """
select 1
from annotations a
join authors w on w.author_no = a.author_no
where a.item_no = $number
    and a.supersedes is null
    and w.kind = 'rater'
    and w.name = $rater
limit 1
"""

_OWN = f"""
select
    {ANNOTATION_COLUMNS}
from annotations a
join runs r on r.run_no = a.run_no
join units u on u.unit_no = a.unit_no and u.item_no = $number
join authors w on w.author_no = a.author_no
where a.item_no = $number
    and r.run_id = $run_id
    and r.run_no not in (select run_no from run_removals)
    and w.kind = 'rater'
    and w.name = $rater
order by a.annotation_no
"""  # noqa: S608 - put together from constants

_OWN_EXCERPTS = """
select e.annotation_no, e.text, e.tier, e.coverage, e.spans
from excerpts e
join annotations a on a.annotation_no = e.annotation_no and a.item_no = $number
join runs r on r.run_no = a.run_no
join authors w on w.author_no = a.author_no
where e.item_no = $number
    and r.run_id = $run_id
    and w.kind = 'rater'
    and w.name = $rater
order by e.annotation_no, e.position
"""


def load_rating_runs(store: Store) -> pd.DataFrame:
    """Runs that can be rated: the newest import first, its runs in the order of its file.

    The sample's come last.

    Columns: run_id, name, protocol, system, is_sample, items.
    """
    return remembered(store, "rating runs", lambda asked: _query_frame(asked, _RUNS, {})).copy()


def find_last_run(store: Store, rater: str) -> str:
    """The run whose items this rater answered last; empty where there is none yet.

    A run of the sample only while nothing else is stored.
    """
    found = _query_frame(store, _LAST_RUN, {"rater": rater, "runs": []})["run_id"]
    return "" if found.empty else str(found.iloc[0])


def is_sample_rater(store: Store, rater: str) -> bool:
    """Whether a name stands below answers of the sample, and nobody has worked under it here."""
    # Asked with every step of somebody who rates; without a sample it is known at once.
    if not load_rating_runs(store)["is_sample"].any():
        return False
    return not _query_frame(store, _CAME_WITH_SAMPLE, {"rater": rater}).empty


def load_queue(store: Store, run_id: str, rater: str, overlap: int = 0) -> pd.DataFrame:
    """Every item of a run in this rater's own random order, which never changes.

    Columns: item_id, external_id, is_rated (this rater signed), is_begun (and not signed since),
    is_full (`overlap` or more others signed; false for 0), is_assigned, is_calibration.
    """
    asked: dict[str, Any] = {"run_id": run_id, "rater": rater}
    if overlap <= 0:
        return _query_frame(store, _QUEUE_ALONE, asked)
    return _query_frame(store, _QUEUE_BESIDE_OTHERS, asked | {"overlap": overlap})


def load_own_times(store: Store, run_id: str, rater: str) -> pd.DataFrame:
    """Seconds this rater spent on each item signed; columns: item_no, seconds."""
    return _query_frame(store, _TIMES, {"run_id": run_id, "rater": rater})


def load_own_answers(
    store: Store, run_id: str, item_id: str, rater: str, *, number: int = 0
) -> list[Answer]:
    """What this rater signed on an item, whose number may be known, and has not corrected since."""
    with store.read(seconds=SECONDS) as cursor:
        number = number or find_item_number(cursor, item_id)
        asked: dict[str, Any] = {"number": number, "rater": rater}
        # Most sheets that are opened have nothing signed, and this is found sooner.
        if not cursor.execute(_ANY, asked).fetchall():
            return []
        asked["run_id"] = run_id
        rows = cursor.execute(_OWN, asked).fetchall()
        excerpts = cursor.execute(_OWN_EXCERPTS, asked).fetchall() if rows else []
    found = build_annotations(item_id, rows, excerpts, current=True)
    return [each.answer for each in found]


def _query_frame(store: Store, question: str, asked: dict[str, Any]) -> pd.DataFrame:
    with store.read(seconds=SECONDS) as cursor:
        return cursor.execute(question, asked).df()
