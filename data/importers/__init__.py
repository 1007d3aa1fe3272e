"""Importers: one file per format, listed here."""

from data.importers import (
    comparative_scores,
    consistency_answers,
    expert_scores,
    plumbline,
    sentence_labels,
    table,
)
from data.importers.importer import Importer

# The order decides between importers that are equally sure: the more specific stands first.
IMPORTERS: dict[str, Importer] = {
    each.IMPORTER.key: each.IMPORTER
    for each in (
        plumbline,
        sentence_labels,
        consistency_answers,
        expert_scores,
        comparative_scores,
        table,
    )
}
