"""Detect the file format of a table by name or content and read its records."""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from data.importing.controls import read_json
from data.importing.importer import Source, build_refusal
from data.importing.readers.strict import read_json_document, read_json_lines, refuse_too_many_rows
from data.importing.readers.strict_csv import read_csv_rows
from data.importing.readers.strict_parquet import read_parquet_rows
from data.importing.readers.strict_yaml import read_yaml_records
from data.importing.tables.found import describe_value
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


def detect_format(source: Source) -> str:
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


def read_records(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a table with the line (in Parquet and JSON lists: the number) of each."""
    return check_records(source, _read_unchecked_records(source))


def check_records(
    source: Source, told: Iterable[tuple[int, Any]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Values with their lines; refuses what is no record, and a record with too many columns."""
    most = source.limits.columns
    for line, record in told:
        if not isinstance(record, dict):
            found = (
                f"found {describe_value(record)}; expected a record in braces; one record a line"
            )
            raise build_refusal(source, line, found)
        if len(record) > most:
            raise build_refusal(
                source,
                line,
                f"the record has {len(record):,} columns; the limit is {most:,}; "
                "keep those that are needed",
            )
        yield line, record


def _read_unchecked_records(source: Source) -> Iterator[tuple[int, Any]]:
    kind = detect_format(source)
    if kind == "csv":
        yield from read_csv_rows(source)
    elif kind == "parquet":
        yield from read_parquet_rows(source)
    elif kind == "yaml":
        yield from read_yaml_records(source)
    else:
        yield from read_json_lines(source) if kind == "json lines" else _read_json_list(source)


def _read_json_list(source: Source) -> Iterator[tuple[int, Any]]:
    value = read_json_document(source)
    if isinstance(value, dict):
        value = [value]  # one record spread over lines
    if not isinstance(value, list):
        found = f"found {describe_value(value)}; expected a list of records, or one record a line"
        raise build_refusal(source, 1, found)
    if not value:
        raise build_refusal(source, None, "the file is empty: it has no record; export it again")
    if len(value) > source.limits.rows:
        raise refuse_too_many_rows(source)
    yield from enumerate(value, start=1)


def read_first_row(source: Source) -> dict[str, Any]:
    """The first record, for recognising a file; empty when there is none that can be read."""
    try:
        return next(read_records(source), (0, {}))[1]
    except ImportRefused:
        return {}


def read_column_names(source: Source) -> tuple[str, ...]:
    """The names of all columns in the order of their first appearance."""
    if detect_format(source) in ("csv", "parquet"):
        return tuple(next(read_records(source), (0, {}))[1])
    names: dict[str, None] = {}
    for _, record in read_records(source):
        names.update(dict.fromkeys(record))
    return tuple(names)
