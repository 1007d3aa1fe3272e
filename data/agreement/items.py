"""Select the items, runs and criterion of a comparison."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from data.agreement import pairs_sql as sql
from data.agreement.cells import SECONDS, get_or_make
from data.items.addressed_items import left_out
from data.items.counted_runs import find_counted_runs
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS


def load_chosen_items(
    store: Store, selection: Selection, protocol: Protocol
) -> npt.NDArray[np.int64]:
    """The numbers of the items that a selection leaves."""
    found = _load_selected_items(store, selection, protocol)
    return np.setdiff1d(found, out) if len(out := left_out(store, selection)) else found


def count_addressed_left_out(store: Store, selection: Selection, protocol: Protocol) -> int:
    """How many items a selection leaves out because their texts speak to their judge."""
    out = left_out(store, selection)
    return (
        len(np.intersect1d(_load_selected_items(store, selection, protocol), out))
        if len(out)
        else 0
    )


def _load_selected_items(
    store: Store, selection: Selection, protocol: Protocol
) -> npt.NDArray[np.int64]:
    facts = build_parameters(selection, protocol)

    def ask() -> npt.NDArray[np.int64]:
        with store.read(seconds=SECONDS) as cursor:
            found = cursor.execute(sql.CHOSEN, facts).fetchnumpy()["item_no"]
        return np.asarray(found, np.int64)

    # Every number of a page is about the same items.
    return get_or_make(store, ("chosen", str(facts)), ask, lambda found: found.nbytes)


def load_compared_runs(store: Store, selection: Selection, protocol: Protocol) -> tuple[int, ...]:
    """The runs whose raters and judges are compared, as `find_counted_runs` of this protocol."""
    return find_counted_runs(store, replace(selection, protocol=protocol.key))


def is_among(items: npt.NDArray[np.int64], chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which of the items are among the chosen; both are numbers of the same store."""
    highest = max(int(items.max(initial=0)), int(chosen.max(initial=0)))
    is_chosen = np.zeros(highest + 1, np.bool_)
    is_chosen[chosen] = True
    found: npt.NDArray[np.bool_] = is_chosen[items]
    return found


def build_parameters(selection: Selection, protocol: Protocol) -> dict[str, Any]:
    """The parameters that a selection fills; an empty one does not narrow."""
    return {
        "protocol": protocol.key,
        "runs": list(selection.runs),
        "systems": list(selection.systems),
        "slices": [f"{key}\x1f{value}" for key, value in selection.slices],
        "slice_keys": len({key for key, _ in selection.slices}),
        "item_id": selection.item or None,
        "words": selection.words or None,
    }


def find_question(selection: Selection, criterion: str = "") -> tuple[Protocol, Criterion]:
    """The criterion by its key, under the selection's protocol or the one that has it.

    Without a key it is the selection's criterion, else the first of the selection's protocol.

    Raises:
        ReviewError: there is no such criterion.
    """
    wanted = criterion or selection.criterion
    for protocol in PROTOCOLS.values():
        if selection.protocol in ("", protocol.key):
            for each in protocol.criteria:
                if wanted == each.key or (selection.protocol and not wanted):
                    return protocol, each
    where = f"The protocol {selection.protocol}" if selection.protocol else "No protocol"
    verb = "has no" if selection.protocol else "has a"
    raise ReviewError(f"{where} {verb} criterion “{wanted}”. Choose another one.")
