"""The distributions page's questions on a million labels, against a raw scan of the labels.

Usage: python -m benchmarks.distributions_page [LABELS]
"""

import sys

from benchmarks.claims import claim
from benchmarks.home_page import best
from benchmarks.large import large
from data.distributions import distributions as questions
from data.items.filters import load_filter_values
from data.store.store import Store
from faithfulness.model.measure import NUMBER, list_measures
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.protocols import PROTOCOLS

LIMIT = 300  # milliseconds of server time for a filter change
MEASURES = list_measures(PROTOCOLS["sentence_grounding"])
NORTH = Author(kind=AuthorKind.JUDGE, name="north")
CHANGES = {
    "labels by author": (Selection(), "label", "author"),
    "labels by run": (Selection(), "label", "run"),
    "labels by system": (Selection(), "label", "system"),
    "shares by author": (Selection(), NUMBER, "author"),
    "shares by run": (Selection(), NUMBER, "run"),
    "one author": (Selection(authors=(NORTH,)), "label", "author"),
    "a system": (Selection(systems=("assistant 1",)), "label", "author"),
    "a slice": (Selection(slices=(("market", "de"),)), "label", "author"),
    "words": (Selection(words="kettle holds"), "label", "author"),
}


def change(store: Store, selection: Selection, measure: str, by_row: str) -> None:
    """All that the page asks the store for when a filter changes."""
    load_filter_values(store)
    questions.load_distribution_lines(store, selection, MEASURES[measure], by_row=by_row)
    questions.load_trend(store, selection, MEASURES[measure])


def click(store: Store, measure: str, value: str) -> None:
    """What a click on a bar asks for beyond that."""
    asked = (store, Selection(), MEASURES[measure])
    questions.load_counted_page(*asked, by_row="author", line="judge:north", value=value)
    questions.compute_share(*asked, by_row="author", bar=("judge:north", value))


def main(labels: int) -> None:
    with large(labels) as (store, scan_cpu):
        slowest: list[float] = []
        for name, asked in CHANGES.items():
            wall, cpu = best(lambda s, a=asked: change(s, *a), store)
            slowest.append(wall)
            ratio = cpu / max(scan_cpu, 0.1)
            print(f"{name}: {wall:.0f} ms ({cpu:.0f} of processor, {ratio:.0f} raw scans)")
        for measure, value in (("label", "contradictory"), (NUMBER, "10")):
            wall, cpu = best(lambda s, m=measure, v=value: click(s, m, v), store)
            print(f"a click on {value}, beside that: {wall:.0f} ms ({cpu:.0f} of processor)")
        print(f"limit for a filter change: {LIMIT} ms")
        told = f"Distributions on {labels:,} labels, slowest of {len(slowest)} filters"
        claim(told, max(slowest), "ms", at_most=LIMIT)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
