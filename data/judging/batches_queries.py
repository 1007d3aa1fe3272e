"""Batch item queries: candidates, failed items, unparsed replies and failed traps."""

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd

from data.items.filters import FEW
from data.judging.batches import are_same_settings
from data.runs.queries import find_chosen_items
from data.store.store import Store
from faithfulness.judging.traps import FAILED
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author

SECONDS = 30.0

_CANDIDATES = """
with judged as (
    select distinct r.item_no
    from replies r
    join reply_facts f on f.reply_id = r.reply_id
    join authors w on w.author_no = r.author_no
    join runs n on n.run_no = r.run_no
    where n.run_id = $run_id
        and n.run_no not in (select run_no from run_removals)
        and w.kind = $kind
        and w.name = $name
        and r.fingerprint = $fingerprint
        and f.settings in (select unnest($settings::varchar[]))
)
select i.item_no, i.item_id, n.attributes, i.item_no in (select item_no from judged) as judged
from runs r
join run_items n on n.run_no = r.run_no
join items i on i.item_no = n.item_no
where r.run_id = $run_id
    and r.run_no not in (select run_no from run_removals)
order by n.position
"""

_SETTINGS = "select distinct settings from reply_facts"

_SLICE_KEYS = """
with said as (
    select distinct
        unnest(map_keys(attributes)) as key,
        unnest(map_values(attributes)) as value
    from run_items
    where run_no in (
        select run_no
        from runs
        where run_id = $run_id
            and run_no not in (select run_no from run_removals)
    )
)
select key
from said
group by key
having count(*) between 2 and $few
order by key
"""

_FAILED = """
with tasks as (
    select t.item_no, t.position, b.run_no
    from batch_tasks t
    join batches b on b.batch_id = t.batch_id
    where t.batch_id = $batch_id
        and t.batch_id || '/' || t.item_no not in (select group_id from reply_facts)
),
last as (
    select item_no, arg_max(text, happened_at) as text, count(*) as times
    from batch_events
    where batch_id = $batch_id
        and kind = 'failed'
    group by item_no
)
select
    i.item_id, n.external_id, split_part(l.text, ': ', 1) as kind,
    substr(l.text, instr(l.text, ': ') + 2) as says, l.times
from tasks t
join last l on l.item_no = t.item_no
join items i on i.item_no = t.item_no
join run_items n on n.item_no = t.item_no and n.run_no = t.run_no
order by t.position
limit $limit
"""

_UNREAD = """
with groups as (
    select t.item_no, t.position, b.run_no, t.batch_id || '/' || t.item_no as group_id
    from batch_tasks t
    join batches b on b.batch_id = t.batch_id
    where t.batch_id = $batch_id
),
problems as (
    select g.item_no, a.problem
    from groups g
    join reply_facts f on f.group_id = g.group_id
    join annotations a on a.reply_id = f.reply_id and a.item_no = g.item_no
    where a.value is null
        and a.problem <> ''
        and a.annotation_no not in (
            select supersedes from annotations where supersedes is not null
        )
),
texts as (
    select g.item_no, arg_min(r.text, f.sample_no) as reply
    from groups g
    join reply_facts f on f.group_id = g.group_id
    join replies r on r.reply_id = f.reply_id
    where g.item_no in (select item_no from problems)
    group by g.item_no
)
select
    i.item_id, n.external_id, min(p.problem) as says, count(*)::integer as answers,
    any_value(x.reply) as reply
from groups g
join problems p on p.item_no = g.item_no
join texts x on x.item_no = g.item_no
join items i on i.item_no = g.item_no
join run_items n on n.item_no = g.item_no and n.run_no = g.run_no
group by i.item_id, n.external_id, g.position
order by g.position
limit $limit
"""

_TRAPPED = """
with told as (
    select f.group_id, f.reply_id, unnest(r.notes) as note
    from reply_facts f
    join replies r on r.reply_id = f.reply_id
    where f.group_id in (
        select batch_id || '/' || item_no from batch_tasks where batch_id = $batch_id
    )
),
failed as (
    select
        group_id, count(distinct reply_id)::integer as replies,
        min(substr(note, length($failed) + 1)) as says
    from told
    where starts_with(note, $failed)
    group by group_id
)
select i.item_id, n.external_id, x.says, x.replies
from batch_tasks t
join failed x on x.group_id = t.batch_id || '/' || t.item_no
join batches b on b.batch_id = t.batch_id
join items i on i.item_no = t.item_no
join run_items n on n.item_no = t.item_no and n.run_no = b.run_no
where t.batch_id = $batch_id
order by t.position
limit $limit
"""


def load_candidates(
    store: Store,
    run_id: str,
    selection: Selection | None,
    *,
    author: Author,
    fingerprint: str,
    settings: Mapping[str, str],
) -> pd.DataFrame:
    """The items of a run that the selection leaves, in the file's order.

    Columns:
        item_no, item_id.
        attributes: what the file says about the item, a dict of texts.
        judged: this judge was asked with this prompt and these settings before; it may have had
            another time limit.
    """
    facts: dict[str, Any] = {
        "run_id": run_id,
        "kind": author.kind.value,
        "name": author.name,
        "fingerprint": fingerprint,
    }
    with store.read(seconds=SECONDS) as cursor:
        used = [text for (text,) in cursor.execute(_SETTINGS).fetchall()]
        facts["settings"] = [each for each in used if are_same_settings(json.loads(each), settings)]
        found: pd.DataFrame = cursor.execute(_CANDIDATES, facts).df()
        kept = find_chosen_items(cursor, run_id, selection)
    found["attributes"] = found["attributes"].map(dict)
    return found[found["item_no"].isin(kept)].reset_index(drop=True)


def load_slice_keys(store: Store, run_id: str) -> list[str]:
    """What the file says about the items of a run in few enough values to spread a sample over."""
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(_SLICE_KEYS, {"run_id": run_id, "few": FEW}).fetchall()
    return [str(key) for (key,) in rows]


def load_failed_items(store: Store, batch_id: str, limit: int = 200) -> pd.DataFrame:
    """Items of a batch that failed and have no reply since.

    Columns:
        item_id, external_id.
        kind: of the failure, as in JudgeFailed; says: its last words; times: how often it failed.
    """
    return _query_batch(store, _FAILED, batch_id, limit)


def load_unread_items(store: Store, batch_id: str, limit: int = 200) -> pd.DataFrame:
    """Items of a batch whose replies could not be read whole.

    Columns:
        item_id, external_id.
        says: one of the problems; answers: how many answers are Unread.
        reply: what the judge wrote, of several samples the first.
    """
    return _query_batch(store, _UNREAD, batch_id, limit)


def load_trapped_items(store: Store, batch_id: str, limit: int = 200) -> pd.DataFrame:
    """Items of a batch with a reply that answered a trap wrongly.

    Columns:
        item_id, external_id.
        says: which trap, and what was answered; replies: how many of the item's replies.
    """
    return _query_batch(store, _TRAPPED, batch_id, limit, failed=FAILED)


def _query_batch(
    store: Store, question: str, batch_id: str, limit: int, **more: str
) -> pd.DataFrame:
    with store.read(seconds=SECONDS) as cursor:
        facts = {"batch_id": batch_id, "limit": limit, **more}
        found: pd.DataFrame = cursor.execute(question, facts).df()
    return found
