"""The SQL that narrows, counts and orders the cases of `data.contradictions.cases_sql`."""

from data.items.narrowing_sql import IN_SLICES, WORDED_UNITS, run_is_counted

# `all_cases` is the answer of CASES.
_SHOWN = f"""
with stays as (
    select run_no, run_id, protocol, system
    from runs
    where run_no not in (select run_no from run_removals)
        and ($protocol is null or protocol = $protocol)
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
        and {run_is_counted()}
),
chosen as (
    select coalesce(list(author_no), []::integer[]) as numbers
    from authors
    where list_contains($authors::varchar[], kind || ':' || name)
),
{WORDED_UNITS},
worded as (
    select unit_no
    from worded_units
    union
    select c.unit_no
    from (
        select unit_no, unnest(calls) as annotation_no
        from all_cases
        where $words is not null
    ) c
    join excerpts e on e.annotation_no = c.annotation_no
    where $words is not null
        and contains(lower(e.text), lower($words))
),
sliced as (
    select run_no, item_no
    from run_items
    where $slice_keys > 0
        and {IN_SLICES}
),
cases as materialized (
    select
        c.run_no, c.item_no, c.unit_no, c.yes, c.nay, c.confidence, c.placements, c.clashes,
        c.contradicted, c.not_supported, c.unfounded, c.clashing, c.found_by_check, c.agreements
    from all_cases c
    where c.run_no in (select run_no from stays)
        and (
            len($authors::varchar[]) = 0
            or list_has_any(c.callers, (select numbers from chosen))
        )
        and ($labels = 0 or (c.said & $labels) <> 0)
        and ($words is null or c.unit_no in (select unit_no from worded))
        and ($slice_keys = 0 or (c.run_no, c.item_no) in (select (run_no, item_no) from sliced))
),
shown as (
    select
        c.*,
        s.protocol,
        s.run_id,
        case $group_by
            when 'protocol' then s.protocol
            when 'run' then s.run_id
            when 'system' then s.system
            when 'agreement' then printf('%03d', c.agreements & -c.agreements)
            when 'placement' then printf('%03d', c.placements & -c.placements)
            when 'clash' then printf('%03d', c.clashes & -c.clashes)
            else ''
        end as in_group
    from cases c
    join stays s on s.run_no = c.run_no
    where case $which
            when 'contradicted' then c.contradicted
            when 'not_supported' then c.not_supported
            when 'unfounded' then c.unfounded
            when 'clashing' then c.clashing
            else c.found_by_check
        end
        and ($placements = 0 or (c.placements & $placements) <> 0)
        and ($clashes = 0 or (c.clashes & $clashes) <> 0)
        and ($agreements = 0 or (c.agreements & $agreements) <> 0)
)
"""  # noqa: S608 - put together from constants

_ORDER = """
        in_group,
        case when $sort = 'disputed' then least(yes, nay) end desc nulls last,
        case when $sort = 'sure' then confidence end desc nulls last,
        case when $sort <> 'stored' then yes end desc nulls last,
        run_no desc,
        unit_no
"""

FOUND = "".join(
    (
        _SHOWN,
        """
, histogram as (
    select
        contradicted, not_supported, unfounded, clashing, found_by_check, placements, clashes,
        agreements,
        count(*) as cases
    from cases
    group by all
),
page as (
    select in_group, run_no, item_no, unit_no, yes, nay
    from shown
    order by
""",
        _ORDER,
        """
    limit $limit
    offset $skip
)
select 'counts' as part, * from histogram
union all by name
select 'group' as part, in_group, protocol, count(*) as cases from shown group by all
union all by name
select 'page' as part, * from page
""",
    )
)

# The items of a list in its order, each with the first of its units there: the one that is read,
# and those beside it, or the first when the list does not hold it.
STEPS = "".join(
    (
        _SHOWN,
        """
, ordered as (
    select
        run_no, run_id, item_no, unit_no,
        row_number() over (
            order by
""",
        _ORDER,
        """
        ) as place
    from shown
),
once as (
    select
        run_id,
        item_no,
        arg_min(unit_no, place) as unit_no,
        row_number() over (order by min(place)) as nth,
        count(*) over () as total
    from ordered
    group by run_no, run_id, item_no
),
here as (
    select max(nth) as nth
    from once
    where run_id = $run_id
        and item_no in (select item_no from items where item_id = $item_id)
)
select coalesce(o.nth - h.nth, 1) as step, o.nth, o.total, o.run_id, i.item_id, u.unit_id
from once o
cross join here h
join items i on i.item_no = o.item_no
join units u on u.unit_no = o.unit_no and u.item_no = o.item_no
where abs(o.nth - h.nth) <= 1
    or (h.nth is null and o.nth = 1)
""",
    )
)
