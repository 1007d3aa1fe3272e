"""Store decisions and undo actions from the browser in order, exactly once."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from components.rating.profile import clean_name
from components.ui.actions.action_log import State, parse_words, take_new
from components.ui.session import set_rater
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.review.disagreement import ERROR_CLASSES


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

    def facts(self) -> dict[str, Any]:
        """All of it by name, as `data.meetings.decide.decide` takes it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


Store = Callable[[Action], int]


def take_actions(store: Store, *, key: str) -> None:
    """Store every decision that is new, before the page is drawn."""
    take_new(partial(_apply_action, store), key=key)


def _apply_action(store: Store, said: dict[str, Any], own: State, operation: str) -> State:
    action = _parse_action(said, str(said["key"]), operation, own)
    set_rater(action.author.name)
    number = store(action)
    if action.undoes:
        return {"state": "undone", "number": number, "made": own["made"][:-1]}
    return {"state": "saved", "number": number, "made": [*own["made"], number]}


def _parse_action(said: dict[str, Any], place: str, operation: str, own: State) -> Action:
    run_id, item_id, unit_id, criterion = place.split("\x1f")
    name = clean_name(said["who"])
    if not name:
        raise ReviewError("Not saved: say who decides, then decide again.")
    takes_back = said["kind"] == "undo"
    undoes = own["made"][-1] if own["made"] else int(said.get("undoes") or 0)
    if takes_back and not undoes:
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
        reason=parse_words(said, "reason"),
        error_class=error_class if error_class in ERROR_CLASSES else "",
        undoes=undoes if takes_back else 0,
    )
