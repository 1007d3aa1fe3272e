"""What a person decided in the browser, taken in order and each exactly once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from components.session import operation_id, remember, remembered, reported
from faithfulness.disagreement import ERROR_CLASSES
from faithfulness.errors import Conflict, ReviewError
from faithfulness.vocabulary import Author, AuthorKind

_LONGEST = 4_000  # characters of a reason
_KEPT = 400  # results told to the browser


@dataclass(frozen=True, kw_only=True, slots=True)
class Action:
    """One decision, or one taken back (`undoes` is the number of the annotation)."""

    run_id: str
    item_id: str
    unit_id: str
    criterion: str
    author: Author
    seen: int
    operation_id: str
    value: str = ""
    reason: str = ""
    error_class: str = ""
    undoes: int = 0


Store = Callable[[Action], int]


def take_actions(store: Store, *, key: str) -> None:
    """Store every action that is new, before the page is drawn.

    The browser sends its whole list of actions until it is told how far they are stored, so a run
    that is cut short loses none; and each has its own operation id, so none is stored twice.
    """
    desk = operation_id(f"{key} desk")
    for said in reported(key, "log") or []:
        seq = int(said["seq"])
        if seq > acknowledged(key):
            _take(store, said, seq, key, f"triage-{desk}-{seq}")
            remember(f"{key} ack", seq)


def acknowledged(key: str) -> int:
    return int(remembered(f"{key} ack") or 0)


def results(key: str) -> dict[str, dict[str, Any]]:
    """By disagreement: what became of the last action on it."""
    return dict(remembered(f"{key} results") or {})


def _take(store: Store, said: dict[str, Any], seq: int, key: str, operation: str) -> None:
    place = str(said["key"])
    before = results(key)
    own = before.pop(place, {"number": 0, "made": []})
    state: dict[str, Any] = {"seq": seq, "number": own["number"], "made": own["made"]}
    try:
        action = _action(said, place, operation, own)
        remember("adjudicator", action.author.name)
        state["number"] = store(action)
        if action.undoes:
            state |= {"state": "undone", "text": "", "made": own["made"][:-1]}
        else:
            state |= {"state": "saved", "text": "", "made": [*own["made"], state["number"]]}
    except Conflict as problem:
        state |= {"state": "conflict", "text": str(problem)}
    except ReviewError as problem:
        state |= {"state": "failed", "text": str(problem)}
    kept = list((before | {place: state}).items())[-_KEPT:]
    remember(f"{key} results", dict(kept))


def _action(said: dict[str, Any], place: str, operation: str, own: dict[str, Any]) -> Action:
    run_id, item_id, unit_id, criterion = place.split("\x1f")
    name = str(said["who"]).strip()[:80]
    if not name:
        raise ReviewError("Not saved: say who decides, then decide again.")
    takes_back = said["kind"] == "undo"
    if takes_back and not own["made"]:
        raise ReviewError("There is no decision of this tab to take back here.")
    error_class = str(said.get("error_class") or "")
    return Action(
        run_id=run_id,
        item_id=item_id,
        unit_id=unit_id,
        criterion=criterion,
        author=Author(kind=AuthorKind.ADJUDICATOR, name=name),
        # What this tab stored itself counts as seen, also before the card is drawn again.
        seen=max(int(said["seen"]), int(own["number"])),
        operation_id=operation,
        value=str(said.get("value") or ""),
        reason=str(said.get("reason") or "").strip()[:_LONGEST],
        error_class=error_class if error_class in ERROR_CLASSES else "",
        undoes=own["made"][-1] if takes_back else 0,
    )
