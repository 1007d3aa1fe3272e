"""Parse actions reported by the browser into meeting steps and apply them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from components.rating.profile import clean_name
from components.ui.actions.action_log import State, acknowledged, parse_words, take_new
from faithfulness.model.errors import ReviewError
from faithfulness.review.disagreement import ERROR_CLASSES
from faithfulness.review.meeting import Point
from faithfulness.review.meeting_step import MeetingStep, StepKind

_PEOPLE = 50
_TOLD = {
    StepKind.DECIDE: "saved",
    StepKind.UNDO: "undone",
    StepKind.LIKE: "applied",
    StepKind.DEFER: "deferred",
}

Take = Callable[[MeetingStep], tuple[int, ...]]  # from a step to the numbers of its decisions


def key_of(point: Point) -> str:
    """Names a point in the browser."""
    return "\x1f".join(point)


def parse_point_key(key: str) -> Point:
    """The point of such a name.

    Raises:
        ReviewError: it is none.
    """
    parts = key.split("\x1f")
    if len(parts) != len(Point._fields):
        raise ReviewError("This is no point of an agenda; nothing was stored.")
    return Point(*parts)


def take_steps(take: Take, *, key: str) -> bool:
    """Take every step that is new, before the room is drawn; answers whether there was one."""
    before = acknowledged(key)
    take_new(partial(_apply_step, take), key=key)
    return acknowledged(key) > before


def _apply_step(take: Take, said: dict[str, Any], own: State, operation: str) -> State:
    step = _parse_step(said, own, operation)
    numbers = take(step)
    state: State = {"state": _TOLD.get(step.kind, "noted")}
    made: list[list[list[Any]]] = own["made"]
    if step.kind is StepKind.DECIDE:
        made = [*made, [[said["key"], numbers[0]]]]
        state["number"] = numbers[0]
    elif step.kind is StepKind.LIKE:
        names = [key_of(point) for point, _ in step.cases]
        made = [*made, [list(each) for each in zip(names, numbers, strict=True)]]
        state["count"] = len(numbers)
    elif step.kind is StepKind.UNDO:
        made = made[:-1]
        state["number"] = max(numbers, default=own["number"])
    return state | {"made": made}


def _parse_step(said: dict[str, Any], own: State, operation: str) -> MeetingStep:
    kind = StepKind(said["kind"])
    place = str(said.get("point") or said["key"])
    error_class = parse_words(said, "error_class")
    return MeetingStep(
        kind=kind,
        operation_id=operation,
        point=parse_point_key(place) if place else None,
        value=parse_words(said, "value"),
        reason=parse_words(said, "reason"),
        error_class=error_class if error_class in ERROR_CLASSES else "",
        section=parse_words(said, "section"),
        wording=parse_words(said, "wording"),
        seconds=min(max(float(said.get("seconds") or 0.0), 0.0), 86_400.0),
        # What this tab stored itself counts as seen, also before the card is drawn again.
        seen=max(int(said.get("seen") or 0), int(own["number"])),
        confirmed=said.get("confirmed") is True,
        follows=int(said.get("follows") or 0),
        cases=_parse_cases(kind, said, own),
        people=_clean_people(said.get("people") or ()),
    )


def _clean_people(named: Sequence[str]) -> tuple[str, ...]:
    if len(named) > _PEOPLE:
        raise ReviewError(
            f"Not noted: {len(named):,} people are named, at most {_PEOPLE} can be. "
            "Name one for each group, or leave out who only listens, then note it again."
        )
    return tuple(map(clean_name, named))


def _parse_cases(kind: StepKind, said: dict[str, Any], own: State) -> tuple[tuple[Point, int], ...]:
    """Like cases, or what is taken back: what this tab knows, else what the browser remembers."""
    listed: Sequence[Sequence[Any]] = said.get("cases") or ()
    if kind is StepKind.UNDO:
        listed = own["made"][-1] if own["made"] else listed
        if not listed:
            raise ReviewError("There is no decision of this tab to take back here.")
    return tuple((parse_point_key(str(key)), int(number)) for key, number in listed)
