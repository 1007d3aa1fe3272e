"""Retry rejected files with the column mapping that was saved for their header."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from data.importing.columns import read_columns
from data.importing.importer import Options
from data.importing.limits import PAGE, Limits
from data.importing.prepare import Known, Progress, prepare
from data.importing.preview.preview import Manifest
from data.importing.preview.questions import OpenQuestions
from data.importing.tables.mappings import Remembered
from faithfulness.model.errors import ImportRefused

# Of the names of columns, the mapping that was chosen for them.
Recall = Callable[[Sequence[str]], Remembered | None]

_NOTE = (
    "As it stands this could not be read, but a table with these columns was mapped before: that "
    "mapping is used here. To use another, name it with --protocol and --map COLUMN=ROLE for each."
)


def prepare_as_before(
    files: Sequence[tuple[str, Path]],
    *,
    importer: str | None,
    options: Options,
    into: Path,
    known: Known,
    recall: Recall,
    progress: Progress | None,
    limits: Limits = PAGE,
) -> Manifest:
    """As `prepare`; the manifest's details say `mapping` where a remembered one was used.

    Args:
        files: as the others for `prepare`.
        importer: the format that was chosen; only where none was, nor a mapping, one is recalled.
        options: what the person says about the files.
        into: an empty folder.
        known: which items are stored.
        recall: the mapping that the store remembers.
        progress: told how far it is.
        limits: how much may be read.
    """

    def prepared(key: str | None, told: Options) -> Manifest:
        return prepare(
            files,
            importer=key,
            options=told,
            into=into,
            limits=limits,
            known=known,
            progress=progress,
        )

    try:
        return prepared(importer, options)
    except ImportRefused as refused:
        if isinstance(refused, OpenQuestions) and not refused.are_about_columns:
            raise  # another mapping of the columns answers none of them
        before = None if importer or options.mapping else _recall_mapping(recall, files, limits)
        if before is None or options.protocol not in ("", before.protocol):
            raise
    found = prepared("table", replace(options, protocol=before.protocol, mapping=before.roles))
    return replace(found, details={**found.details, "mapping": "remembered"})


def list_command_notes(manifest: Manifest) -> list[str]:
    """What a command says beside its own notes; the page has words of its own."""
    return [_NOTE] if manifest.details.get("mapping") else []


def _recall_mapping(
    recall: Recall, files: Sequence[tuple[str, Path]], limits: Limits
) -> Remembered | None:
    try:
        return recall(list(read_columns(files, limits)))
    except ImportRefused:  # no table: what is wrong with the files was found before
        return None
