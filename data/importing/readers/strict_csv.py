"""Strict CSV parser: cells stay text, and rows that do not match the header are rejected."""

import csv
from collections.abc import Collection, Iterable, Iterator

from data.importing.controls import has_control_characters, replace_in_value
from data.importing.importer import Source, build_refusal, quote_value
from data.importing.limits import format_size
from data.importing.readers.strict import open_text, refuse_too_many_rows
from faithfulness.model.errors import ImportRefused
from faithfulness.text.csv_injection import FIRST_COLUMN, unguard_cell

_DELIMITERS = (",", ";", "\t")
# Columns that tell a header split rightly from one that a wrong delimiter left whole.
USUAL_COLUMNS = frozenset(
    {"id", "item_id", "query", "question", "user_request", "context", "context_document"}
    | {"response", "answer", "summary", "sentence", "label", "score", "rater", "judge"}
    | {"author", "system", "model", "rationale", "excerpt", "comment"}
)


def read_csv_rows(
    source: Source,
    *,
    known: Collection[str] = USUAL_COLUMNS,
    delimiter: str | None = None,
    quoting: bool = True,
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV file by column name, each with the line it begins on."""
    csv.field_size_limit(source.limits.text_characters)
    lines = _CsvLines(source)
    first = next(lines, "")
    split = delimiter or _detect_delimiter(source, first, known, quoting)
    lines.again = first
    rows = csv.reader(
        lines,
        delimiter=split,
        strict=True,
        quoting=csv.QUOTE_MINIMAL if quoting else csv.QUOTE_NONE,
    )
    names = _read_next_row(source, lines, rows, 1)
    header = _read_header(
        source, replace_in_value(source, 1, names) if lines.has_controls else names
    )
    # Our own export put an apostrophe before cells that a spreadsheet would run.
    is_ours = header[0] == FIRST_COLUMN
    count = 0
    while True:
        begins = lines.number + 1
        row = _read_next_row(source, lines, rows, begins)
        if row is None:
            break
        if not row:
            continue  # a blank line
        if len(row) != len(header):
            raise build_refusal(
                source,
                begins,
                f"the row has {len(row)} cells; the header has {len(header)}; "
                "quote cells that hold the delimiter",
            )
        count += 1
        if count > source.limits.rows:
            raise refuse_too_many_rows(source)
        cells = [unguard_cell(cell) for cell in row] if is_ours else row
        record = dict(zip(header, cells, strict=True))
        yield begins, replace_in_value(source, begins, record) if lines.has_controls else record
    if not count:
        raise build_refusal(source, None, "the file is empty below its header; export it again")


class _CsvLines(Iterator[str]):
    """Lines of UTF-8 text that end at a line feed only, counted, remembering where a row began."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._skip = open_text(source)
        self._lines = self._read()
        self.number = 0
        self.again: str | None = None  # the header, read once to find the delimiter
        self.has_controls = False  # in the lines read so far
        self.row: list[str] = []  # lines of the row being read, for the place of an open quote

    def __next__(self) -> str:
        if self.again is not None:
            line, self.again = self.again, None
            return line
        line = next(self._lines)
        self.number += 1
        self.row.append(line)
        return line

    def _read(self) -> Iterator[str]:
        limit = self._source.limits.line_bytes
        with self._source.path.open("rb") as file:
            file.seek(self._skip)
            while raw := file.readline(limit + 1):
                if len(raw) > limit:
                    raise build_refusal(
                        self._source,
                        self.number + 1,
                        f"the line is longer than {format_size(limit)}; is this a CSV file?",
                    )
                yield self._decoded(raw)

    def _decoded(self, raw: bytes) -> str:
        self.has_controls = self.has_controls or has_control_characters(raw)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as wrong:
            raise build_refusal(
                self._source,
                self.number + 1,
                f"byte {wrong.start + 1} of the line is not UTF-8; save the file as UTF-8",
            ) from None


def _read_next_row(
    source: Source, lines: _CsvLines, rows: Iterator[list[str]], begins: int
) -> list[str] | None:
    """The next row, or None at the end of the file."""
    if lines.number:
        lines.row.clear()
    try:
        return next(rows, None)
    except csv.Error as error:
        raise _refuse_unreadable_row(source, lines, begins, str(error)) from None


def _refuse_unreadable_row(
    source: Source, lines: _CsvLines, begins: int, problem: str
) -> ImportRefused:
    if "end of data" in problem:
        opened = begins + _find_open_quote(lines.row)
        return build_refusal(
            source, opened, "a quote opens here and never closes; close or double it"
        )
    if "field limit" in problem:
        limit = source.limits.text_characters
        return build_refusal(
            source,
            begins,
            f"a cell has more than {limit:,} characters, the limit; "
            "or a quote opens here and is not closed",
        )
    if "new-line" in problem:
        return build_refusal(source, lines.number, "a bare carriage return; save with line feeds")
    until = "" if begins == lines.number else f" on line {lines.number}"
    return build_refusal(
        source,
        begins,
        f"text after a closing quote{until}; close the quote that opens in this row, "
        "or double the quotes inside a cell",
    )


def _find_open_quote(row: Iterable[str]) -> int:
    """Which line of an unfinished row holds the quote that stays open, counted from 0."""
    opened, inside = 0, False
    for at, line in enumerate(row):
        for _ in range(line.replace('""', "").count('"')):
            inside = not inside
            opened = at if inside else opened
    return opened


def _detect_delimiter(source: Source, line: str, known: Collection[str], quoting: bool) -> str:
    """The delimiter whose split of the header yields columns we know, else the most columns."""
    best, score = "", (0, 1)
    for each in _DELIMITERS:
        names = _split_line(line, each, quoting)
        found = (sum(name.strip().lower() in known for name in names), len(names))
        if len(names) > 1 and found > score:
            best, score = each, found
    if not best:
        raise build_refusal(
            source,
            1,
            "the header has only one column; separate columns with a comma, a semicolon or a tab",
        )
    return best


def _split_line(line: str, delimiter: str, quoting: bool) -> list[str]:
    try:
        if quoting:
            return next(csv.reader([line], delimiter=delimiter), [])
        return next(csv.reader([line], delimiter=delimiter, quoting=csv.QUOTE_NONE), [])
    except csv.Error:
        return []


def _read_header(source: Source, row: list[str] | None) -> list[str]:
    names = [name.strip() for name in row or ()]
    seen: dict[str, int] = {}
    for at, name in enumerate(names, start=1):
        if not name:
            raise build_refusal(source, 1, f"column {at} has no name; name or remove it")
        first = seen.setdefault(name, at)
        if first != at:
            raise build_refusal(
                source,
                1,
                f"the column {quote_value(name)} is there twice (columns {first} and {at}); "
                "rename one",
            )
    return names
