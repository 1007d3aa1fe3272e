"""The SQL behind `data.queries_distributions`."""

# A row of a distribution: an author, or everybody of one run or system with raters together.
NARROWED = """
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

SIGNED = """
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
        NARROWED,
        SIGNED,
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

_SPREAD = (
    """
, binned as (
    select line, value, """,
    BIN,
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

SCORES = "".join((NARROWED, SIGNED, _SCORES, *_SPREAD))
NUMBERS = "".join((NARROWED, SUMMARIES, *_SPREAD))
