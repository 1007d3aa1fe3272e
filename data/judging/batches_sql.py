"""The statements about batches: what was to be asked, what happened, what is left."""

ADD_BATCH = """
insert into batches (
    batch_id, operation_id, run_no, author_no, fingerprint, samples, settings, asked_by, started_at
)
values (
    $batch_id, $operation_id, $run_no, $author_no, $fingerprint, $samples, $settings, $asked_by,
    $started_at
)
"""

ADD_TASKS = """
insert into batch_tasks (batch_id, item_no, position)
select $batch_id, i.item_no, n.position
from (
    select
        unnest($item_ids::varchar[]) as item_id,
        unnest(range(len($item_ids::varchar[]))) as position
) n
join items i on i.item_id = n.item_id
order by n.position
"""

ADD_EVENT = """
insert into batch_events (batch_id, happened_at, kind, item_no, text)
values ($batch_id, $happened_at, $kind, $item_no, $text)
"""

TO_DO = """
select t.item_no, i.item_id
from batch_tasks t
join items i on i.item_no = t.item_no
where t.batch_id = $batch_id
    and t.batch_id || '/' || t.item_no not in (select group_id from reply_facts)
    and t.item_no not in (
        select item_no
        from batch_events
        where batch_id = $batch_id
            and kind = 'failed'
        group by item_no
        having starts_with(arg_max(text, happened_at), 'cannot_judge: ')
    )
order by t.position
"""

# The clock may go back, and then the last event is told wrongly; nothing is asked or paid by it.
BATCHES = """
with groups as (
    select batch_id, item_no, batch_id || '/' || item_no as group_id
    from batch_tasks
    where $batch_id is null or batch_id = $batch_id
),
answered as (
    select g.batch_id, g.item_no, sum(f.cost) as cost, count(*) as replies,
        count(*) - count(f.cost) as unpriced
    from groups g
    join reply_facts f on f.group_id = g.group_id
    group by g.batch_id, g.item_no
),
-- Replies of items that are not done; they cost as much.
paid as (
    select g.batch_id, sum(p.cost) as cost, count(*) as replies,
        count(*) - count(p.cost) as unpriced
    from groups g
    join paid_samples p on p.group_id = g.group_id
    where g.group_id not in (select group_id from reply_facts)
    group by g.batch_id
),
unread as (
    select distinct g.batch_id, a.item_no
    from groups g
    join reply_facts f on f.group_id = g.group_id
    join annotations a on a.reply_id = f.reply_id and a.item_no = g.item_no
    where a.value is null
        and a.problem <> ''
),
told as (
    select r.reply_id, unnest(r.notes) as note
    from replies r
    where len(r.notes) > 0
        and r.reply_id in (
            select f.reply_id from reply_facts f join groups g on g.group_id = f.group_id
        )
),
trapped as (
    select g.batch_id,
        count(distinct f.reply_id) filter (where starts_with(t.note, $failed)) as replies,
        count(distinct f.reply_id) filter (where starts_with(t.note, $unanswered)) as silent
    from groups g
    join reply_facts f on f.group_id = g.group_id
    join told t on t.reply_id = f.reply_id
    group by g.batch_id
),
failing as (
    select batch_id, item_no,
        starts_with(arg_max(text, happened_at), 'cannot_judge: ') as beyond
    from batch_events
    where kind = 'failed'
    group by batch_id, item_no
),
counted as (
    select g.batch_id, count(*) as total, count(a.item_no) as done,
        count(*) filter (where a.item_no is null and not f.beyond) as failed,
        count(*) filter (where a.item_no is null and f.beyond) as beyond,
        count(u.item_no) as unread, sum(a.cost) as cost, sum(a.replies) as replies,
        sum(a.unpriced) as unpriced
    from groups g
    left join answered a on a.batch_id = g.batch_id and a.item_no = g.item_no
    left join failing f on f.batch_id = g.batch_id and f.item_no = g.item_no
    left join unread u on u.batch_id = g.batch_id and u.item_no = g.item_no
    group by g.batch_id
),
ends as (
    select batch_id, arg_max(kind, happened_at) as state, arg_max(text, happened_at) as reason
    from batch_events
    where kind <> 'failed'
    group by batch_id
)
select
    b.batch_id, r.run_id, r.name, r.protocol, w.name, b.settings, b.fingerprint, b.samples,
    b.asked_by, b.started_at, c.total, c.done, c.failed, c.beyond, c.unread,
    coalesce(c.cost, 0) + coalesce(p.cost, 0),
    coalesce(c.replies, 0) + coalesce(p.replies, 0),
    coalesce(c.unpriced, 0) + coalesce(p.unpriced, 0),
    coalesce(e.state, 'started'), coalesce(e.reason, ''),
    b.fingerprint in (select fingerprint from prompts where carrier = $traps),
    coalesce(t.replies, 0), coalesce(c.replies, 0) - coalesce(t.silent, 0), coalesce(t.silent, 0)
from batches b
join runs r on r.run_no = b.run_no
join authors w on w.author_no = b.author_no
join counted c on c.batch_id = b.batch_id
left join paid p on p.batch_id = b.batch_id
left join trapped t on t.batch_id = b.batch_id
left join ends e on e.batch_id = b.batch_id
where r.run_no not in (select run_no from run_removals)
order by b.started_at desc, b.batch_id
limit $limit
"""

PROMPT = """
select version, system_text, template, carrier, slots
from prompts
where fingerprint = $fingerprint
"""
