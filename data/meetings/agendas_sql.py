"""The SQL behind agendas: what is marked, and where points stand with which words."""

MARKS = """
select m.run_no, m.item_no, m.unit_no, m.protocol, i.item_id, u.unit_id
from (
    select
        k.*, r.protocol,
        row_number() over (partition by r.protocol, k.unit_no order by k.mark_no desc) as nth
    from meeting_marks k
    join runs r on r.run_no = k.run_no
    where k.run_no not in (select run_no from run_removals)
) m
join items i on i.item_no = m.item_no
join units u on u.unit_no = m.unit_no and u.item_no = m.item_no
where m.nth = 1
    and m.is_on
order by m.mark_no
"""

LINES = """
select
    q.nth, u.unit_no, r.protocol, r.name as run, n.external_id,
    coalesce(u.text, substring(t.text, u.span_start + 1, u.span_end - u.span_start), '') as text
from asked_points q
join runs r on r.run_id = q.run_id
join items i on i.item_id = q.item_id
join run_items n on n.run_no = r.run_no and n.item_no = i.item_no
join units u on u.item_no = i.item_no and u.unit_id = q.unit_id
left join fields t on t.item_no = u.item_no and t.name = u.field
where r.run_no not in (select run_no from run_removals)
order by q.nth
"""

PLACES = """
select n.nth, r.run_id, i.item_id, u.unit_id, n.criterion
from asked_places n
join runs r on r.run_no = n.run_no
join items i on i.item_no = n.item_no
join units u on u.unit_no = n.unit_no and u.item_no = n.item_no
order by n.nth
"""
