"""Import formats: one module per file format, listed in `IMPORTERS`.

Each module has an `IMPORTER` that recognizes its files and reads them into drafts. When several
recognize a file equally well, the first in the list reads it. Used by the worker process, and by
the import page and cli.py for the names of the formats.
"""

from data.importing.formats import (
    claims,
    comparative_scores,
    consistency_answers,
    dialfact,
    expert_scores,
    expertqa,
    factcheck_gpt,
    plumbline,
    sentence_labels,
    summeval_op,
    table,
    xsum,
)
from data.importing.importer import Importer

# The order decides between importers that are equally sure: the more specific stands first.
IMPORTERS: dict[str, Importer] = {
    each.IMPORTER.key: each.IMPORTER
    for each in (
        plumbline,
        claims,
        summeval_op,
        factcheck_gpt,
        dialfact,
        expertqa,
        xsum,
        sentence_labels,
        consistency_answers,
        expert_scores,
        comparative_scores,
        table,
    )
}
