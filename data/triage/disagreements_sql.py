"""The SQL that finds the disagreements of the store."""

from data.items.current_sql import LATEST_FINDINGS

# One row a unit and question whose current annotations differ, or whose judge said different
# things when asked several times. How many gave each value is packed into one number, so many bits
# a value, so that a group is a few sums; `data.triage.disagreements` takes it apart. An author
# who answered in two runs with the same item counts once, with the last readable answer. With runs
# given only their raters and judges count.
_HEAD = """
with stays as (
    select
        run_no,
        protocol,
        len($runs::integer[]) = 0 or list_contains($runs::integer[], run_no) as is_counted
    from runs
    where run_no not in (select run_no from run_removals)
),
questions as (
    select
        s.run_no, s.is_counted, q.criterion, q.value, q.question, q.place,
        1::bigint << ($width::integer * q.place) as vote
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
        and LATEST_FINDINGS
    group by a.unit_no
),
superseded as (select supersedes from annotations where supersedes is not null),
""".replace("LATEST_FINDINGS", LATEST_FINDINGS)

# Most units have one value only; a hash is enough to leave them aside.
_DIFFERING = """
differing as materialized (
    select unit_no
    from annotations
    where value is not null
    group by unit_no
    having min(hash(value)) <> max(hash(value))
    union
    select unit_no
    from sample_answers
),
-- Joined by itself, so that only these annotations meet the questions, by three columns.
near as (
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.criterion, a.author_no, a.value,
        a.confidence
    from annotations a
    join differing d on d.unit_no = a.unit_no
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
        and s.is_counted
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
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.confidence,
        q.question, q.place, p.is_judge, p.settles,
        q.vote * p.raters as by_raters,
        q.vote * p.judges as by_judges
    from NEAR a
    join questions q
        on q.run_no = a.run_no and q.criterion = a.criterion and q.value = a.value
    join people p on p.author_no = a.author_no
    where ITEMS
        -- A decision counts in every run of its protocol with the item.
        and (q.is_counted or p.settles)
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
    join annotations a on a.annotation_no = c.annotation_no
    join reply_facts f on f.reply_id = a.reply_id
    join reply_facts g on g.group_id = f.group_id and g.samples > 1
    join sample_answers s on s.reply_id = g.reply_id and s.unit_no = c.unit_no
    join questions q
        on q.run_no = c.run_no and q.question = c.question
        and q.criterion = s.criterion and q.value = s.value
    where c.is_judge and ITEMS
    group by c.question, c.unit_no, c.annotation_no
    having bit_count(bit_or(1 << q.place)) > 1
),
sampled as (
    select question, unit_no, max(votes)::bigint as votes from asked group by question, unit_no
),
-- Whoever decides again does so in the run of the decision that counts.
decided as (
    select
        question, unit_no, arg_max(run_no, annotation_no) as run_no,
        max(annotation_no) as decided_no,
        max((annotation_no << 8) | place) & 255 as decided_place
    from current_ones
    where settles
    group by question, unit_no
),
voted as materialized (
    select
        question, unit_no, any_value(item_no) as item_no, max(run_no) as run_no,
        sum(by_raters) as rater_votes, sum(by_judges) as judge_votes, count(*) as voices,
        avg(confidence) as sureness, bit_count(bit_or(by_raters | by_judges)) as values
    from current_ones
    where not settles
    group by question, unit_no
),
-- More voices than the bits of one value can count would spill into the next value's.
crowded as (
    select
        question, unit_no,
        sum(least(raters, $most) << ($width::integer * place))::bigint as rater_votes,
        sum(least(judges, $most) << ($width::integer * place))::bigint as judge_votes
    from (
        select
            question, unit_no, place,
            count(*) filter (where by_raters > 0) as raters,
            count(*) filter (where by_judges > 0) as judges
        from current_ones
        where not settles
            and (question, unit_no) in (
                select question, unit_no from voted where voices > $most
            )
        group by question, unit_no, place
    )
    group by question, unit_no
)
select
    question, unit_no, v.item_no, coalesce(d.run_no, v.run_no) as run_no,
    coalesce(c.rater_votes, v.rater_votes)::bigint as rater_votes,
    coalesce(c.judge_votes, v.judge_votes)::bigint as judge_votes,
    coalesce(s.votes, 0) as sample_votes, v.sureness,
    coalesce(n.absent, 0)::integer as absent, coalesce(n.clashes, 0)::integer as clashes,
    coalesce(f.found, 0)::integer as found, d.decided_no, d.decided_place
from voted v
left join crowded c using (question, unit_no)
left join noted n using (question, unit_no)
left join found f using (unit_no)
left join sampled s using (question, unit_no)
left join decided d using (question, unit_no)
where v.values > 1 or s.votes is not null
"""

ALL = (
    "".join((_HEAD, _DIFFERING, _REST))
    .replace("NEAR", "near")
    .replace("UNITS", _UNITS)
    .replace("ITEMS", "true")
)
SOME = (
    "".join((_HEAD, _REST))
    .replace("NEAR", "annotations")
    .replace("UNITS", "true")
    .replace("ITEMS", "{a_of_items}")
)
