"""The SQL that finds the disagreements of the store and narrows them."""

from data.of_items_sql import A_OF_ITEMS

# One row a unit and question whose current annotations differ, or whose judge said different
# things when asked several times. How many gave each value is packed into one number, seven bits
# a value, so that a group is a few sums; `data.queries_disagreements` takes it apart. An author
# who answered in two runs with the same item counts once, with the later answer.
_HEAD = """
with stays as (
    select run_no, protocol
    from runs
    where run_no not in (select run_no from run_removals)
),
questions as (
    select s.run_no, q.criterion, q.value, q.question, q.place, 1::bigint << (7 * q.place) as vote
    from (
        select
            unnest($protocols::varchar[]) as protocol,
            unnest($criteria::varchar[]) as criterion,
            unnest($values::varchar[]) as value,
            unnest($questions::integer[]) as question,
            unnest($places::integer[]) as place
    ) q
    join stays s on s.protocol = q.protocol
),
people as (
    select
        author_no,
        kind = 'judge' as is_judge,
        (kind = 'rater')::integer as raters,
        (kind = 'judge')::integer as judges,
        kind = 'adjudicator' as settles
    from authors
    where not list_contains($but::varchar[], kind || ':' || lower(name))
),
marked as (
    select annotation_no, max(absent) as absent, bit_or(clash) as clashes
    from (
        select a.annotation_no, 1 as absent, 0 as clash
        from excerpts a
        where a.tier = 'absent' and ITEMS
        union all
        select
            annotation_no,
            0,
            case
                when check_name = 'quote' then 32
                when check_name = 'clash'
                    then coalesce(1 << list_position($clash_kinds::varchar[], kind), 0)
                else 0
            end::integer
        from findings a
        where ITEMS
    )
    group by annotation_no
),
-- What checks found against a unit; an item that was read again by later checks counts by those.
found as (
    select
        a.unit_no,
        bit_or(
            coalesce(
                (1 << list_position($found_kinds::varchar[], a.check_name || ':' || a.kind)) >> 1, 0
            )::integer
        ) as found
    from unit_findings a
    where ITEMS
        and not exists (
            select 1
            from checked_items c
            where c.item_no = a.item_no
                and c.checks_version > a.checks_version
        )
    group by a.unit_no
),
superseded as (select supersedes from annotations where supersedes is not null),
"""

# Most units have one value only; a hash is enough to leave them aside.
_DIFFERING = """
differing as materialized (
    select unit_no
    from annotations
    where value is not null
    group by unit_no
    having min(hash(value)) <> max(hash(value))
    union all
    select unit_no
    from sample_answers
),
"""
_UNITS = "a.unit_no in (select unit_no from differing)"

# What few units have (marks, samples, a decision) is joined to groups, not to every annotation.
_REST = """
twice as (
    select item_no
    from run_items a
    where run_no in (select run_no from stays) and ITEMS
    group by item_no
    having min(run_no) <> max(run_no)
),
older as (
    select a.annotation_no
    from annotations a
    join stays s on s.run_no = a.run_no
    where UNITS and ITEMS
        and a.item_no in (select item_no from twice)
        and a.annotation_no not in (select supersedes from superseded)
        and a.value is not null
    qualify row_number() over (
        partition by a.unit_no, s.protocol, a.criterion, a.author_no
        order by a.annotation_no desc
    ) > 1
),
current_ones as materialized (
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.confidence, a.reply_id,
        q.question, q.place, p.is_judge, p.settles,
        q.vote * p.raters as by_raters,
        q.vote * p.judges as by_judges
    from annotations a
    join questions q
        on q.run_no = a.run_no and q.criterion = a.criterion and q.value = a.value
    join people p on p.author_no = a.author_no
    where UNITS and ITEMS
        and a.annotation_no not in (select supersedes from superseded)
        and a.annotation_no not in (select annotation_no from older)
),
noted as (
    select
        c.question, c.unit_no, bit_or(m.absent << c.is_judge::integer) as absent,
        bit_or(m.clashes) as clashes
    from current_ones c
    join marked m on m.annotation_no = c.annotation_no
    group by c.question, c.unit_no
),
-- Of a judge who was asked several times at once: each thing it said.
asked as (
    select c.question, c.unit_no, sum(q.vote) as votes
    from current_ones c
    join reply_facts f on f.reply_id = c.reply_id
    join reply_facts g on g.group_id = f.group_id and g.samples > 1
    join sample_answers s on s.reply_id = g.reply_id and s.unit_no = c.unit_no
    join questions q
        on q.run_no = c.run_no and q.question = c.question
        and q.criterion = s.criterion and q.value = s.value
    where c.is_judge
    group by c.question, c.unit_no, c.annotation_no
    having bit_count(bit_or(1 << q.place)) > 1
),
sampled as (
    select question, unit_no, max(votes)::bigint as votes from asked group by question, unit_no
),
-- Whoever decides again does so in the run of the first decision, where it is told.
decided as (
    select
        question, unit_no, max(run_no) as run_no, max(annotation_no) as decided_no,
        max((annotation_no << 8) | place) & 255 as decided_place
    from current_ones
    where settles
    group by question, unit_no
),
voted as (
    select
        question, unit_no, any_value(item_no) as item_no, max(run_no) as run_no,
        sum(by_raters)::bigint as rater_votes, sum(by_judges)::bigint as judge_votes,
        avg(confidence) as sureness, bit_count(bit_or(by_raters | by_judges)) as values
    from current_ones
    where not settles
    group by question, unit_no
)
select
    question, unit_no, v.item_no, coalesce(d.run_no, v.run_no) as run_no, v.rater_votes,
    v.judge_votes, coalesce(s.votes, 0) as sample_votes, v.sureness,
    coalesce(n.absent, 0)::integer as absent, coalesce(n.clashes, 0)::integer as clashes,
    coalesce(f.found, 0)::integer as found, d.decided_no, d.decided_place
from voted v
left join noted n using (question, unit_no)
left join found f using (unit_no)
left join sampled s using (question, unit_no)
left join decided d using (question, unit_no)
where v.values > 1 or s.votes is not null
"""

ALL = "".join((_HEAD, _DIFFERING, _REST)).replace("UNITS", _UNITS).replace("ITEMS", "true")
SOME = "".join((_HEAD, _REST)).replace("UNITS", "true").replace("ITEMS", A_OF_ITEMS)

QUEUE = """
with stays as (
    select run_no, protocol
    from runs
    where run_no not in (select run_no from run_removals)
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
),
superseded as (select supersedes from annotations where supersedes is not null),
answered as (
    select a.unit_no, list_position($asked::varchar[], r.protocol || ':' || a.criterion) - 1 as nth
    from annotations a
    join runs r on r.run_no = a.run_no
    where len($authors::varchar[]) > 0
        and r.run_no not in (select run_no from run_removals)
        and a.annotation_no not in (select supersedes from superseded)
        and a.author_no in (
            select author_no
            from authors
            where list_contains($authors::varchar[], kind || ':' || name)
        )
),
inside as (
    select run_no, item_no
    from run_items
    where run_no in (select run_no from stays)
        and (
            $slice_keys = 0
            or len(
                list_filter(
                    map_entries(attributes),
                    lambda one: list_contains($slices::varchar[], one.key || chr(31) || one.value)
                )
            ) = $slice_keys
        )
),
-- Equal items of other runs, and of other protocols, do not stand in the chosen runs.
belonging as (
    select a.unit_no, list_position($asked::varchar[], s.protocol || ':' || a.criterion) - 1 as nth
    from annotations a
    join stays s on s.run_no = a.run_no
    join inside i on i.run_no = a.run_no and i.item_no = a.item_no
    join authors p on p.author_no = a.author_no
    where not $everything
        and a.value is not null
        and a.annotation_no not in (select supersedes from superseded)
        and not list_contains($but::varchar[], p.kind || ':' || lower(p.name))
),
worded_items as (
    select item_no, name, text
    from fields
    where $words is not null
        and contains(lower(text), lower($words))
),
worded as (
    select u.unit_no
    from units u
    left join worded_items f on f.item_no = u.item_no and f.name = u.field
    where $words is not null
        and contains(
            lower(coalesce(u.text, substr(f.text, u.span_start + 1, u.span_end - u.span_start))),
            lower($words)
        )
),
chosen as materialized (
    select
        d.nth, d.weight, d.severity, d.kinds, d.unit_no,
        d.decided_no is null as is_open,
        case $decided
            when 'open' then d.decided_no is null or d.decided_no > $as_of
            when 'decided' then d.decided_no is not null
            else true
        end as is_listed
    from all_disagreements d
    where list_contains($questions::integer[], d.question)
        and ($everything or (d.unit_no, d.question) in (select unit_no, nth from belonging))
        and (len($authors::varchar[]) = 0 or (d.unit_no, d.question) in (from answered))
        and ($words is null or d.unit_no in (select unit_no from worded))
        and ($item_id is null or d.item_no in (select item_no from items where item_id = $item_id))
        and (
            not $by_label
            or (
                $bits[d.question + 1] & case $by
                    when 'rater' then d.rater_mask
                    when 'judge' then d.judge_mask
                    else d.rater_mask | d.judge_mask
                end
            ) <> 0
        )
),
page as (
    select nth
    from chosen
    where ($kinds = 0 or (kinds & $kinds) <> 0)
        and is_listed
    order by
        case when $sort = 'worst' then weight end desc nulls last,
        case when $sort <> 'stored' then severity end desc nulls last,
        unit_no,
        nth
    limit $limit
    offset $skip
)
select
    'count' as part, kinds, is_open, is_listed, count(*)::integer as units, null::integer as nth
from chosen
group by kinds, is_open, is_listed
union all
select 'page', 0, true, true, 0, nth
from page
"""
