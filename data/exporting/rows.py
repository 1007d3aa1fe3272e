"""Select the runs of an export and read its rows from the store in pages of items."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa

from data.items.current_sql import GONE
from data.items.loading import query_items
from data.items.narrowing_sql import run_is_counted
from data.rating.review_ticks import query_ticks
from data.runs.queries import build_parameters, find_chosen_items
from data.store.cache.item_filter_sql import between
from data.store.engine import Cursor
from faithfulness.checks import CHECKS, addressed
from faithfulness.checks.placing import WHOLE, find_judged_units, look_at, place_of
from faithfulness.checks.review_ticks import Tick, count_ticks, describe_count
from faithfulness.judging.traps import FAILED
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Finding, Item
from faithfulness.protocols import protocol
from faithfulness.review.rating import list_units_to_rate
from faithfulness.text.csv_injection import FIRST_COLUMN

COLUMN = "findings"
TEXTS = pa.list_(pa.string())

_STORED = """
select annotation_no, check_name || ': ' || says
from findings
where item_no between $first and $last
    and item_no in (select unnest($numbers::integer[]))
order by annotation_no, unit_start nulls last, source_start nulls last
"""

_TRAPS = """
with told as (
    select coalesce(f.group_id, r.reply_id) as question, unnest(r.notes) as note
    from replies r
    left join reply_facts f on f.reply_id = r.reply_id
    where r.item_no between $first and $last
        and r.item_no in (select unnest($numbers::integer[]))
),
failed as (
    select distinct question, note
    from told
    where starts_with(note, $failed)
)
select a.annotation_no, x.note
from annotations a
left join reply_facts f on f.reply_id = a.reply_id
join failed x on x.question = coalesce(f.group_id, a.reply_id)
where a.item_no between $first and $last
    and a.item_no in (select unnest($numbers::integer[]))
    and a.annotation_no not in (select supersedes from annotations where supersedes is not null)
order by a.annotation_no, x.note
"""


def add_findings(cursor: Cursor, key: str, numbers: Sequence[int], rows: pa.Table) -> pa.Table:
    """Rows of some items under a protocol, with the column beside the others."""
    item_ids = list(dict.fromkeys(rows["plumbline_item"].to_pylist()))
    items, ticks = query_items(cursor, item_ids), query_ticks(cursor, item_ids)
    stored = _load_stored_findings(cursor, numbers)
    by_unit = {
        (item_id, unit_id): said
        for item_id, item in items.items()
        for unit_id, said in describe_findings(item, key, ticks.get(item_id, ())).items()
    }
    places = zip(
        *(rows[name].to_pylist() for name in ("plumbline_item", "unit_id", "annotation_no")),
        strict=True,
    )
    cells = [
        [
            *stored.get(number, ()),
            *by_unit.get((item_id, unit_id), ()),
            *by_unit.get((item_id, WHOLE), ()),
        ]
        for item_id, unit_id, number in places
    ]
    return rows.append_column(COLUMN, pa.array(cells, TEXTS))


def describe_findings(item: Item, key: str, ticks: Iterable[Tick] = ()) -> dict[str, list[str]]:
    """By unit that is judged under the protocol: each finding, with what people counted of it."""
    judged = list_units_to_rate(item, protocol(key))
    counts = count_ticks(item, ticks)
    said: defaultdict[str, list[str]] = defaultdict(list)
    for each in look_at(item).found:
        told = [_format_finding(each)]
        told += [describe_count(count) for count in counts if count.said == place_of(each, item)]
        units = list(find_judged_units(each, item, judged))
        for unit_id in units or ([WHOLE] if each.check == addressed.KEY else []):
            said[unit_id].append("; ".join(told))
    return dict(said)


def _format_finding(each: Finding) -> str:
    return f"{CHECKS[each.check].title} ({each.certainty.value}): {each.says}"


def _load_stored_findings(cursor: Cursor, numbers: Sequence[int]) -> dict[int, list[str]]:
    found: defaultdict[int, list[str]] = defaultdict(list)
    where = between(list(numbers))
    rows = cursor.execute(_STORED, where).fetchall()
    rows += cursor.execute(_TRAPS, where | {"failed": FAILED}).fetchall()
    for annotation_no, said in rows:
        found[annotation_no].append(said)
    return found


PAGE = 500  # items; some 50,000 labels

_RUNS = f"""
select run_no, run_id, name, protocol, system
from runs
where run_no not in (select run_no from run_removals)
    and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
    and ($protocol is null or protocol = $protocol)
    and {run_is_counted()}
order by run_no
"""  # noqa: S608 - put together from constants

# Units of these items with their own words; the field is read where a unit keeps none.
WORDED = """
worded as (
    select
        u.unit_no, u.unit_id, u.kind, u.field, u.position,
        coalesce(u.text, substring(t.text, u.span_start + 1, u.span_end - u.span_start), '') as text
    from units u
    left join fields t
        on t.item_no = u.item_no and t.name = u.field and t.item_no between $first and $last
    where u.item_no between $first and $last
)
"""

_ROWS = f"""
with gathered as (
    select
        e.annotation_no,
        list_sort(
            list(struct_pack(nth := e.position, text := e.text, tier := coalesce(e.tier, '')))
        ) as quotes
    from excerpts e
    where e.item_no between $first and $last
    group by e.annotation_no
),
quoted as (
    select
        annotation_no,
        list_transform(quotes, lambda each: each.text) as excerpts,
        list_transform(quotes, lambda each: each.tier) as tiers
    from gathered
),
further as (
    select item_no, list(external_id order by position) as ids
    from further_ids
    where run_no = $run_no
        and item_no between $first and $last
    group by item_no
),
{WORDED}
select
    i.item_id as plumbline_item,
    n.external_id as id,
    coalesce(s.ids, []) as further_ids,
    coalesce(q.text, '') as query,
    u.kind as unit,
    u.unit_id,
    u.field,
    u.text,
    a.criterion,
    w.kind as author_kind,
    w.name as author,
    a.value,
    a.problem,
    a.rationale,
    coalesce(e.excerpts, []) as excerpts,
    coalesce(e.tiers, []) as excerpts_found,
    a.links,
    a.checks,
    a.comment,
    a.confidence,
    coalesce(d.reason, '') as reason,
    coalesce(d.error_class, '') as error_class,
    d.annotation_no is not null as is_decision,
    coalesce(f.how, 'decided') as how,
    coalesce(f.guidance, '') as guidance,
    coalesce(f.prompt, '') as prompt,
    coalesce(f.seconds, 0) as seconds,
    coalesce(p.section, '') as section,
    coalesce(p.wording, '') as wording,
    a.annotation_no,
    a.signed_at,
    a.pieces,
    a.reply_id
from annotations a
join run_items n on n.run_no = a.run_no and n.item_no = a.item_no
join items i on i.item_no = a.item_no
left join further s on s.item_no = a.item_no
join worded u on u.unit_no = a.unit_no
join authors w on w.author_no = a.author_no
left join fields q
    on q.item_no = a.item_no and q.name = 'query' and q.item_no between $first and $last
left join quoted e on e.annotation_no = a.annotation_no
left join adjudications d
    on d.annotation_no = a.annotation_no and d.item_no between $first and $last
left join decision_facts f
    on f.annotation_no = a.annotation_no and f.item_no between $first and $last
left join guideline_proposals p
    on p.operation_id = a.operation_id
    and p.run_no = a.run_no
    and p.unit_no = a.unit_no
    and p.criterion = a.criterion
    and p.proposed_by = w.name
    and d.annotation_no is not null
where a.run_no = $run_no
    and a.item_no between $first and $last
    and a.item_no in (select unnest($numbers::integer[]))
    and a.annotation_no not in (
        {GONE}
            and item_no between $first and $last
    )
    and ($criterion is null or a.criterion = $criterion)
    and (
        len($authors::varchar[]) = 0
        or list_contains($authors::varchar[], w.kind || ':' || w.name)
    )
    and (
        (len($labels::varchar[]) = 0 and not $unread)
        or list_contains($labels::varchar[], a.value)
        or ($unread and a.value is null and a.problem <> '')
    )
order by n.position, u.position, u.unit_no, a.criterion, a.annotation_no
"""  # noqa: S608 - put together from constants

_RUN_COLUMNS = (("run_id", pa.string()), ("protocol", pa.string()), ("system", pa.string()))
SCHEMA = pa.schema(
    [
        (FIRST_COLUMN, pa.string()),
        *_RUN_COLUMNS,
        *((name, pa.string()) for name in ("id", "query", "unit", "unit_id", "field", "text")),
        *((name, pa.string()) for name in ("criterion", "author_kind", "author", "value")),
        *((name, pa.string()) for name in ("problem", "rationale")),
        *((name, TEXTS) for name in ("excerpts", "excerpts_found", "links", "checks")),
        ("comment", pa.string()),
        ("confidence", pa.float64()),
        ("reason", pa.string()),
        ("error_class", pa.string()),
        ("further_ids", TEXTS),  # of more records with the item's texts
        (COLUMN, TEXTS),
        ("annotation_no", pa.int64()),
        ("signed_at", pa.timestamp("us")),
    ]
)


class RunRow(NamedTuple):
    """A run as the store has it."""

    run_no: int
    run_id: str
    name: str
    protocol: str
    system: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportContent:
    """What an export holds: runs, the selection that narrows them, and where to read."""

    cursor: Cursor
    runs: tuple[RunRow, ...]
    selection: Selection

    def pages(self) -> Iterator[tuple[RunRow, list[int]]]:
        """The numbers of the chosen items, run by run in the file's order, some hundred at once."""
        for run in self.runs:
            numbers = find_chosen_items(self.cursor, run.run_id, self.selection)
            for start in range(0, len(numbers), PAGE):
                yield run, numbers[start : start + PAGE]

    def rows(self, run: RunRow, numbers: list[int]) -> pa.Table:
        """One row for each current annotation that was chosen, in the order of the items."""
        narrowing = build_parameters(self.selection)
        facts = {name: narrowing[name] for name in ("criterion", "authors", "labels", "unread")}
        facts |= between(numbers) | {"run_no": run.run_no}
        # Not `sql(…)`: with parameters it fills its result row by row, at four times the cost.
        return self.cursor.execute(_ROWS, facts).to_arrow_table()

    def tables(self) -> Iterator[pa.Table]:
        """The rows of every page as people see them."""
        for run, numbers in self.pages():
            found = add_findings(self.cursor, run.protocol, numbers, self.rows(run, numbers))
            for name, kind in _RUN_COLUMNS:
                same = pa.repeat(pa.scalar(getattr(run, name), kind), found.num_rows)
                found = found.append_column(name, same)
            yield found.select(SCHEMA.names).cast(SCHEMA)


def choose_content(cursor: Cursor, selection: Selection) -> ExportContent:
    """Find the runs that are to be exported: those that are named, else all that count.

    Raises:
        ReviewError: a run is not there or was removed.
    """
    facts: dict[str, Any] = {
        "runs": list(selection.runs),
        "protocol": selection.protocol or None,
    }
    runs = tuple(RunRow(*row) for row in cursor.execute(_RUNS, facts).fetchall())
    missing = set(selection.runs) - {run.run_id for run in runs}
    if missing:
        raise ReviewError(
            f"There is no run {sorted(missing)[0]} to export, or it was removed. "
            "Open the list of runs."
        )
    return ExportContent(cursor=cursor, runs=runs, selection=selection)
