"""The SQL that tells about decisions: the words behind them, and what calls for another look."""

# Decisions of a meeting, or of every one that stands when no meeting is asked for. Of those that
# several runs of a protocol have on one unit the latest stands. Only minutes ask with removed runs:
# what was signed about them stands there as if they were not removed, and changes nothing else.
DECISIONS = """
with superseded as (
    select distinct supersedes
    from annotations
    where supersedes is not null
),
counting as (
    select distinct unnest([
        max(a.annotation_no),
        max(a.annotation_no) filter (where r.run_no not in (select run_no from run_removals))
    ]) as annotation_no
    from adjudications d
    join annotations a on a.annotation_no = d.annotation_no
    join runs r on r.run_no = a.run_no
    where a.value is not null
        and a.annotation_no not in (select supersedes from superseded)
    group by r.protocol, a.unit_no, a.criterion
)
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
    case
        when a.value is null then s.supersedes is null
        else c.annotation_no is not null
    end as stands,
    g.removed_at
from adjudications d
join annotations a on a.annotation_no = d.annotation_no
join authors w on w.author_no = a.author_no
join runs r on r.run_no = a.run_no
join items i on i.item_no = a.item_no
join run_items n on n.run_no = a.run_no and n.item_no = a.item_no
join units u on u.unit_no = a.unit_no and u.item_no = a.item_no
left join fields t on t.item_no = u.item_no and t.name = u.field
left join decision_facts f on f.annotation_no = d.annotation_no
left join superseded s on s.supersedes = a.annotation_no
left join counting c on c.annotation_no = a.annotation_no
left join run_removals g on g.run_no = a.run_no
where ($with_removed or g.run_no is null)
    and ($meeting_id is null or f.meeting_id = $meeting_id)
    and ($meeting_id is not null or c.annotation_no is not null)
order by a.annotation_no
"""

# What stood when a decision was made: what nobody had corrected by then, of every author the last
# readable answer, else the last. A removed run is asked about by minutes alone, and then speaks.
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
    and (r.run_no = q.run_no or r.run_no not in (select run_no from run_removals))
qualify row_number() over (
    partition by q.nth, a.author_no
    order by a.value is null, a.annotation_no desc
) = 1
order by q.nth, w.kind, w.name
"""

QUOTES = """
select annotation_no, text, coalesce(tier, ''), item_no, spans
from excerpts
where item_no between $first and $last
    and annotation_no in (select unnest($numbers::bigint[]))
order by annotation_no, position
"""

SOURCES = """
select item_no, name, text
from fields
where item_no in (select unnest($items::integer[]))
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
