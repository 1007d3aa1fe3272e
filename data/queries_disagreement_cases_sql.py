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

SAMPLES = """
select s.unit_no, s.criterion, w.name, s.value
from sample_answers s
join replies r on r.reply_id = s.reply_id
join reply_facts f on f.reply_id = s.reply_id
join authors w on w.author_no = r.author_no
where s.item_no between $first and $last
    and s.unit_no in (select unnest($units::integer[]))
    and s.value is not null
    and f.group_id in (
        select g.group_id
        from annotations a
        join reply_facts g on g.reply_id = a.reply_id
        where a.item_no between $first and $last
            and a.unit_no in (select unnest($units::integer[]))
            and a.run_no not in (select run_no from run_removals)
            and a.annotation_no not in (
                select supersedes
                from annotations
                where item_no between $first and $last
                    and supersedes is not null
            )
    )
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

FIND = """
select u.unit_no
from units u
join items i on i.item_no = u.item_no
where i.item_id = $item_id
    and u.unit_id = $unit_id
"""

STANDING = """
select run_no, run_id, protocol, is_sample
from runs
where run_no not in (select run_no from run_removals)
order by run_no
"""
