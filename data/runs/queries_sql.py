"""The SQL behind the questions of `data.runs.queries`."""

from data.items.current_sql import DECISIONS_IN_RUNS, GONE, WITH_DECISIONS
from data.store.cache.item_filter_sql import narrowed

RUNS = f"""
with stays as (
    select *
    from runs
    where run_no not in (select run_no from run_removals)
),
signed as (
    select
        run_no,
        author_no,
        count(value) as answers,
        count(*) filter (where value is null and problem <> '') as unread
    from annotations
    where annotation_no not in (
        {GONE}
    )
    group by run_no, author_no
),
said as (
    select
        g.run_no,
        sum(g.answers) filter (w.kind <> 'adjudicator') as answers,
        sum(g.answers) filter (w.kind = 'adjudicator') as decisions,
        sum(g.unread) as unread
    from signed g
    join authors w on w.author_no = g.author_no
    group by g.run_no
),
met as (
    select run_no, list(title order by began_at) as meetings
    from (
        select distinct p.run_no, m.meeting_id, m.title, m.began_at
        from meeting_points p
        join meetings m on m.meeting_id = p.meeting_id
    )
    group by run_no
),
named as (
    select
        n.run_no,
        count(*) filter (where w.kind = 'rater') as raters,
        count(*) filter (where w.kind = 'judge') as judges
    from (
        select run_no, author_no from signed
        union
        select run_no, author_no from summaries
    ) n
    join authors w on w.author_no = n.author_no
    group by n.run_no
),
listed as (
    select run_no, count(*) as items
    from run_items
    group by run_no
),
answered as (
    select run_no, count(*) as units
    from (select run_no, unit_no from annotations group by run_no, unit_no)
    group by run_no
)
select
    r.run_id,
    r.name,
    r.protocol,
    r.system,
    r.imported_at,
    r.is_sample,
    coalesce(l.items, 0)::bigint as items,
    coalesce(u.units, 0)::bigint as units,
    coalesce(s.answers, 0)::bigint as answers,
    coalesce(s.decisions, 0)::bigint as decisions,
    coalesce(s.unread, 0)::bigint as unread,
    coalesce(n.raters, 0)::bigint as raters,
    coalesce(n.judges, 0)::bigint as judges,
    coalesce(t.meetings, []) as meetings
from stays r
left join listed l on l.run_no = r.run_no
left join answered u on u.run_no = r.run_no
left join said s on s.run_no = r.run_no
left join named n on n.run_no = r.run_no
left join met t on t.run_no = r.run_no
order by r.run_no desc
"""  # noqa: S608 - put together from constants

# arg_max_null and not arg_max: a later summary without a value counts too.
HEADLINES = """
with stays as (
    select run_no, run_id
    from runs
    where run_no not in (select run_no from run_removals)
        and ($run_id is null or run_id = $run_id)
),
latest as (
    select
        run_no, item_no, author_no, name, given,
        arg_max_null(value, summary_no) as value
    from summaries
    where run_no in (select run_no from stays)
        and item_no not in (select unnest($left_out::integer[]))
    group by run_no, item_no, author_no, name, given
),
groups as (
    select author_no, kind, case when kind = 'judge' then author_no else 0 end as judge_no
    from authors
),
by_item as (
    select
        l.run_no, l.item_no, g.kind, g.judge_no, l.name, l.given,
        avg(l.value) as value
    from latest l
    join groups g on g.author_no = l.author_no
    group by l.run_no, l.item_no, g.kind, g.judge_no, l.name, l.given
),
histogram as (
    select run_no, kind, judge_no, name, given, value, count(*) as items
    from by_item
    group by run_no, kind, judge_no, name, given, value
),
behind as (
    select
        l.run_no, g.kind, g.judge_no, l.name, l.given,
        count(distinct l.author_no) as authors
    from latest l
    join groups g on g.author_no = l.author_no
    group by l.run_no, g.kind, g.judge_no, l.name, l.given
),
listed as (
    select run_no, count(*) as run_items
    from run_items
    group by run_no
)
select
    r.run_id,
    h.kind as author_kind,
    coalesce(w.name, '') as author,
    b.authors,
    h.name,
    h.given,
    coalesce(list(h.value) filter (where h.value is not null), []) as item_values,
    coalesce(list(h.items) filter (where h.value is not null), []) as item_counts,
    any_value(l.run_items) as run_items
from histogram h
join stays r on r.run_no = h.run_no
join behind b
    on b.run_no = h.run_no
    and b.kind = h.kind
    and b.judge_no = h.judge_no
    and b.name = h.name
    and b.given = h.given
join listed l on l.run_no = h.run_no
left join authors w on w.author_no = h.judge_no
group by r.run_no, r.run_id, h.kind, w.name, b.authors, h.name, h.given
order by r.run_no desc, h.kind desc, author, h.given, h.name
"""

AUTHORS = f"""
with signed as (
    select a.*
    from annotations a
    where a.run_no in (
            select run_no
            from runs
            where run_id = $run_id
                and run_no not in (select run_no from run_removals)
        )
        and a.annotation_no not in (
            {GONE}
        )
)
select
    w.kind as author_kind,
    w.name as author,
    count(distinct a.item_no) as items,
    count(a.value) as answers,
    count(*) filter (where a.value is null and a.problem <> '') as unread,
    count(*) filter (where a.value is null and a.problem = '') as not_judged
from signed a
join authors w on w.author_no = a.author_no
group by w.kind, w.name
order by w.kind desc, w.name
"""  # noqa: S608 - put together from constants

# A sentence the author merged from several of ours is one piece on several units, hence distinct.
LABEL_COUNTS = f"""
with signed as (
    select
        w.kind as author_kind, w.name as author, a.item_no, a.criterion, a.value, a.problem,
        a.pieces
    from annotations a
    join authors w on w.author_no = a.author_no
    where a.run_no in (
            select run_no
            from runs
            where run_id = $run_id
                and run_no not in (select run_no from run_removals)
        )
        and a.annotation_no not in (
            {GONE}
        )
        and ($criterion is null or a.criterion = $criterion)
        and (
            len($authors::varchar[]) = 0
            or list_contains($authors::varchar[], w.kind || ':' || w.name)
        )
),
counted as (
    select
        author_kind, author, criterion, value,
        case when value is not null then 'label' when problem <> '' then 'unread'
            else 'not judged' end as state,
        count(*) as units,
        count(*) filter (where len(pieces) = 0) as pieces
    from signed
    group by 1, 2, 3, 4, 5
),
cut as (
    select distinct author_kind, author, item_no, criterion, unnest(pieces) as piece
    from signed
    where len(pieces) > 0
),
cut_counted as (
    select
        author_kind, author, criterion, piece.value as value,
        case when piece.value is null then 'unread' else 'label' end as state,
        0 as units,
        count(*) as pieces
    from cut
    group by 1, 2, 3, 4, 5
)
select
    author_kind, author, criterion, state, value,
    sum(units)::bigint as units,
    sum(pieces)::bigint as pieces
from (select * from counted union all by name select * from cut_counted)
group by author_kind, author, criterion, state, value
order by author_kind desc, author, criterion, state, value
"""  # noqa: S608 - put together from constants


def with_decisions(question: str) -> str:
    """A question above, where a decision counts in every run of its protocol with the item."""
    return (
        question.replace("from annotations a\n", f"from {WITH_DECISIONS}\n")
        .replace(
            "from annotations\n    where annotation_no",
            f"from {WITH_DECISIONS}\n    where annotation_no",
        )
        .replace("with ", f"with {narrowed(DECISIONS_IN_RUNS, None)},\n", 1)
    )
