"""The SQL behind `data.queries_audit`."""

# Who contradicts whom, on which item, by which rule; the words come from `faithfulness.audit`.
# The latest answer of each author about a unit counts, and where an adjudicator settled it, only
# theirs. Answers about whole responses are few, so that labels are read for their items alone.
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
        unnest($values::varchar[]) as value
),
last_wholes as (
    select max(annotation_no) as annotation_no
    from annotations
    where criterion <> 'label'
        and criterion in (select criterion from rule_values)
        and run_no in (select run_no from standing)
        and annotation_no not in (select supersedes from replaced)
    group by unit_no, author_no, criterion
),
wholes as materialized (
    select item_no, unit_no, author_no, criterion, value, links, checks
    from annotations
    where annotation_no in (select annotation_no from last_wholes)
        and value is not null
),
settled_wholes as materialized (
    select unit_no, criterion
    from wholes
    where author_no in (select author_no from settling)
),
candidates as materialized (
    select w.item_no, w.author_no, w.links, w.checks, r.rule
    from wholes w
    join rule_values r on r.criterion = w.criterion and r.value = w.value
    where w.author_no in (select author_no from settling)
        or (w.unit_no, w.criterion) not in (select (unit_no, criterion) from settled_wholes)
),
quoted as materialized (
    select any_value(item_no) as item_no, annotation_no
    from excerpts
    where tier is not null
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
        arg_max(coalesce(value, ''), annotation_no) as value
    from annotations
    where criterion = 'label'
        and item_no in (select item_no from looked_at)
        and run_no in (select run_no from standing)
        and annotation_no not in (select supersedes from replaced)
    group by unit_no, author_no
),
settled_units as materialized (
    select unit_no
    from last_labels
    where value <> ''
        and author_no in (select author_no from settling)
),
labelled as materialized (
    select item_no, author_no, annotation_no, value
    from last_labels
    where value <> ''
        and unit_no in (select unit_no from units where kind = 'sentence')
        and (
            author_no in (select author_no from settling)
            or unit_no not in (select unit_no from settled_units)
        )
),
counts as materialized (
    select
        item_no,
        author_no,
        count(*) filter (value = 'supported') as supported,
        count(*) filter (value = 'unsupported') as unsupported,
        count(*) filter (value = 'contradictory') as contradictory
    from labelled
    group by item_no, author_no
)
select c.rule, c.item_no, c.author_no as one_author, l.author_no as other_author
from candidates c
join rules r on r.rule = c.rule
join counts l on l.item_no = c.item_no
where r.at_least <= (
    r.supported * l.supported
    + r.unsupported * l.unsupported
    + r.contradictory * l.contradictory
)
union all
select rule, item_no, author_no, null
from candidates
where (rule = $without_link and len(links) = 0)
    or (rule = $ticked and list_contains(checks, $undisclosed))
union all
select distinct $absent::integer, item_no, author_no, null
from labelled
where value = 'supported'
    and annotation_no in (select annotation_no from quoted)
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
SAID = """
select
    a.annotation_no, r.run_id, i.item_id, u.unit_id, a.criterion, a.author_no, a.value, a.links,
    a.checks, a.signed_at, q.tiers
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
NARROWED = """
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
"""
