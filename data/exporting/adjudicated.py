"""Export the adjudicated set: the final label of every unit, with its provenance."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from data.exporting.agreement import get_writer
from data.exporting.rows import WORDED, ExportContent, choose_content
from data.store.cache.item_filter_sql import between
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.text.csv_injection import FIRST_COLUMN

# As everywhere, raters and judges count in the runs that are exported, and decisions in every run
# with the item. Who answered in two of them counts once, with the last readable answer; what was
# adopted because all raters say so stays unanimous.
_ROWS = f"""
with latest as (
    select
        a.annotation_no, a.item_no, a.unit_no, a.criterion, a.value, a.signed_at, a.author_no,
        w.kind, w.name
    from annotations a
    join runs r on r.run_no = a.run_no and r.protocol = $protocol
    join authors w on w.author_no = a.author_no
    where a.item_no between $first and $last
        and a.item_no in (select unnest($numbers::integer[]))
        and a.value is not null
        and r.run_no not in (select run_no from run_removals)
        and (w.kind = 'adjudicator' or list_contains($runs::integer[], r.run_no))
        and ($criterion is null or a.criterion = $criterion)
        and not list_contains($but::varchar[], w.kind || ':' || lower(w.name))
        and a.annotation_no not in (
            select supersedes
            from annotations
            where supersedes is not null
                and item_no between $first and $last
        )
    qualify row_number() over (
        partition by a.unit_no, a.criterion, a.author_no
        order by a.annotation_no desc
    ) = 1
),
grouped as (
    select
        item_no, unit_no, criterion,
        max(annotation_no) filter (where kind = 'adjudicator') as decision,
        count(*) filter (where kind = 'rater')::integer as raters,
        count(distinct value) filter (where kind = 'rater') as rater_values,
        min(value) filter (where kind = 'rater') as rater_value,
        list(name || ': ' || value order by name) filter (where kind = 'rater') as raters_say,
        count(distinct value) filter (where kind = 'judge') as judge_values,
        list(name || ': ' || value order by name) filter (where kind = 'judge') as judges_say
    from latest
    group by item_no, unit_no, criterion
    having raters > 0 or decision is not null or judge_values > 1
),
{WORDED}
select
    i.item_id as plumbline_item,
    n.external_id as id,
    u.kind as unit,
    u.unit_id,
    u.field,
    u.text,
    g.criterion,
    coalesce(x.value, case when g.rater_values = 1 then g.rater_value end) as value,
    case
        when x.value is not null and coalesce(f.how, '') <> 'unanimous' then 'adjudicated'
        when x.value is not null or g.rater_values = 1 then 'unanimous'
        else 'unresolved'
    end as provenance,
    g.raters,
    coalesce(g.raters_say, []) as raters_say,
    coalesce(g.judges_say, []) as judges_say,
    coalesce(x.name, '') as decided_by,
    x.signed_at as decided_at,
    coalesce(d.reason, '') as reason,
    coalesce(d.error_class, '') as error_class,
    coalesce(f.how, '') as how,
    coalesce(f.meeting_id, '') as meeting_id,
    coalesce(f.guidance, '') as guidance,
    coalesce(f.prompt, '') as prompt
from grouped g
join items i on i.item_no = g.item_no
join run_items n on n.run_no = $run_no and n.item_no = g.item_no
join worded u on u.unit_no = g.unit_no
left join latest x on x.annotation_no = g.decision
left join adjudications d on d.annotation_no = g.decision
left join decision_facts f on f.annotation_no = g.decision
order by n.position, u.position, u.unit_no, g.criterion
"""  # noqa: S608 - put together from constants

_TEXT = pa.string()
SCHEMA = pa.schema(
    [
        (FIRST_COLUMN, _TEXT),
        *((name, _TEXT) for name in ("run_id", "protocol", "system", "id", "unit", "unit_id")),
        *((name, _TEXT) for name in ("field", "text", "criterion", "value", "provenance")),
        ("raters", pa.int64()),
        *((name, pa.list_(_TEXT)) for name in ("raters_say", "judges_say")),
        ("decided_by", _TEXT),
        ("decided_at", pa.timestamp("us")),
        *((name, _TEXT) for name in ("reason", "error_class", "how", "meeting_id")),
        *((name, _TEXT) for name in ("guidance", "prompt")),
    ]
)


def write_adjudicated(store: Store, selection: Selection, kind: str, path: Path) -> int:
    """Write the verdict on every unit that a person answered or judges differ on; gives how many.

    `provenance` is adjudicated, unanimous (all raters say so; `raters` says how many) or
    unresolved, which has no value. Runs, protocol, items and criterion narrow.

    Raises:
        ReviewError: an unknown format, an unknown run, or more rows than the format can hold.
    """
    write = get_writer(kind, "adjudicated")
    with store.read() as cursor:
        cursor.execute("begin transaction")
        try:
            return write(SCHEMA, _iter_tables(choose_content(cursor, selection)), path)
        finally:
            cursor.execute("rollback")


def _iter_tables(chosen: ExportContent) -> Iterator[pa.Table]:
    criterion = chosen.selection.criterion or None
    but = [f"{BASELINE.kind.value}:{BASELINE.name.lower()}"]
    numbers_of_runs = [each.run_no for each in chosen.runs]
    for run, numbers in chosen.pages():
        facts = between(numbers) | {"run_no": run.run_no, "protocol": run.protocol}
        asked = facts | {"criterion": criterion, "but": but, "runs": numbers_of_runs}
        found = chosen.cursor.execute(_ROWS, asked).to_arrow_table()
        for name in ("run_id", "protocol", "system"):
            same = pa.repeat(pa.scalar(getattr(run, name), _TEXT), found.num_rows)
            found = found.append_column(name, same)
        yield found.select(SCHEMA.names).cast(SCHEMA)
