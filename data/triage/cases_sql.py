"""The SQL that loads what a card of a disagreement shows."""

# Every decision there ever was on these units; a later one supersedes, and both stay.
DECISIONS = """
select
    a.unit_no, a.criterion, a.annotation_no, a.value, w.name, d.reason, d.error_class,
    a.signed_at,
    a.annotation_no not in (
        select supersedes
        from annotations
        where item_no between $first and $last
            and supersedes is not null
    ) as is_current
from adjudications d
join annotations a
    on a.annotation_no = d.annotation_no
    and a.item_no between $first and $last
join authors w on w.author_no = a.author_no
where d.item_no between $first and $last
    and a.unit_no in (select unnest($units::integer[]))
    and a.run_no not in (select run_no from run_removals)
order by a.annotation_no
"""

# A tenth of the time of the question below, which has no answer where this has none.
ANY_SAMPLES = """
select 1
from sample_answers
where item_no between $first and $last
    and unit_no in (select unnest($units::integer[]))
limit 1
"""

# What each sample said where the answer of a judge that a card shows was settled from several.
SAMPLES = """
with counting as (
    select a.unit_no, a.criterion, a.reply_id
    from annotations a
    join runs r on r.run_no = a.run_no
    where a.item_no between $first and $last
        and a.unit_no in (select unnest($units::integer[]))
        and a.run_no not in (select run_no from run_removals)
        and (len($runs::integer[]) = 0 or list_contains($runs::integer[], a.run_no))
        and a.annotation_no not in (
            select supersedes
            from annotations
            where item_no between $first and $last
                and supersedes is not null
        )
    qualify row_number() over (
        partition by a.unit_no, r.protocol, a.criterion, a.author_no
        order by a.value is null, a.annotation_no desc
    ) = 1
)
select s.unit_no, s.criterion, w.name, s.value
from counting c
join reply_facts g on g.reply_id = c.reply_id and g.samples > 1
join reply_facts f on f.group_id = g.group_id
join sample_answers s
    on s.reply_id = f.reply_id
    and s.unit_no = c.unit_no
    and s.criterion = c.criterion
join replies r on r.reply_id = f.reply_id
join authors w on w.author_no = r.author_no
where s.item_no between $first and $last
    and s.value is not null
order by w.name, f.sample_no
"""

EXAMPLES = """
select
    d.annotation_no, a.value, w.name, d.reason, d.error_class, a.signed_at,
    coalesce(nullif(n.external_id, ''), left(i.item_id, 8)) || ' · ' || u.unit_id
from adjudications d
join annotations a on a.annotation_no = d.annotation_no
join authors w on w.author_no = a.author_no
join items i on i.item_no = d.item_no
join units u on u.unit_no = a.unit_no and u.item_no = d.item_no
join run_items n on n.run_no = a.run_no and n.item_no = d.item_no
where d.annotation_no in (select unnest($numbers::bigint[]))
    and a.annotation_no between $first and $last
"""

RUNS_OF = """
select item_no, run_no
from run_items
where item_no between $first and $last
    and item_no in (select unnest($numbers::integer[]))
    and run_no not in (select run_no from run_removals)
order by item_no, run_no
"""

STANDING = """
select run_no, run_id, protocol, is_sample
from runs
where run_no not in (select run_no from run_removals)
order by run_no
"""
