"""Strict JSON: lines and documents read exactly as they are, or refused by line number."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import orjson

from data.importing.controls import are_escaped_in, are_in, read_json, replace_in
from data.importing.importer import Source, quoted, refuse
from data.importing.limits import in_words, remedy
from data.importing.readers.flat_lines import (
    DIGITS,
    ESCAPED_BACKSLASH,
    LONG_NUMBER,
    flat_records,
    has_long_number,
    keys_written,
)
from data.importing.readers.json_keys import key_given_twice
from data.importing.readers.json_numbers import refuse_changed_numbers, refuse_constants
from data.importing.readers.no_text import LOOKED_AT, why_no_text
from faithfulness.model.errors import ImportRefused

_BLOCK = 1 << 20
_BOM = b"\xef\xbb\xbf"
_KEY = re.compile(rb'(?<!\\)"[ \t\r\n]*:')


def open_text(source: Source) -> int:
    """Checks that a file may be read as text; answers how many bytes of BOM to skip."""
    size = source.path.stat().st_size
    if size == 0:
        raise refuse(source, None, "the file is empty; export it again")
    if size > source.limits.file_bytes:
        raise refuse(
            source,
            None,
            f"the file has {in_words(size)}; the limit here is "
            f"{in_words(source.limits.file_bytes)}; {remedy(source.limits)}",
        )
    with source.path.open("rb") as file:
        head = file.read(LOOKED_AT)
    if problem := why_no_text(source.name, head):
        raise refuse(source, None, problem)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or _is_mostly_nul(head[:64]):
        raise refuse(source, 1, "the file is UTF-16 or binary; save it as UTF-8 text")
    return len(_BOM) if head.startswith(_BOM) else 0


def _is_mostly_nul(head: bytes) -> bool:
    """Whether NUL is no accident: UTF-16 has it in every other byte of Latin text."""
    return 4 * head.count(0) > len(head)


def json_lines(source: Source) -> Iterator[tuple[int, Any]]:
    """The values of a JSON-lines file with their line numbers; blank lines are left out."""
    for numbers, values in json_blocks(source):
        yield from zip(numbers, values, strict=True)


def json_blocks(source: Source) -> Iterator[tuple[Sequence[int], list[Any]]]:
    """As `json_lines`, many lines at a time: their numbers, and their values."""
    count = 0
    for first, block in _blocks(source):
        numbers, values = _block_values(source, first, block)
        count += len(values)
        if count > source.limits.rows:
            raise too_many_rows(source)
        yield numbers, values
    if not count:
        raise refuse(source, None, "the file is empty: it has no record; export it again")


def json_document(source: Source) -> Any:
    """The one value of a JSON file."""
    skip = open_text(source)
    raw = source.path.read_bytes()[skip:]
    if not raw.strip():
        raise refuse(source, None, "the file is empty: it has no record; export it again")
    value = _read(source, 1, raw)
    _check(source, 1, raw, value)
    return value


def too_many_rows(source: Source) -> ImportRefused:
    """The refusal of a file with more records than the limit."""
    return refuse(
        source,
        None,
        f"the file has more than {source.limits.rows:,} rows, the limit here; "
        f"{remedy(source.limits)}",
    )


def _blocks(source: Source) -> Iterator[tuple[int, bytes]]:
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
                raise _long_line(source, number)
    if rest:
        yield number, rest


def _long_line(source: Source, number: int) -> ImportRefused:
    limit = in_words(source.limits.line_bytes)
    return refuse(source, number, f"the line is longer than {limit}; is this one record a line?")


def _block_values(source: Source, first: int, block: bytes) -> tuple[Sequence[int], list[Any]]:
    flat = flat_records(block, source.limits.text_characters)
    if flat is not None:
        return range(first, first + len(flat)), flat
    return _values_by_line(source, first, block)


def _values_by_line(source: Source, first: int, block: bytes) -> tuple[Sequence[int], list[Any]]:
    lines = block.split(b"\n")
    numbers: Sequence[int] = range(first, first + len(lines))
    try:
        values = list(map(orjson.loads, lines))
    except orjson.JSONDecodeError:
        # A blank line, or a broken one: reading them one by one says which.
        kept = [(at, line) for at, line in zip(numbers, lines, strict=True) if line.strip()]
        numbers, lines = [at for at, _ in kept], [line for _, line in kept]
        values = [_read(source, at, line) for at, line in kept]
    else:
        if are_escaped_in(block):
            values = [
                replace_in(source, at, each) for at, each in zip(numbers, values, strict=True)
            ]
    longest = max(map(len, lines), default=0)
    if longest > source.limits.text_characters or not _surely_plain(source, block, values):
        for number, line, value in zip(numbers, lines, values, strict=True):
            _check(source, number, line, value)
    return numbers, values


def _surely_plain(source: Source, block: bytes, values: list[Any]) -> bool:
    """Whether nothing in a block can be wrong: a cheap proof, so that most lines need no more."""
    found = np.frombuffer(block, np.uint8)
    if has_long_number(block, found):
        return False
    keys = keys_written(block, found)
    return keys == sum(_keys(value, source.limits.depth) for value in values)


def _keys(value: Any, depth: int) -> int:
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
            count += _keys(each, depth - 1)
    return count


def _read(source: Source, number: int, raw: bytes) -> Any:
    """One JSON value out of bytes that begin on line `number`."""
    try:
        value = read_json(raw)
    except orjson.JSONDecodeError as error:
        if "memory" in error.msg:
            raise MemoryError from None
        raise _not_json(source, number, raw, error) from None
    return replace_in(source, number, value) if are_in(raw) or are_escaped_in(raw) else value


def _not_json(
    source: Source, number: int, raw: bytes, error: orjson.JSONDecodeError
) -> ImportRefused:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        line = number + raw.count(b"\n", 0, wrong.start)
        column = wrong.start - raw.rfind(b"\n", 0, wrong.start)
        return refuse(
            source, line, f"byte {column} of the line is not UTF-8; save the file as UTF-8"
        )
    refusal = refuse_constants(source, raw)
    if refusal is None and "infinity" in error.msg:
        refusal = refuse_changed_numbers(source, raw)
    if refusal is not None:
        return refusal
    line = number + error.lineno - 1
    if "depth" in error.msg:
        return refuse(source, line, too_deep(source))
    return refuse(
        source,
        line,
        f"not valid JSON at character {error.colno}: {error.msg}; "
        "correct the line or export the file again",
    )


def too_deep(source: Source) -> str:
    return f"nested more than {source.limits.depth} deep; flatten the record"


def _check(source: Source, number: int, raw: bytes, value: Any) -> None:
    """Everything the cheap proof could not rule out, looked at one by one."""
    keys = _keys(value, source.limits.depth)
    if keys < 0:
        raise refuse(source, number, too_deep(source))
    if len(raw) > source.limits.text_characters:
        check_texts(source, number, value)
    plain = ESCAPED_BACKSLASH not in raw and len(_KEY.findall(raw)) == keys
    if not plain and (twice := key_given_twice(raw)):
        key, first, second = twice
        raise refuse(
            source,
            number + second,
            f"the key {quoted(key)} is given twice (first on line {number + first}); "
            "keep one of them",
        )
    if LONG_NUMBER in raw.translate(DIGITS) and (refusal := refuse_changed_numbers(source, raw)):
        raise refusal


def check_texts(source: Source, number: int, value: Any) -> None:
    """Refuses texts over the limit, anywhere in a value."""
    if isinstance(value, str):
        if len(value) > source.limits.text_characters:
            raise refuse(
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
