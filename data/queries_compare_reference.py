"""Whom both sides of a comparison can be held against, and how far each agrees with them."""

import numpy as np
import pandas as pd

from data import queries_compare_sql as sql
from data.queries_agreement_cells import SECONDS, kept
from data.queries_compare import labels
from data.queries_compare_numbers import Duel
from data.queries_compare_pairs import Pairs, units_of_sides
from data.store import Store
from faithfulness.comparability import Party
from faithfulness.selection_sides import ADJUDICATED, MAJORITY, VERDICT, Side, is_baseline
from faithfulness.statistics.tables import PairTables, count_pairs
from faithfulness.vocabulary import Author, AuthorKind


def references(store: Store, duel: Duel) -> pd.DataFrame:
    """Who has labels on the items of either side's run, people together first.

    Columns: side_text (the form for an address), title (what people read), kind (rater, judge or
    adjudicator, several for people together).
    """

    def make() -> pd.DataFrame:
        with store.read(seconds=SECONDS) as cursor:
            facts = {
                "protocol": duel.protocol.key,
                "criterion": duel.criterion.key,
                "within": _runs(duel),
            }
            rows = cursor.execute(sql.REFERENCES, facts).fetchall()
        found = [Author(kind=AuthorKind(kind), name=name) for kind, name in rows]
        authors = [each for each in found if not is_baseline(each)]
        told = [(side.as_text, title, "several") for side, title in _together(authors)]
        told += [
            (Side.of(each).as_text, f"{each.kind.value} {each.name}", each.kind.value)
            for each in authors
        ]
        return pd.DataFrame(told, columns=["side_text", "title", "kind"])

    key = ("compare references", duel.protocol.key, duel.criterion.key, *_runs(duel))
    return kept(store, key, make, lambda made: 200 * len(made))


def reference_tables(
    store: Store, duel: Duel, found: Pairs, reference: Side
) -> tuple[PairTables, PairTables]:
    """Both sides against a reference on all pairs; rows are numbered as the pairs are.

    Where the same units are compared, only those count on which both sides have a label.
    """
    but = reference.voters_apart(duel.first.side, duel.second.side)
    party = Party(run="", side=reference)
    said = labels(store, duel.protocol, duel.criterion, party, but, _runs(duel))
    scale = duel.criterion.scale
    sides = units_of_sides(store, duel, found)
    tables = []
    for pair, units, codes in sides:
        at = np.searchsorted(said.units, units)
        at[at == len(said.units)] = 0
        there = np.zeros(len(units), np.bool_)
        if len(said.units):
            there = (said.units[at] == units) & (said.codes[at] >= 0) & (codes >= 0)
        tables.append(
            count_pairs(
                scale.values,
                scale.ordinal,
                items=pair[there],
                reference=said.codes[at[there]] if there.any() else np.zeros(0, np.int8),
                judge=codes[there],
            )
        )
    return tables[0], tables[1]


def _together(authors: list[Author]) -> list[tuple[Side, str]]:
    kinds = [each.kind for each in authors]
    found = []
    if kinds.count(AuthorKind.RATER) > 1:
        found.append((MAJORITY, "majority of raters"))
    if AuthorKind.ADJUDICATOR in kinds:
        found.append((ADJUDICATED, "adjudicated"))
        found.append((VERDICT, "verdict: adjudicated, else unanimous"))
    return found


def _runs(duel: Duel) -> list[str]:
    return sorted({duel.first.run, duel.second.run})
