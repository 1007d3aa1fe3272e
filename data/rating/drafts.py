"""Store and load rating drafts: the steps on a rater's sheet before it is submitted."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from data.items.places import find_standing
from data.store.engine import Cursor
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.model.errors import AlreadyDone, ReviewError

KIND = "draft"
SET, UNDO, TIME, SIGNED = "set", "undo", "time", "signed"
# More than anybody works on one item before signing; keeps a sheet quick to open.
LAST_STEPS = 5_000

State = dict[str, Any]

_LAST = "select coalesce(max(draft_no), 0) from drafts"

_ADD = """
insert into drafts (
    draft_no, operation_id, step_id, run_no, item_no, rater, unit_id, kind, state, seconds, saved_at
)
select
    unnest($numbers::bigint[]), $operation_id, unnest($step_ids::varchar[]), $run_no, $item_no,
    $rater, unnest($unit_ids::varchar[]), unnest($kinds::varchar[]), unnest($states::varchar[]),
    unnest($times::double[]), $saved_at
"""

_KEPT = """
select draft_no, step_id, kind
from drafts
where run_no = $run_no
    and item_no = $item_no
    and rater = $rater
"""

_STEPS = """
select step_id, unit_id, kind, state, seconds
from drafts
where run_no = $run_no
    and item_no = $item_no
    and rater = $rater
order by draft_no desc
limit $most
"""


class Sheet(NamedTuple):
    """One rater's sheet for one item of a run."""

    run_id: str
    item_id: str
    rater: str


class DraftStep(NamedTuple):
    """What a rater changed: the state of one unit afterwards; the id is the browser's own."""

    id: str
    unit_id: str
    kind: str
    state: Mapping[str, Any]
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Filled:
    """A sheet as its steps leave it.

    Attributes:
        states: of every unit touched since the last signature.
        undo: units with the state they had before, the latest last; None where there was none.
        seconds: time spent on each unit since the last signature.
        last: id of the last step of all, empty when there is none.
        before: the states that were signed last.
        trail: id and kind of all steps, in order.
        item_no: the store's number of the item; 0 for steps that were never stored.
    """

    states: Mapping[str, State]
    undo: tuple[tuple[str, State | None], ...]
    seconds: Mapping[str, float]
    last: str
    before: Mapping[str, State]
    trail: tuple[tuple[str, str], ...] = ()
    item_no: int = 0


def save_steps(store: Store, sheet: Sheet, steps: Sequence[DraftStep]) -> None:
    """Keep steps in their order; one that is kept already is not kept twice.

    Raises:
        ReviewError: the run was removed or has no such item.
        NotSaved: nothing was stored.
    """
    if not steps:
        return
    names = "\x00".join((*sheet, *(each.id for each in steps)))
    operation_id = f"draft-{hashlib.sha256(names.encode()).hexdigest()[:32]}"

    def work(cursor: Cursor) -> None:
        place = _find_place(cursor, sheet)
        kept = {step_id for _, step_id, _ in load_kept_steps(cursor, sheet, place)}
        new = [each for each in steps if each.id not in kept]
        append_steps(cursor, operation_id, sheet, place, new)

    try:
        store.write(operation_id, KIND, work, by=sheet.rater)
    except AlreadyDone:
        return


def load_kept_steps(
    cursor: Cursor, sheet: Sheet, place: tuple[int, int]
) -> list[tuple[int, str, str]]:
    """Number, id and kind of every step on a sheet; `place` has the numbers of run and item."""
    where = {"run_no": place[0], "item_no": place[1], "rater": sheet.rater}
    return cursor.execute(_KEPT, where).fetchall()


def append_steps(
    cursor: Cursor,
    operation_id: str,
    sheet: Sheet,
    place: tuple[int, int],
    steps: Sequence[DraftStep],
) -> None:
    """Append steps inside a transaction; `place` has the store's numbers of run and item."""
    first = int(cursor.execute(_LAST).fetchall()[0][0]) + 1
    columns = {
        "numbers": list(range(first, first + len(steps))),
        "step_ids": [each.id for each in steps],
        "unit_ids": [each.unit_id for each in steps],
        "kinds": [each.kind for each in steps],
        "states": [json.dumps(each.state, ensure_ascii=False, allow_nan=False) for each in steps],
        "times": [each.seconds for each in steps],
    }
    where = {"run_no": place[0], "item_no": place[1], "rater": sheet.rater}
    facts = {"operation_id": operation_id, "saved_at": now()}
    cursor.execute(_ADD, {**where, **facts, **columns})


def load_sheet(store: Store, sheet: Sheet) -> Filled:
    """What is on a sheet now.

    Raises:
        ReviewError: the run was removed or has no such item.
    """
    with store.read() as cursor:
        run_no, item_no = _find_place(cursor, sheet)
        asked = {"run_no": run_no, "item_no": item_no, "rater": sheet.rater, "most": LAST_STEPS}
        rows = cursor.execute(_STEPS, asked).fetchall()[::-1]
    steps = [
        DraftStep(id, unit, kind, json.loads(state), sec) for id, unit, kind, state, sec in rows
    ]
    return replace(fold_steps(steps), item_no=item_no)


def fold_steps(steps: Sequence[DraftStep]) -> Filled:
    """What steps leave when they are taken one after the other."""
    states: dict[str, State] = {}
    before: dict[str, State] = {}
    undo: list[tuple[str, State | None]] = []
    seconds: dict[str, float] = {}
    for step in steps:
        if step.kind == SIGNED:
            before, states = {**before, **states}, {}
            undo, seconds = [], {}
            continue
        seconds[step.unit_id] = seconds.get(step.unit_id, 0.0) + step.seconds
        if step.kind == TIME:
            continue
        if step.kind == UNDO and undo:
            undo.pop()
        elif step.kind == SET:
            undo.append((step.unit_id, states.get(step.unit_id, before.get(step.unit_id))))
        states[step.unit_id] = dict(step.state)
    last = steps[-1].id if steps else ""
    return Filled(
        states=states,
        undo=tuple(undo),
        seconds=seconds,
        last=last,
        before=before,
        trail=tuple((each.id, each.kind) for each in steps),
    )


def _find_place(cursor: Cursor, sheet: Sheet) -> tuple[int, int]:
    found = find_standing(cursor, sheet.run_id, sheet.item_id)
    if found is None:
        raise ReviewError(
            f"Run {sheet.run_id} was removed or has no item {sheet.item_id}; nothing was stored. "
            "What you wrote stays on this page until you leave it."
        )
    return found.run_no, found.item_no
