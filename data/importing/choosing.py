"""Choosing: which importer reads these files."""

from collections.abc import Sequence

from data.importing.formats import IMPORTERS
from data.importing.importer import Importer, Options, Source
from data.importing.preview.unused_columns import TABLES
from data.importing.tables.rivals import only_protocol
from data.importing.tables.tables import records
from faithfulness.model.errors import ImportRefused


def recognised(sources: Sequence[Source]) -> list[tuple[int, Importer]]:
    """The importers that may read these files, surest first; ties keep the listed order."""
    found = [(each.recognise(sources), each) for each in IMPORTERS.values()]
    return sorted(((sure, each) for sure, each in found if sure > 0), key=lambda pair: -pair[0])


def choose(sources: Sequence[Source], key: str | None, options: Options) -> Importer:
    """The importer asked for, else the surest.

    Raises:
        ImportRefused: nothing recognises the files, several protocols fit them alike, or they
            cannot be read at all.
    """
    if not sources:
        raise ImportRefused("No file was given; choose at least one.")
    if key is None and options.mapping:
        key = "table"
    if key is not None:
        if key not in IMPORTERS:
            raise ImportRefused(
                f"There is no format {key!r}. Choose one of: {', '.join(IMPORTERS)}."
            )
        return IMPORTERS[key]
    # Any table can be mapped to a named protocol, so its own importer refuses what does not fit.
    named = {options.protocol} - {""}
    found = [each for _, each in recognised(sources) if named <= {*each.protocols}]
    if found:
        return _of_tables(sources, found, options.protocol)
    for source in sources:
        # What cannot be read strictly says so here, by line.
        next(records(source), None)
    how = "Choose the format yourself, or import one table with a column mapping."
    if sources[0].by_command:
        how = "Name it with --format, or one table's columns with --protocol and --map COLUMN=ROLE."
    names = ", ".join(source.name for source in sources)
    raise ImportRefused(f"{names}: no format was recognised. {how}")


def _of_tables(sources: Sequence[Source], found: Sequence[Importer], protocol: str) -> Importer:
    """The surest; of tables, which only their columns' names tell apart, one for the protocol."""
    if found[0].key not in TABLES:
        return found[0]
    # A column of another protocol's name may hold nothing on its scale: a score of 0.87, say.
    meant = {protocol} if protocol else {only_protocol(source) for source in sources}
    return next((each for each in found if meant <= {*each.protocols}), found[0])
