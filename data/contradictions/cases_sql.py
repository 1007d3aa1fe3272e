"""The SQL that finds every case of the store for `data.contradictions.contradictions`."""

from data.items.current_sql import DECISIONS_IN_RUNS, LATEST_FINDINGS, WITH_DECISIONS

# A call is a current annotation that speaks for its unit's place on a list; a case is a unit of a
# run with at least one, or one on which a check found a contradiction to a source. A unit may be
# three cases: one of those who speak against it, one of those who call it supported although a
# clash was found, and one of what checks found, whoever answered. Calls are few, so they are found
# first, and only then every other voice on the same units. Kinds, tiers, agreements and labels are
# bits, so that a case is a few numbers and one small histogram of the cases answers all counts that
# the page shows. Nothing here depends on what is looked at: the answer serves until the next write,
# and then only the items that it changed are asked about.
CASES = f"""
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
        and {{of_items}}
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
    where {{of_items}}
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
    where {{a_of_items}}
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
        and {{a_of_items}}
        and a.annotation_no not in (select supersedes from superseded)
),
proof as (
    select
        annotation_no,
        bit_or((1 << list_position($tiers::varchar[], tier))::integer) as placements
    from excerpts
    where {{of_items}}
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
        and {{a_of_items}}
        and list_contains($meant_criteria::varchar[], a.criterion)
        and (a.run_no, a.unit_no) in (select (run_no, unit_no) from evidence)
        and a.annotation_no not in (select supersedes from superseded)
    group by a.run_no, a.unit_no
),
contradicting as (
    select
        unnest($check_names::varchar[]) as check_name,
        unnest($check_kinds::varchar[]) as kind,
        unnest($check_clashes::integer[]) as clash
),
-- The question by which each run's units are judged, and what kind of unit they are.
asked as (
    select s.run_no, q.criterion, q.unit_kind
    from (
        select
            unnest($asked_protocols::varchar[]) as protocol,
            unnest($asked_criteria::varchar[]) as criterion,
            unnest($asked_kinds::varchar[]) as unit_kind
    ) q
    join stays s on s.protocol = q.protocol
),
found_units as (
    select a.item_no, a.unit_no, bit_or(k.clash) as clashes
    from unit_findings a
    join contradicting k on k.check_name = a.check_name and k.kind = a.kind
    where {{a_of_items}}
        and {LATEST_FINDINGS}
    group by a.item_no, a.unit_no
),
-- In every run of the item whose protocol judges units of this kind.
checked as materialized (
    select q.run_no, q.criterion, f.item_no, f.unit_no, f.clashes
    from found_units f
    join (select unit_no, kind from units where {{of_items}}) u on u.unit_no = f.unit_no
    join (select run_no, item_no from run_items where {{of_items}}) n on n.item_no = f.item_no
    join asked q on q.run_no = n.run_no and q.unit_kind = u.kind
),
-- Everybody with a value on these units, and how many of them speak against the unit.
answered as (
    select
        c.run_no,
        c.unit_no,
        sum(p.is_rater + p.is_judge) as voters,
        sum(p.is_rater) as raters,
        sum(p.is_judge) as judges,
        sum(p.is_rater) filter (where m.value is not null) as raters_against,
        sum(p.is_judge) filter (where m.value is not null) as judges_against,
        count(distinct case when p.is_rater = 1 then a.value end) as rater_values,
        bit_or(
            1::bigint << (
                (list_position($known_labels::varchar[], a.value) - 1) * len($kinds::varchar[])
                + p.place
            )
        ) as said,
        list(a.author_no) as authors
    from annotations a
    join checked c
        on c.run_no = a.run_no
        and c.unit_no = a.unit_no
        and c.criterion = a.criterion
    join people p on p.author_no = a.author_no
    left join meanings m
        on m.run_no = a.run_no
        and m.criterion = a.criterion
        and m.value = a.value
        and not m.is_for
    where a.value is not null
        and {{a_of_items}}
        and a.annotation_no not in (select supersedes from superseded)
    group by c.run_no, c.unit_no
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
    false as found_by_check,
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
union all
select
    c.run_no,
    c.item_no,
    c.unit_no,
    (coalesce(v.raters_against, 0) + coalesce(v.judges_against, 0))::integer as yes,
    coalesce(v.voters - yes, 0)::integer as nay,
    null as confidence,
    64 as placements,
    c.clashes,
    false as contradicted,
    false as not_supported,
    false as unfounded,
    false as clashing,
    true as found_by_check,
    case when v.raters > 1 and v.rater_values = 1 then 2 else 0 end
        | case when v.rater_values > 1 then 4 else 0 end
        | case
            when v.judges_against > 0 and v.raters > 0 and coalesce(v.raters_against, 0) = 0 then 8
            else 0
        end
        | case
            when v.raters_against > 0 and v.judges > 0 and coalesce(v.judges_against, 0) = 0 then 16
            else 0
        end
        | case when v.voters = 1 then 32 else 0 end as agreements,
    coalesce(v.said, 0) as said,
    coalesce(list_sort(v.authors), []) as callers,
    [] as calls
from checked c
left join answered v on v.unit_no = c.unit_no and v.run_no = c.run_no
"""  # noqa: S608 - put together from constants

# The same where a decision counts in other runs than its own.
CASES_WITH_DECISIONS = (
    CASES.replace("from annotations a\n", f"from {WITH_DECISIONS}\n")
    .replace("join annotations a on", f"join {WITH_DECISIONS} on")
    .replace("with stays as", f"with {DECISIONS_IN_RUNS},\nstays as", 1)
)
