"""SQL statements for `data.compare.compare`."""

from data.items.current_sql import GONE

_STANDING = """
with standing as (
    select run_no, run_id, name, system, protocol, is_sample
    from runs
    where run_no not in (select run_no from run_removals)
)
"""

# Whoever has an answer or a number in a run; numbers belong to the first criterion alone.
PARTIES = (
    _STANDING  # noqa: S608 - put together from constants
    + """
, said as (
    select run_no, author_no, criterion
    from annotations
    group by run_no, author_no, criterion
    union all
    select run_no, author_no, '' as criterion
    from summaries
    group by run_no, author_no
)
select distinct
    s.protocol, s.run_no, s.run_id, s.name as run, s.system, s.is_sample,
    w.kind, w.name as author, d.criterion
from said d
join standing s on s.run_no = d.run_no
join authors w on w.author_no = d.author_no
order by s.run_no, w.kind, w.name, d.criterion
"""
)

PROMPTS = (
    _STANDING
    + """
select
    s.run_id, w.kind, w.name as author, r.fingerprint, r.model,
    coalesce(any_value(p.version), '') as version,
    max(r.replied_at) as asked_at
from replies r
join standing s on s.run_no = r.run_no
join authors w on w.author_no = r.author_no
left join prompts p on p.fingerprint = r.fingerprint
group by s.run_id, w.kind, w.name, r.fingerprint, r.model
order by asked_at, r.fingerprint
"""
)

# Of one prompt its latest answers count, also where another prompt has superseded them since. Of
# an author who answered in several runs the last readable one counts: its number is raised above
# all others. Where adjudicators share a column, the last row fills it.
LABELS = f"""
select
    item_no, unit_no, author_no,
    arg_max(
        case
            when value is not null then coalesce(list_position($labels::varchar[], value) - 1, -2)
            when problem <> '' then -2
            else -3
        end,
        annotation_no + (($prompt = '' and value is not null)::bigint << 60)
    )::tinyint as code,
    max(annotation_no + (($prompt = '' and value is not null)::bigint << 60)) as place
from annotations
where criterion = $criterion
    and author_no in (select unnest($authors::integer[]))
    and run_no in (
        select run_no
        from runs
        where protocol = $protocol
            and ($run_id = '' or run_id = $run_id)
            and (
                len($signed_in::varchar[]) = 0
                or list_contains($signed_in::varchar[], run_id)
                or author_no in (select author_no from authors where kind = 'adjudicator')
            )
            and run_no not in (select run_no from run_removals)
    )
    and item_no in (
        select item_no
        from run_items
        where run_no in (
            select run_no from runs where run_id in (select unnest($within::varchar[]))
        )
    )
    and (
        $prompt <> ''
        or annotation_no not in ({GONE})
    )
    and ($prompt = '' or reply_id in (select reply_id from replies where fingerprint = $prompt))
group by item_no, unit_no, author_no
order by unit_no, place
"""  # noqa: S608 - put together from constants

# Under each name one number an item, and names with most of them first: the protocol's own before
# one that came with the file, raters by their mean.
NUMBERS = """
with latest as (
    select item_no, author_no, name, given, arg_max_null(value, summary_no) as value
    from summaries
    where author_no in (select unnest($authors::integer[]))
        and run_no in (
            select run_no
            from runs
            where run_id = $run_id
                and run_no not in (select run_no from run_removals)
        )
    group by item_no, author_no, name, given
),
named as (
    select name, given, count(value) as many
    from latest
    group by name, given
    qualify row_number() over (partition by name order by given) = 1
)
select l.item_no, avg(l.value) as value, l.name
from latest l
join named n on n.name = l.name and n.given = l.given
group by l.item_no, l.name, n.given, n.many
order by n.given, n.many desc, l.name, l.item_no
"""

# Everything but the response: two systems' responses to it can be set side by side.
KEYS = """
with listed as (
    select item_no, min(external_id) as external_id
    from run_items
    where run_no in (
        select run_no
        from runs
        where run_id = $run_id
            and run_no not in (select run_no from run_removals)
    )
    group by item_no
)
select
    l.item_no,
    l.external_id,
    any_value(i.cutter) as cutter,
    coalesce(max(hash(f.text)) filter (where f.name = 'query'), 0)::ubigint as query,
    coalesce(
        bit_xor(hash(f.name || chr(31) || f.text)) filter (where f.name <> 'response'), 0
    )::ubigint as sources
from listed l
join items i on i.item_no = l.item_no
left join fields f on f.item_no = l.item_no
group by l.item_no, l.external_id
order by l.item_no
"""

REPLIES = """
select
    r.item_no,
    r.seconds,
    r.tokens_in::double as tokens_in,
    r.tokens_out::double as tokens_out,
    c.cost
from replies r
left join (select reply_id, max(cost) as cost from reply_facts group by reply_id) c
    on c.reply_id = r.reply_id
where r.run_no in (
        select run_no
        from runs
        where run_id = $run_id
            and run_no not in (select run_no from run_removals)
    )
    and r.author_no in (select unnest($authors::integer[]))
    and ($prompt = '' or r.fingerprint = $prompt)
"""

# Whoever has a label on the items of some runs, in whichever run it was given; `is_inside` where
# one of it was given in these, or decided anywhere.
REFERENCES = """
select w.kind, w.name, w.kind = 'adjudicator' or s.is_inside
from authors w
join (
    select
        author_no,
        bool_or(
            run_no in (select run_no from runs where run_id in (select unnest($within::varchar[])))
        ) as is_inside
    from annotations
    where criterion = $criterion
        and value is not null
        and item_no in (
            select item_no
            from run_items
            where run_no in (
                select run_no from runs where run_id in (select unnest($within::varchar[]))
            )
        )
        and run_no in (
            select run_no
            from runs
            where protocol = $protocol
                and run_no not in (select run_no from run_removals)
        )
        and annotation_no not in (select supersedes from annotations where supersedes is not null)
    group by author_no
) s on s.author_no = w.author_no
order by w.kind desc, w.name
"""

UNIT_FIELDS = """
select unit_no, field
from units
where kind = 'claim'
    and item_no in (select unnest($items::integer[]))
order by unit_no
"""

# A page of units or items: their texts are looked for only once they are known.
UNITS = """
with chosen as (
    select unit_no, item_no, unit_id, position, kind, field, span_start, span_end, text
    from units
    where unit_no in (select unnest($units::integer[]))
),
told as (
    select item_no, name, text
    from fields
    where item_no in (select item_no from chosen)
)
select
    u.unit_no,
    u.unit_id,
    u.position,
    u.kind,
    coalesce(u.text, substr(t.text, u.span_start + 1, u.span_end - u.span_start), '') as unit_text
from chosen u
left join told t on t.item_no = u.item_no and t.name = u.field
"""

ITEMS = """
with named as (
    select item_no, max(external_id) as external_id
    from run_items
    where item_no in (select unnest($items::integer[]))
        and run_no in (
            select run_no
            from runs
            where run_id = $run_id
                and run_no not in (select run_no from run_removals)
        )
    group by item_no
),
asked as (
    select item_no, left(text, 200) as query
    from fields
    where item_no in (select item_no from named)
        and name = 'query'
)
select i.item_no, i.item_id, n.external_id, a.query
from items i
join named n on n.item_no = i.item_no
left join asked a on a.item_no = i.item_no
where i.item_no in (select item_no from named)
"""
