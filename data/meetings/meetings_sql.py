"""The SQL that tells about meetings: how they stand, their agendas, who was there."""

from data.items.sample_people import SAMPLE_RATERS

# As a single meeting is told: of a point the last word counts, whichever run of its protocol it was
# said in, and a decision that was taken back leaves it open. A meeting was held whatever became of
# its runs: points of removed ones stay as they were signed, and are counted by themselves as well.
# What was said in a removed run settles no point of another.
MEETINGS = """
with settled_in as (
    select
        f.meeting_id, r.protocol, a.unit_no, a.criterion,
        r.run_no in (select run_no from run_removals) as is_removed,
        max(a.signed_at) as at,
        arg_max(a.value is not null, a.annotation_no) as stands
    from decision_facts f
    join annotations a on a.annotation_no = f.annotation_no
    join runs r on r.run_no = a.run_no
    where f.meeting_id <> ''
    group by f.meeting_id, r.run_no, r.protocol, a.unit_no, a.criterion
),
settled as (
    select
        s.meeting_id, s.protocol, s.unit_no, s.criterion, k.is_removed,
        max(s.at) as at,
        bool_or(s.stands) as stands
    from settled_in s
    join (values (false), (true)) k (is_removed) on k.is_removed or not s.is_removed
    group by s.meeting_id, s.protocol, s.unit_no, s.criterion, k.is_removed
),
points as (
    select p.*, r.protocol, p.run_no in (select run_no from run_removals) as is_removed
    from meeting_points p
    join runs r on r.run_no = p.run_no
),
put_off as (
    select meeting_id, run_no, unit_no, criterion, max(happened_at) as at
    from meeting_events
    where kind = 'deferred'
    group by meeting_id, run_no, unit_no, criterion
),
states as (
    select
        p.meeting_id,
        p.is_removed,
        case
            when d.at is not null and (s.at is null or d.at > s.at) then 'deferred'
            when coalesce(s.stands, false) then 'decided'
            else 'open'
        end as state
    from points p
    left join settled s
        on s.meeting_id = p.meeting_id
        and s.is_removed = p.is_removed
        and s.protocol = p.protocol
        and s.unit_no = p.unit_no
        and s.criterion = p.criterion
    left join put_off d
        on d.meeting_id = p.meeting_id
        and d.run_no = p.run_no
        and d.unit_no = p.unit_no
        and d.criterion = p.criterion
),
counts as (
    select
        meeting_id,
        count(*)::integer as points,
        (count(*) filter (where state = 'decided'))::integer as decided,
        (count(*) filter (where state = 'deferred'))::integer as deferred,
        (count(*) filter (where state = 'open' and not is_removed))::integer as open,
        (count(*) filter (where is_removed))::integer as removed
    from states
    group by meeting_id
),
told as (
    select
        meeting_id,
        max(happened_at) filter (where kind = 'finished') as finished_at,
        list_distinct(flatten(list(people) filter (where kind = 'present'))) as people
    from meeting_events
    group by meeting_id
)
select
    m.meeting_id, m.title, m.host, m.began_at, e.finished_at,
    list_sort(coalesce(e.people, [])) as people,
    coalesce(c.points, 0) as points,
    coalesce(c.decided, 0) as decided,
    coalesce(c.deferred, 0) as deferred,
    coalesce(c.open, 0) as open,
    coalesce(c.removed, 0) as removed
from meetings m
left join counts c on c.meeting_id = m.meeting_id
left join told e on e.meeting_id = m.meeting_id
order by m.began_at desc, m.meeting_id
"""

# Seconds that meetings spent on each point they decided or deferred.
PACE = """
with spent as (
    select meeting_id, run_no, unit_no, criterion, seconds
    from meeting_events
    where unit_no is not null
    union all
    select f.meeting_id, a.run_no, a.unit_no, a.criterion, f.seconds
    from decision_facts f
    join annotations a on a.annotation_no = f.annotation_no
    where f.meeting_id <> '' and f.how = 'decided'
),
points as (
    select sum(seconds) as seconds
    from spent
    group by meeting_id, run_no, unit_no, criterion
    having sum(seconds) > 0
)
select median(seconds), count(*)
from points
"""

# Who came with the sample is nobody to be present: they are left out once anybody else is known.
# One of them who was at a meeting about other runs is somebody.
PEOPLE = f"""
with {SAMPLE_RATERS.strip()},
own_meetings as (
    select p.meeting_id
    from meeting_points p
    join runs r on r.run_no = p.run_no
    where not r.is_sample
),
met as (
    select distinct s.author_no
    from summaries s
    join runs r on r.run_no = s.run_no
    where list_contains($run_ids::varchar[], r.run_id)
),
known as (
    select
        unnest(people) as name,
        false as met,
        meeting_id in (select meeting_id from own_meetings) as is_own
    from meeting_events
    where kind = 'present'
    union all
    select name, author_no in (select author_no from met), false
    from authors
    where kind = 'rater'
),
people as (
    select
        name,
        bool_or(met) as met,
        bool_or(is_own) or name not in (select name from sample_raters) as is_here
    from known
    where name <> $but
    group by name
)
select name
from people
where is_here
    or not exists (select 1 from people where is_here)
order by not met, lower(name), name
"""  # noqa: S608 - put together from constants

MEETING = """
select title, host, hides_authors, began_at
from meetings
where meeting_id = $meeting_id
"""

EVENTS = """
select kind, run_no, unit_no, criterion, people, text, seconds, happened_at
from meeting_events
where meeting_id = $meeting_id
order by event_no
"""

# `earlier` are decisions that stand from outside this meeting, in any run of the protocol.
POINTS = """
select
    p.position, p.run_no, p.item_no, p.unit_no, p.criterion, r.run_id, i.item_id, u.unit_id,
    r.protocol,
    r.run_no in (select run_no from run_removals) as is_removed,
    (
        select count(*)
        from adjudications d
        join annotations a on a.annotation_no = d.annotation_no
        join runs x on x.run_no = a.run_no
        left join decision_facts f on f.annotation_no = d.annotation_no
        where d.item_no = p.item_no
            and a.unit_no = p.unit_no
            and x.protocol = r.protocol
            and a.criterion = p.criterion
            and a.value is not null
            and x.run_no not in (select run_no from run_removals)
            and coalesce(f.meeting_id, '') <> $meeting_id
            and a.annotation_no not in (
                select supersedes
                from annotations
                where item_no = p.item_no
                    and supersedes is not null
            )
    )::integer as earlier
from meeting_points p
join runs r on r.run_no = p.run_no
join items i on i.item_no = p.item_no
join units u on u.unit_no = p.unit_no and u.item_no = p.item_no
where p.meeting_id = $meeting_id
    and ($with_removed or r.run_no not in (select run_no from run_removals))
order by p.position
"""

UNITS = """
select
    p.position, p.run_no, p.item_no, p.unit_no, p.criterion, r.name as run, r.protocol, i.item_id,
    n.external_id, u.unit_id, g.removed_at,
    coalesce(u.text, substring(t.text, u.span_start + 1, u.span_end - u.span_start), '') as text
from meeting_points p
join runs r on r.run_no = p.run_no
join items i on i.item_no = p.item_no
join run_items n on n.run_no = p.run_no and n.item_no = p.item_no
join units u on u.unit_no = p.unit_no and u.item_no = p.item_no
left join fields t on t.item_no = u.item_no and t.name = u.field
left join run_removals g on g.run_no = p.run_no
where p.meeting_id = $meeting_id
order by p.position
"""
