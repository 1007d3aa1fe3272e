"""The SQL behind `data.agreement.slices`."""

from data.agreement.pairs_sql import STAYS

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

LENGTHS = """
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
