"""The SQL that narrows the table of disagreements to one page of a queue."""

from data.items.narrowing_sql import IN_SLICES, WORDED_UNITS, run_is_counted

_NARROWING = f"""
stays as (
    select run_no, protocol
    from runs
    where run_no not in (select run_no from run_removals)
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
        and {run_is_counted()}
),
superseded as (select supersedes from annotations where supersedes is not null),
answered as (
    select a.unit_no, list_position($asked::varchar[], r.protocol || ':' || a.criterion) - 1 as nth
    from annotations a
    join runs r on r.run_no = a.run_no
    join authors p on p.author_no = a.author_no
    where len($authors::varchar[]) > 0
        and r.run_no not in (select run_no from run_removals)
        and (p.kind = 'adjudicator' or r.run_no in (select run_no from stays))
        and a.annotation_no not in (select supersedes from superseded)
        and list_contains($authors::varchar[], p.kind || ':' || p.name)
),
inside as (
    select run_no, item_no
    from run_items
    where run_no in (select run_no from stays)
        and {IN_SLICES}
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
{WORDED_UNITS},
"""  # noqa: S608 - put together from constants

_CHOSEN = """
chosen as materialized (
    select
        d.nth, d.weight, d.severity, d.kinds, d.unit_no, d.question,
        d.decided_no is null as is_open,
        case $decided
            when 'open' then d.decided_no is null or d.decided_no > $as_of
            when 'decided' then d.decided_no is not null
            else true
        end as is_listed
    from all_disagreements d
    where list_contains($questions::integer[], d.question)
        and (d.item_no, d.question) not in (
            select (unnest($sample_items::integer[]), unnest($sample_questions::integer[]))
        )
        and NARROWED
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
        question
    limit $limit
    offset $skip
)
select kinds, is_open, is_listed, count(*)::integer as units, null::integer as nth
from chosen
group by kinds, is_open, is_listed
union all
select 0, true, true, 0, nth
from page
"""

_NARROWED = """
        ($everything or (d.unit_no, d.question) in (select unit_no, nth from belonging))
        and (len($authors::varchar[]) = 0 or (d.unit_no, d.question) in (from answered))
        and ($words is null or d.unit_no in (select unit_no from worded_units))
        and ($item_id is null or d.item_no in (select item_no from items where item_id = $item_id))
"""

QUEUE = "with" + _NARROWING + _CHOSEN.replace("NARROWED", _NARROWED.strip())
# Where nothing needs more than the table itself, as on the first page and after each decision: what
# the other question would not read is planned all the same, and that is most of its time.
QUEUE_OF_ALL = "with" + _CHOSEN.replace("NARROWED", "true")
# Of items that several runs hold: those of the chosen runs that do.
CHOSEN_RUNS = f"""
select n.item_no, r.protocol, list(r.run_no order by r.run_no) as run_numbers
from run_items n
join runs r on r.run_no = n.run_no
where n.item_no in (select unnest($items::integer[]))
    and r.run_no not in (select run_no from run_removals)
    and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
    and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], r.system))
    and {run_is_counted("r")}
group by n.item_no, r.protocol
"""  # noqa: S608 - put together from constants
FACTS_OF_ALL = (
    *("questions", "sample_items", "sample_questions", "decided", "as_of", "by_label", "bits"),
    *("by", "kinds", "sort", "limit", "skip"),
)
