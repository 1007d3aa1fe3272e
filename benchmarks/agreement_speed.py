"""A comparison of two authors on a million pairs and more, against raw scans of its columns.

Usage: python -m benchmarks.agreement_speed [PAIRS] [STORE]
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.agreement_store import make_pairs
from benchmarks.claims import claim
from benchmarks.forgetting import forget, forget_choices
from data.agreement.pairs import Compared, compare_sides, load_cell_units, load_sides
from data.store.store import Store, open_store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.statistics.agreement import pair_estimates

LIMIT = 300  # milliseconds of processor for a filter change on a million labels
REPEATS = 5
ADA, NORTH = Side.from_text("rater:ada"), Side.from_text("judge:north")
# The same columns, grouped by what a table is made of: over all items, and item by item.
SCANS = {
    "raw scan, grouped by author and label": """
        select
            author_no, value, count(*), sum(item_no), sum(unit_no), sum(run_no),
            sum(annotation_no), count(supersedes), count(problem)
        from annotations
        where criterion = 'label'
        group by all
    """,
    "raw scan, grouped by item, author and label": """
        select count(*)
        from (
            select item_no, author_no, value, count(*) as units
            from annotations
            where criterion = 'label'
            group by all
        )
    """,
}
CHANGES = {
    "everything": Selection(),
    "a slice": Selection(slices=(("market", "de"),)),
    "a system": Selection(systems=("assistant 1",)),
    "words (reads all texts)": Selection(words="answer 1-77"),
}


def scan(store: Store, question: str) -> None:
    with store.read() as cursor:
        cursor.execute(question).fetchall()


def fresh(store: Store, reference: Side) -> Compared:
    """A comparison that nobody asked for before."""
    forget()
    return compare_sides(store, Selection(), "label", reference, NORTH)


def filtered(store: Store, selection: Selection) -> Compared:
    """A comparison that is known, under a filter that nobody set before."""
    forget_choices()
    return compare_sides(store, selection, "label", ADA, NORTH)


def best(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of the fastest of several tries: of the clock, and of the processor."""
    wall, cpu = [], []
    for _ in range(REPEATS):
        began, used = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - began)
        cpu.append(time.process_time() - used)
    return min(wall) * 1000, min(cpu) * 1000


def measure(store: Store) -> None:
    peak("before")
    wall, cpu = best(lambda: fresh(store, ADA))
    print(f"comparison, first time: {wall:.0f} ms ({cpu:.0f} ms of processor)")
    peak("after a comparison")
    for name, question in SCANS.items():
        raw_wall, raw_cpu = best(lambda q=question: scan(store, q))
        claim(f"A comparison, first time, beside a {name}", cpu / raw_cpu, "times")
        print(f"{name}: {raw_wall:.0f} ms ({raw_cpu:.0f}); ratio {cpu / raw_cpu:.1f}")
    wall, cpu = best(lambda: fresh(store, MAJORITY))
    print(f"comparison with the majority: {wall:.0f} ms ({cpu:.0f})")
    found = fresh(store, ADA)
    for name, selection in CHANGES.items():
        wall, cpu = best(lambda s=selection: filtered(store, s))
        claim(f"A comparison filtered, {name}", cpu, "ms of processor", at_most=LIMIT)
        print(f"filter, {name}: {wall:.0f} ms ({cpu:.0f}); limit at a million labels {LIMIT}")
    wall, cpu = best(
        lambda: load_cell_units(
            store, Selection(), "label", ADA, NORTH, judge_value="contradictory"
        )
    )
    print(f"units of a cell: {wall:.0f} ms ({cpu:.0f})")
    wall, cpu = best(lambda: load_sides(store, Selection(), "label"))
    print(f"sides on offer: {wall:.0f} ms ({cpu:.0f})")
    wall, cpu = best(lambda: pair_estimates(found.tables))
    print(f"all numbers with intervals: {wall:.0f} ms ({cpu:.0f})")
    peak("in the end")


def peak(when: str) -> None:
    print(f"peak memory {when}: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def main(pairs: int, path: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = path or Path(folder) / "pairs.duckdb"
        if not place.exists():
            make_pairs(place, pairs)
            # Peak memory is that of the process, and making a store takes more than asking it.
            print(f"made {pairs:,} pairs; peak memory below includes making them")
        store = open_store(place)
        measure(store)
        store.close()


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    main(wanted, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
