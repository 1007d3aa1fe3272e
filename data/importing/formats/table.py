"""Importer for any table, read with a column mapping selected by the user."""

from collections.abc import Collection, Iterator, Sequence

from data.importing.formats.known_tables import complete_mapping, suggest_file_mapping
from data.importing.importer import Importer, Options, Source
from data.importing.tables.found import describe_columns, describe_nested, refuse_one_object
from data.importing.tables.missing import (
    describe_missing_anywhere,
    find_fitting_protocol,
    what_is_missing,
)
from data.importing.tables.roles import can_hold_verdicts
from data.importing.tables.rows import read_rows
from data.importing.tables.tables import TABLE_EXTENSIONS, read_column_names, read_first_row
from faithfulness.model.drafts import Draft
from faithfulness.model.errors import ImportRefused
from faithfulness.protocols import PROTOCOLS

_RULE = (
    "A table of sentence labels is recognised by the columns sentence and label (label_NAME for "
    "each of several raters), context or source, response and id; docs/importing.md has the rest."
)


def recognise(sources: Sequence[Source]) -> int:
    """40 when the columns speak for themselves, 1 when a mapping is needed, 0 for no table."""
    rows = [read_first_row(source) for source in sources]
    if not all(rows):
        return 0
    return 40 if all(map(_find_protocol, sources, rows)) else 1


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    for source in sources:
        header = read_column_names(source)
        key = options.protocol or _find_protocol(source, header)
        if not key:
            refuse_one_object(source)
            raise ImportRefused(
                f"{source.name}: {describe_columns(header)} do not say what was evaluated: "
                f"{describe_missing_anywhere(header)}. "
                + (describe_nested(read_first_row(source)) or f"{_describe_remedy(source)} {_RULE}")
            )
        yield from read_rows(source, complete_mapping(source, key, options), key, options)


def _find_protocol(source: Source, header: Collection[str]) -> str:
    """The one protocol that the columns' names speak of, or else their values; "" when in doubt."""
    named = find_fitting_protocol(header)
    if named or not can_hold_verdicts(header):
        return named
    fitting = [
        key for key in PROTOCOLS if not what_is_missing(suggest_file_mapping(source, key), key)
    ]
    return fitting[0] if len(fitting) == 1 else ""


def _describe_remedy(source: Source) -> str:
    """What to do, as whoever imports does it: a command takes keys, a page shows titles."""
    if source.by_command:
        return (
            f"Name a protocol (--protocol with one of {', '.join(PROTOCOLS)}) and, where the "
            "columns' names do not say enough, map the columns (--map COLUMN=ROLE for each)."
        )
    titles = ", ".join(each.title for each in PROTOCOLS.values())
    return (
        f"Choose a protocol and map the columns from what is then proposed (protocols: {titles})."
    )


IMPORTER = Importer(
    key="table",
    title="Table with a column mapping",
    about="Any CSV, JSON lines, Parquet or YAML table; you say what each column is for. One with "
    "sentence and label columns is read without that.",
    extensions=TABLE_EXTENSIONS,
    protocols=tuple(PROTOCOLS),
    recognise=recognise,
    read=read,
)
