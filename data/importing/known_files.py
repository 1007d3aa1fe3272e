"""Find files that are already in the store, by SHA-256, and the runs imported from them."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from data.store.engine import Cursor
from data.store.store import Store

# A file whose runs were all removed may come in again.
_KNOWN = """
select
    old.content_sha256,
    old.file_name,
    i.imported_at,
    r.run_id,
    r.name
from imported_files old
join imports i on i.import_id = old.import_id
join runs r on r.import_id = i.import_id
where old.content_sha256 in (select unnest($hashes))
    and r.run_no not in (select run_no from run_removals)
order by r.run_no
"""


class KnownFile(NamedTuple):
    """A file that is brought in again, and what it became the first time."""

    name: str
    first_name: str
    imported_at: datetime
    runs: Mapping[str, str]  # id -> name, in the order of that import

    @property
    def in_words(self) -> str:
        as_what = "" if self.first_name == self.name else f" as {self.first_name}"
        return (
            f"{self.name} is already in the store: imported on "
            f"{self.imported_at:%Y-%m-%d %H:%M} UTC{as_what}"
        )

    @property
    def way_back(self) -> str:
        """The command after which the file may come in again."""
        return f"cli.py remove {' '.join(self.runs)} --yes"


def find_known_files(store: Store, names: Mapping[str, str]) -> tuple[KnownFile, ...]:
    """Which of these files are stored already; `names` has each one's name by its SHA-256."""
    with store.read() as cursor:
        return query_known_files(cursor, names)


def query_known_files(cursor: Cursor, names: Mapping[str, str]) -> tuple[KnownFile, ...]:
    """As `find_known_files`, inside a transaction of the caller's."""
    found: dict[str, KnownFile] = {}
    rows = cursor.execute(_KNOWN, {"hashes": list(names)}).fetchall()
    for content, first_name, imported_at, run_id, run_name in rows:
        known = found.get(content)
        runs = {**(known.runs if known else {}), run_id: run_name}
        if known:
            first_name, imported_at = known.first_name, known.imported_at
        found[content] = KnownFile(names[content], first_name, imported_at, runs)
    return tuple(found.values())
