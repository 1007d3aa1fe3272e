"""The SQL of what lies behind a bar of a distribution."""

from data.distributions.distributions_sql import BIN, NARROWED, SUMMARIES
from data.items.current_sql import DECISIONS_IN_RUNS, GONE, WITH_DECISIONS
from data.store.cache.item_filter_sql import narrowed

_UNITS = f"""
, by_unit as (
    select
        run_no, HOME as home_no, item_no, unit_no, author_no, annotation_no,
        case when value is not null then value when problem <> '' then ' unread'
            else ' not judged' end as said
    from SIGNED
    where run_no in (select run_no from stays)
        and author_no in (select author_no from voices)
        and criterion = $criterion
        and ($field is null or unit_no in (select unit_no from units where field = $field))
        and (not $narrows or (run_no, item_no) in (select (run_no, item_no) from left_items))
        and annotation_no not in (
            {GONE}
        )
)
"""  # noqa: S608 - put together from constants

# Texts are looked up for the page alone.
_PAGE = """
select
    p.line_no, p.total, r.run_id, r.name as run, i.item_id, ri.external_id,
    u.unit_id, w.kind as author_kind, w.name as author, p.said, a.problem, p.value,
    coalesce(
        u.text,
        substr(f.text, u.span_start + 1, u.span_end - u.span_start),
        left(f.text, 300),
        ''
    ) as text,
    coalesce(left(q.text, 200), '') as query
from page p
join stays r on r.run_no = p.run_no
join items i on i.item_no = p.item_no
join run_items ri on ri.run_no = p.run_no and ri.item_no = p.item_no
left join annotations a on a.annotation_no = p.annotation_no
left join authors w on w.author_no = a.author_no
left join units u on u.unit_no = p.unit_no and u.item_no = p.item_no
left join fields f
    on f.item_no = p.item_no
    and f.name = case when u.field is null or u.field = '' then 'response' else u.field end
left join fields q on q.item_no = p.item_no and q.name = 'query'
order by p.line_no
"""

_UNITS_FOUND = "".join(
    (
        NARROWED,
        _UNITS,
        """
, in_line as (
    select s.*
    from by_unit s
    join lines l on l.run_no = s.run_no and l.author_no = s.author_no
    where l.line = $line
        and ($value is null or s.said = $value)
    ONCE
)
, page as (
    select
        run_no, item_no, unit_no, annotation_no, said, null::double as value,
        count(*) over () as total,
        row_number() over (order by run_no desc, item_no, unit_no, author_no) as line_no
    from in_line
    order by line_no
    limit $limit
    offset $skip
)
""",
        _PAGE,
    )
)
UNITS_FOUND = (
    _UNITS_FOUND.replace("HOME", "run_no").replace("SIGNED", "annotations").replace("ONCE", "")
)
# The same where a decision counts in other runs than its own: in a line each counts once.
_ONCE = """qualify row_number() over (
        partition by s.annotation_no
        order by s.run_no <> s.home_no, s.run_no
    ) = 1"""
UNITS_FOUND_WITH_DECISIONS = (
    _UNITS_FOUND.replace(", by_unit as", f", {narrowed(DECISIONS_IN_RUNS, None)}, by_unit as", 1)
    .replace("HOME", "home_no")
    .replace("SIGNED", WITH_DECISIONS)
    .replace("ONCE", _ONCE)
)

_ITEMS_FOUND = (
    """
, page as (
    select
        run_no, item_no, null::integer as unit_no, null::bigint as annotation_no,
        """,
    BIN,
    """ as said,
        value,
        count(*) over () as total,
        row_number() over (order by value nulls last, run_no desc, item_no) as line_no
    from numbers
    where line = $line
        and ($value is null or """,
    BIN,
    """ = $value)
    order by line_no
    limit $limit
    offset $skip
)
""",
    _PAGE,
)
ITEMS_FOUND = "".join((NARROWED, SUMMARIES, *_ITEMS_FOUND))
