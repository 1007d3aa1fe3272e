"""Keep an import: store it, and make it safe at once."""

import gc
from pathlib import Path

from data import backups
from data.records.saving import save_import
from data.store import Store


def keep_import(
    store: Store, folder: Path, *, operation_id: str, is_sample: bool = False
) -> tuple[str, ...]:
    """As `save_import`, followed by a backup: the journal redoes ratings, not imports."""
    gc.collect()  # an import needs most memory of all: what pages left behind goes first
    run_ids = save_import(store, folder, operation_id=operation_id, is_sample=is_sample)
    backups.after_import(store)
    return run_ids
