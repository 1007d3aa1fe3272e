"""Table: any table at all, read by a mapping of its columns that the person chose."""

from collections.abc import Iterator, Sequence

from data.importers.importer import Importer, Options, Source
from data.importers.known_tables import mapping_for
from data.importers.limits import COMMAND
from data.importers.roles import best_protocol
from data.importers.rows import read_rows
from data.importers.tables import TABLE_EXTENSIONS, columns, first_row
from faithfulness.drafts import Draft
from faithfulness.errors import ImportRefused
from faithfulness.protocols import PROTOCOLS


def recognise(sources: Sequence[Source]) -> int:
    """40 when the columns speak for themselves, 1 when a mapping is needed, 0 for no table."""
    rows = [first_row(source) for source in sources]
    if not all(rows):
        return 0
    return 40 if all(best_protocol(row) for row in rows) else 1


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    for source in sources:
        header = columns(source)
        key = options.protocol or best_protocol(header)
        if not key:
            raise ImportRefused(
                f"{source.name}: the columns {', '.join(header)[:300]} do not say what was "
                "evaluated. Choose a protocol and map the columns "
                f"(protocols: {', '.join(_offered(source))})."
            )
        yield from read_rows(source, options.mapping or mapping_for(source, key), key, options)


def _offered(source: Source) -> list[str]:
    """Protocols as whoever imports chooses them: a command takes keys, a page shows titles."""
    if source.limits == COMMAND:
        return list(PROTOCOLS)
    return [each.title for each in PROTOCOLS.values()]


IMPORTER = Importer(
    key="table",
    title="Table with a column mapping",
    about="Any CSV, JSON lines, Parquet or YAML table; you say what each column is for.",
    extensions=TABLE_EXTENSIONS,
    protocols=tuple(PROTOCOLS),
    recognise=recognise,
    read=read,
)
