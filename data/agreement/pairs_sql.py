"""SQL statements for the label comparisons in `data.agreement.pairs`."""

from data.items.current_sql import GONE, TAKES_BACK
from data.items.narrowing_sql import IN_SLICES, run_is_counted

AUTHORS = """
select author_no, kind, name
from authors
"""

# In rows, which are planned in a fraction of the time that columns of one row take.
SIZES = """
select 0 as nth, coalesce(max(item_no), 0) as held
from items
union all
select 1, count(*)
from units
union all
select 2, count(*)
from annotations
union all
select 3, count(*)
from annotations
where len(pieces) > 0
union all
select 4, count(supersedes)
from annotations
union all
select 5, count(*)
from run_removals
union all
select 6, count(*)
from authors
"""

ANY_PIECES = """
select 1
from annotations
where annotation_no > $annotation
    and len(pieces) > 0
limit 1
"""

STANDING = """
select run_no
from runs
where protocol = $protocol
    and run_no not in (select run_no from run_removals)
"""

SETTLING = "select author_no from authors where kind = 'adjudicator'"

# Rows come in the order in which they were stored, so that of two answers by one author about one
# unit, in two runs, the later one comes last and is the one that stays, unless it is unread.
_SIGNED = """
from annotations
where criterion = $criterion
    and item_no between $first and $last
"""

# Added only where they leave something out: each of them costs a third of the whole question.
ONLY_CURRENT = f"""
    and annotation_no not in ({GONE})
"""
ONLY_STANDING = """
    and list_contains($standing::integer[], run_no)
"""
ONLY_OF_RUNS = """
    and (
        list_contains($runs::integer[], run_no)
        or list_contains($settling::integer[], author_no)
    )
"""
ONLY_AUTHORS = """
    and list_contains($authors::integer[], author_no)
"""

# Below zero: -2 is unread, -3 not judged; -1 is left for units nobody answered about.
_CODED = """
    unit_no,
    author_no,
    case
        when value is not null then coalesce(list_position($labels::varchar[], value) - 1, -2)
        when problem <> '' then -2
        else -3
    end::tinyint as code"""
ROWS = f"select {_CODED}{_SIGNED}"

# Of few items everybody's answers are read, with what tells which of them count: one pass over the
# annotations, where one for each condition would take several times as long.
ROWS_OF_ITEMS = f"""
select {_CODED},
    annotation_no,
    run_no,
    coalesce(supersedes, 0) as supersedes,
    {TAKES_BACK} as takes_back,
    len(pieces) > 0 as is_cut
from annotations
where criterion = $criterion
    and {{of_items}}
"""  # noqa: S608 - put together from constants

UNITS = """
select unit_no, item_no
from units
where item_no between $first and $last
    and kind = $kind
    and ($field = '' or field = $field)
"""

UNITS_OF_ITEMS = """
select unit_no, item_no
from units
where {of_items}
    and kind = $kind
    and ($field = '' or field = $field)
"""

# Units that one author took as one piece. Only the author's last readable answer on a unit counts.
JOINED = f"""
with cut as materialized (
    select annotation_no, author_no, item_no, unit_no, pieces
    {_SIGNED}{ONLY_CURRENT}{ONLY_STANDING}{ONLY_AUTHORS}        and len(pieces) > 0
),
latest as (
    select annotation_no
    from annotations
    where unit_no in (select unit_no from cut)
        and criterion = $criterion
        and list_contains($standing::integer[], run_no)
        and annotation_no not in ({GONE})
    qualify row_number() over (
        partition by author_no, unit_no
        order by value is null, annotation_no desc
    ) = 1
),
pieced as (
    select c.author_no, c.item_no, c.unit_no, unnest(c.pieces) as piece
    from cut c
    join latest l on l.annotation_no = c.annotation_no
)
select list(distinct unit_no) as units
from pieced
where piece.span_start is not null
group by author_no, item_no, piece.span_start, piece.span_end, piece.text
having count(distinct unit_no) > 1
"""  # noqa: S608 - put together from constants

STAYS = f"""
with stays as (
    select run_no, run_id, name, system
    from runs
    where protocol = $protocol
        and run_no not in (select run_no from run_removals)
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
        and {run_is_counted()}
),
chosen as (
    select run_no, item_no, attributes
    from run_items
    where run_no in (select run_no from stays)
        and {IN_SLICES}
        and ($item_id is null or item_no in (select item_no from items where item_id = $item_id))
        and (
            $words is null
            or item_no in (select item_no from fields where contains(lower(text), lower($words)))
        )
)
"""  # noqa: S608 - put together from constants

CHOSEN = (
    STAYS
    + """
select distinct item_no
from chosen
"""
)

# In the runs that count, see `data.items.counted_runs`; a decision in any run of the protocol.
_SIGNED_THERE = f"""run_no in (
        select run_no
        from runs
        where protocol = $protocol
            and run_no not in (select run_no from run_removals)
    )
    and (
        len($runs::integer[]) = 0
        or list_contains($runs::integer[], run_no)
        or author_no in ({SETTLING})
    )"""  # noqa: S608 - put together from constants

SAID = """
select author_no, item_no, count(distinct unit_no) as units
from annotations
where criterion = $criterion
    and {of_items}
    and value is not null
    and SIGNED_THERE
    and annotation_no not in (
        select supersedes from annotations where supersedes is not null and {of_items}
    )
group by author_no, item_no
""".replace("SIGNED_THERE", _SIGNED_THERE)

# How many units several people labelled between them; the same unit counts once.
SAID_TOGETHER = """
select item_no, count(distinct unit_no) as units
from annotations
where criterion = $criterion
    and {of_items}
    and value is not null
    and author_no in (
        select author_no from authors where list_contains($kinds::varchar[], kind)
    )
    and SIGNED_THERE
    and annotation_no not in (
        select supersedes from annotations where supersedes is not null and {of_items}
    )
group by item_no
""".replace("SIGNED_THERE", _SIGNED_THERE)

# Where a unit stands, and in which of the chosen runs its item is seen first.
PLACES = (
    STAYS  # noqa: S608 - put together from constants
    + """
, first_seen as (
    select item_no, min(run_no) as run_no
    from chosen
    where item_no in (select unnest($items::integer[]))
    group by item_no
)
select
    u.unit_no,
    i.item_id,
    s.run_id,
    s.name as run,
    n.external_id,
    u.unit_id,
    u.position,
    u.field,
    coalesce(u.text, substr(f.text, u.span_start + 1, u.span_end - u.span_start), '') as unit_text
from units u
join items i on i.item_no = u.item_no
join first_seen v on v.item_no = u.item_no
join stays s on s.run_no = v.run_no
join run_items n on n.run_no = v.run_no and n.item_no = v.item_no
left join fields f on f.item_no = u.item_no and f.name = u.field
where u.unit_no in (select unnest($units::integer[]))
"""
)

CLAIMS_OF = """
select unit_no
from units
where kind = 'claim'
    and field = $field
"""
