"""The contradictions page's questions on a million labels, against a raw scan of the labels.

Usage: python -m benchmarks.contradictions_page [LABELS]
"""

import sys

from benchmarks.claims import claim
from benchmarks.forgetting import forget
from benchmarks.home_page import best
from benchmarks.large import large
from data.contradictions.contradictions import all_cases, list_case_numbers, load_contradicted_units
from data.items.cases import load_cases
from data.items.filters import load_filter_values
from data.items.unit_findings import add_contradictions
from data.store.store import Store
from faithfulness.checks.against import VERSION
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind

LIMIT = 300  # milliseconds of server time for a filter change
NORTH = Author(kind=AuthorKind.JUDGE, name="north")
CHANGES = {
    "everything": (Selection(), {}),
    "one author": (Selection(authors=(NORTH,)), {}),
    "judges alone": (Selection(agreements=("judge_alone",)), {}),
    "kind of clash": (Selection(clashes=("number",)), {}),
    "raters call it supported": (Selection(labels=("supported",), by="rater"), {}),
    "words": (Selection(words="kettle holds"), {}),
    "a slice": (Selection(slices=(("market", "de"),)), {}),
    "a system": (Selection(systems=("assistant 1",)), {}),
    "grouped by run": (Selection(), {"group": "run"}),
    "the last page": (Selection(), {"page": 3000}),
    "no evidence found": (Selection(), {"which": "unfounded"}),
    "supported, yet clashing": (Selection(), {"which": "clashing"}),
    "found by a check": (Selection(), {"which": "found_by_check"}),
}
# As many units as the sample has; which they are makes no difference to the questions.
FIND = """
insert into unit_findings (item_no, unit_no, check_name, kind, checks_version)
select item_no, unit_no, 'product_figure', 'price', $version
from units
where unit_no % 20 = 0
"""


def change(store: Store, selection: Selection, **asked: object) -> None:
    """All that the page asks the store for when a filter changes."""
    load_filter_values(store)
    found = load_contradicted_units(store, selection, **asked)  # type: ignore[arg-type]  # by name
    cases = load_cases(store, list_case_numbers(found))
    if asked.get("which") == "found_by_check":
        add_contradictions(store, cases)


def find(store: Store) -> None:
    """Let checks have found something on a twentieth of the units."""
    facts = {"version": VERSION}
    store.write("find", "findings", lambda cursor: cursor.execute(FIND, facts) and None)


def main(labels: int) -> None:
    with large(labels) as (store, scan_cpu):
        find(store)
        wall, cpu = best(lambda of: (forget(), all_cases(of)), store)
        print(f"at first, finding every case: {wall:.0f} ms ({cpu:.0f} of processor)")
        slowest: list[float] = []
        for name, (selection, asked) in CHANGES.items():
            wall, cpu = best(lambda s, c=selection, a=asked: change(s, c, **a), store)
            slowest.append(wall)
            ratio = cpu / max(scan_cpu, 0.1)
            print(f"{name}: {wall:.0f} ms ({cpu:.0f} of processor, {ratio:.0f} raw scans)")
        print(f"limit for a filter change: {LIMIT} ms")
        told = f"Contradictions on {labels:,} labels, slowest of {len(slowest)} filters"
        claim(told, max(slowest), "ms", at_most=LIMIT)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
