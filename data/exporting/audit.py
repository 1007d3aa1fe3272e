"""Export the list of inconsistencies: both answers, the rule they violate, and where they are."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from data.exporting.agreement import get_writer
from data.inconsistencies.inconsistencies import iterate_audits
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.policies.inconsistency_rules import AUDIT_RULES
from faithfulness.text.csv_injection import FIRST_COLUMN

_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())
SCHEMA = pa.schema(
    [
        (FIRST_COLUMN, _TEXT),
        *((name, _TEXT) for name in ("run_id", "run", "id", "unit_id")),
        ("units", _TEXTS),
        *((name, _TEXT) for name in ("rule", "title", "because", "source", "says")),
        *((name, _TEXT) for name in ("one_author", "one_criterion", "one_value", "other_author")),
        ("other_values", _TEXTS),
        ("same_author", pa.bool_()),
    ]
)


def write_audit(
    store: Store,
    selection: Selection,
    kind: str,
    path: Path,
    *,
    rule: str | Collection[str] = "",
    whose: str = "",
) -> int:
    """Write every inconsistency in the order of the list; gives how many.

    All arguments narrow as on the screen. `source` is the rule's id in docs/protocols.md.

    Raises:
        ReviewError: an unknown format or rule, or more rows than the format can hold.
    """
    write = get_writer(kind, "audit")
    return write(
        SCHEMA, _iter_tables(iterate_audits(store, selection, rule=rule, whose=whose)), path
    )


def _iter_tables(pages: Iterator[pd.DataFrame]) -> Iterator[pa.Table]:
    for page in pages:
        yield pa.Table.from_pylist([_build_row(each) for each in page.to_dict("records")], SCHEMA)


def _build_row(told: dict[Any, Any]) -> dict[str, Any]:
    rule = AUDIT_RULES[told["rule"]]
    same = {name: told[name] for name in SCHEMA.names if name in told}
    return same | {
        FIRST_COLUMN: told["item_id"],
        "id": told["external_id"],
        "because": rule.because,
        "source": rule.rule,
    }
