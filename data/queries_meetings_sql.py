"""The SQL that tells about meetings: agendas, decisions with the words behind them, proposals."""

# As a single meeting is told: of a point the last word counts, and a decision that was taken back
# leaves it open.
MEETINGS = """
with settled as (
    select
        f.meeting_id, a.run_no, a.unit_no, a.criterion,
        max(a.signed_at) as at,
        arg_max(a.value is not null, a.annotation_no) as stands
    from decision_facts f
    join annotations a on a.annotation_no = f.annotation_no
    where f.meeting_id <> ''
    group by f.meeting_id, a.run_no, a.unit_no, a.criterion
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
        case
            when d.at is not null and (s.at is null or d.at > s.at) then 'deferred'
            when coalesce(s.stands, false) then 'decided'
            else 'open'
        end as state
    from meeting_points p
    left join settled s
        on s.meeting_id = p.meeting_id
        and s.run_no = p.run_no
        and s.unit_no = p.unit_no
        and s.criterion = p.criterion
    left join put_off d
        on d.meeting_id = p.meeting_id
        and d.run_no = p.run_no
        and d.unit_no = p.unit_no
        and d.criterion = p.criterion
    where p.run_no not in (select run_no from run_removals)
),
counts as (
    select
        meeting_id,
        count(*)::integer as points,
        (count(*) filter (where state = 'decided'))::integer as decided,
        (count(*) filter (where state = 'deferred'))::integer as deferred,
        (count(*) filter (where state = 'open'))::integer as open
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
    coalesce(c.open, 0) as open
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

PEOPLE = """
select distinct name
from (
    select unnest(people) as name
    from meeting_events
    where kind = 'present'
    union all
    select name
    from authors
    where kind = 'rater'
)
order by lower(name), name
"""

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

# `earlier` are decisions that stand from outside this meeting.
POINTS = """
select
    p.position, p.run_no, p.item_no, p.unit_no, p.criterion, r.run_id, i.item_id, u.unit_id,
    (
        select count(*)
        from adjudications d
        join annotations a on a.annotation_no = d.annotation_no
        left join decision_facts f on f.annotation_no = d.annotation_no
        where d.item_no = p.item_no
            and a.unit_no = p.unit_no
            and a.run_no = p.run_no
            and a.criterion = p.criterion
            and a.value is not null
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
    and r.run_no not in (select run_no from run_removals)
order by p.position
"""

# Decisions of a meeting, or of every one that stands when no meeting is asked for.
DECISIONS = """
select
    a.annotation_no, a.operation_id, a.run_no, a.item_no, a.unit_no, a.criterion, a.value,
    a.signed_at, w.name as decided_by, d.reason, d.error_class, d.seen_annotation_no as seen,
    coalesce(f.meeting_id, '') as meeting_id,
    coalesce(f.how, 'decided') as how,
    coalesce(f.follows, '') as follows,
    coalesce(f.guidance, '') as guidance,
    coalesce(f.prompt, '') as prompt,
    coalesce(f.seconds, 0) as seconds,
    r.run_id, r.name as run, r.protocol, i.item_id, n.external_id, u.unit_id,
    coalesce(u.text, substring(t.text, u.span_start + 1, u.span_end - u.span_start), '') as text,
    s.supersedes is null as stands
from adjudications d
join annotations a on a.annotation_no = d.annotation_no
join authors w on w.author_no = a.author_no
join runs r on r.run_no = a.run_no
join items i on i.item_no = a.item_no
join run_items n on n.run_no = a.run_no and n.item_no = a.item_no
join units u on u.unit_no = a.unit_no and u.item_no = a.item_no
left join fields t on t.item_no = u.item_no and t.name = u.field
left join decision_facts f on f.annotation_no = d.annotation_no
left join (
    select distinct supersedes
    from annotations
    where supersedes is not null
) s on s.supersedes = a.annotation_no
where r.run_no not in (select run_no from run_removals)
    and ($meeting_id is null or f.meeting_id = $meeting_id)
    and ($meeting_id is not null or (s.supersedes is null and a.value is not null))
order by a.annotation_no
"""

UNITS = """
select
    p.position, p.run_no, p.item_no, p.unit_no, p.criterion, r.name as run, r.protocol, i.item_id,
    n.external_id, u.unit_id,
    coalesce(u.text, substring(t.text, u.span_start + 1, u.span_end - u.span_start), '') as text
from meeting_points p
join runs r on r.run_no = p.run_no
join items i on i.item_no = p.item_no
join run_items n on n.run_no = p.run_no and n.item_no = p.item_no
join units u on u.unit_no = p.unit_no and u.item_no = p.item_no
left join fields t on t.item_no = u.item_no and t.name = u.field
where p.meeting_id = $meeting_id
    and r.run_no not in (select run_no from run_removals)
order by p.position
"""

# What stood when a decision was made: what nobody had corrected by then, of every author the last
# readable answer, else the last.
SAID = """
select
    q.nth, a.annotation_no, w.kind, w.name, a.value, a.rationale, a.comment, a.links
from asked_units q
join annotations a
    on a.item_no = q.item_no
    and a.unit_no = q.unit_no
    and a.criterion = q.criterion
    and a.annotation_no < q.before
join runs r on r.run_no = a.run_no and r.protocol = q.protocol
join authors w on w.author_no = a.author_no and w.kind <> 'adjudicator'
left join annotations later
    on later.supersedes = a.annotation_no
    and later.item_no = a.item_no
    and later.annotation_no < q.before
where later.annotation_no is null
    and a.item_no between $first and $last
    and r.run_no not in (select run_no from run_removals)
qualify row_number() over (
    partition by q.nth, a.author_no
    order by a.value is null, a.annotation_no desc
) = 1
order by q.nth, w.kind, w.name
"""

QUOTES = """
select annotation_no, text, coalesce(tier, '')
from excerpts
where item_no between $first and $last
    and annotation_no in (select unnest($numbers::bigint[]))
order by annotation_no, position
"""

PROPOSALS = """
select
    p.protocol, p.section, p.wording, p.proposed_by, p.proposed_at, p.meeting_id, p.run_no,
    p.unit_no, p.criterion
from guideline_proposals p
where ($meeting_id is null or p.meeting_id = $meeting_id)
    and ($protocol is null or p.protocol = $protocol)
order by p.proposal_no
"""

CHECKS = """
select annotation_no, guidance, prompt
from decision_checks
order by checked_at
"""

# Judges who answered a decided unit again since, under another prompt than before.
ASKED_AGAIN = """
select d.annotation_no, string_agg(distinct w.name, ', ' order by w.name) as judges
from adjudications d
join annotations x on x.annotation_no = d.annotation_no
join annotations a
    on a.item_no = x.item_no
    and a.unit_no = x.unit_no
    and a.criterion = x.criterion
    and a.annotation_no > x.annotation_no
join annotations b on b.annotation_no = a.supersedes
join authors w on w.author_no = a.author_no and w.kind = 'judge'
join replies now_said on now_said.reply_id = a.reply_id
join replies said on said.reply_id = b.reply_id
where now_said.fingerprint <> said.fingerprint
    and a.run_no not in (select run_no from run_removals)
    and not exists (
        select 1
        from decision_checks c
        where c.annotation_no = d.annotation_no
            and c.checked_at > a.signed_at
    )
group by d.annotation_no
"""
