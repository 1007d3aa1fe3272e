"""SQL statements for `data.distributions.distributions` and its counts."""

from collections.abc import Mapping
from typing import Any

from data.items.current_sql import DECISIONS_IN_RUNS, GONE, WITH_DECISIONS
from data.items.narrowing_sql import IN_SLICES, run_is_counted

# A row of a distribution: an author, or everybody of one run or system with raters together.
NARROWED = f"""
with stays as (
    select run_no, run_id, name, system
    from runs
    where run_no not in (select run_no from run_removals)
        and protocol = $protocol
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
        and {run_is_counted()}
),
worded as (
    select item_no
    from fields
    where $words is not null
        and contains(lower(text), lower($words))
),
left_items as (
    select run_no, item_no
    from run_items
    where $narrows
        and run_no in (select run_no from stays)
        and {IN_SLICES}
        and ($words is null or item_no in (select item_no from worded))
        and item_no not in (select unnest($left_out::integer[]))
),
voices as (
    select
        author_no, kind, name,
        case kind when 'judge' then 'judge:' || name when 'rater' then 'raters'
            else 'adjudicated' end as side
    from authors
    where case
            when len($authors::varchar[]) = 0
            then lower(name) <> $baseline or kind <> 'judge'
            else list_contains($authors::varchar[], kind || ':' || name)
        end
),
lines as (
    select
        r.run_no,
        v.author_no,
        case $by_row
            when 'run' then v.side || '@' || r.run_id
            when 'system' then v.side || '@' || r.system
            else v.kind || ':' || v.name
        end as line,
        v.kind,
        case when $by_row = 'author' or v.kind = 'judge' then v.name else '' end as name,
        case $by_row when 'run' then r.name when 'system' then r.system else '' end as part,
        case when $by_row = 'run' then r.run_no else 0 end as place
    from stays r
    cross join voices v
)
"""  # noqa: S608 - put together from constants

LINES = "".join(
    (
        NARROWED,
        """
select run_no, author_no, line, kind, name, part, place
from lines
order by place, kind desc, name, part
""",
    )
)
LEFT = "".join((NARROWED, "select run_no, item_no from left_items"))
LEFT_AMONG = "".join(
    (
        NARROWED,
        """
select count(distinct item_no)
from left_items
where item_no in (select unnest($out::integer[]))
""",
    )
)

SUPERSEDED = "select count(supersedes) from annotations"
_LABELS_BY_ITEM = f"""
select
    a.run_no, HOME as home_no, a.item_no, a.author_no, a.criterion,
    coalesce(u.field, '') as field,
    case when a.value is not null then a.value when a.problem <> '' then ' unread'
        else ' not judged' end as said,
    count(*) as units
from annotations a
left join units u on u.unit_no = a.unit_no and u.item_no = a.item_no and u.kind = 'claim'
where {{a_of_items}}
    and (
        ALL_CURRENT
        or a.annotation_no not in (
            {GONE}
                and {{of_items}}
        )
    )
group by all
"""  # noqa: S608 - put together from constants

# Whether the store has superseded answers: to look for them costs as much as all the rest.
LABELS_BY_ITEM = {
    superseded: _LABELS_BY_ITEM.replace("ALL_CURRENT", str(not superseded)).replace(
        "HOME", "a.run_no"
    )
    for superseded in (False, True)
}
# The same where a decision counts in other runs than its own.
LABELS_WITH_DECISIONS = f"with {DECISIONS_IN_RUNS}" + _LABELS_BY_ITEM.replace(
    "ALL_CURRENT", "false"
).replace("HOME", "a.home_no").replace("from annotations a\n", f"from {WITH_DECISIONS}\n")
NEWEST = """
select
    run_no, item_no, author_no, name, given,
    arg_max_null(value, summary_no) as value
from summaries
where {of_items}
group by run_no, item_no, author_no, name, given
"""

# The protocol's own number before one that came with the file.
SUMMARIES = """
, latest as (
    select
        run_no, item_no, author_no, name, given,
        arg_max_null(value, summary_no) as value
    from summaries
    where run_no in (select run_no from stays)
        and author_no in (select author_no from voices)
        and (not $narrows or (run_no, item_no) in (select (run_no, item_no) from left_items))
    group by run_no, item_no, author_no, name, given
),
told as (
    select l.line, s.run_no, s.item_no, s.name, s.given, s.value
    from latest s
    join lines l on l.run_no = s.run_no and l.author_no = s.author_no
),
first_named as (
    select line, min((given, name)) as one
    from told
    group by line
),
numbers as (
    select
        t.line, any_value(t.name) as called, max(t.run_no) as run_no, t.item_no,
        avg(t.value) as value
    from told t
    join first_named f on f.line = t.line and f.one = (t.given, t.name)
    group by t.line, t.item_no
)
"""

# Rounded first: a mean of 0.1 and 0.5 is a little less than 0.3. A file's own number may be no
# share at all; it has no bin.
BIN = """
case
    when value is null or round(value, 9) not between 0 and 1 then ' none'
    else floor(round(value, 9) * 10)::integer::varchar
end
"""


def select_parameters(question: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that a statement names; the engine refuses others."""
    return {name: value for name, value in facts.items() if f"${name}" in question}
