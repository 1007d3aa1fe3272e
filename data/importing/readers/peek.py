"""Read the beginning of a file to detect its format, without validating it."""

import csv
from collections.abc import Mapping
from typing import Any

import orjson

from data.importing.controls import read_json
from data.importing.importer import Source

_HEAD = 1 << 16
_LONGEST_RECORD = 8_000_000


def read_head(source: Source, size: int = _HEAD) -> str:
    """The first characters, whatever they are."""
    with source.path.open("rb") as file:
        return file.read(size).decode("utf-8-sig", errors="replace")


def read_first_record(source: Source) -> Mapping[str, Any]:
    """The object on the first line that has one; empty when it has none."""
    with source.path.open("rb") as file:
        line = b""
        while not line.strip() and (line := file.readline(_LONGEST_RECORD)):
            pass
    try:
        record = read_json(line.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError:
        return {}
    return record if isinstance(record, dict) else {}


def read_csv_header(source: Source) -> frozenset[str]:
    """The cells of the first line of a comma-separated file."""
    first = read_head(source).split("\n", 1)[0].rstrip("\r")
    try:
        return frozenset(next(csv.reader([first], strict=True), ()))
    except csv.Error:
        return frozenset()
