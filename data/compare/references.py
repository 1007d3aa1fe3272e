"""List references for both sides of a comparison, and count agreement with a reference."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from data.agreement.cells import SECONDS, get_or_make
from data.compare import compare_sql as sql
from data.compare.compare import load_side_labels
from data.compare.item_pairs import Pairs, list_side_units
from data.compare.numbers import Duel
from data.store.store import Store
from faithfulness.model.comparability import Party
from faithfulness.model.selection_sides import ADJUDICATED, MAJORITY, VERDICT, Side, is_baseline
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.statistics.tables import PairTables, count_pairs

_ELSEWHERE = ", in other runs"


def load_references(store: Store, duel: Duel) -> pd.DataFrame:
    """Who has labels on the items of either side's run, people together first.

    Those who gave them in other runs alone are offered too, and their title says so.

    Columns: side_text (the form for an address), title (what people read), kind (rater, judge or
    adjudicator, several for people together).
    """

    def make() -> pd.DataFrame:
        with store.read(seconds=SECONDS) as cursor:
            facts = {
                "protocol": duel.protocol.key,
                "criterion": duel.criterion.key,
                "within": _list_runs(duel),
            }
            rows = cursor.execute(sql.REFERENCES, facts).fetchall()
        found = [(Author(kind=AuthorKind(kind), name=name), inside) for kind, name, inside in rows]
        authors = {each: inside for each, inside in found if not is_baseline(each)}
        told = [(side.as_text, title, "several") for side, title in _list_combined_sides(authors)]
        told += [
            (
                Side.of(each).as_text,
                f"{each.kind.value} {each.name}{'' if inside else _ELSEWHERE}",
                each.kind.value,
            )
            for each, inside in authors.items()
        ]
        return pd.DataFrame(told, columns=["side_text", "title", "kind"])

    key = ("compare references", duel.protocol.key, duel.criterion.key, *_list_runs(duel))
    return get_or_make(store, key, make, lambda made: 200 * len(made))


def load_reference_tables(
    store: Store, duel: Duel, found: Pairs, reference: Side
) -> tuple[PairTables, PairTables]:
    """Both sides against a reference on all pairs; rows are numbered as the pairs are.

    Where the same units are compared, only those count on which both sides have a label. Of a
    reference with labels in the runs of both sides, those count; else those in other runs.
    """
    but = reference.voters_apart(duel.first.side, duel.second.side)
    party = Party(run="", side=reference)
    asked = (store, duel.protocol, duel.criterion, party, but, _list_runs(duel))
    said = load_side_labels(*asked, signed_in=_list_runs(duel))
    if not (said.codes >= 0).any():
        said = load_side_labels(*asked)
    scale = duel.criterion.scale
    sides = list_side_units(store, duel, found)
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


def _list_combined_sides(authors: Mapping[Author, bool]) -> list[tuple[Side, str]]:
    """What several people come to: raters in the runs of both sides, or else in other runs."""
    raters = [inside for each, inside in authors.items() if each.kind is AuthorKind.RATER]
    found = []
    if (sum(raters) or len(raters)) > 1:
        found.append((MAJORITY, f"majority of raters{'' if any(raters) else _ELSEWHERE}"))
    if any(each.kind is AuthorKind.ADJUDICATOR for each in authors):
        found.append((ADJUDICATED, "adjudicated"))
        found.append((VERDICT, "verdict: adjudicated, else unanimous"))
    return found


def _list_runs(duel: Duel) -> list[str]:
    return sorted({duel.first.run, duel.second.run})
