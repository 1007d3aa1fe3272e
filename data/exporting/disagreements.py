"""Export the list of disagreements: label counts of raters and judges, severity, and decisions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from data.exporting.agreement import get_writer
from data.store.store import Store
from data.triage.disagreements import BITS, QUESTIONS, unpack_votes
from data.triage.queue import load_every_disagreement
from faithfulness.model.selection import Selection
from faithfulness.text.csv_injection import FIRST_COLUMN

PAGE = 5_000  # disagreements

_PLACES = """
select
    q.nth, r.run_id, r.system, i.item_id, n.external_id, u.unit_id, u.kind, u.field,
    coalesce(u.text, substring(t.text, u.span_start + 1, u.span_end - u.span_start), '') as text,
    d.reason, d.error_class
from asked_rows q
join runs r on r.run_no = q.run_no
join items i on i.item_no = q.item_no
join run_items n on n.run_no = q.run_no and n.item_no = q.item_no
join units u on u.unit_no = q.unit_no and u.item_no = q.item_no
left join fields t on t.item_no = u.item_no and t.name = u.field
left join adjudications d on d.annotation_no = q.decided_no
order by q.nth
"""

_TEXT = pa.string()
SCHEMA = pa.schema(
    [
        (FIRST_COLUMN, _TEXT),
        *((name, _TEXT) for name in ("run_id", "protocol", "system", "id", "unit", "unit_id")),
        *((name, _TEXT) for name in ("field", "text", "criterion")),
        ("kinds", pa.list_(_TEXT)),
        *((name, pa.float64()) for name in ("severity", "weight", "sureness")),
        *((name, pa.list_(_TEXT)) for name in ("raters_say", "judges_say")),
        *((name, _TEXT) for name in ("decided", "reason", "error_class")),
    ]
)


def write_disagreements(store: Store, selection: Selection, kind: str, path: Path) -> int:
    """Write every disagreement, open or decided, worst first; gives how many.

    The selection narrows as on the screen. What raters and judges say is counted by label.

    Raises:
        ReviewError: an unknown format, or more rows than it can hold.
    """
    write = get_writer(kind, "disagreements")
    rows = load_every_disagreement(store, selection)
    return write(SCHEMA, _iter_tables(store, rows), path)


def _iter_tables(store: Store, rows: pd.DataFrame) -> Iterator[pa.Table]:
    for start in range(0, len(rows), PAGE):
        page = rows.iloc[start : start + PAGE].reset_index(drop=True)
        page = page.assign(nth=range(len(page)))
        numbers = page[["nth", "run_no", "item_no", "unit_no", "decided_no"]]
        with store.read() as cursor:
            cursor.register("asked_rows", pa.Table.from_pandas(numbers, preserve_index=False))
            places = cursor.execute(_PLACES).to_arrow_table().to_pylist()
        listed = list(page.itertuples(index=False))
        told = [_build_row(listed[each["nth"]], each) for each in places]
        yield pa.Table.from_pylist(told, SCHEMA)


def _build_row(row: Any, place: dict[str, Any]) -> dict[str, Any]:
    question = QUESTIONS[int(row.question)]
    values = question.criterion.scale.values
    return {
        FIRST_COLUMN: place["item_id"],
        "run_id": place["run_id"],
        "protocol": question.protocol,
        "system": place["system"],
        "id": place["external_id"],
        "unit": place["kind"],
        "unit_id": place["unit_id"],
        "field": place["field"],
        "text": place["text"],
        "criterion": question.criterion.key,
        "kinds": [kind.value for kind, bit in BITS.items() if int(row.kinds) & bit],
        "severity": float(row.severity),
        "weight": float(row.weight),
        "sureness": None if pd.isna(row.sureness) else float(row.sureness),
        "raters_say": _format_votes(int(row.question), int(row.rater_votes)),
        "judges_say": _format_votes(int(row.question), int(row.judge_votes)),
        "decided": None if pd.isna(row.decided_place) else values[int(row.decided_place)],
        "reason": place["reason"] or "",
        "error_class": place["error_class"] or "",
    }


def _format_votes(question: int, packed: int) -> list[str]:
    return [f"{value}: {count}" for value, count in unpack_votes(question, packed).items()]
