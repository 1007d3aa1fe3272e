"""The SQL behind `data.agreement.policies`."""

from data.items.current_sql import LAST_READABLE
from data.items.narrowing_sql import run_is_counted

# Sentences that some of these people call supported by words at one place of the sources and
# others contradicted by words at another; of who labelled it in several runs the last counts.
CLASHING = """
with labelled as materialized (
    select annotation_no, unit_no, author_no, value
    from annotations
    where criterion = 'label'
        and value is not null
        and list_contains($authors::integer[], author_no)
        and run_no not in (select run_no from run_removals)
        and annotation_no not in (select supersedes from annotations where supersedes is not null)
),
both_ways as materialized (
    select unit_no
    from labelled
    where value in ('supported', 'contradictory')
    group by unit_no
    having min(value) <> max(value)
),
said as (
    select annotation_no, unit_no, value
    from labelled
    where unit_no in (select unit_no from both_ways)
    qualify row_number() over (
        partition by unit_no, author_no
        order by annotation_no desc
    ) = 1
),
placed as (
    select s.unit_no, s.value, unnest(e.spans) as span
    from said s
    join excerpts e on e.annotation_no = s.annotation_no
    where e.tier in ('verbatim', 'near', 'stitched')
)
select distinct a.unit_no
from placed a
join placed b on b.unit_no = a.unit_no
where a.value = 'supported'
    and b.value = 'contradictory'
    and not (
        a.span.field = b.span.field
        and a.span.span_start < b.span.span_end
        and b.span.span_start < a.span.span_end
    )
"""

# What most people call the query, else what most judges do; nothing where they are divided. Who
# named it in several runs has one vote, with the last.
QUERY_TYPES = f"""
with latest as (
    select a.item_no, w.kind = 'judge' as by_judge, a.value
    from annotations a
    join authors w on w.author_no = a.author_no
    where a.criterion = 'query_type'
        and a.run_no not in (select run_no from run_removals)
        {LAST_READABLE}
),
votes as (
    select item_no, by_judge, value, count(*) as votes
    from latest
    group by item_no, by_judge, value
),
counted as (
    select *, min(by_judge) over (partition by item_no) as only_judges
    from votes
),
tops as (
    select item_no, value, votes, max(votes) over (partition by item_no) as most
    from counted
    where by_judge = only_judges
)
select item_no, min(value) as value
from tops
where votes = most
group by item_no
having count(*) = 1
"""  # noqa: S608 - put together from constants

# Where an item is seen: in the first run of the protocol that is named first.
PLACES = f"""
select i.item_no, i.item_id, r.run_id, r.name as run, n.external_id
from items i
join run_items n on n.item_no = i.item_no
join runs r on r.run_no = n.run_no
where i.item_no in (select unnest($items::integer[]))
    and list_contains($protocols::varchar[], r.protocol)
    and r.run_no not in (select run_no from run_removals)
    and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
    and {run_is_counted("r")}
qualify row_number() over (
    partition by i.item_no
    order by list_position($protocols::varchar[], r.protocol), r.run_no
) = 1
"""  # noqa: S608 - put together from constants

# Protocols under which the same items were answered, with how many of them.
PARTNERS = f"""
with mine as (
    select distinct n.item_no
    from run_items n
    join runs r on r.run_no = n.run_no
    where r.protocol = $protocol
        and r.run_no not in (select run_no from run_removals)
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
        and {run_is_counted("r")}
)
select r.protocol, count(distinct n.item_no) as items
from run_items n
join runs r on r.run_no = n.run_no
where n.item_no in (select item_no from mine)
    and r.run_no not in (select run_no from run_removals)
group by r.protocol
"""  # noqa: S608 - put together from constants
