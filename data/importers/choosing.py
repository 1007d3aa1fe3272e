"""Choosing: which importer reads these files."""

from collections.abc import Sequence

from data.importers import IMPORTERS
from data.importers.importer import Importer, Options, Source
from data.importers.tables import records
from faithfulness.errors import ImportRefused


def recognised(sources: Sequence[Source]) -> list[tuple[int, Importer]]:
    """The importers that may read these files, surest first; ties keep the listed order."""
    found = [(each.recognise(sources), each) for each in IMPORTERS.values()]
    return sorted(((sure, each) for sure, each in found if sure > 0), key=lambda pair: -pair[0])


def choose(sources: Sequence[Source], key: str | None, options: Options) -> Importer:
    """The importer asked for, else the surest.

    Raises:
        ImportRefused: nothing recognises the files, or they cannot be read at all.
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
    found = recognised(sources)
    if found:
        return found[0][1]
    for source in sources:
        # What cannot be read strictly says so here, by line.
        next(records(source), None)
    raise ImportRefused(
        f"{', '.join(source.name for source in sources)}: no format was recognised. "
        "Choose the format yourself, or import one table with a column mapping."
    )
