"""Store files as an earlier version of Plumbline left them."""

import re
from pathlib import Path

import duckdb

from data.store.migrating import list_migrations

_TABLE = re.compile(r"^create table (\w+)", re.MULTILINE)


def downgrade_store(path: Path, version: int) -> None:
    """Take a closed store back to an earlier format: drop the tables that later migrations made.

    Columns and rows that later migrations changed stay as they are.
    """
    with duckdb.connect(str(path)) as connection:
        for number, migration in list_migrations():
            if number > version:
                for table in _TABLE.findall(migration.read_text(encoding="utf-8")):
                    connection.execute(f"drop table {table}")
        connection.execute("delete from store_formats where version > ?", [version])
