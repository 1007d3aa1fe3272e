"""Save and load column mappings by table header."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from data.importing.tables.roles import drop_scales
from data.store.engine import Cursor
from data.store.store import Store

_LATEST = """
select mapping
from column_mappings
where header_sha256 = $header
order by mapping_no desc
limit 1
"""
_NEXT = "select coalesce(max(mapping_no), 0) + 1 from column_mappings"
_ADD = """
insert into column_mappings (mapping_no, header_sha256, mapping, saved_at)
values ($number, $header, $mapping, $saved_at)
"""


class Remembered(NamedTuple):
    """A mapping as it was saved: the protocol and the role of every column."""

    protocol: str
    roles: Mapping[str, str]


def hash_header(columns: Iterable[str]) -> str:
    """Names a header whatever the order of its columns."""
    return hashlib.sha256(json.dumps(sorted(columns)).encode("utf-8")).hexdigest()


def load_mapping(store: Store, columns: Iterable[str]) -> Remembered | None:
    """The last mapping saved for this header."""
    with store.read() as cursor:
        found = cursor.execute(_LATEST, {"header": hash_header(columns)}).fetchone()
    if found is None:
        return None
    saved = json.loads(found[0])
    return Remembered(protocol=saved["protocol"], roles=saved["roles"])


def save_mapping(
    store: Store, columns: Iterable[str], remembered: Remembered, *, operation_id: str
) -> None:
    """Remember a mapping; an earlier one for the same header stays, and no longer counts."""
    columns = tuple(columns)
    remembered = remembered._replace(roles=drop_scales(remembered.roles))
    if load_mapping(store, columns) == remembered:
        return  # every preview says so, and most say what is known
    mapping = json.dumps({"protocol": remembered.protocol, "roles": dict(remembered.roles)})
    values = {"header": hash_header(columns), "mapping": mapping}

    def work(cursor: Cursor) -> str:
        number = cursor.execute(_NEXT).fetchone()
        cursor.execute(
            _ADD,
            values
            | {
                "number": number[0] if number else 1,
                "saved_at": datetime.now(UTC).replace(tzinfo=None),
            },
        )
        return values["header"]

    store.write(operation_id, "save_mapping", work)
