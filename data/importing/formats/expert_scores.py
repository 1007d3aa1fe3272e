"""Importer for tables of accuracy and ethics scores for answers based on fragments."""

from collections.abc import Iterator, Sequence

from data.importing.formats.known_tables import read_known, score_fit
from data.importing.importer import Importer, Options, Source
from data.importing.tables.tables import TABLE_EXTENSIONS
from faithfulness.model.drafts import Draft

_PROTOCOL = "expert_rubric"


def recognise(sources: Sequence[Source]) -> int:
    return score_fit(sources, _PROTOCOL, 75)


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    return read_known(sources, _PROTOCOL, options)


IMPORTER = Importer(
    key="expert_scores",
    title="Expert scores",
    about="Accuracy and ethics from 1 to 5 for answers from fragments; raters as rows or columns.",
    extensions=TABLE_EXTENSIONS,
    protocols=(_PROTOCOL,),
    recognise=recognise,
    read=read,
)
