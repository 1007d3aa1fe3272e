"""List the units behind a cell of a comparison, with pagination."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.agreement import pairs_sql as sql
from data.agreement.cells import (
    MORE,
    SECONDS,
    ComparedSides,
    classify_units,
    load_cells,
    load_pairs,
)
from data.agreement.items import (
    build_parameters,
    find_question,
    is_among,
    load_chosen_items,
    load_compared_runs,
)
from data.agreement.slices import load_item_slices
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side

PAGE = 20
AT_ONCE = 2_000  # items whose pairs are read together
APART = ("reference_only", "judge_only", "ties")
_COLUMNS = ["item_id", "run_id", "run", "external_id", "unit_id", "field", "unit_text"]
_SAID = ["reference_value", "judge_value", "joined"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CellUnits:
    """One page of units in the order in which they were stored, and how many there are.

    Columns of `units`: item_id, run_id, run (its name), external_id, unit_id, field, unit_text,
    reference_value, judge_value (missing where a side has no label), joined (the unit stands for
    several that one author took as one piece).
    """

    units: pd.DataFrame
    total: int


def load_cell_units(
    store: Store,
    selection: Selection,
    criterion: str,
    reference: Side,
    judge: Side,
    *,
    reference_value: str | Collection[str] = "",
    judge_value: str | Collection[str] = "",
    difference: int | None = None,
    differing: bool = False,
    apart: str = "",
    part: tuple[str, str] | None = None,
    field: str = "",
    page: int = 1,
) -> CellUnits:
    """The units of one or several cells of `compare_sides`; what is empty does not narrow.

    Args:
        store: where to look.
        selection: narrows to items.
        criterion: the question's key.
        reference: one side.
        judge: the other side.
        reference_value: the label that the reference gives, or several of them.
        judge_value: the label that the judge gives, or several of them.
        difference: steps from the reference's label up to the judge's, on an ordinal scale.
        differing: only units to which the two give different labels.
        apart: instead of pairs, units that are reference_only, judge_only or ties.
        part: a slice, by its key and value, as `load_item_slices` says them.
        field: only units of this reviewed field.
        page: from 1.

    Raises:
        ReviewError: a label is not on the scale.
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
    given = [(each,) if isinstance(each, str) else each for each in (reference_value, judge_value)]
    low, high = ({value for value in each if value} for each in given)
    wanted = _find_columns(asked.scale.values, low, high, difference, apart)
    if differing:
        wanted = [cell for cell in wanted if cell % (len(asked.scale.values) + 1)]
    found = load_cells(store, matter)
    rows = np.flatnonzero(is_among(found.items, load_chosen_items(store, selection, protocol)))
    if part is not None:
        narrow = replace(selection, protocol=protocol.key)
        said = load_item_slices(store, narrow, part[0], found.items[rows])
        rows = rows[said == part[1]]
    counts = found.counts[rows][:, wanted].sum(axis=1, dtype=np.int64)
    until = counts.cumsum()
    skip = (max(page, 1) - 1) * PAGE
    on_page = (until > skip) & (until - counts < skip + PAGE) & (counts > 0)
    total = int(until[-1]) if len(until) else 0
    items = found.items[rows][on_page]
    if not len(items):
        return CellUnits(units=pd.DataFrame(columns=[*_COLUMNS, *_SAID]), total=total)
    frame = _load_units(store, selection, matter, items, wanted)
    before = skip - int((until - counts)[on_page][0])
    return CellUnits(units=frame.iloc[before : before + PAGE].reset_index(drop=True), total=total)


def iterate_pairs(
    store: Store,
    selection: Selection,
    criterion: str,
    reference: Side,
    judge: Side,
    *,
    field: str = "",
) -> Iterator[pd.DataFrame]:
    """All units that both sides labelled, some thousand items at a time; columns of `CellUnits`."""
    protocol, asked = find_question(selection, criterion)
    matter = ComparedSides(
        protocol=protocol,
        criterion=asked,
        reference=reference,
        judge=judge,
        field=field,
        runs=load_compared_runs(store, selection, protocol),
    )
    pairs = list(range(len(asked.scale.values) ** 2))
    found = load_cells(store, matter)
    chosen = is_among(found.items, load_chosen_items(store, selection, protocol))
    items = found.items[chosen & found.counts[:, pairs].any(axis=1)]
    for start in range(0, len(items), AT_ONCE):
        yield _load_units(store, selection, matter, items[start : start + AT_ONCE], pairs)


def _find_columns(
    values: tuple[str, ...],
    reference: Collection[str],
    judge: Collection[str],
    difference: int | None,
    apart: str,
) -> list[int]:
    size = len(values)
    if apart:
        if apart not in APART:
            raise ReviewError(f"“{apart}” is no part of a comparison; one of {', '.join(APART)}.")
        return [size * size + MORE.index(apart)]
    for value in (*reference, *judge):
        if value not in values:
            raise ReviewError(f"“{value}” is not on the scale; expected {', '.join(values)}.")
    return [
        low * size + high
        for low in range(size)
        for high in range(size)
        if (not reference or values[low] in reference)
        and (not judge or values[high] in judge)
        and (difference is None or high - low == difference)
    ]


def _load_units(
    store: Store,
    selection: Selection,
    matter: ComparedSides,
    items: npt.NDArray[np.int64],
    wanted: list[int],
) -> pd.DataFrame:
    """Every wanted unit of these items, item by item."""
    block, low, high = load_pairs(store, matter, items.tolist())
    values = matter.criterion.scale.values
    here = np.isin(classify_units(len(values), low, high), wanted)
    frame = pd.DataFrame(
        {
            "unit_no": block.units[here],
            "item_no": block.items[here],
            "reference_value": [values[code] if code >= 0 else None for code in low[here]],
            "judge_value": [values[code] if code >= 0 else None for code in high[here]],
            "joined": block.joined[here],
        }
    )
    facts = build_parameters(selection, matter.protocol)
    facts |= {"items": items.tolist(), "units": frame["unit_no"].tolist()}
    with store.read(seconds=SECONDS) as cursor:
        places: pd.DataFrame = cursor.execute(sql.PLACES, facts).df()
    merged = frame.merge(places, on="unit_no").sort_values(["item_no", "position", "unit_no"])
    return merged[[*_COLUMNS, *_SAID]].reset_index(drop=True)
