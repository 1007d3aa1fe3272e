"""SQL statements that store a prepared import.

Tables of the prepared import are registered as `incoming_…`, with the numbers that
data/importing/save_numbers.py assigns to their rows. A row that refers to an unknown item, unit or
annotator has null there: it violates a `not null` constraint and rolls back the import.
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

# A sentence of the same name must be the same words; an item may gain sentences.
CUT_DIFFERENTLY = """
select distinct n.item_id
from incoming_units n
join items i on i.item_id = n.item_id
join units u on u.item_no = i.item_no and u.unit_id = n.unit_id
where n.kind = 'sentence'
    and (
        u.field is distinct from n.field
        or u.span_start is distinct from n.span_start
        or u.span_end is distinct from n.span_end
        or u.text is distinct from n.text
    )
order by n.item_id
"""

IMPORT = """
insert into imports (import_id, operation_id, importer, imported_at, is_sample)
values ($import_id, $operation_id, $importer, $now, $is_sample)
"""

FILES = """
insert into imported_files (import_id, file_name, content_sha256, bytes)
select $import_id, file_name, content_sha256, bytes
from incoming_files
"""

RUNS = """
insert into runs (
    run_no, run_id, import_id, name, protocol, system, is_sample, imported_at, details
)
select
    (select coalesce(max(run_no), 0) from runs) + 1 + n.nth,
    n.run_id, $import_id, n.name, n.protocol, n.system, $is_sample, $now, n.details
from incoming_runs n
order by n.nth
"""

RUN_NUMBERS = """
select n.run_key, r.run_no
from incoming_runs n
join runs r on r.run_id = n.run_id
"""

KNOWN_ITEMS = """
select n.nth, i.item_no
from incoming_named_items n
join items i on i.item_id = n.item_id
"""

LAST_ITEM = "select coalesce(max(item_no), 0) from items"

ITEMS = """
insert into items (item_no, item_id, cutter)
select number, item_id, cutter
from incoming_items
"""

FIELDS = """
insert into fields (item_no, position, name, kind, text)
select item_no, position, name, kind, text
from incoming_fields
"""

KNOWN_UNITS = """
select n.nth, u.unit_id, u.unit_no
from incoming_named_items n
join items i on i.item_id = n.item_id
join units u on u.item_no = i.item_no
"""

LAST_UNIT = "select coalesce(max(unit_no), 0) from units"

UNITS = """
insert into units (
    unit_no, item_no, unit_id, position, kind, field, span_start, span_end, text
)
select number, item_no, unit_id, position, kind, field, span_start, span_end, text
from incoming_units
"""

RUN_ITEMS = """
insert into run_items (run_no, item_no, position, external_id, attributes)
select run_no, item_no, position, external_id, attributes
from incoming_run_items
"""

FURTHER_IDS = """
insert into further_ids (run_no, item_no, position, external_id)
select run_no, item_no, position, external_id
from incoming_further_ids
"""

AUTHORS = """
insert into authors (author_no, kind, name)
select
    (select coalesce(max(author_no), 0) from authors) + row_number() over (order by n.kind, n.name),
    n.kind, n.name
from incoming_signing n
left join authors old on old.kind = n.kind and old.name = n.name
where old.author_no is null
order by n.kind, n.name
"""

AUTHOR_NUMBERS = """
select n.nth, a.author_no
from incoming_signing n
join authors a on a.kind = n.kind and a.name = n.name
"""

LAST_ANNOTATION = "select coalesce(max(annotation_no), 0) from annotations"

ANNOTATIONS = """
insert into annotations (
    annotation_no, operation_id, run_no, item_no, unit_no, criterion, author_no,
    value, problem, rationale, comment, confidence, links, checks, pieces,
    reply_id, supersedes, signed_at
)
select
    number, $operation_id, run_no, item_no, unit_no, criterion, author_no,
    value, problem, rationale, comment, confidence, links, checks, pieces,
    $import_id || '.' || reply_id, null, $now
from incoming_annotations
"""

EXCERPTS = """
insert into excerpts (annotation_no, item_no, position, text, tier, coverage, spans)
select annotation_no, item_no, position, text, tier, coverage, spans
from incoming_excerpts
"""

FINDINGS = """
insert into findings (
    annotation_no, item_no, unit_no, check_name, kind,
    unit_start, unit_end, source_field, source_start, source_end, says
)
select
    annotation_no, item_no, unit_no, check_name, kind,
    unit_start, unit_end, source_field, source_start, source_end, says
from incoming_findings
"""

# An item that is met again, or named by several runs, was read before: nothing is kept twice.
UNIT_FINDINGS = """
insert into unit_findings (item_no, unit_no, check_name, kind, checks_version)
select distinct n.item_no, n.unit_no, n.check_name, n.kind, n.checks_version
from incoming_unit_findings n
where not exists (
    select 1
    from unit_findings f
    where f.item_no = n.item_no
        and f.unit_no = n.unit_no
        and f.check_name = n.check_name
        and f.kind = n.kind
        and f.checks_version = n.checks_version
)
order by n.item_no, n.unit_no, n.check_name, n.kind, n.checks_version
"""

CHECKED_ITEMS = """
insert into checked_items (item_no, checks_version)
select distinct n.item_no, n.checks_version
from incoming_checked_items n
where not exists (
    select 1
    from checked_items c
    where c.item_no = n.item_no
        and c.checks_version = n.checks_version
)
order by n.item_no, n.checks_version
"""

# Whoever decided elsewhere saw everything that came with the decision.
ADJUDICATIONS = """
insert into adjudications (annotation_no, item_no, reason, error_class, seen_annotation_no)
select annotation_no, item_no, reason, error_class, annotation_no
from incoming_decisions
"""

DECISION_FACTS = """
insert into decision_facts (
    annotation_no, item_no, meeting_id, how, follows, guidance, prompt, seconds
)
select annotation_no, item_no, '', how, '', guidance, prompt, seconds
from incoming_decisions
"""

PROPOSALS = """
insert into guideline_proposals (
    proposal_no, operation_id, meeting_id, protocol, section, wording,
    run_no, item_no, unit_no, criterion, proposed_by, proposed_at
)
select
    (select coalesce(max(proposal_no), 0) from guideline_proposals)
        + row_number() over (order by d.annotation_no),
    $operation_id, '', r.protocol, d.section, d.wording,
    a.run_no, a.item_no, a.unit_no, a.criterion, w.name, $now
from incoming_decisions d
join annotations a on a.annotation_no = d.annotation_no
join runs r on r.run_no = a.run_no
join authors w on w.author_no = a.author_no
where d.wording <> ''
"""

# A reply is named inside its import only; the import's id makes the name unique.
REPLIES = """
insert into replies (
    reply_id, run_no, item_no, author_no, text, notes, model, finish_reason, fingerprint,
    tokens_in, tokens_out, seconds, replied_at
)
select
    $import_id || '.' || reply_id, run_no, item_no, author_no, text, notes, model,
    finish_reason, fingerprint, tokens_in, tokens_out, seconds, $now
from incoming_replies
"""

LAST_SUMMARY = "select coalesce(max(summary_no), 0) from summaries"

SUMMARIES = """
insert into summaries (
    summary_no, run_no, item_no, author_no, name, value, counted, left_out, parts, given
)
select number, run_no, item_no, author_no, name, value, counted, left_out, parts, given
from incoming_summaries
"""

# Added where rows do not lie in order yet: what belongs to one item must lie together in the file,
# which is what the store has instead of an index. Sorting wide rows is worth avoiding.
IN_ORDER = "order by number\n"
