"""Parts that a comparison can be cut into: what is known about each item."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.agreement import slices_sql as sql
from data.agreement.cells import SECONDS, kept
from data.agreement.items import narrowed, question, runs_compared
from data.items.filters import FEW
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import SOURCE_KINDS
from faithfulness.protocols import PROTOCOLS

Words = npt.NDArray[np.object_]

SYSTEM, RUN = "system", "run"
LENGTHS = {"source length": tuple(sorted(SOURCE_KINDS)), "response length": ("response",)}
_QUARTERS = ("shortest quarter", "second quarter", "third quarter", "longest quarter")


def slice_keys(store: Store, selection: Selection, criterion: str = "") -> tuple[str, ...]:
    """What the items of a selection can be told apart by, in the order in which to offer it."""
    protocol, asked = question(selection, criterion)
    facts = narrowed(selection, protocol)
    with store.read(seconds=SECONDS) as cursor:
        seen = cursor.execute(sql.RUN_OF, facts).df()
        rows = cursor.execute(sql.SLICE_KEYS, {**facts, "few": FEW}).fetchall()
    said = [str(row[0]) for row in rows]
    found = [key for key, column in ((SYSTEM, "system"), (RUN, "run_id")) if _differ(seen, column)]
    found += [each for each in said if each not in (*found, *LENGTHS)]
    found += (
        [each.key for each in protocol.criteria if each.key not in (asked.key, *found)]
        if protocol.unit.value == "response"
        else []
    )
    return (*found, *LENGTHS)


def item_slices(
    store: Store, selection: Selection, by: str, items: Sequence[int] | npt.NDArray[np.int64]
) -> Words:
    """The slice in which each item falls; empty where nothing is known about it.

    Args:
        store: where to look.
        selection: names the protocol; an item of several runs is described by the first of them.
        by: system, run (its id), source length or response length (quarters of these items),
            another criterion of the protocol (what raters say, else judges), or what the file
            says about an item under this name.
        items: the store's item numbers, in the order of the answer.

    Raises:
        ReviewError: the selection names no protocol.
    """
    numbers = np.asarray(items, np.int64)
    protocol = PROTOCOLS.get(selection.protocol)
    if protocol is None:
        raise ReviewError("Slices are those of one protocol. Choose a protocol first.")
    if by in LENGTHS:
        return _quarters(numbers, _characters(store, by))
    said = _said(store, selection, protocol, by)
    return np.array([said.get(each, "") for each in numbers.tolist()], dtype=object)


def _said(store: Store, selection: Selection, protocol: Protocol, by: str) -> dict[int, str]:
    facts = narrowed(selection, protocol)
    if by in (SYSTEM, RUN):
        found = _frame(store, sql.RUN_OF, facts)
        return _pairs(found, "system" if by == SYSTEM else "run_id")
    found = _frame(store, sql.ATTRIBUTE, {**facts, "key": by})
    if found.empty and by in {each.key for each in protocol.criteria}:
        runs = list(runs_compared(store, selection, protocol))
        asked = {"protocol": protocol.key, "key": by, "runs": runs}
        found = _frame(store, sql.OTHER_ANSWER, asked)
    return _pairs(found, "value_said")


def _pairs(found: pd.DataFrame, column: str) -> dict[int, str]:
    return {
        int(item): str(said)
        for item, said in zip(found["item_no"], found[column], strict=True)
        if said
    }


def _differ(seen: pd.DataFrame, column: str) -> bool:
    return seen[column].nunique() > 1


def _characters(store: Store, by: str) -> dict[int, int]:
    def make() -> dict[int, int]:
        found = _frame(store, sql.LENGTHS, {"kinds": list(LENGTHS[by])})
        return dict(zip(found["item_no"].tolist(), found["characters"].tolist(), strict=True))

    return kept(store, ("lengths", by), make, lambda made: 200 * len(made))


def _quarters(items: npt.NDArray[np.int64], characters: dict[int, int]) -> Words:
    """Four bands of about as many items each, named with their limits in characters."""
    lengths = np.array([characters.get(each, 0) for each in items.tolist()], np.int64)
    known = lengths > 0
    found = np.full(len(items), "", dtype=object)
    if not known.any():
        return found
    limits = np.quantile(lengths[known], (0.25, 0.5, 0.75), method="inverted_cdf").astype(int)
    names = [
        f"{_QUARTERS[0]} (up to {limits[0]:,} characters)",
        f"{_QUARTERS[1]} (up to {limits[1]:,})",
        f"{_QUARTERS[2]} (up to {limits[2]:,})",
        f"{_QUARTERS[3]} (more than {limits[2]:,})",
    ]
    band = np.searchsorted(limits, lengths, side="left")
    found[known] = np.array(names, dtype=object)[band[known]]
    return found


def _frame(store: Store, asked: str, facts: dict[str, Any]) -> pd.DataFrame:
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(asked, facts).df()
    return found
