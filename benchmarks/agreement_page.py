"""The agreement page's questions on a million pairs of labels: what a change of filter costs.

Usage: python -m benchmarks.agreement_page [STORE]
"""

import sys
import tempfile
from pathlib import Path

from benchmarks.agreement_store import make_pairs
from benchmarks.claims import claim
from benchmarks.forgetting import forget_choices
from benchmarks.home_page import best, scan
from components.agreement.overview import estimate_all_numbers
from data.agreement import pairs as questions
from data.items.filters import load_filter_values
from data.store.store import Store, open_store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.protocols import PROTOCOLS
from faithfulness.statistics.ceiling import compute_ceiling

LIMIT = 300  # milliseconds of server time for a filter change
PAIRS = 1_000_000
GROUNDING = "sentence_grounding"
SCALE = PROTOCOLS[GROUNDING].criterion("label").scale
ADA = Author(kind=AuthorKind.RATER, name="ada")
NORTH = Author(kind=AuthorKind.JUDGE, name="north")
CHANGES = {
    "everything": Selection(protocol=GROUNDING),
    "a system": Selection(protocol=GROUNDING, systems=("assistant 1",)),
    "a slice": Selection(protocol=GROUNDING, slices=(("market", "de"),)),
    "words": Selection(protocol=GROUNDING, words="Answer 1-77"),
}


def overview(store: Store, selection: Selection, judges: int) -> None:
    """All that the overview asks for; further judges are asked about as the first one is."""
    forget_choices()
    load_filter_values(store)
    questions.load_sides(store, selection)
    side = Side.of(NORTH)
    found = questions.compare_sides(store, selection, "label", MAJORITY, side)
    compute_ceiling(questions.load_ratings(store, selection, "label", (ADA, NORTH)), NORTH)
    estimate_all_numbers(found.tables, SCALE)
    if judges > 1:
        for _ in range(judges):
            found = questions.compare_sides(store, selection, "label", MAJORITY, side)
            estimate_all_numbers(found.tables, SCALE)


def main(path: Path) -> None:
    store = open_store(path)
    scan_wall, scan_cpu = best(scan, store)
    print(f"raw scan of two columns: {scan_wall:.1f} ms ({scan_cpu:.1f} ms of processor)")
    for judges in (1, 3):
        slowest: list[float] = []
        for name, selection in CHANGES.items():
            wall, cpu = best(lambda s, c=selection, n=judges: overview(s, c, n), store)
            print(f"{judges} judges, {name}: {wall:.0f} ms ({cpu:.0f} of processor)", flush=True)
            slowest.append(cpu)
        told = f"Agreement page, {judges} judges, slowest of {len(slowest)} filters"
        claim(told, max(slowest), "ms of processor", at_most=LIMIT)
    print(f"limit for a filter change: {LIMIT} ms of processor")
    store.close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "pairs.duckdb"
            make_pairs(made, PAIRS)
            main(made)
