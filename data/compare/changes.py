"""Count and list the changes between two sides, with pagination."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.agreement.cells import SECONDS
from data.compare import compare_sql as sql
from data.compare.item_pairs import Pairs
from data.compare.numbers import Duel
from data.store.store import Store
from faithfulness.model.comparability import Moved, build_move_table, count_steps
from faithfulness.model.scale import Scale

PAGE = 20
KINDS = tuple(Moved)
CHANGED = (Moved.WORSE, Moved.BETTER, Moved.OTHER)

Which = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Changes:
    """One page of what changed, and how many there are.

    Columns of `rows`: item_first, item_second (ids), external_id, unit_id, position, kind, text
    (the unit's, or the first side's question), first_value and second_value (labels, missing for
    none), first_number and second_number (the items' numbers), moved (a Moved).
    """

    rows: pd.DataFrame
    total: int


def count_transitions(found: Pairs, wanted: Which, scale: Scale) -> npt.NDArray[np.float64]:
    """How many units went from each label (row) to each label (column)."""
    size = len(scale.values)
    low, high = found.codes[:, wanted[found.unit_pair]]
    both = (low >= 0) & (high >= 0)
    cells = np.bincount(low[both].astype(np.int64) * size + high[both], minlength=size * size)
    return cells.astype(np.float64).reshape(size, size)


def count_moves(found: Pairs, wanted: Which, scale: Scale) -> dict[Moved, int]:
    """How many units, or items where units cannot be paired, moved in which way."""
    counts = np.bincount(
        _classify_moves(found, scale)[_select_rows(found, wanted)], minlength=len(KINDS) + 1
    )
    return {kind: int(counts[at]) for at, kind in enumerate(KINDS)}


def load_changes(
    store: Store,
    duel: Duel,
    found: Pairs,
    wanted: Which,
    *,
    moved: Moved | None = None,
    cell: tuple[str, str] | None = None,
    page: int = 1,
) -> Changes:
    """A page of what moved, the largest moves for the worse first; a cell narrows to its labels."""
    scale = duel.criterion.scale
    here = _select_rows(found, wanted).copy()
    kinds = _classify_moves(found, scale)
    if cell is not None and found.are_units:
        low, high = (scale.values.index(value) for value in cell)
        here &= (found.codes[0] == low) & (found.codes[1] == high)
    else:
        wished = CHANGED if moved is None else (moved,)
        here &= np.isin(kinds, [KINDS.index(each) for each in wished])
    rows = np.flatnonzero(here)
    rows = rows[np.lexsort((rows, -_measure_moves(found, scale)[rows], kinds[rows]))]
    start = (max(page, 1) - 1) * PAGE
    return Changes(
        rows=_build_frame(store, duel, found, rows[start : start + PAGE], kinds), total=len(rows)
    )


def _select_rows(found: Pairs, wanted: Which) -> Which:
    """Which rows a filter leaves: pairs of units, or of items where units cannot be paired."""
    return wanted[found.unit_pair] if found.are_units else wanted


def _classify_moves(found: Pairs, scale: Scale) -> npt.NDArray[np.int64]:
    """The place of each row's Moved in KINDS; behind the last where neither side says anything."""
    if not found.are_units:
        return _classify_by_number(found)
    size = len(scale.values)
    table = np.full((size + 1, size + 1), len(KINDS), np.int64)
    for low, line in enumerate(build_move_table(scale)):
        table[low, :size] = [KINDS.index(each) for each in line]
    table[:size, size] = KINDS.index(Moved.LOST)
    table[size, :size] = KINDS.index(Moved.GAINED)
    low, high = np.where(found.codes < 0, size, found.codes)
    kinds: npt.NDArray[np.int64] = table[low, high]
    return kinds


def _classify_by_number(found: Pairs) -> npt.NDArray[np.int64]:
    low, high = found.numbers
    has = np.isfinite(low), np.isfinite(high)
    return np.select(
        [has[0] & has[1] & (high < low), has[0] & has[1] & (high > low), has[0] & has[1], *has],
        [KINDS.index(each) for each in (Moved.WORSE, Moved.BETTER, Moved.SAME)]
        + [KINDS.index(Moved.LOST), KINDS.index(Moved.GAINED)],
        len(KINDS),
    )


def _measure_moves(found: Pairs, scale: Scale) -> npt.NDArray[np.float64]:
    if not found.are_units:
        step: npt.NDArray[np.float64] = np.nan_to_num(np.abs(found.numbers[1] - found.numbers[0]))
        return step
    size = len(scale.values)
    table = np.zeros((size + 1, size + 1))
    for low in range(size):
        table[low, :size] = [count_steps(scale, low, high) for high in range(size)]
    low, high = np.where(found.codes < 0, size, found.codes)
    far: npt.NDArray[np.float64] = table[low, high]
    return far


def _build_frame(
    store: Store,
    duel: Duel,
    found: Pairs,
    rows: npt.NDArray[np.int64],
    kinds: npt.NDArray[np.int64],
) -> pd.DataFrame:
    pair = found.unit_pair[rows] if found.are_units else rows
    frame = pd.DataFrame(
        {
            "first": found.first[pair],
            "second": found.second[pair],
            "moved": [KINDS[at] if at < len(KINDS) else None for at in kinds[rows]],
            "first_number": found.numbers[0][pair],
            "second_number": found.numbers[1][pair],
        }
    )
    one = _load_items(store, duel.first.run, frame["first"])
    other = _load_items(store, duel.second.run, frame["second"])
    frame["item_first"] = frame["first"].map(one["item_id"])
    frame["item_second"] = frame["second"].map(other["item_id"])
    frame["external_id"] = frame["first"].map(one["external_id"])
    frame["text"] = frame["first"].map(one["query"])
    frame = frame.assign(unit_id="", position=0, kind="", first_value=None, second_value=None)
    if found.are_units and len(rows):
        values = duel.criterion.scale.values
        for side, column in enumerate(("first_value", "second_value")):
            codes = found.codes[side][rows]
            frame[column] = [values[code] if code >= 0 else None for code in codes]
        units = _load_units(store, found.units[0][rows])
        for column, from_unit in (
            ("unit_id", "unit_id"),
            ("position", "position"),
            ("kind", "kind"),
        ):
            frame[column] = units[from_unit].reindex(found.units[0][rows]).to_numpy()
        told = units["unit_text"].reindex(found.units[0][rows]).to_numpy()
        whole = frame["kind"] == "response"
        frame["text"] = np.where(whole & frame["text"].notna(), frame["text"], told)
    return frame.drop(columns=["first", "second"])


def _load_items(store: Store, run_id: str, items: "pd.Series[int]") -> pd.DataFrame:
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(
            sql.ITEMS, {"run_id": run_id, "items": items.unique().tolist()}
        ).df()
    return found.set_index("item_no")


def _load_units(store: Store, units: npt.NDArray[np.int64]) -> pd.DataFrame:
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(sql.UNITS, {"units": units.tolist()}).df()
    return found.set_index("unit_no")
