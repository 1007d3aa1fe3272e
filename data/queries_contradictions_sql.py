"""The SQL behind `data.queries_contradictions`."""

# A call is a current annotation that speaks for its unit's place on a list; a case is a unit of a
# run with at least one. Calls are few, so they are found first, and only then every other voice
# on the same units. Kinds, tiers and agreements are bits, so that one small histogram of the cases
# answers all counts that the page shows.
FOUND = """
with stays as (
    select run_no, run_id, protocol, system
    from runs
    where run_no not in (select run_no from run_removals)
        and ($protocol is null or protocol = $protocol)
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
),
meanings as (
    select s.run_no, m.criterion, m.value, m.says, list_contains($voice::varchar[], m.says) as yes
    from (
        select
            unnest($meant_protocols::varchar[]) as protocol,
            unnest($meant_criteria::varchar[]) as criterion,
            unnest($meant_values::varchar[]) as value,
            unnest($meant_says::varchar[]) as says
    ) m
    join stays s on s.protocol = m.protocol
),
superseded as (
    select supersedes
    from annotations
    where supersedes is not null
),
people as (
    select
        author_no,
        kind,
        (kind = 'rater')::integer as is_rater,
        (kind = 'judge')::integer as is_judge,
        len($authors::varchar[]) = 0
            or list_contains($authors::varchar[], kind || ':' || name) as chosen
    from authors
),
found as (
    select
        annotation_no,
        bit_or(
            case
                when check_name = 'clash'
                    then (1 << list_position($clash_kinds::varchar[], kind))::integer
                else 32
            end
        ) as clashes
    from findings
    group by annotation_no
),
calls as materialized (
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.author_no, a.confidence, m.says, m.yes,
        len(a.links) > 0 as linked, coalesce(f.clashes, 0) as clashes
    from annotations a
    join meanings m
        on m.run_no = a.run_no
        and m.criterion = a.criterion
        and m.value = a.value
        and m.says <> 'supported'
    left join found f on f.annotation_no = a.annotation_no
    where a.annotation_no not in (select supersedes from superseded)
    union all
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.author_no, a.confidence, m.says, m.yes,
        false as linked, f.clashes
    from found f
    join annotations a on a.annotation_no = f.annotation_no
    join meanings m
        on m.run_no = a.run_no
        and m.criterion = a.criterion
        and m.value = a.value
        and m.says = 'supported'
    where (f.clashes & 30) <> 0
        and a.annotation_no not in (select supersedes from superseded)
),
proof as (
    select
        annotation_no,
        bit_or((1 << list_position($tiers::varchar[], tier))::integer) as placements
    from excerpts
    where annotation_no in (select annotation_no from calls)
    group by annotation_no
),
evidence as materialized (
    select
        c.run_no,
        c.unit_no,
        any_value(c.item_no) as item_no,
        max(c.confidence) filter (where c.yes) as confidence,
        bool_or(c.says = 'contradicted') as contradicted,
        bool_or(c.says = 'not_supported') as not_supported,
        bool_or(c.says = 'supported') as supported,
        -- Absent is bit 32 and no proof at all.
        coalesce(
            bool_or(c.says = 'contradicted' and (c.linked or (e.placements & 30) <> 0)), false
        ) as founded,
        coalesce(bit_or(e.placements) filter (where c.yes), 0) as placements,
        coalesce(bit_or(c.clashes) filter (where c.yes), 0) as clashes,
        count(*) filter (where c.yes) as yes,
        count(*) filter (where c.yes and p.kind = 'rater') as raters_yes,
        count(*) filter (where c.yes and p.kind = 'judge') as judges_yes,
        bool_or(c.yes and p.chosen) as chosen
    from calls c
    join people p on p.author_no = c.author_no
    left join proof e on e.annotation_no = c.annotation_no
    group by c.run_no, c.unit_no
),
-- Everybody with a value on the same units; those who do not speak for the list are the rest.
voices as (
    select
        a.run_no,
        a.unit_no,
        count(*) as authors,
        sum(p.is_rater) as raters,
        sum(p.is_judge) as judges,
        bool_or(
            list_contains($labels::varchar[], a.value) and ($by is null or p.kind = $by)
        ) as labelled
    from annotations a
    join evidence h on h.unit_no = a.unit_no and h.run_no = a.run_no
    join people p on p.author_no = a.author_no
    where a.value is not null
        and list_contains($meant_criteria::varchar[], a.criterion)
        and a.annotation_no not in (select supersedes from superseded)
    group by a.run_no, a.unit_no
),
worded_items as (
    select item_no, name, text
    from fields
    where $words is not null
        and contains(lower(text), lower($words))
),
worded as (
    select u.unit_no
    from units u
    left join worded_items f on f.item_no = u.item_no and f.name = u.field
    where $words is not null
        and contains(
            lower(coalesce(u.text, substr(f.text, u.span_start + 1, u.span_end - u.span_start))),
            lower($words)
        )
    union
    select c.unit_no
    from calls c
    join excerpts e on e.annotation_no = c.annotation_no
    where $words is not null
        and contains(lower(e.text), lower($words))
),
sliced as (
    select run_no, item_no
    from run_items
    where $slice_keys > 0
        and len(
            list_filter(
                map_entries(attributes),
                lambda each: list_contains($slices::varchar[], each.key || chr(31) || each.value)
            )
        ) = $slice_keys
),
cases as materialized (
    select
        v.run_no,
        v.unit_no,
        e.item_no,
        e.yes,
        v.authors - e.yes as nay,
        e.confidence,
        case when e.placements = 0 then 64 else e.placements end as placements,
        case
            when e.clashes <> 0 or (e.placements & 32) <> 0 then e.clashes | (e.placements & 32)
            when e.placements <> 0 and exists (select 1 from findings) then 64
            else 0
        end as clashes,
        e.contradicted,
        e.not_supported,
        e.contradicted and not e.founded as unfounded,
        e.supported as clashing,
        case when e.raters_yes > 1 and v.raters = e.raters_yes then 2 else 0 end
            | case when e.raters_yes > 0 and v.raters > e.raters_yes then 4 else 0 end
            | case when e.judges_yes > 0 and e.raters_yes = 0 and v.raters > 0 then 8 else 0 end
            | case when e.raters_yes > 0 and e.judges_yes = 0 and v.judges > 0 then 16 else 0 end
            | case when v.authors = 1 then 32 else 0 end as agreements
    from voices v
    join evidence e on e.unit_no = v.unit_no and e.run_no = v.run_no
    where (len($authors::varchar[]) = 0 or e.chosen)
        and (len($labels::varchar[]) = 0 or v.labelled)
        and ($words is null or v.unit_no in (select unit_no from worded))
        and ($slice_keys = 0 or (v.run_no, e.item_no) in (select (run_no, item_no) from sliced))
),
histogram as (
    select
        contradicted, not_supported, unfounded, clashing, placements, clashes, agreements,
        count(*) as cases
    from cases
    group by all
),
shown as (
    select
        c.*,
        s.protocol,
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
            else c.clashing
        end
        and ($placements = 0 or (c.placements & $placements) <> 0)
        and ($clashes = 0 or (c.clashes & $clashes) <> 0)
        and ($agreements = 0 or (c.agreements & $agreements) <> 0)
),
page as (
    select in_group, run_no, item_no, unit_no, yes, nay
    from shown
    order by
        in_group,
        case when $sort = 'disputed' then least(yes, nay) end desc nulls last,
        case when $sort = 'sure' then confidence end desc nulls last,
        case when $sort <> 'stored' then yes end desc nulls last,
        run_no desc,
        unit_no
    limit $limit
    offset $skip
)
select 'counts' as part, * from histogram
union all by name
select 'group' as part, in_group, protocol, count(*) as cases from shown group by all
union all by name
select 'page' as part, * from page
"""
