"""The SQL behind `data.queries_distributions`."""

# A row of a distribution: an author, or everybody of one run or system with raters together.
_NARROWED = """
with stays as (
    select run_no, run_id, name, system
    from runs
    where run_no not in (select run_no from run_removals)
        and protocol = $protocol
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
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
        and (
            $slice_keys = 0
            or len(
                list_filter(
                    map_entries(attributes),
                    lambda each: list_contains(
                        $slices::varchar[], each.key || chr(31) || each.value
                    )
                )
            ) = $slice_keys
        )
        and ($words is null or item_no in (select item_no from worded))
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
"""

_SIGNED = """
, signed as (
    select
        run_no, item_no, unit_no, author_no, value, annotation_no,
        case when value is not null then value when problem <> '' then ' unread'
            else ' not judged' end as said
    from annotations
    where run_no in (select run_no from stays)
        and author_no in (select author_no from voices)
        and criterion = $criterion
        and ($field is null or unit_no in (select unit_no from units where field = $field))
        and (not $narrows or (run_no, item_no) in (select (run_no, item_no) from left_items))
        and annotation_no not in (
            select supersedes from annotations where supersedes is not null
        )
)
"""

LABELS = "".join(
    (
        _NARROWED,
        _SIGNED,
        """
, by_item as (
    select run_no, author_no, item_no, said, count(*) as units
    from signed
    group by run_no, author_no, item_no, said
),
in_lines as (
    select l.line, l.kind, l.name, l.part, l.place, b.item_no, b.said, b.units
    from by_item b
    join lines l on l.run_no = b.run_no and l.author_no = b.author_no
)
select line, kind, name, part, place, said, sum(units)::bigint as units, 0 as items
from in_lines
group by line, kind, name, part, place, said
union all
select line, kind, name, part, place, '' as said, 0 as units, count(distinct item_no) as items
from in_lines
group by line, kind, name, part, place
order by place, kind desc, name, part, said
""",
    )
)

# An item's number: the mean over the authors of the row. Every statement below reads `numbers`.
_SCORES = """
, numbers as (
    select
        l.line, 'Score' as called, max(s.run_no) as run_no, s.item_no,
        avg(try_cast(s.value as double)) as value
    from signed s
    join lines l on l.run_no = s.run_no and l.author_no = s.author_no
    group by l.line, s.item_no
)
"""

# The protocol's own number before one that came with the file.
_SUMMARIES = """
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
_BIN = """
case
    when value is null or round(value, 9) not between 0 and 1 then ' none'
    else floor(round(value, 9) * 10)::integer::varchar
end
"""

_SPREAD = (
    """
, binned as (
    select line, value, """,
    _BIN,
    """ as bin, count(*) as items
    from numbers
    group by line, value
),
bins as (
    select line, bin, sum(items)::bigint as items
    from binned
    group by line, bin
),
middles as (
    select line, median(value) as middle, any_value(called) as called
    from numbers
    group by line
),
named as (
    select line, any_value(kind) as kind, any_value(name) as name, any_value(part) as part,
        any_value(place) as place
    from lines
    group by line
)
select
    n.line, n.kind, n.name, n.part, n.place,
    any_value(m.middle) as middle,
    any_value(m.called) as called,
    coalesce(list(b.value) filter (where b.value is not null), []) as item_values,
    coalesce(list(b.items) filter (where b.value is not null), []) as item_counts,
    any_value(c.bins) as bins,
    any_value(c.bin_items) as bin_items
from binned b
join named n on n.line = b.line
join middles m on m.line = b.line
join (
    select line, list(bin) as bins, list(items) as bin_items from bins group by line
) c on c.line = b.line
group by n.line, n.kind, n.name, n.part, n.place
order by n.place, n.kind desc, n.name, n.part
""",
)

SCORES = "".join((_NARROWED, _SIGNED, _SCORES, *_SPREAD))
NUMBERS = "".join((_NARROWED, _SUMMARIES, *_SPREAD))

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

UNITS_FOUND = "".join(
    (
        _NARROWED,
        _SIGNED,
        """
, page as (
    select
        s.run_no, s.item_no, s.unit_no, s.annotation_no, s.said, null::double as value,
        count(*) over () as total,
        row_number() over (order by s.run_no desc, s.item_no, s.unit_no, s.author_no) as line_no
    from signed s
    join lines l on l.run_no = s.run_no and l.author_no = s.author_no
    where l.line = $line
        and ($value is null or s.said = $value)
    order by line_no
    limit $limit
    offset $skip
)
""",
        _PAGE,
    )
)

_ITEMS_FOUND = (
    """
, page as (
    select
        run_no, item_no, null::integer as unit_no, null::bigint as annotation_no,
        """,
    _BIN,
    """ as said,
        value,
        count(*) over () as total,
        row_number() over (order by value nulls last, run_no desc, item_no) as line_no
    from numbers
    where line = $line
        and ($value is null or """,
    _BIN,
    """ = $value)
    order by line_no
    limit $limit
    offset $skip
)
""",
    _PAGE,
)
ITEMS_FOUND = "".join((_NARROWED, _SUMMARIES, *_ITEMS_FOUND))
