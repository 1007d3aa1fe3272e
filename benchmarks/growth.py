"""The main questions on ten thousand, a hundred thousand and a million labels; each after a write.

Usage: python -m benchmarks.growth [LARGEST]; 10000000 goes on to ten million.
"""

import itertools
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.big_store import make_store
from benchmarks.claims import grew
from benchmarks.contradictions_page import change
from benchmarks.home_page import home
from benchmarks.triage_speed import page as triage_page
from components.agreement_overview import all_numbers
from data.queries_agreement import compared
from data.store import Store, open_store
from faithfulness.selection import Selection
from faithfulness.selection_sides import MAJORITY, Side
from faithfulness.vocabulary import Author, AuthorKind

SMALLEST, LARGEST, STEP, TRIES = 10_000, 1_000_000, 10, 3
NORTH = Author(kind=AuthorKind.JUDGE, name="north")
_writes = itertools.count()


def agreement(store: Store) -> None:
    found = compared(store, Selection(protocol="sentence_grounding"), "label", MAJORITY, JUDGE)
    all_numbers(found.tables)


JUDGE = Side.of(NORTH)
QUESTIONS: dict[str, Callable[[Store], object]] = {
    "Home: runs and their numbers": home,
    "Agreement: a judge against the majority, with intervals": agreement,
    "Triage: first page of the queue": lambda store: triage_page(store, Selection()),
    "Contradictions: filtered by author": lambda store: change(store, Selection(authors=(NORTH,))),
}


def after_a_write(store: Store, question: Callable[[Store], object]) -> tuple[float, float]:
    """Milliseconds of the clock and of the processor; the write makes the store forget answers."""
    wall, cpu = [], []
    for _ in range(TRIES):
        store.write(f"growth {next(_writes)}", "benchmark", lambda cursor: "")
        began, used = time.perf_counter(), time.process_time()
        question(store)
        wall.append(time.perf_counter() - began)
        cpu.append(time.process_time() - used)
    return min(wall) * 1000, min(cpu) * 1000


def main(largest: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        size = SMALLEST
        while size <= largest:
            path = Path(folder) / str(size) / "grown.duckdb"
            path.parent.mkdir()
            make_store(path, size)
            store = open_store(path)
            for name, question in QUESTIONS.items():
                wall, cpu = after_a_write(store, question)
                print(f"{size:>12,} labels  {name}: {wall:.0f} ms ({cpu:.0f} of processor)")
                grew(name, size, wall, cpu)
            store.close()
            size *= STEP


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LARGEST)
