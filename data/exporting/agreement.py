"""Export a comparison: its statistics as a tidy table, and the label pairs behind them."""

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from data.agreement.policies import iterate_bridged
from data.agreement.policy_subject import load_policy_subject
from data.agreement.question import AgreementQuestion
from data.agreement.report import build_report, settle_question
from data.agreement.units import iterate_pairs
from data.exporting.csv_file import write_tables_csv
from data.exporting.parquet_file import write_tables_parquet
from data.exporting.xlsx_file import write_tables_xlsx
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.policies.policies import policy

_TEXT, _WHOLE, _NUMBER = pa.string(), pa.int64(), pa.float64()

NUMBERS = pa.schema(
    [
        ("statistic", _TEXT),
        *((name, _NUMBER) for name in ("value", "low", "high")),
        *((name, _WHOLE) for name in ("items", "units")),
        *((name, _TEXT) for name in ("reason", "reference", "judge", "by", "slice")),
        ("differs", pa.bool_()),
        *((name, _TEXT) for name in ("protocol", "criterion", "field")),
    ]
)
PAIRS = pa.schema(
    [
        *((name, _TEXT) for name in ("item_id", "run_id", "run", "external_id", "unit_id")),
        *((name, _TEXT) for name in ("field", "unit_text", "reference_value", "judge_value")),
        ("joined", pa.bool_()),
        *((name, _TEXT) for name in ("reference", "judge", "protocol", "criterion")),
    ]
)

BRIDGED = pa.schema(
    [
        *((name, _TEXT) for name in ("item_id", "run_id", "run", "external_id", "policy")),
        *((name, _TEXT) for name in ("reference_value", "judge_value")),
        *((name, _TEXT) for name in ("reference_reason", "judge_reason")),
        *((name, _TEXT) for name in ("reference", "judge", "protocol", "criterion")),
    ]
)

Writer = Callable[[pa.Schema, Iterable[pa.Table], Path], int]


def render_agreement(store: Store, asked: AgreementQuestion, kind: str) -> bytes:
    """All numbers of a comparison as a file's content: one row per statistic and slice."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agreement"
        write_numbers(build_report(store, asked)["numbers"], kind, path)
        return path.read_bytes()


def render_pairs(store: Store, asked: AgreementQuestion, kind: str) -> bytes:
    """Every unit that both sides labelled, with both labels, as a file's content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs"
        write_pairs(store, asked, kind, path)
        return path.read_bytes()


def write_numbers(rows: Sequence[Mapping[str, Any]], kind: str, path: Path) -> int:
    """Write the rows of a report to a file; gives how many."""
    return get_writer(kind, "numbers")(NUMBERS, [pa.Table.from_pylist(list(rows), NUMBERS)], path)


def write_pairs(store: Store, asked: AgreementQuestion, kind: str, path: Path) -> int:
    """Write every pair of labels, some hundred items at a time; gives how many.

    With a policy it is every response under every policy, with the reasons.

    Raises:
        ReviewError: an unknown format, or more rows than it can hold.
    """
    if asked.policy:
        return _write_bridged(store, asked, kind, path)
    asked, protocol = settle_question(store, asked)
    same = {
        "reference": asked.reference.as_text,
        "judge": asked.judge.as_text,
        "protocol": protocol.key,
        "criterion": asked.criterion,
    }
    of = (asked.selection, asked.criterion, asked.reference, asked.judge)
    pages = iterate_pairs(store, *of, field=asked.field)
    tables = (
        pa.Table.from_pandas(page.assign(**same), PAIRS, preserve_index=False) for page in pages
    )
    return get_writer(kind, "pairs")(PAIRS, tables, path)


def _write_bridged(store: Store, asked: AgreementQuestion, kind: str, path: Path) -> int:
    matter = load_policy_subject(store, asked)
    tables = (
        pa.Table.from_pandas(
            page.assign(
                reference=[matter.marked("reference", policy(key)) for key in page["policy"]],
                judge=[matter.marked("judge", policy(key)) for key in page["policy"]],
                protocol=matter.target.key,
                criterion=matter.criterion,
            ),
            BRIDGED,
            preserve_index=False,
        )
        for page in iterate_bridged(store, asked)
    )
    return get_writer(kind, "bridged")(BRIDGED, tables, path)


def get_writer(kind: str, sheet: str) -> Writer:
    """What writes tables in a format.

    Raises:
        ReviewError: an unknown format.
    """
    writers: dict[str, Writer] = {
        "csv": write_tables_csv,
        "xlsx": partial(write_tables_xlsx, sheet=sheet, typed=True),
        "parquet": write_tables_parquet,
        "jsonl": _write_lines,
    }
    if kind not in writers:
        raise ReviewError(f"There is no export {kind!r}. Use one of: {', '.join(writers)}.")
    return writers[kind]


def _write_lines(schema: pa.Schema, tables: Iterable[pa.Table], path: Path) -> int:
    count = 0
    with path.open("wb") as file:
        for table in tables:
            for row in table.select(schema.names).to_pylist():
                file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            count += table.num_rows
    return count
