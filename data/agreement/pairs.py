"""Compare the labels of two sides and return the counts as tables.

Runs of the same protocol are compared on their common items: if both runs are included, a judge of
one run and the raters of another are compared wherever they label the same unit. If an annotator
answered about a unit in several of these runs, the last readable answer counts. A selection filters
by item (runs, systems, slices and search words) and by the raters and judges of these runs
(`data.items.counted_runs`); its filters on annotators, labels and unscored answers do not apply
here. Sample runs count as described in `data.items.sample_runs`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from data.agreement import pairs_sql as sql
from data.agreement.cells import MORE, ComparedSides, get_or_make, load_cells
from data.agreement.items import find_question, is_among, load_chosen_items, load_compared_runs
from data.agreement.raters import ClaimCounts, count_claims, estimate_claim_scores, load_ratings
from data.agreement.sides import load_authors
from data.agreement.slices import list_slice_keys, load_item_slices
from data.agreement.units import CellUnits, load_cell_units
from data.store.cache.incremental_cache import asked_of, table_by_item
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import ADJUDICATED, MAJORITY, VERDICT, Side, is_baseline
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.tables import PairTables

__all__ = [
    "CellUnits",
    "ClaimCounts",
    "Compared",
    "compare_sides",
    "count_claims",
    "estimate_claim_scores",
    "find_question",
    "list_slice_keys",
    "load_cell_units",
    "load_chosen_items",
    "load_item_slices",
    "load_ratings",
    "load_sides",
]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Compared:
    """Two sides on the items of a selection, with everything that could not be compared.

    Units count once, in `both`, `reference_only`, `judge_only` or `ties`; what could not be read
    is counted beside them. Units that one author took as one piece are one common unit here.
    """

    tables: PairTables
    both: int
    reference_only: int
    judge_only: int
    items_both: int
    items_reference_only: int  # items with labels of the reference, none of them met by the judge's
    items_judge_only: int
    joined: int  # of `both`: common units made of several of ours
    one_rating: int  # of `both`: units where the majority is the label of a single rater
    unread_reference: int
    unread_judge: int
    ties: int  # units on which several authors come to no label


def compare_sides(
    store: Store,
    selection: Selection,
    criterion: str,
    reference: Side,
    judge: Side,
    *,
    field: str = "",
) -> Compared:
    """Count how the labels of two sides meet on the items of a selection.

    A rater who is one side does not vote in a majority on the other. `field` takes only units of
    one reviewed field: under the claim protocol, response is precision's direction and reference
    is recall's.

    Raises:
        ReviewError: there is no such criterion under the selection's protocol.
    """
    protocol, asked = find_question(selection, criterion)
    matter = ComparedSides(
        protocol=protocol,
        criterion=asked,
        reference=reference,
        judge=judge,
        field=field,
        runs=load_compared_runs(store, selection, protocol),
    )
    found = load_cells(store, matter)
    rows = is_among(found.items, load_chosen_items(store, selection, protocol))
    items, counts = found.items[rows], found.counts[rows]
    size = len(asked.scale.values)
    pairs = counts[:, : size * size]
    met = pairs.any(axis=1)
    more = {
        name: counts[:, size * size + place].astype(np.int64) for place, name in enumerate(MORE)
    }
    units = {name: int(column.sum()) for name, column in more.items()}
    tables = PairTables(
        values=asked.scale.values,
        ordinal=asked.scale.ordinal,
        items=items[met],
        cells=pairs[met],
    )
    return Compared(
        tables=tables,
        both=tables.units_n,
        items_both=int(met.sum()),
        items_reference_only=int((~met & (more["reference_only"] > 0)).sum()),
        items_judge_only=int((~met & (more["judge_only"] > 0)).sum()),
        **units,
    )


def load_sides(
    store: Store, selection: Selection, criterion: str = "", *, with_baseline: bool = False
) -> pd.DataFrame:
    """What can be compared on the items of a selection; the offline baseline only when asked for.

    Columns:
        side: the Side; side_text: its form for a URL; title: what people read.
        kind: rater, judge or adjudicator of one author; several for what people come to together.
        items, units: where it has a label (for several people, where any of them has one).
    """
    protocol, asked = find_question(selection, criterion)
    chosen = load_chosen_items(store, selection, protocol)
    facts: dict[str, Any] = {
        "protocol": protocol.key,
        "criterion": asked.key,
        "runs": list(load_compared_runs(store, selection, protocol)),
    }
    known = load_authors(store)
    offered = {each: n for each, n in known.items() if with_baseline or not is_baseline(each)}
    said = _load_said(store, sql.SAID, facts)
    inside = is_among(said["item_no"], chosen)
    rows = []
    for side, title, kinds in _list_groups(offered):
        together = _load_said(store, sql.SAID_TOGETHER, facts | {"kinds": kinds})
        here = is_among(together["item_no"], chosen)
        rows.append((side, title, "several", int(here.sum()), int(together["units"][here].sum())))
    voting = 0
    for author, number in offered.items():
        here = inside & (said["author_no"] == number)
        title = f"{author.kind.value} {author.name}"
        counts = (int(here.sum()), int(said["units"][here].sum()))
        rows.append((Side.of(author), title, author.kind.value, *counts))
        voting += author.kind is AuthorKind.RATER and counts[1] > 0
    frame = pd.DataFrame(rows, columns=["side", "title", "kind", "items", "units"])
    frame.insert(1, "side_text", [side.as_text for side in frame["side"]])
    # One rater is no majority, however many others the store has.
    alone = (frame["side_text"] == MAJORITY.as_text) & (voting < 2)
    return frame[(frame["units"] > 0) & ~alone].reset_index(drop=True)


def _load_said(store: Store, asked: str, facts: dict[str, Any]) -> dict[str, npt.NDArray[np.int64]]:
    key = (asked, tuple((name, str(value)) for name, value in facts.items()))

    def ask(cursor: Cursor, items: Sequence[int] | None) -> pa.Table:
        return asked_of(cursor, asked, facts, items).to_arrow_table()

    def make() -> dict[str, npt.NDArray[np.int64]]:
        found = table_by_item(store, key, ask)
        return {name: found[name].to_numpy().astype(np.int64) for name in found.column_names}

    return get_or_make(store, key, make, lambda made: sum(each.nbytes for each in made.values()))


def _list_groups(known: dict[Author, int]) -> list[tuple[Side, str, list[str]]]:
    """Sides made of several people by their kinds, where the store has such people."""
    kinds = [each.kind for each in known]
    found = []
    if kinds.count(AuthorKind.RATER) > 1:
        found.append((MAJORITY, "majority of raters", [AuthorKind.RATER.value]))
    if AuthorKind.ADJUDICATOR in kinds:
        both = [AuthorKind.RATER.value, AuthorKind.ADJUDICATOR.value]
        # A page begins with the first; what was settled was chosen for being disputed.
        found.append((VERDICT, "verdict: adjudicated, else unanimous", both))
        found.append((ADJUDICATED, "adjudicated", both[1:]))
    return found
