"""The SQL that finds every case of the store for `data.queries_contradictions`."""

from data.current_sql import DECISIONS_IN_RUNS, WITH_DECISIONS

# A call is a current annotation that speaks for its unit's place on a list; a case is a unit of a
# run with at least one. A unit may be two cases: one of those who speak against it, and one of
# those who call it supported although a clash was found. Calls are few, so they are found first,
# and only then every other voice on the same units. Kinds, tiers, agreements and labels are bits,
# so that a case is a few numbers and one small histogram of the cases answers all counts that the
# page shows. Nothing here depends on what is looked at: the answer serves until the next write,
# and then only the items that it changed are asked about.
CASES = """
with stays as (
    select run_no, protocol
    from runs
    where run_no not in (select run_no from run_removals)
),
meanings as (
    select s.run_no, m.criterion, m.value, m.says, m.says = 'supported' as is_for
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
        and {of_items}
),
people as (
    select
        author_no,
        kind,
        (kind = 'rater')::integer as is_rater,
        (kind = 'judge')::integer as is_judge,
        list_position($kinds::varchar[], kind) - 1 as place
    from authors
),
found as (
    select
        annotation_no,
        bit_or(
            case
                when check_name = 'quote' then 32
                when check_name = 'attribution' then 64
                when check_name = 'clash'
                    then coalesce(1 << list_position($clash_kinds::varchar[], kind), 128)
                else 128
            end::integer
        ) as clashes
    from findings
    where {of_items}
    group by annotation_no
),
calls as materialized (
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.author_no, a.confidence, m.says,
        m.is_for, len(a.links) > 0 as linked, coalesce(f.clashes, 0) as clashes
    from annotations a
    join meanings m
        on m.run_no = a.run_no
        and m.criterion = a.criterion
        and m.value = a.value
        and not m.is_for
    left join found f on f.annotation_no = a.annotation_no
    where {a_of_items}
        and a.annotation_no not in (select supersedes from superseded)
    union all
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.author_no, a.confidence, m.says,
        m.is_for, false as linked, f.clashes
    from found f
    join annotations a on a.annotation_no = f.annotation_no
    join meanings m
        on m.run_no = a.run_no
        and m.criterion = a.criterion
        and m.value = a.value
        and m.is_for
    -- A misquote or a quote that is absent is told by the list of what has no evidence.
    where (f.clashes & 158) <> 0
        and {a_of_items}
        and a.annotation_no not in (select supersedes from superseded)
),
proof as (
    select
        annotation_no,
        bit_or((1 << list_position($tiers::varchar[], tier))::integer) as placements
    from excerpts
    where {of_items}
        and annotation_no in (select annotation_no from calls)
    group by annotation_no
),
evidence as materialized (
    select
        c.is_for,
        c.run_no,
        c.unit_no,
        any_value(c.item_no) as item_no,
        max(c.confidence) as confidence,
        bool_or(c.says = 'contradicted') as contradicted,
        bool_or(c.says = 'not_supported') as not_supported,
        -- Absent is bit 32 and no proof at all.
        coalesce(
            bool_or(c.says = 'contradicted' and (c.linked or (e.placements & 30) <> 0)), false
        ) as founded,
        coalesce(bit_or(e.placements), 0) as placements,
        coalesce(bit_or(c.clashes), 0) as clashes,
        -- A decision is not one more voice.
        sum(p.is_rater + p.is_judge) as yes,
        sum(p.is_rater) as raters_yes,
        sum(p.is_judge) as judges_yes,
        -- Sorted afterwards: a list with an order of its own takes most of the whole question.
        list_sort(list(c.author_no)) as callers,
        list_sort(list(c.annotation_no)) as calls
    from calls c
    join people p on p.author_no = c.author_no
    left join proof e on e.annotation_no = c.annotation_no
    group by c.is_for, c.run_no, c.unit_no
),
-- Everybody with a value on the same units; those who do not speak for the list are the rest.
voices as (
    select
        a.run_no,
        a.unit_no,
        sum(p.is_rater + p.is_judge) as voters,
        sum(p.is_rater) as raters,
        sum(p.is_judge) as judges,
        bit_or(
            1::bigint << (
                (list_position($known_labels::varchar[], a.value) - 1) * len($kinds::varchar[])
                + p.place
            )
        ) as said
    from annotations a
    join people p on p.author_no = a.author_no
    where a.value is not null
        and {a_of_items}
        and list_contains($meant_criteria::varchar[], a.criterion)
        and (a.run_no, a.unit_no) in (select (run_no, unit_no) from evidence)
        and a.annotation_no not in (select supersedes from superseded)
    group by a.run_no, a.unit_no
)
select
    e.run_no,
    e.item_no,
    e.unit_no,
    e.yes::integer as yes,
    (v.voters - e.yes)::integer as nay,
    e.confidence,
    case when e.placements = 0 then 64 else e.placements end as placements,
    case
        -- A quote that stands in no source is one that somebody got wrong to attribute.
        when e.clashes <> 0 or (e.placements & 32) <> 0
            then e.clashes | ((e.placements & 32) << 1)
        when e.placements <> 0 and exists (select 1 from findings) then 256
        else 0
    end as clashes,
    e.contradicted,
    e.not_supported,
    e.contradicted and not e.founded as unfounded,
    e.is_for as clashing,
    case when e.raters_yes > 1 and v.raters = e.raters_yes then 2 else 0 end
        | case when e.raters_yes > 0 and v.raters > e.raters_yes then 4 else 0 end
        | case when e.judges_yes > 0 and e.raters_yes = 0 and v.raters > 0 then 8 else 0 end
        | case when e.raters_yes > 0 and e.judges_yes = 0 and v.judges > 0 then 16 else 0 end
        | case when v.voters <= 1 then 32 else 0 end as agreements,
    v.said,
    e.callers,
    e.calls
from evidence e
join voices v on v.unit_no = e.unit_no and v.run_no = e.run_no
"""

# The same where a decision counts in other runs than its own.
CASES_WITH_DECISIONS = (
    CASES.replace("from annotations a\n", f"from {WITH_DECISIONS}\n")
    .replace("join annotations a on", f"join {WITH_DECISIONS} on")
    .replace("with stays as", f"with {DECISIONS_IN_RUNS},\nstays as", 1)
)
