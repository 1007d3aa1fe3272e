"""The SQL behind the questions of `data.judging.prompt_queries`."""

from data.items.current_sql import LAST_READABLE
from data.items.narrowing_sql import run_is_counted

_STANDING = """
standing as (
    select run_no, run_id
    from runs
    where protocol = $protocol
        and run_no not in (select run_no from run_removals)
)"""

_COUNTED = f"""
counted_runs as (
    select run_no
    from runs
    where run_no in (select run_no from standing)
        and {run_is_counted()}
)"""  # noqa: S608 - put together from constants

_MAJORITY = f"""
rated as (
    select a.item_no, a.unit_no, a.value
    from annotations a
    join authors w on w.author_no = a.author_no
    where w.kind = 'rater'
        and a.criterion = $criterion
        and a.item_no in (select item_no from asked_items)
        and a.run_no in (select run_no from standing)
        {LAST_READABLE}
),
votes as (
    select item_no, unit_no, value, count(*) as votes
    from rated
    group by item_no, unit_no, value
),
majority as (
    select
        item_no, unit_no,
        case when 2 * max(votes) > sum(votes) then arg_max(value, votes) end as value
    from votes
    group by item_no, unit_no
)"""  # noqa: S608 - put together from constants

# A version that judges were told in runs alone that do not count is none of this store's.
VERSIONS = f"""
with {_STANDING},
{_COUNTED},
used as (
    select
        r.fingerprint,
        count(*)::integer as replies,
        count(distinct r.item_no)::integer as items,
        list(distinct w.name order by w.name) as judges,
        min(r.replied_at) as first_used_at,
        max(r.replied_at) as last_used_at
    from replies r
    join authors w on w.author_no = r.author_no
    where r.run_no in (select run_no from counted_runs)
        and not list_contains($but::varchar[], w.kind || ':' || lower(w.name))
    group by r.fingerprint
)
select
    p.fingerprint, p.version, p.system_text, p.template, p.carrier, p.slots,
    u.first_used_at,
    u.last_used_at,
    coalesce(u.judges, []) as judges,
    coalesce(u.items, 0) as items,
    coalesce(u.replies, 0) as replies
from prompts p
left join used u on u.fingerprint = p.fingerprint
where p.protocol = $protocol
    and (
        u.fingerprint is not null
        or p.fingerprint not in (
            select fingerprint
            from replies
            where run_no in (select run_no from standing)
                and run_no not in (select run_no from counted_runs)
        )
    )
qualify row_number() over (partition by p.fingerprint order by p.first_used_at) = 1
order by p.first_used_at, p.fingerprint
"""  # noqa: S608 - put together from constants

NOTES = """
select fingerprint, based_on, note, made_by, made_at
from prompt_notes
qualify row_number() over (partition by fingerprint order by made_at) = 1
"""

# Also what a later answer superseded: a version is judged by what it was answered with. Of its
# answers the last in each run counts, and of these the last readable one.
AGREEMENT = f"""
with {_STANDING},
{_COUNTED},
told as (
    select r.reply_id, r.fingerprint
    from replies r
    join authors w on w.author_no = r.author_no
    where r.fingerprint <> ''
        and r.run_no in (select run_no from counted_runs)
        and not list_contains($but::varchar[], w.kind || ':' || lower(w.name))
),
said_in_runs as (
    select
        t.fingerprint, a.annotation_no, a.author_no, a.item_no, a.unit_no, a.value,
        a.problem <> '' as is_problem, a.signed_at
    from annotations a
    join told t on t.reply_id = a.reply_id
    where a.criterion = $criterion
        and a.run_no in (select run_no from counted_runs)
    qualify row_number() over (
        partition by t.fingerprint, a.author_no, a.unit_no, a.run_no
        order by a.annotation_no desc
    ) = 1
),
said as (
    select *
    from said_in_runs
    qualify row_number() over (
        partition by fingerprint, author_no, unit_no
        order by value is null, annotation_no desc
    ) = 1
),
asked_items as (
    select distinct item_no
    from said
),
{_MAJORITY}
select
    s.fingerprint, w.name as judge, s.item_no,
    m.value as reference,
    s.value as said,
    s.value is null and s.is_problem as is_unread,
    m.unit_no is not null and m.value is null as is_tied,
    count(*)::integer as units,
    min(s.signed_at) as first_at,
    max(s.signed_at) as last_at
from said s
join authors w on w.author_no = s.author_no
left join majority m on m.unit_no = s.unit_no
group by all
"""  # noqa: S608 - put together from constants

_ASKED_ITEMS = """
asked_items as (
    select item_no, item_id
    from items
    where list_contains($items::varchar[], item_id)
)"""

MAJORITY = f"""
with {_STANDING},
{_ASKED_ITEMS},
{_MAJORITY}
select i.item_id, u.unit_id, m.value
from majority m
join asked_items i on i.item_no = m.item_no
join units u on u.unit_no = m.unit_no
where m.value is not null
"""  # noqa: S608 - put together from constants

LABELS = f"""
with {_STANDING},
{_ASKED_ITEMS},
latest as (
    select a.item_no, a.unit_no, a.author_no, a.value
    from annotations a
    where a.criterion = $criterion
        and a.item_no in (select item_no from asked_items)
        and a.run_no in (select run_no from standing)
        {LAST_READABLE}
)
select w.name as judge, i.item_id, u.unit_id, l.value
from latest l
join authors w on w.author_no = l.author_no and w.kind = 'judge'
join asked_items i on i.item_no = l.item_no
join units u on u.unit_no = l.unit_no
order by judge
"""  # noqa: S608 - put together from constants

# Items of a few disagreements, in the runs where a decision about them would go.
PLACES = """
select d.item_no, i.item_id, r.run_id, n.external_id
from (select unnest($item_nos::integer[]) as item_no, unnest($run_nos::integer[]) as run_no) d
join items i on i.item_no = d.item_no
join runs r on r.run_no = d.run_no
join run_items n on n.run_no = d.run_no and n.item_no = d.item_no
"""
