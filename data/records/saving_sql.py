"""The statements that store a prepared import, in the order in which they run.

Every table of the handover is registered as `incoming_…` with the place of each row as `nth`.
What is new is appended first; numbers are then looked up, never handed from one statement to the
next. Left joins are on purpose: a row that names an unknown item, unit or author meets a
`not null` column and undoes the import, where an inner join would drop it in silence.
"""

KNOWN_FILES = """
select
    n.file_name,
    old.file_name,
    i.imported_at,
    r.name,
    r.run_id
from incoming_files n
join imported_files old on old.content_sha256 = n.content_sha256
join imports i on i.import_id = old.import_id
join runs r on r.import_id = i.import_id
where r.run_no not in (select run_no from run_removals)
order by r.run_no
limit 1
"""

CUT_IN_TWO_WAYS = """
select item_id, unit_id
from incoming_units
group by item_id, unit_id
having min(span_start) is distinct from max(span_start)
    or min(span_end) is distinct from max(span_end)
    or min(field) is distinct from max(field)
order by item_id, unit_id
limit 1
"""

# Only fields that both sides cut into sentences are compared: an item may gain sentences later.
CUT_DIFFERENTLY = """
with stored as (
    select i.item_id, u.unit_id, u.field, u.span_start, u.span_end
    from items i
    join units u on u.item_no = i.item_no
    where u.kind = 'sentence'
        and i.item_id in (select item_id from incoming_items)
),
incoming as (
    select distinct item_id, unit_id, field, span_start, span_end
    from incoming_units
    where kind = 'sentence'
),
cut_by_both as (
    select item_id, field from stored
    intersect
    select item_id, field from incoming
)
select distinct b.item_id
from cut_by_both b
join (
    (select * from stored except select * from incoming)
    union all
    (select * from incoming except select * from stored)
) d on d.item_id = b.item_id and d.field = b.field
order by b.item_id
"""

_IMPORT = """
insert into imports (import_id, operation_id, importer, imported_at, is_sample)
values ($import_id, $operation_id, $importer, $now, $is_sample)
"""

_FILES = """
insert into imported_files (import_id, file_name, content_sha256, bytes)
select $import_id, file_name, content_sha256, bytes
from incoming_files
"""

_RUNS = """
insert into runs (
    run_no, run_id, import_id, name, protocol, system, is_sample, imported_at, details
)
select
    (select coalesce(max(run_no), 0) from runs) + row_number() over (order by n.nth),
    i.run_id, $import_id, n.name, n.protocol, n.system, $is_sample, $now, n.details
from incoming_runs n
join incoming_run_ids i on i.run_key = n.run_key
order by n.nth
"""

_RUN_NUMBERS = """
create or replace temp table run_numbers as
select i.run_key, r.run_no
from incoming_run_ids i
join runs r on r.run_id = i.run_id
"""

_ITEMS = """
insert into items (item_no, item_id, cutter)
select
    (select coalesce(max(item_no), 0) from items) + row_number() over (order by n.nth),
    n.item_id, n.cutter
from incoming_items n
where n.nth in (select min(nth) from incoming_items group by item_id)
    and n.item_id not in (select item_id from items)
order by n.nth
"""

_ITEM_NUMBERS = """
create or replace temp table item_numbers as
select i.item_id, i.item_no
from items i
where i.item_id in (
    select item_id from incoming_items
    union
    select item_id from incoming_run_items
)
"""

_FIELDS = """
insert into fields (item_no, position, name, kind, text)
select i.item_no, n.position, n.name, n.kind, n.text
from incoming_fields n
join item_numbers i on i.item_id = n.item_id
where n.nth in (select min(nth) from incoming_fields group by item_id, name)
    and i.item_no not in (select item_no from fields)
order by i.item_no, n.position
"""

_UNITS = """
insert into units (
    unit_no, item_no, unit_id, position, kind, field, span_start, span_end, text
)
select
    (select coalesce(max(unit_no), 0) from units)
        + row_number() over (order by i.item_no, n.position, n.nth),
    i.item_no, n.unit_id, n.position, n.kind, n.field, n.span_start, n.span_end, n.text
from incoming_units n
join item_numbers i on i.item_id = n.item_id
left join units old on old.item_no = i.item_no and old.unit_id = n.unit_id
where old.unit_no is null
    and n.nth in (select min(nth) from incoming_units group by item_id, unit_id)
order by i.item_no, n.position, n.nth
"""

_UNIT_NUMBERS = """
create or replace temp table unit_numbers as
select i.item_id, u.unit_id, u.item_no, u.unit_no
from item_numbers i
join units u on u.item_no = i.item_no
"""

_RUN_ITEMS = """
insert into run_items (run_no, item_no, position, external_id, attributes)
select r.run_no, i.item_no, n.position, n.external_id, n.attributes
from incoming_run_items n
left join run_numbers r on r.run_key = n.run_key
left join item_numbers i on i.item_id = n.item_id
order by r.run_no, n.position
"""

_AUTHORS = """
with signing as (
    select author_kind as kind, author as name from incoming_annotations
    union
    select author_kind, author from incoming_replies
    union
    select author_kind, author from incoming_summaries
)
insert into authors (author_no, kind, name)
select
    (select coalesce(max(author_no), 0) from authors) + row_number() over (order by n.kind, n.name),
    n.kind, n.name
from signing n
left join authors old on old.kind = n.kind and old.name = n.name
where old.author_no is null
order by n.kind, n.name
"""

# Numbers come from narrow rows; the wide rows are then sorted once. That is the order in which
# one item's annotations lie together, which is what the store has instead of an index.
_ANNOTATION_NUMBERS = """
create or replace temp table annotation_numbers as
select
    n.row,
    r.run_no,
    u.item_no,
    u.unit_no,
    a.author_no,
    (select coalesce(max(annotation_no), 0) from annotations)
        + row_number() over (order by u.item_no, u.unit_no, a.author_no, n.row) as annotation_no
from incoming_annotations n
left join run_numbers r on r.run_key = n.run_key
left join unit_numbers u on u.item_id = n.item_id and u.unit_id = n.unit_id
left join authors a on a.kind = n.author_kind and a.name = n.author
"""

_ANNOTATIONS = """
insert into annotations (
    annotation_no, operation_id, run_no, item_no, unit_no, criterion, author_no,
    value, problem, rationale, comment, confidence, links, checks, pieces,
    reply_id, supersedes, signed_at
)
select
    k.annotation_no, $operation_id, k.run_no, k.item_no, k.unit_no, n.criterion, k.author_no,
    n.value, n.problem, n.rationale, n.comment, n.confidence, n.links, n.checks, n.pieces,
    $import_id || '.' || n.reply_id, null, $now
from incoming_annotations n
join annotation_numbers k on k.row = n.row
order by k.annotation_no
"""

_EXCERPTS = """
insert into excerpts (annotation_no, item_no, position, text, tier, coverage, spans)
select k.annotation_no, k.item_no, n.position, n.text, n.tier, n.coverage, n.spans
from incoming_excerpts n
left join annotation_numbers k on k.row = n.row
order by k.annotation_no, n.position
"""

# A reply is named inside its import only; the import's id makes the name unique.
_REPLIES = """
insert into replies (
    reply_id, run_no, item_no, author_no, text, notes, model, finish_reason, fingerprint,
    tokens_in, tokens_out, seconds, replied_at
)
select
    $import_id || '.' || n.reply_id, r.run_no, i.item_no, a.author_no, n.text, n.notes, n.model,
    n.finish_reason, n.fingerprint, n.tokens_in, n.tokens_out, n.seconds, $now
from incoming_replies n
left join run_numbers r on r.run_key = n.run_key
left join item_numbers i on i.item_id = n.item_id
left join authors a on a.kind = n.author_kind and a.name = n.author
order by i.item_no, n.nth
"""

_SUMMARIES = """
insert into summaries (
    summary_no, run_no, item_no, author_no, name, value, counted, left_out, parts, given
)
select
    (select coalesce(max(summary_no), 0) from summaries)
        + row_number() over (order by r.run_no, i.item_no, a.author_no, n.nth) as summary_no,
    r.run_no, i.item_no, a.author_no, n.name, n.value, n.counted, n.left_out, n.parts, n.given
from incoming_summaries n
left join run_numbers r on r.run_key = n.run_key
left join item_numbers i on i.item_id = n.item_id
left join authors a on a.kind = n.author_kind and a.name = n.author
order by summary_no
"""

_TIDY = (
    "drop table run_numbers",
    "drop table item_numbers",
    "drop table unit_numbers",
    "drop table annotation_numbers",
)

IN_ORDER = (
    _IMPORT,
    _FILES,
    _RUNS,
    _RUN_NUMBERS,
    _ITEMS,
    _ITEM_NUMBERS,
    _FIELDS,
    _UNITS,
    _UNIT_NUMBERS,
    _RUN_ITEMS,
    _AUTHORS,
    _ANNOTATION_NUMBERS,
    _ANNOTATIONS,
    _EXCERPTS,
    _REPLIES,
    _SUMMARIES,
    *_TIDY,
)
