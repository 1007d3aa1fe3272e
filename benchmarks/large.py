"""A large store to ask, beside the time of a raw scan of its labels."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.big_store import make_store
from benchmarks.home_page import best, scan
from data.store.store import Store, open_store


@contextmanager
def large(labels: int) -> Iterator[tuple[Store, float]]:
    """A store of so many labels until the end, and milliseconds of processor a scan takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.duckdb"
        began = time.perf_counter()
        make_store(path, labels)
        store = open_store(path)
        print(f"made {labels:,} labels in {time.perf_counter() - began:.1f} s")
        scan_wall, scan_cpu = best(scan, store)
        print(f"raw scan of two columns: {scan_wall:.1f} ms ({scan_cpu:.1f} ms of processor)")
        yield store, scan_cpu
        store.close()
