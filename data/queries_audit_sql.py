"""The SQL behind `data.queries_audit`."""

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
    select unnest($rules::integer[]) as rule, unnest($at_least::integer[]) as at_least
),
rule_values as materialized (
    select
        unnest($value_rules::integer[]) as rule,
        unnest($criteria::varchar[]) as criterion,
        unnest($values::varchar[]) as value
),
rule_labels as materialized (
    select unnest($label_rules::integer[]) as rule, unnest($labels::varchar[]) as label
),
last_wholes as (
    select max(annotation_no) as annotation_no
    from annotations
    where criterion in (select criterion from rule_values)
        and criterion <> 'label'
        and run_no in (select run_no from standing)
        and annotation_no not in (select supersedes from replaced)
    group by unit_no, author_no, criterion
),
said_wholes as materialized (
    select annotation_no, run_no, item_no, unit_no, author_no, criterion, value, links, checks
    from annotations
    where annotation_no in (select annotation_no from last_wholes)
        and value is not null
),
wholes as materialized (
    select w.*
    from said_wholes w
    where w.author_no in (select author_no from settling)
        or not exists (
            select 1
            from said_wholes s
            where s.unit_no = w.unit_no
                and s.criterion = w.criterion
                and s.author_no in (select author_no from settling)
        )
),
candidates as materialized (
    select w.*, r.rule
    from wholes w
    join rule_values r on r.criterion = w.criterion and r.value = w.value
),
quoted as materialized (
    select annotation_no
    from excerpts
    where tier is not null
    group by annotation_no
    having bool_and(tier = 'absent')
),
label_rows as materialized (
    select annotation_no, run_no, item_no, unit_no, author_no, value
    from annotations
    where criterion = 'label'
        and run_no in (select run_no from standing)
        and annotation_no not in (select supersedes from replaced)
        and (
            item_no in (select item_no from candidates where rule in (select rule from rule_labels))
            or unit_no in (
                select unit_no
                from annotations
                where annotation_no in (select annotation_no from quoted)
            )
        )
),
last_labels as materialized (
    select l.annotation_no, l.run_no, l.item_no, l.unit_no, l.author_no, l.value, u.position
    from label_rows l
    join units u on u.unit_no = l.unit_no and u.kind = 'sentence'
    qualify l.annotation_no = max(l.annotation_no) over (partition by l.unit_no, l.author_no)
),
settled as materialized (
    select unit_no
    from last_labels
    where value is not null
        and author_no in (select author_no from settling)
),
labelled as materialized (
    select *
    from last_labels
    where value is not null
        and (
            unit_no not in (select unit_no from settled)
            or author_no in (select author_no from settling)
        )
),
against as (
    select
        l.item_no,
        l.author_no,
        r.rule,
        list(l.unit_no order by l.position, l.unit_no) as units,
        list_sort(list(distinct l.value)) as labels,
        arg_min(l.run_no, (l.position, l.unit_no)) as run_no
    from labelled l
    join rule_labels r on r.label = l.value
    group by l.item_no, l.author_no, r.rule
)
select
    c.rule, c.item_no, c.author_no as one_author, c.run_no as one_run, c.criterion, c.value,
    g.author_no as other_author, g.run_no as other_run, g.units, g.labels
from candidates c
join rules r on r.rule = c.rule
join against g on g.item_no = c.item_no and g.rule = c.rule and len(g.units) >= r.at_least
union all
select
    c.rule, c.item_no, c.author_no, c.run_no, c.criterion, c.value,
    null, null, [c.unit_no], []
from candidates c
where (c.rule = $without_link and len(c.links) = 0)
    or (c.rule = $ticked and list_contains(c.checks, $undisclosed))
union all
select
    $absent::integer, l.item_no, l.author_no, l.run_no, 'label', l.value,
    null, null, [l.unit_no], []
from labelled l
where l.value = 'supported'
    and l.annotation_no in (select annotation_no from quoted)
"""

PLACES = """
select
    i.item_no,
    i.item_id,
    r.run_no,
    r.run_id,
    r.name as run,
    n.external_id
from items i
join run_items n on n.item_no = i.item_no
join runs r on r.run_no = n.run_no
where i.item_no in (select unnest($items::integer[]))
    and r.run_no in (select unnest($runs::integer[]))
"""

UNITS = """
select unit_no, unit_id
from units
where unit_no in (select unnest($units::integer[]))
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
