"""SQL statements for `data.inconsistencies.inconsistencies`."""

from data.items.narrowing_sql import run_is_counted

# Whether there is anything that a rule may be about. Most changes have nothing, and many stores:
# then the long question below, whose plan alone takes ten times as long, is not asked.
ANYTHING = """
select 1
from annotations
where criterion <> 'label'
    and list_contains($criteria::varchar[], criterion)
    and value is not null
    and annotation_no not in (
        select supersedes
        from annotations
        where supersedes is not null
            and {of_items}
    )
    and {of_items}
union all
select 1
from excerpts
where tier = 'absent'
    and {of_items}
limit 1
"""

# Who contradicts whom, on which item, by which rule, and what gives it its place in the queue; the
# words come from `faithfulness.policies.inconsistencies`. The last readable answer of each author
# about a unit counts, and where an adjudicator settled it, only theirs. Answers about whole
# responses are few, so that labels are read for their items alone. `and {of_items}` narrows to
# items that changed.
INCONSISTENCIES = """
with standing as materialized (
    select run_no
    from runs
    where run_no not in (select run_no from run_removals)
),
replaced as materialized (
    select supersedes
    from annotations
    where supersedes is not null
        and {of_items}
),
settling as materialized (
    select author_no
    from authors
    where kind = 'adjudicator'
),
rules as materialized (
    select
        unnest($rules::integer[]) as rule,
        unnest($at_least::integer[]) as at_least,
        unnest($supported::integer[]) as supported,
        unnest($unsupported::integer[]) as unsupported,
        unnest($contradictory::integer[]) as contradictory
),
rule_values as materialized (
    select
        unnest($value_rules::integer[]) as rule,
        unnest($criteria::varchar[]) as criterion,
        unnest($values::varchar[]) as value,
        unnest($leaves::varchar[]) as leaves
),
-- Checked observations with the level that they imply; levels are single digits.
observations as materialized (
    select
        unnest($checked_rules::integer[]) as rule,
        unnest($checks::varchar[]) as observation,
        unnest($levels::varchar[]) as level
),
last_wholes as (
    select max(annotation_no) as annotation_no
    from annotations
    where criterion <> 'label'
        and criterion in (select criterion from rule_values)
        and value is not null
        and run_no in (select run_no from standing)
        and annotation_no not in (select supersedes from replaced)
        and {of_items}
    group by unit_no, author_no, criterion
),
wholes as materialized (
    select
        annotation_no, item_no, unit_no, author_no, criterion, value, links, checks, confidence,
        len(pieces) > 0 as has_pieces
    from annotations
    where annotation_no in (select annotation_no from last_wholes)
        and {of_items}
),
settled_wholes as materialized (
    select unit_no, criterion
    from wholes
    where author_no in (select author_no from settling)
),
candidates as materialized (
    select
        w.annotation_no, w.item_no, w.unit_no, w.author_no, w.links, w.checks, w.has_pieces,
        w.value, w.confidence, r.rule, r.leaves
    from wholes w
    join rule_values r on r.criterion = w.criterion and r.value = w.value
    where w.author_no in (select author_no from settling)
        or (w.unit_no, w.criterion) not in (select (unit_no, criterion) from settled_wholes)
),
quoted as materialized (
    select any_value(item_no) as item_no, annotation_no
    from excerpts
    where tier is not null
        -- Few have such a quote at all; to group every excerpt of the store takes far longer.
        and annotation_no in (
            select annotation_no
            from excerpts
            where tier = 'absent'
                and {of_items}
        )
        and {of_items}
    group by annotation_no
    having bool_and(tier = 'absent')
),
looked_at as materialized (
    select item_no
    from candidates
    where rule in (select rule from rules)
    union
    select item_no
    from quoted
),
last_labels as materialized (
    select
        unit_no,
        author_no,
        any_value(item_no) as item_no,
        max(annotation_no) as annotation_no,
        arg_max(value, annotation_no) as value,
        arg_max(coalesce(confidence, -1), annotation_no) as confidence
    from annotations
    where criterion = 'label'
        and value is not null
        and item_no in (select item_no from looked_at)
        and run_no in (select run_no from standing)
        and annotation_no not in (select supersedes from replaced)
        and {of_items}
    group by unit_no, author_no
),
settled_units as materialized (
    select unit_no
    from last_labels
    where author_no in (select author_no from settling)
),
labelled as materialized (
    select item_no, author_no, annotation_no, value, nullif(confidence, -1) as confidence
    from last_labels
    where unit_no in (select unit_no from units where kind = 'sentence' and {of_items})
        and (
            author_no in (select author_no from settling)
            or unit_no not in (select unit_no from settled_units)
        )
),
-- Quotes that stand nowhere and clashes, as the order of disagreements knows them.
marked as materialized (
    select annotation_no, bool_or(is_absent) as is_absent, bool_or(is_clash) as is_clash
    from (
        select annotation_no, true as is_absent, false as is_clash
        from excerpts
        where tier = 'absent'
            and item_no in (select item_no from looked_at)
            and {of_items}
        union all
        select annotation_no, false, true
        from findings
        where check_name in ('clash', 'quote')
            and item_no in (select item_no from looked_at)
            and {of_items}
    )
    group by annotation_no
),
counts as materialized (
    select
        l.item_no,
        l.author_no,
        l.value,
        count(*) as units,
        coalesce(sum(l.confidence), 0) as sure,
        count(l.confidence) as told,
        coalesce(bool_or(m.is_absent), false) as is_absent,
        coalesce(bool_or(m.is_clash), false) as is_clash
    from labelled l
    left join marked m on m.annotation_no = l.annotation_no
    group by l.item_no, l.author_no, l.value
)
select
    c.rule,
    c.item_no,
    c.author_no as one_author,
    l.author_no as other_author,
    any_value(c.value) as value,
    any_value(c.leaves) as leaves,
    sum(l.units)::integer as units,
    bit_or(
        case l.value when 'supported' then 1 when 'unsupported' then 2 else 4 end
    )::integer as labels,
    (sum(l.sure) + coalesce(any_value(c.confidence), 0))
        / nullif(sum(l.told) + count(distinct c.confidence), 0) as sureness,
    bool_or(l.is_absent) or bool_or(coalesce(m.is_absent, false)) as is_absent,
    bool_or(l.is_clash) or bool_or(coalesce(m.is_clash, false)) as is_clash
from candidates c
join rules r on r.rule = c.rule
join counts l
    on l.item_no = c.item_no
    and case l.value
        when 'supported' then r.supported
        when 'unsupported' then r.unsupported
        when 'contradictory' then r.contradictory
        else 0
    end = 1
left join marked m on m.annotation_no = c.annotation_no
group by c.rule, c.item_no, c.author_no, l.author_no
having sum(l.units) >= any_value(r.at_least)
union all
select rule, item_no, author_no, null, value, leaves, 0, 0, confidence, false, false
from candidates
where
    -- A decision has a reason, which says where the evidence is and why it departs from marks.
    author_no not in (select author_no from settling)
    and (
        (rule = $without_link and len(links) = 0)
        or (rule = $links_not_taken and len(links) > 0)
        -- These may depart from what is marked: see `faithfulness.policies.inconsistencies`.
        or (
            rule = $against_statements
            and (
                has_pieces
                or (
                    list_contains(checks, $unverified)
                    and unit_no in (
                        select unit_no
                        from annotations
                        where criterion = 'query_type'
                            and value = 'factoid'
                            and {of_items}
                    )
                )
            )
        )
    )
union all
select
    c.rule, c.item_no, c.author_no, null, c.value, min(o.level), 0, 0, any_value(c.confidence),
    false, false
from candidates c
join observations o
    on o.rule = c.rule and o.level < c.value and list_contains(c.checks, o.observation)
where c.author_no not in (select author_no from settling)
group by c.rule, c.item_no, c.author_no, c.value
union all
select
    $absent::integer, l.item_no, l.author_no, null, 'supported', $absent_leaves,
    count(*)::integer, 1,
    avg(l.confidence), true, coalesce(bool_or(m.is_clash), false)
from labelled l
left join marked m on m.annotation_no = l.annotation_no
where l.value = 'supported'
    and l.annotation_no in (select annotation_no from quoted)
group by l.item_no, l.author_no
"""

PLACES = """
select i.item_id, r.run_id, r.name as run, n.external_id
from items i
join run_items n on n.item_no = i.item_no
join runs r on r.run_no = n.run_no
where n.item_no between $first and $last
    and n.item_no in (select unnest($numbers::integer[]))
"""

ITEM_IDS = """
select item_no, item_id
from items
where item_no in (select unnest($numbers::integer[]))
"""

# What the audit of some items needs of their current annotations.
SAID = r"""
select
    a.annotation_no, r.run_id, i.item_id, u.unit_id, a.criterion, a.author_no, a.value, a.links,
    a.checks,
    -- As `departures.has_words`: what cannot be seen is no reason.
    regexp_matches(a.rationale, '[^\pC\pZ]') as has_reason,
    a.pieces, a.signed_at, q.tiers
from annotations a
join runs r on r.run_no = a.run_no
join items i on i.item_no = a.item_no
join units u on u.unit_no = a.unit_no and u.item_no = a.item_no
left join (
    select annotation_no, list(tier) as tiers
    from excerpts
    where item_no between $first and $last
        and item_no in (select unnest($numbers::integer[]))
        and tier is not null
    group by annotation_no
) q on q.annotation_no = a.annotation_no
where a.item_no between $first and $last
    and a.item_no in (select unnest($numbers::integer[]))
    and u.item_no between $first and $last
    and r.run_no not in (select run_no from run_removals)
    and a.annotation_no not in (select supersedes from annotations where supersedes is not null)
"""

AUTHORS = """
select author_no, kind, name
from authors
"""

# Which items and runs a selection leaves; an empty part does not narrow.
NARROWED = f"""
select distinct n.item_no
from run_items n
join runs r on r.run_no = n.run_no
where (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
    and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], r.system))
    and ($protocol = '' or r.protocol = $protocol)
    and r.run_no not in (select run_no from run_removals)
    and ($item_id = '' or n.item_no in (select item_no from items where item_id = $item_id))
    and (
        $words = ''
        or n.item_no in (select item_no from fields where contains(lower(text), lower($words)))
    )
    and {run_is_counted("r")}
"""  # noqa: S608 - put together from constants
