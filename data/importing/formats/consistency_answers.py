"""Importer for tables with one of six consistency answers per response."""

from collections.abc import Iterator, Sequence

from data.importing.formats.known_tables import read_known, score_fit
from data.importing.importer import Importer, Options, Source
from data.importing.tables.tables import TABLE_EXTENSIONS
from faithfulness.model.drafts import Draft

_PROTOCOL = "response_consistency"


def recognise(sources: Sequence[Source]) -> int:
    return score_fit(sources, _PROTOCOL, 75)


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    return read_known(sources, _PROTOCOL, options)


IMPORTER = Importer(
    key="consistency_answers",
    title="Consistency answers",
    about="One of six answers a response, with query type and links; published wording is read.",
    extensions=TABLE_EXTENSIONS,
    protocols=(_PROTOCOL,),
    recognise=recognise,
    read=read,
)
