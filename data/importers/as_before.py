"""As before: files that are refused as they stand, read by the mapping chosen for their header."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from data import records
from data.importers.columns import read_columns
from data.importers.importer import Options
from data.importers.mappings import Remembered, load_mapping
from data.importers.prepare import Progress, prepare
from data.importers.preview import Manifest
from data.store import Store
from faithfulness.errors import ImportRefused


def prepare_as_before(
    store: Store,
    files: Sequence[tuple[str, Path]],
    *,
    importer: str | None,
    options: Options,
    into: Path,
    progress: Progress,
) -> Manifest:
    """As `prepare`; the manifest's details say `mapping` where a remembered one was used.

    Args:
        store: where mappings are remembered and stored items lie.
        files: as the others for `prepare`.
        importer: the format that was chosen; only where none was, a mapping is looked for.
        options: what the person says about the files.
        into: an empty folder.
        progress: told how far it is.
    """

    def prepared(key: str | None, told: Options) -> Manifest:
        return prepare(
            files,
            importer=key,
            options=told,
            into=into,
            known=lambda ids: records.known_items(store, ids),
            progress=progress,
        )

    try:
        return prepared(importer, options)
    except ImportRefused:
        before = None if importer else _mapping_for(store, files)
        if before is None or options.protocol not in ("", before.protocol):
            raise
    found = prepared("table", replace(options, protocol=before.protocol, mapping=before.roles))
    return replace(found, details={**found.details, "mapping": "remembered"})


def _mapping_for(store: Store, files: Sequence[tuple[str, Path]]) -> Remembered | None:
    try:
        return load_mapping(store, read_columns(files))
    except ImportRefused:  # no table: what is wrong with the files was found before
        return None
