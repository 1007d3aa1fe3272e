"""Numbers that a JSON file must not hold: NaN and Infinity, and those that reading would change."""

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal

import orjson

from data.importing.importer import Source, quoted
from faithfulness.model.errors import ImportRefused
from faithfulness.model.wording import join_names

# Texts are matched as a whole, so that nothing inside of them is taken for a number; one without an
# end to the end of the file, and never again from each quotation mark in it.
_TOKEN = re.compile(
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
        orjson.loads(_TOKEN.sub(lambda match: match[0] if match[0].startswith(b'"') else b"0", raw))
    except orjson.JSONDecodeError:
        return None
    return _refuse(
        source, _find_constants, "values that JSON does not have", "write numbers or null"
    )


def refuse_changed_numbers(source: Source, raw: bytes) -> ImportRefused | None:
    """The refusal of a file with numbers that reading would change; None where `raw` has none."""
    if next(_find_long(raw), None) is not None:
        return _refuse(
            source, _find_long, "numbers too long to be read exactly", "put them in quotes"
        )
    if next(_find_rounded(raw), None) is not None:
        return _refuse(
            source, _find_rounded, "numbers too large, or rounded when read", "shorten them"
        )
    return None


def _refuse(source: Source, finder: Finder, problem: str, remedy: str) -> ImportRefused:
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
    names = join_names([quoted(value) for value in values])
    return ImportRefused(f"{source.name} {where}: {problem} ({names}); {remedy}")


def _find_constants(raw: bytes) -> Iterator[str]:
    """NaN, Infinity and -Infinity outside of texts."""
    for match in _TOKEN.finditer(raw):
        if match["constant"]:
            yield match["constant"].decode()


def _find_long(raw: bytes) -> Iterator[str]:
    """Whole numbers beyond 64 bits, which the fast parser would round."""
    for number in _numbers(raw):
        is_whole = number.lstrip("-").isdecimal()
        if is_whole and (len(number) > 20 or not -(2**63) <= int(number) < 2**64):
            yield number


def _find_rounded(raw: bytes) -> Iterator[str]:
    """Decimal numbers that a float cannot hold: too large, or whole only by rounding."""
    for number in _numbers(raw):
        if number.lstrip("-").isdecimal():
            continue
        read = float(number)
        is_exact = len(number) >= 5000 or not read.is_integer() or Decimal(number) == read
        if math.isinf(read) or not is_exact:
            yield number


def _numbers(raw: bytes) -> Iterator[str]:
    for match in _TOKEN.finditer(raw):
        if match["number"]:
            yield match["number"].decode()
