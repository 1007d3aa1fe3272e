"""Save a prepared import, update the caches and back up the store."""

import gc
import logging
from pathlib import Path

from data.importing.save import save_import
from data.store import backups
from data.store.cache.import_cache_fill import holding
from data.store.cache.incremental_cache import forget, take_up
from data.store.store import Store
from faithfulness.model.errors import ReviewError

logger = logging.getLogger(__name__)


def keep_import(
    store: Store, folder: Path, *, operation_id: str, is_sample: bool = False
) -> tuple[str, ...]:
    """As `save_import`, followed by a backup: the journal redoes ratings, not imports.

    Everybody else sees a large import once it is counted; whoever brings it waits for that.
    """
    gc.collect()  # an import needs most memory of all: what pages left behind goes first
    with holding(store, operation_id) as held:
        run_ids = save_import(store, folder, operation_id=operation_id, is_sample=is_sample)
        try:
            take_up(store, held)
        except ReviewError as problem:  # it is stored; whoever asks next counts it
            logger.warning("counting the import was broken off: %s", problem)
        except Exception:
            # Whatever it is, the import is stored: to fail now would say the opposite, and leave it
            # without a backup. Answers that it may have left half counted are asked anew.
            logger.exception("counting the import failed; it is stored, and answers are asked anew")
            forget(store)
    backups.after_import(store)
    return run_ids
