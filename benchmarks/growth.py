"""The main questions on ten thousand to ten million labels: at first, and after somebody saved.

Usage: python -m benchmarks.growth [LARGEST]
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
from benchmarks.forgetting import forget
from benchmarks.home_page import home
from benchmarks.triage_speed import page as triage_page
from components.agreement.overview import estimate_all_numbers
from data.agreement.pairs import compare_sides
from data.items.loading import load_item
from data.items.sign import sign
from data.store.store import Store, open_store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.protocols import PROTOCOLS

SMALLEST, LARGEST, STEP, TRIES = 10_000, 10_000_000, 10, 3
LABELS = ("supported", "unsupported", "contradictory")
SOME_ITEM = """
select r.run_id, i.item_id
from run_items n
join runs r on r.run_no = n.run_no
join items i on i.item_no = n.item_no
order by n.run_no, n.position
limit 1 offset $skip
"""
NORTH = Author(kind=AuthorKind.JUDGE, name="north")
_writes = itertools.count()


def agreement(store: Store) -> None:
    found = compare_sides(store, Selection(protocol="sentence_grounding"), "label", MAJORITY, JUDGE)
    estimate_all_numbers(found.tables, PROTOCOLS["sentence_grounding"].criterion("label").scale)


JUDGE = Side.of(NORTH)
QUESTIONS: dict[str, Callable[[Store], object]] = {
    "Runs and their numbers": home,
    "A judge against the majority": agreement,
    "First page of disagreements": lambda store: triage_page(store, Selection()),
    "Contradictions by one author": lambda store: change(store, Selection(authors=(NORTH,))),
}


def at_first(store: Store, question: Callable[[Store], object]) -> tuple[float, float]:
    """Milliseconds of the clock and of the processor when nothing is known yet."""
    forget()
    return timed(store, question)


def after_a_save(store: Store, question: Callable[[Store], object]) -> tuple[float, float]:
    """The best of some tries, each after somebody labelled an item anew."""
    took = []
    for _ in range(TRIES):
        save(store)
        took.append(timed(store, question))
    return min(took)


def timed(store: Store, question: Callable[[Store], object]) -> tuple[float, float]:
    began, used = time.perf_counter(), time.process_time()
    question(store)
    return (time.perf_counter() - began) * 1000, (time.process_time() - used) * 1000


def save(store: Store) -> None:
    """Sign twenty labels of one item, as a sheet of Rate does."""
    number = next(_writes)
    with store.read() as cursor:
        run_id, item_id = cursor.execute(SOME_ITEM, {"skip": 7 * number}).fetchall()[0]
    answers = [
        Answer(unit_id=each.id, criterion="label", value=LABELS[(number + at) % len(LABELS)])
        for at, each in enumerate(load_item(store, item_id).units)
    ]
    author = Author(kind=AuthorKind.RATER, name="rater 01")
    sign(store, run_id=run_id, item_id=item_id, answers=answers, author=author,
         operation_id=f"growth {number}")  # fmt: skip


def main(largest: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        size = SMALLEST
        while size <= largest:
            path = Path(folder) / str(size) / "grown.duckdb"
            path.parent.mkdir()
            make_store(path, size)
            store = open_store(path)
            for name, question in QUESTIONS.items():
                for when, measure in (("at first", at_first), ("after a save", after_a_save)):
                    wall, cpu = measure(store, question)
                    told = f"{name}, {when}"
                    print(f"{size:>12,} labels  {told}: {wall:.0f} ms ({cpu:.0f} of processor)")
                    grew(told, size, wall, cpu)
            store.close()
            size *= STEP


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LARGEST)
