"""Replace unwanted control characters with U+FFFD, count them and report their positions.

These are NUL and the other C0 controls except tab, line feed and carriage return. One character
is replaced by one character, so offsets into a text stay valid.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from data.importing.importer import Source, build_refusal, quote_value
from faithfulness.intake.complaints import group_places
from faithfulness.model.wording import format_count

REPLACEMENT = "\ufffd"
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_RAW = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_ESCAPES = (b"\\u000", b"\\u001", b"\\b", b"\\f")  # as JSON writes them, and what looks like it
_ESCAPE = re.compile(rb"(?<!\\)(?:\\\\)*\\(?:u00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F])|[bf])")


def has_control_characters(raw: bytes) -> bool:
    """Whether bytes of a text file hold such a character as it is."""
    return _RAW.search(raw) is not None


def has_escaped_control_characters(raw: bytes) -> bool:
    """Whether bytes of JSON hold such a character written as an escape."""
    if b"\\" not in raw or not any(each in raw for each in _ESCAPES):
        return False
    return _ESCAPE.search(raw) is not None


def read_json(raw: bytes) -> Any:
    """A JSON value whose texts may hold control characters as they are, which JSON forbids."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        if not has_control_characters(raw):
            raise
    return orjson.loads(_RAW.sub(lambda match: b"\\u%04x" % match[0][0], raw))


def replace_in_text(source: Source, text: str) -> str:
    """The text of a whole file; places are told by line and character of the line."""
    if not _CONTROL.search(text):
        return text
    for number, line in enumerate(text.split("\n"), start=1):
        places = [match.start() + 1 for match in _CONTROL.finditer(line)]
        if places and source.replaced is not None:
            source.replaced.add(number, f"character {places[0]} of the line", len(places))
    return _CONTROL.sub(REPLACEMENT, text)


def replace_in_value(source: Source, line: int, value: Any) -> Any:
    """A value of any shape; places are told by line, key and character of the text."""
    found: list[str] = []
    cleaned = _clean_value(source, line, value, "", found)
    if found and source.replaced is not None:
        source.replaced.add(line, found[0], len(found))
    return cleaned


def join_damaged(one: str, other: str) -> str | None:
    """The text that two records mean where they differ only in characters that were replaced.

    A control character stands in the place of another one, or between two that belong together.
    The text with fewer of them is the one meant; None where they are two texts.
    """
    if REPLACEMENT not in one and REPLACEMENT not in other:
        return one if one == other else None
    pairs = zip(one, other, strict=False)
    is_same = one.replace(REPLACEMENT, "") == other.replace(REPLACEMENT, "") or (
        len(one) == len(other) and all(a == b or REPLACEMENT in (a, b) for a, b in pairs)
    )
    return min((one, other), key=lambda text: text.count(REPLACEMENT)) if is_same else None


def warn_of_replaced_characters(sources: Iterable[Source]) -> Iterator[str]:
    """A warning for each file in which characters were replaced."""
    for source in sources:
        if source.replaced is None:
            continue
        lines, count = source.replaced.lines, source.replaced.count
        for found in group_places((source.name, line) for line in lines):
            was = "was" if count == 1 else "were"
            yield (
                f"{format_count(count, 'control character')}, which no text needs, {was} "
                "replaced by "
                f"“{REPLACEMENT}” (U+FFFD): {found.place}. The first is {lines[min(lines)]}."
            )


def _clean_value(source: Source, line: int, value: Any, path: str, found: list[str]) -> Any:
    if isinstance(value, str):
        if not _CONTROL.search(value):
            return value
        for match in _CONTROL.finditer(value):
            inside = f" of {path[:60]}" if path else ""
            found.append(f"character {match.start() + 1}{inside}")
        return _CONTROL.sub(REPLACEMENT, value)
    if isinstance(value, list):
        return [
            _clean_value(source, line, each, f"{path}[{at}]", found)
            for at, each in enumerate(value, start=1)
        ]
    if not isinstance(value, dict):
        return value
    cleaned: dict[str, Any] = {}
    for key, each in value.items():
        name = _clean_value(source, line, key, "a name", found)
        if name in cleaned:
            raise build_refusal(
                source, line, f"the key {quote_value(name)} is given twice; keep one of them"
            )
        cleaned[name] = _clean_value(source, line, each, f"{path}.{name}" if path else name, found)
    return cleaned
