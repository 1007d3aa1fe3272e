"""Importer for tables of 1-5 faithfulness scores for product comparisons."""

from collections.abc import Iterator, Sequence

from data.importing.formats.known_tables import read_known, score_fit
from data.importing.importer import Importer, Options, Source
from data.importing.tables.tables import TABLE_EXTENSIONS
from faithfulness.model.drafts import Draft

_PROTOCOL = "comparative_summary"


def recognise(sources: Sequence[Source]) -> int:
    return score_fit(sources, _PROTOCOL, 70)


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    return read_known(sources, _PROTOCOL, options)


IMPORTER = Importer(
    key="comparative_scores",
    title="Comparative summaries",
    about="Scores from 1 to 5 for summaries comparing three products; authors as rows or columns.",
    extensions=TABLE_EXTENSIONS,
    protocols=(_PROTOCOL,),
    recognise=recognise,
    read=read,
)
