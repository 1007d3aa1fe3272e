"""The compare page's questions on a million labels, against a raw scan of the labels.

Usage: python -m benchmarks.compare_page [LABELS]
"""

import sys
import time

from benchmarks.claims import claim
from benchmarks.home_page import best
from benchmarks.large import large
from data.compare import changes, compare
from data.compare import item_pairs as pairing
from data.compare import references as referring
from data.compare.numbers import Duel
from data.items.filters import load_filter_values
from data.store.store import Store
from faithfulness.model.comparability import ItemMatch, Moved, list_remarks
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY
from faithfulness.protocols import protocol
from faithfulness.statistics.paired import measure_agreement, measure_number

LIMIT = 300  # milliseconds of server time for a filter change
RULES = protocol("sentence_grounding")
LABEL = RULES.criteria[0]
CHANGES = {
    "everything": (Selection(), {}),
    "words": (Selection(words="kettle holds"), {}),
    "a slice": (Selection(slices=(("market", "de"),)), {}),
    "a cell": (Selection(), {"cell": ("supported", "contradictory")}),
    "one direction": (Selection(), {"moved": Moved.WORSE}),
    "the fiftieth page": (Selection(), {"page": 50}),
}


def change(
    store: Store, duel: Duel, selection: Selection, match: ItemMatch | None, **asked: object
):
    """All that the page asks for when a filter changes."""
    load_filter_values(store)
    known = compare.load_parties(store, RULES, LABEL)
    sides = [each for each in known if each.party in (duel.first, duel.second)]
    found = pairing.load_item_pairs(store, duel, match)
    one, other = (compare.describe_origin(store, each, RULES) for each in sides)
    list_remarks(one, other, found.match)
    wanted = pairing.select_pairs(store, duel, found, selection)
    pairing.load_own_numbers(store, duel, found, selection, common=False)
    measure_number(found.name, found.numbers[:, wanted])
    referring.load_references(store, duel)
    tables = referring.load_reference_tables(store, duel, found, MAJORITY)
    measure_agreement(*(each.only(wanted[each.items]) for each in tables))
    if found.are_units:
        changes.count_transitions(found, wanted, LABEL.scale)
    else:
        pairing.count_labels(store, duel, found, wanted)
    changes.count_moves(found, wanted, LABEL.scale)
    changes.load_changes(store, duel, found, wanted, **asked)  # type: ignore[arg-type]  # by name
    for party, items in ((duel.first, found.first), (duel.second, found.second)):
        compare.load_reply_costs(store, party).of(items[wanted])
    return found


def main(labels: int) -> None:
    with large(labels) as (store, scan_cpu):
        known = [each.party for each in compare.load_parties(store, RULES, LABEL)]
        run = known[0].run
        judges = [each for each in known if each.side.author and each.side.author.kind == "judge"]
        north, south = (each for each in judges if each.run == run), None
        first, south, *_ = north
        elsewhere = next(each for each in judges if each.run != run and each.side == first.side)
        for title, second in (("two judges of a run", south), ("one judge in two runs", elsewhere)):
            duel = Duel(protocol=RULES, criterion=LABEL, first=first, second=second)
            began = time.perf_counter()
            found = change(store, duel, Selection(), None)
            wall = (time.perf_counter() - began) * 1000
            print(
                f"{title}: {len(found.first):,} pairs of items by {found.match}, "
                f"{len(found.unit_pair):,} of units; first time after a write {wall:.0f} ms"
            )
            slowest: list[float] = []
            for name, (selection, asked) in CHANGES.items():
                wall, cpu = best(
                    lambda s, d=duel, c=selection, a=asked: change(s, d, c, None, **a), store
                )
                slowest.append(wall)
                ratio = cpu / max(scan_cpu, 0.1)
                print(f"  {name}: {wall:.0f} ms ({cpu:.0f} of processor, {ratio:.0f} raw scans)")
            told = f"Compare {title} on {labels:,} labels, slowest of {len(slowest)} filters"
            claim(told, max(slowest), "ms", at_most=LIMIT)
        print(f"limit for a filter change: {LIMIT} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
