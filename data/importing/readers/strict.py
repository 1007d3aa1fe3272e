"""Strict JSON and JSON Lines parser: values are read exactly or rejected by line number."""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import PurePath
from typing import Any

import numpy as np
import orjson

from data.importing.controls import (
    has_control_characters,
    has_escaped_control_characters,
    read_json,
    replace_in_value,
)
from data.importing.importer import Source, build_refusal, quote_value
from data.importing.limits import describe_remedy, format_size
from data.importing.readers.flat_lines import (
    DIGITS,
    ESCAPED_BACKSLASH,
    LONG_NUMBER,
    count_written_keys,
    has_long_number,
    read_flat_records,
)
from faithfulness.model.errors import ImportRefused
from faithfulness.model.wording import join_names

LOOKED_AT = 4096  # bytes: an Excel file names its parts within them
_PACKED = {b"\x1f\x8b": "gzip", b"PAR1": "Parquet", b"BZh": "bzip2", b"ARROW1": "Arrow"}
_PACKED |= {b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "Zstandard"}
_PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*")
_ZIP, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SHEET_ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xltx", ".xls", ".ods", ".numbers")
_SHEET_PARTS = (b"xl/", b"opendocument.spreadsheet")
_OFFICE_PARTS = (b"[Content_Types].xml", b"opendocument.")  # also of what holds no tables


def explain_no_text(name: str, head: bytes) -> str:
    """What the file is and what to do; empty when its beginning may be text.

    Args:
        name: the file's own name, for its ending.
        head: its first bytes, as many as LOOKED_AT.
    """
    if head.startswith((_ZIP, _OLD_OFFICE)):
        return _explain_packed_file(name, head)
    if head.startswith(_PICTURES) or (head.startswith(b"RIFF") and head[8:12] == b"WEBP"):
        return "this is a picture, not a text file; choose the file that holds the answers"
    if head.startswith(b"%PDF-"):
        return "this is a PDF, not a text file; choose the file that holds the answers"
    for magic, kind in _PACKED.items():
        if head.startswith(magic):
            return f"this is a {kind} file, not text; unpack it first"
    return ""


def _explain_packed_file(name: str, head: bytes) -> str:
    is_sheet = PurePath(name).suffix.lower() in _SHEET_ENDINGS
    if is_sheet or any(part in head for part in _SHEET_PARTS):
        return "this is a spreadsheet, not text; open it there and save the sheet as CSV (UTF-8)"
    if head.startswith(_OLD_OFFICE) or any(part in head for part in _OFFICE_PARTS):
        return "this is an Office document, not text; save what it holds as CSV or text (UTF-8)"
    return "this is a ZIP file, not text; unpack it first"


# Texts are matched as a whole, so that nothing inside of them is taken for a number; one without an
# end to the end of the file, and never again from each quotation mark in it.
_NUMBER = re.compile(
    rb'"(?:[^"\\]++|(?s:\\.))*+(?:"|\\?\Z)|(?P<constant>[-+]?(?i:nan|inf(?:inity)?))|(?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)'
)
_LINES_SHOWN = 20
Finder = Callable[[bytes], Iterator[str]]


def refuse_constants(source: Source, raw: bytes) -> ImportRefused | None:
    """The refusal of a file that is JSON but for NaN and Infinity; None where it is not."""
    if next(_find_constants(raw), None) is None:
        return None
    try:
        # Other numbers go as well: one that is too large would be called bad grammar.
        orjson.loads(
            _NUMBER.sub(lambda match: match[0] if match[0].startswith(b'"') else b"0", raw)
        )
    except orjson.JSONDecodeError:
        return None
    return _refuse_values(
        source, _find_constants, "values that JSON does not have", "write numbers or null"
    )


def refuse_changed_numbers(source: Source, raw: bytes) -> ImportRefused | None:
    """The refusal of a file with numbers that reading would change; None where `raw` has none."""
    if next(_find_long_numbers(raw), None) is not None:
        return _refuse_values(
            source, _find_long_numbers, "numbers too long to be read exactly", "put them in quotes"
        )
    if next(_find_rounded_numbers(raw), None) is not None:
        return _refuse_values(
            source, _find_rounded_numbers, "numbers too large, or rounded when read", "shorten them"
        )
    return None


def _refuse_values(source: Source, finder: Finder, problem: str, remedy: str) -> ImportRefused:
    """Name the values and all their lines; a line feed ends a line, and no value spans two."""
    lines: list[int] = []
    values: dict[str, None] = {}
    with source.path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            line_values = list(finder(line))
            values.update(dict.fromkeys(line_values))
            lines += [number] if line_values else []
    where = "line" if len(lines) == 1 else "lines"
    where = f"{where} {join_names([str(number) for number in lines], shown=_LINES_SHOWN)}"
    names = join_names([quote_value(value) for value in values])
    return ImportRefused(f"{source.name} {where}: {problem} ({names}); {remedy}")


def _find_constants(raw: bytes) -> Iterator[str]:
    """NaN, Infinity and -Infinity outside of texts."""
    for match in _NUMBER.finditer(raw):
        if match["constant"]:
            yield match["constant"].decode()


def _find_long_numbers(raw: bytes) -> Iterator[str]:
    """Whole numbers beyond 64 bits, which the fast parser would round."""
    for number in _find_numbers(raw):
        is_whole = number.lstrip("-").isdecimal()
        if is_whole and (len(number) > 20 or not -(2**63) <= int(number) < 2**64):
            yield number


def _find_rounded_numbers(raw: bytes) -> Iterator[str]:
    """Decimal numbers that a float cannot hold: too large, or whole only by rounding."""
    for number in _find_numbers(raw):
        if number.lstrip("-").isdecimal():
            continue
        read = float(number)
        is_exact = len(number) >= 5000 or not read.is_integer() or Decimal(number) == read
        if math.isinf(read) or not is_exact:
            yield number


def _find_numbers(raw: bytes) -> Iterator[str]:
    for match in _NUMBER.finditer(raw):
        if match["number"]:
            yield match["number"].decode()


_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:,\n]')


class _GivenTwice(Exception):
    """Ends the quick look at the first repeated key."""


def _check_pairs(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise _GivenTwice


def find_repeated_key(raw: bytes) -> tuple[str, int, int] | None:
    """The first repeated key of valid JSON with the lines (from 0) of both places."""
    try:
        json.loads(
            raw, object_pairs_hook=_check_pairs, strict=False
        )  # control characters are replaced
    except _GivenTwice:
        return _locate_repeated_key(raw)
    return None


def _locate_repeated_key(raw: bytes) -> tuple[str, int, int] | None:
    """Walks over the tokens; only ever called for files that are about to be refused."""
    seen: list[dict[str, int]] = []
    last, line = b"", 0
    for match in _TOKEN.finditer(raw):
        token = match.group()
        if token == b"\n":
            line += 1
        elif token in b"{[":
            seen.append({})
        elif token in b"}]":
            seen.pop()
        elif token == b":":
            key = json.loads(last, strict=False)
            if key in seen[-1]:
                return key, seen[-1][key], line
            seen[-1][key] = line
        elif token != b",":
            last = token
    return None


_BLOCK = 1 << 20
_BOM = b"\xef\xbb\xbf"
_KEY = re.compile(rb'(?<!\\)"[ \t\r\n]*:')


def open_text(source: Source) -> int:
    """Checks that a file may be read as text; answers how many bytes of BOM to skip."""
    size = source.path.stat().st_size
    if size == 0:
        raise build_refusal(source, None, "the file is empty; export it again")
    if size > source.limits.file_bytes:
        raise build_refusal(
            source,
            None,
            f"the file has {format_size(size)}; the limit here is "
            f"{format_size(source.limits.file_bytes)}; {describe_remedy(source.limits)}",
        )
    with source.path.open("rb") as file:
        head = file.read(LOOKED_AT)
    if problem := explain_no_text(source.name, head):
        raise build_refusal(source, None, problem)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or _is_mostly_nul(head[:64]):
        raise build_refusal(source, 1, "the file is UTF-16 or binary; save it as UTF-8 text")
    return len(_BOM) if head.startswith(_BOM) else 0


def _is_mostly_nul(head: bytes) -> bool:
    """Whether NUL is no accident: UTF-16 has it in every other byte of Latin text."""
    return 4 * head.count(0) > len(head)


def read_json_lines(source: Source) -> Iterator[tuple[int, Any]]:
    """The values of a JSON-lines file with their line numbers; blank lines are left out."""
    for numbers, values in read_json_blocks(source):
        yield from zip(numbers, values, strict=True)


def read_json_blocks(source: Source) -> Iterator[tuple[Sequence[int], list[Any]]]:
    """As `read_json_lines`, many lines at a time: their numbers, and their values."""
    count = 0
    for first, block in _read_blocks(source):
        numbers, values = _parse_block(source, first, block)
        count += len(values)
        if count > source.limits.rows:
            raise refuse_too_many_rows(source)
        yield numbers, values
    if not count:
        raise build_refusal(source, None, "the file is empty: it has no record; export it again")


def read_json_document(source: Source) -> Any:
    """The one value of a JSON file."""
    skip = open_text(source)
    raw = source.path.read_bytes()[skip:]
    if not raw.strip():
        raise build_refusal(source, None, "the file is empty: it has no record; export it again")
    value = _parse_value(source, 1, raw)
    _check_value(source, 1, raw, value)
    return value


def refuse_too_many_rows(source: Source) -> ImportRefused:
    """The refusal of a file with more records than the limit."""
    return build_refusal(
        source,
        None,
        f"the file has more than {source.limits.rows:,} rows, the limit here; "
        f"{describe_remedy(source.limits)}",
    )


def _read_blocks(source: Source) -> Iterator[tuple[int, bytes]]:
    """Whole lines, a block at a time, with the number of the first; only a line feed ends one."""
    skip, number, rest = open_text(source), 1, b""
    with source.path.open("rb") as file:
        file.seek(skip)
        while block := file.read(_BLOCK):
            head, end, tail = block.rpartition(b"\n")
            if end:
                whole, rest = rest + head, tail
                yield number, whole
                number += whole.count(b"\n") + 1
            else:
                rest += block
            if len(rest) > source.limits.line_bytes:
                raise _refuse_long_line(source, number)
    if rest:
        yield number, rest


def _refuse_long_line(source: Source, number: int) -> ImportRefused:
    limit = format_size(source.limits.line_bytes)
    return build_refusal(
        source, number, f"the line is longer than {limit}; is this one record a line?"
    )


def _parse_block(source: Source, first: int, block: bytes) -> tuple[Sequence[int], list[Any]]:
    flat = read_flat_records(block, source.limits.text_characters)
    if flat is not None:
        return range(first, first + len(flat)), flat
    return _parse_by_line(source, first, block)


def _parse_by_line(source: Source, first: int, block: bytes) -> tuple[Sequence[int], list[Any]]:
    lines = block.split(b"\n")
    numbers: Sequence[int] = range(first, first + len(lines))
    try:
        values = list(map(orjson.loads, lines))
    except orjson.JSONDecodeError:
        # A blank line, or a broken one: reading them one by one says which.
        kept = [(at, line) for at, line in zip(numbers, lines, strict=True) if line.strip()]
        numbers, lines = [at for at, _ in kept], [line for _, line in kept]
        values = [_parse_value(source, at, line) for at, line in kept]
    else:
        if has_escaped_control_characters(block):
            values = [
                replace_in_value(source, at, each) for at, each in zip(numbers, values, strict=True)
            ]
    longest = max(map(len, lines), default=0)
    if longest > source.limits.text_characters or not _is_surely_plain(source, block, values):
        for number, line, value in zip(numbers, lines, values, strict=True):
            _check_value(source, number, line, value)
    return numbers, values


def _is_surely_plain(source: Source, block: bytes, values: list[Any]) -> bool:
    """Whether nothing in a block can be wrong: a cheap proof, so that most lines need no more."""
    found = np.frombuffer(block, np.uint8)
    if has_long_number(block, found):
        return False
    keys = count_written_keys(block, found)
    return keys == sum(_count_keys(value, source.limits.depth) for value in values)


def _count_keys(value: Any, depth: int) -> int:
    """Distinct keys in a value; far too few of them when it is nested too deeply."""
    if depth < 0:
        return -1_000_000_000
    if type(value) is dict:
        count = len(value)
        value = value.values()
    elif type(value) is list:
        count = 0
    else:
        return 0
    for each in value:
        kind = type(each)
        if kind is dict or kind is list:
            count += _count_keys(each, depth - 1)
    return count


def _parse_value(source: Source, number: int, raw: bytes) -> Any:
    """One JSON value out of bytes that begin on line `number`."""
    try:
        value = read_json(raw)
    except orjson.JSONDecodeError as error:
        if "memory" in error.msg:
            raise MemoryError from None
        raise _refuse_not_json(source, number, raw, error) from None
    return (
        replace_in_value(source, number, value)
        if has_control_characters(raw) or has_escaped_control_characters(raw)
        else value
    )


def _refuse_not_json(
    source: Source, number: int, raw: bytes, error: orjson.JSONDecodeError
) -> ImportRefused:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        line = number + raw.count(b"\n", 0, wrong.start)
        column = wrong.start - raw.rfind(b"\n", 0, wrong.start)
        return build_refusal(
            source, line, f"byte {column} of the line is not UTF-8; save the file as UTF-8"
        )
    refusal = refuse_constants(source, raw)
    if refusal is None and "infinity" in error.msg:
        refusal = refuse_changed_numbers(source, raw)
    if refusal is not None:
        return refusal
    line = number + error.lineno - 1
    if "depth" in error.msg:
        return build_refusal(source, line, describe_too_deep(source))
    return build_refusal(
        source,
        line,
        f"not valid JSON at character {error.colno}: {error.msg}; "
        "correct the line or export the file again",
    )


def describe_too_deep(source: Source) -> str:
    return f"nested more than {source.limits.depth} deep; flatten the record"


def _check_value(source: Source, number: int, raw: bytes, value: Any) -> None:
    """Everything the cheap proof could not rule out, looked at one by one."""
    keys = _count_keys(value, source.limits.depth)
    if keys < 0:
        raise build_refusal(source, number, describe_too_deep(source))
    if len(raw) > source.limits.text_characters:
        check_texts(source, number, value)
    plain = ESCAPED_BACKSLASH not in raw and len(_KEY.findall(raw)) == keys
    if not plain and (twice := find_repeated_key(raw)):
        key, first, second = twice
        raise build_refusal(
            source,
            number + second,
            f"the key {quote_value(key)} is given twice (first on line {number + first}); "
            "keep one of them",
        )
    if LONG_NUMBER in raw.translate(DIGITS) and (refusal := refuse_changed_numbers(source, raw)):
        raise refusal


def check_texts(source: Source, number: int, value: Any) -> None:
    """Refuses texts over the limit, anywhere in a value."""
    if isinstance(value, str):
        if len(value) > source.limits.text_characters:
            raise build_refusal(
                source,
                number,
                f"a text has {len(value):,} characters; the limit is "
                f"{source.limits.text_characters:,}; shorten or split it",
            )
    elif isinstance(value, dict):
        for key, each in value.items():
            check_texts(source, number, key)
            check_texts(source, number, each)
    elif isinstance(value, list):
        for each in value:
            check_texts(source, number, each)
