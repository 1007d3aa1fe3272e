"""A rater's desk: open a sheet, keep what changes on it, sign it; others' answers stay away."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from data.rating import rating_queries
from data.rating.drafts import TIME, Sheet, State, Step, load_sheet, save_steps
from data.rating.sheets import CHANGED_ELSEWHERE, operation_of, sign_sheet
from data.store.store import Store
from faithfulness.model.errors import Conflict
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import Answer, Item
from faithfulness.review import rating
from faithfulness.review.rating import Advice


class OnSheet(NamedTuple):
    """What stands on a sheet: signed before, changed since, and what can be taken back."""

    states: Mapping[str, State]
    undo: tuple[tuple[str, State | None], ...]
    last: str
    seconds: Mapping[str, float]
    signed: Sequence[Answer]
    is_changed: bool
    trail: tuple[tuple[str, str], ...] = ()  # id and kind of all steps, in order

    @property
    def is_signed(self) -> bool:
        return bool(self.signed)


def read_sheet(store: Store, sheet: Sheet, protocol: Protocol) -> OnSheet:
    """What is on a sheet now: the rater's own signed answers under what they changed since.

    Raises:
        ReviewError: the run was removed or has no such item.
    """
    filled = load_sheet(store, sheet)
    own = rating_queries.own_answers(store, *sheet, number=filled.item_no)
    # Statements of a guided path are signed as pieces; the sheet has them as they were said.
    said = {unit: state for unit, state in filled.before.items() if unit.startswith("path.s")}
    signed = {**said, **rating.states_of(own, protocol)} if own else {}
    return OnSheet(
        states={**signed, **filled.states},
        undo=tuple((unit, before or signed.get(unit)) for unit, before in filled.undo),
        last=filled.last,
        seconds=filled.seconds,
        signed=own,
        is_changed=bool(filled.states),
        trail=filled.trail,
    )


def keep_steps(
    store: Store, sheet: Sheet, item: Item, protocol: Protocol, steps: Sequence[Step]
) -> None:
    """Store what a browser says was changed, as far as the protocol knows it.

    Raises:
        ReviewError: the run was removed or has no such item.
        NotSaved: nothing was stored.
    """
    asked = rating.steps_of(item, protocol)
    known = [each for each in steps if each.unit_id in asked]
    clean = [
        each._replace(state=rating.cleaned(each.state, asked[each.unit_id], item)) for each in known
    ]
    save_steps(store, sheet, clean)


def sign(
    store: Store,
    sheet: Sheet,
    item: Item,
    protocol: Protocol,
    *,
    seen: tuple[str, str],
    times: Mapping[str, float],
) -> dict[str, list[str]]:
    """Sign a sheet as it is stored; the answer is what keeps it from being signed, by unit.

    Args:
        store: where to.
        sheet: whose, and which item.
        item: the item.
        protocol: the run's.
        seen: the last step that the form began with, and the beginning of its own steps' ids.
        times: seconds by unit that no step has told yet.

    Raises:
        Conflict: the sheet was changed elsewhere since the form was opened; nothing was signed.
        ReviewError: the run was removed, or the answers do not fit.
        NotSaved: nothing was signed, and the draft is still there.
    """
    found = read_sheet(store, sheet, protocol)
    if not found.is_changed and found.is_signed:
        return {}  # the same sheet was signed a moment ago
    if _changed_elsewhere(sheet, found, *seen):
        raise Conflict(CHANGED_ELSEWHERE)
    complaints = rating.complaints_on(found.states, item, protocol)
    if not complaints:
        units = {*found.seconds, *times}
        seconds = {each: found.seconds.get(each, 0.0) + times.get(each, 0.0) for each in units}
        answers = rating.answers_on(found.states, item, protocol, found.signed)
        sign_sheet(store, sheet, answers, last_step=found.last, seconds=seconds, item=item)
    return complaints


def _changed_elsewhere(sheet: Sheet, found: OnSheet, began: str, visit: str) -> bool:
    """Whether a step since the form was opened is not its own, also one before its last."""
    names = [name for name, _ in found.trail]
    first = names.index(began) + 1 if began in names else 0
    since = {name for name, kind in found.trail[first:] if kind != TIME}
    own = {name for name in since if name.startswith(visit)}
    return bool(since - own - {operation_of(sheet, name) for name in own})


def advise(store: Store, sheet: Sheet, item: Item, protocol: Protocol) -> Advice:
    """Return what the rules make of the sheet now."""
    if not rating.has_advice(protocol):
        return Advice()
    return rating.advise(read_sheet(store, sheet, protocol).states, item, protocol)
