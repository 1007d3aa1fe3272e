"""Detect the file format of a table by name or content and read its records."""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from data.importing.controls import read_json
from data.importing.importer import Source, refuse
from data.importing.readers.strict import json_document, json_lines, too_many_rows
from data.importing.readers.strict_csv import csv_rows
from data.importing.readers.strict_parquet import parquet_rows
from data.importing.readers.strict_yaml import yaml_records
from data.importing.tables.found import value_found
from faithfulness.model.errors import ImportRefused

TABLE_EXTENSIONS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".yaml", ".yml")
_BY_EXTENSION = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".parquet": "parquet",
    ".yaml": "yaml",
    ".yml": "yaml",
}
_HEAD = 1 << 16


def format_of(source: Source) -> str:
    """One of csv, json lines, json, parquet, yaml: by the name's ending, else by the content."""
    if source.extension in _BY_EXTENSION:
        return _BY_EXTENSION[source.extension]
    with source.path.open("rb") as file:
        head = file.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"PAR1"):
        return "parquet"
    if not head.startswith((b"{", b"[")):
        return "json" if source.extension == ".json" else "csv"
    line, _, rest = head.partition(b"\n")
    return "json lines" if rest.strip() and _is_whole(line) else "json"


def _is_whole(line: bytes) -> bool:
    try:
        read_json(line)
    except orjson.JSONDecodeError:
        return False
    return True


def records(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a table with the line (in Parquet and JSON lists: the number) of each."""
    return checked_records(source, _records(source))


def checked_records(
    source: Source, told: Iterable[tuple[int, Any]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Values with their lines; refuses what is no record, and a record with too many columns."""
    most = source.limits.columns
    for line, record in told:
        if not isinstance(record, dict):
            found = f"found {value_found(record)}; expected a record in braces; one record a line"
            raise refuse(source, line, found)
        if len(record) > most:
            raise refuse(
                source,
                line,
                f"the record has {len(record):,} columns; the limit is {most:,}; "
                "keep those that are needed",
            )
        yield line, record


def _records(source: Source) -> Iterator[tuple[int, Any]]:
    kind = format_of(source)
    if kind == "csv":
        yield from csv_rows(source)
    elif kind == "parquet":
        yield from parquet_rows(source)
    elif kind == "yaml":
        yield from yaml_records(source)
    else:
        yield from json_lines(source) if kind == "json lines" else _json_list(source)


def _json_list(source: Source) -> Iterator[tuple[int, Any]]:
    value = json_document(source)
    if isinstance(value, dict):
        value = [value]  # one record spread over lines
    if not isinstance(value, list):
        found = f"found {value_found(value)}; expected a list of records, or one record a line"
        raise refuse(source, 1, found)
    if not value:
        raise refuse(source, None, "the file is empty: it has no record; export it again")
    if len(value) > source.limits.rows:
        raise too_many_rows(source)
    yield from enumerate(value, start=1)


def first_row(source: Source) -> dict[str, Any]:
    """The first record, for recognising a file; empty when there is none that can be read."""
    try:
        return next(records(source), (0, {}))[1]
    except ImportRefused:
        return {}


def columns(source: Source) -> tuple[str, ...]:
    """The names of all columns in the order of their first appearance."""
    if format_of(source) in ("csv", "parquet"):
        return tuple(next(records(source), (0, {}))[1])
    names: dict[str, None] = {}
    for _, record in records(source):
        names.update(dict.fromkeys(record))
    return tuple(names)
