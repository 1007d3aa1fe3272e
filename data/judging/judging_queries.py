"""Queries for prompt versions, recently annotated items and saved reruns."""

from collections.abc import Sequence

import pandas as pd

from data.items.narrowing_sql import run_is_counted
from data.store.store import Store
from faithfulness.model.prompt import Carrier, Prompt

MOST_RECENT = 4_000  # answers looked back over, so that a large store is not read through

_PROMPTS = """
select version, system_text, template, carrier, slots
from prompts
where protocol = $protocol
order by first_used_at desc, fingerprint
limit $limit
"""

_BASED_ON = """
select based_on
from prompt_notes
where fingerprint = $fingerprint
order by made_at
limit 1
"""

# A decision is no answer: many may be made at once, long after the answers they settle.
_RECENT = f"""
with answers as (
    select annotation_no, supersedes, item_no, run_no, signed_at
    from annotations
    where author_no not in (select author_no from authors where kind = 'adjudicator')
),
lately as (
    select *
    from answers
    where (
            len($runs::varchar[]) > 0
            or annotation_no > (select max(annotation_no) from answers) - $most
        )
        and run_no in (
            select run_no
            from runs
            where run_no not in (select run_no from run_removals)
                and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
                and {run_is_counted()}
        )
),
newest as (
    select item_no, run_no, max(annotation_no) as number, max(signed_at) as signed_at
    from lately
    where annotation_no not in (select supersedes from lately where supersedes is not null)
    group by item_no, run_no
    order by number desc
    limit $limit
),
texts as (
    select item_no, arg_min(left(text, 160), name = 'response') as begins
    from fields
    where item_no in (select item_no from newest)
        and name in ('query', 'response')
    group by item_no
)
select
    r.run_id, r.name as run, r.protocol, i.item_id, n.external_id,
    coalesce(t.begins, '') as begins, l.signed_at
from newest l
join runs r on r.run_no = l.run_no
join items i on i.item_no = l.item_no
join run_items n on n.run_no = l.run_no and n.item_no = l.item_no
left join texts t on t.item_no = l.item_no
order by l.number desc
"""  # noqa: S608 - put together from constants

_KEPT = """
with here as (
    select r.reply_id, r.author_no, r.model, r.fingerprint, r.tokens_in, r.tokens_out, r.seconds,
        r.replied_at, f.group_id, f.samples, f.cost, f.endpoint
    from replies r
    join reply_facts f on f.reply_id = r.reply_id
    where r.run_no in (
            select run_no
            from runs
            where run_id = $run_id
                and run_no not in (select run_no from run_removals)
        )
        and r.item_no in (select item_no from items where item_id = $item_id)
)
select
    h.group_id,
    any_value(w.name) as author,
    max(h.replied_at) as replied_at,
    any_value(h.fingerprint) as fingerprint,
    coalesce(any_value(p.version), '') as version,
    any_value(h.endpoint) as endpoint,
    max(h.samples)::integer as samples,
    case when count(h.tokens_in) = count(*) then sum(h.tokens_in)::bigint end as tokens_in,
    case when count(h.tokens_out) = count(*) then sum(h.tokens_out)::bigint end as tokens_out,
    case when count(h.cost) = count(*) then sum(h.cost) end as cost,
    sum(h.seconds) as seconds
from here h
join authors w on w.author_no = h.author_no
left join prompts p on p.fingerprint = h.fingerprint
group by h.group_id
order by replied_at desc, h.group_id
"""


def load_stored_prompts(store: Store, protocol: str, limit: int = 50) -> tuple[Prompt, ...]:
    """The prompt versions that were used under a protocol, the newest first."""
    with store.read() as cursor:
        rows = cursor.execute(_PROMPTS, {"protocol": protocol, "limit": limit}).fetchall()
    return tuple(
        Prompt(
            version=version,
            system=system,
            template=template,
            carrier=Carrier(carrier),
            slots=tuple(slots),
        )
        for version, system, template, carrier, slots in rows
    )


def load_base_fingerprint(store: Store, fingerprint: str) -> str:
    """The fingerprint of the version that a prompt was edited from; empty when it was not."""
    with store.read() as cursor:
        found = cursor.execute(_BASED_ON, {"fingerprint": fingerprint}).fetchall()
    return str(found[0][0]) if found else ""


def load_recent_items(store: Store, runs: Sequence[str] = (), limit: int = 12) -> pd.DataFrame:
    """Items that raters and judges answered about last, in the runs they stand in.

    Args:
        store: where to look.
        runs: look at these only; without any at the last answers of all that count.
        limit: how many items.

    Columns:
        run_id, run (its name), protocol, item_id, external_id (the file's own id).
        begins: the first words of the query, or of the response where there is none.
        signed_at: when the last answer was signed, UTC.
    """
    with store.read() as cursor:
        facts = {"most": MOST_RECENT, "limit": limit, "runs": list(runs)}
        found: pd.DataFrame = cursor.execute(_RECENT, facts).df()
    return found


def load_kept_reruns(store: Store, run_id: str, item_id: str) -> pd.DataFrame:
    """Reruns of one item that were kept, the newest first; a group is one question.

    Columns:
        group_id, author (the judge), endpoint (its host, empty for the baseline), replied_at (UTC).
        fingerprint, version: of the prompt.
        samples: how many replies.
        tokens_in, tokens_out, cost: summed; missing where one reply does not say.
        seconds: summed.
    """
    with store.read() as cursor:
        facts = {"run_id": run_id, "item_id": item_id}
        found: pd.DataFrame = cursor.execute(_KEPT, facts).df()
    return found
