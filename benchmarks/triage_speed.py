"""The queue of disagreements on a million labels: first page, next card after a decision, save.

Usage: python -m benchmarks.triage_speed [LABELS]
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks import big_store
from benchmarks.claims import claim
from benchmarks.home_page import best, scan
from data.meetings.adjudicate import adjudicate
from data.store.store import Store, open_store
from data.triage.triage import load_triage, load_triage_cases
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.review.disagreement import Disagreement, DisagreementKind

FIRST, NEXT = 500, 150  # milliseconds of processor time
EVE = Author(kind=AuthorKind.ADJUDICATOR, name="eve")
# Five authors agree on about three of four sentences: some 50,000 of 200,000 are left.
SHARES = [0.944, 0.03, 0.016, 0.01]
CHANGES = {
    "judge against raters": (Selection(), {"kinds": (DisagreementKind.JUDGE_RATERS,)}),
    "a system": (Selection(systems=("assistant 1",)), {}),
    "raters call it contradictory": (Selection(labels=("contradictory",), by="rater"), {}),
    "words": (Selection(words="kettle holds"), {}),
    "the last page": (Selection(), {"page": 9_999}),
}


def page(store: Store, selection: Selection, **asked: object) -> list[Disagreement]:
    """All that the page asks the store for."""
    found = load_triage(store, selection, **asked)  # type: ignore[arg-type]  # by name
    return [case for case, _ in load_triage_cases(store, found).disagreements]


def spent(work: Callable[[], object]) -> tuple[float, float]:
    began, used = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - began) * 1000, (time.process_time() - used) * 1000


def decide(store: Store, found: Disagreement, number: int) -> None:
    adjudicate(
        store,
        run_id=found.case.run_id,
        item_id=found.case.item.id,
        answer=Answer(unit_id=found.case.unit.id, criterion="label", value="supported"),
        author=EVE,
        reason="the notes say so",
        seen=found.seen,
        operation_id=f"decide-{number}",
    )


def main(labels: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.duckdb"
        big_store.SHARES = SHARES
        big_store.make_store(path, labels)
        store = open_store(path)
        wall, cpu = spent(lambda: page(store, Selection()))
        total = load_triage(store, Selection()).total
        print(f"{labels:,} labels, {total:,} disagreements")
        print(f"first page, nothing known yet: {wall:.0f} ms ({cpu:.0f} of processor; {FIRST})")
        told = f"Triage on {labels:,} labels"
        claim(f"{told}, first page", cpu, "ms of processor", at_most=FIRST)
        _, scan_cpu = best(scan, store)
        for name, (selection, asked) in CHANGES.items():
            wall, cpu = best(lambda s, c=selection, a=asked: page(s, c, **a), store)
            print(f"{name}: {wall:.0f} ms ({cpu:.0f} of processor, {cpu / scan_cpu:.0f} scans)")
        saves, cards = [], []
        both = (page(store, Selection(), page=at) for at in (1, 2))
        for number, found in enumerate(found for shown in list(both) for found in shown):
            saves.append(spent(lambda f=found, n=number: decide(store, f, n))[0])
            cards.append(spent(lambda: page(store, Selection(), as_of=0))[1])
        print(f"save: median {median(saves):.0f} ms, slowest {max(saves):.0f} ms")
        print(
            f"next card after a decision: median {median(cards):.0f} ms of processor, "
            f"slowest {max(cards):.0f}; {NEXT}"
        )
        claim(f"{told}, next card", median(cards), "ms of processor", at_most=NEXT)
        claim(f"{told}, a decision saved: median", median(saves), "ms")
        store.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
