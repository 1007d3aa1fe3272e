"""Steps of a meeting (decide, undo, defer and others), as passed to the store."""

from dataclasses import dataclass
from enum import StrEnum

from faithfulness.review.meeting import Point


class StepKind(StrEnum):
    """What can be done in a meeting."""

    DECIDE = "decide"
    UNDO = "undo"
    LIKE = "like"
    DEFER = "defer"
    PRESENT = "present"
    TIMED = "timed"
    FINISH = "finish"


@dataclass(frozen=True, kw_only=True, slots=True)
class MeetingStep:
    """One thing done in a meeting; which of its parts matter depends on its kind.

    Attributes:
        kind: what is done.
        operation_id: the same for the same press of a key.
        point: what it is about.
        value: the label that is decided.
        reason: why it is decided so, or why it is deferred.
        error_class: what went wrong.
        section: of the guidance, for `wording`.
        wording: proposed for the guidance.
        seconds: spent on the point since the step before on it.
        seen: the last annotation on the point that was shown.
        confirmed: whoever was told of another decision wants this one all the same.
        follows: the number of the decision that like cases get.
        cases: points with a number each: like cases with the last annotation that was shown, or
            decisions to take back.
        people: who is there from now on.
    """

    kind: StepKind
    operation_id: str
    point: Point | None = None
    value: str = ""
    reason: str = ""
    error_class: str = ""
    section: str = ""
    wording: str = ""
    seconds: float = 0.0
    seen: int = 0
    confirmed: bool = False
    follows: int = 0
    cases: tuple[tuple[Point, int], ...] = ()
    people: tuple[str, ...] = ()
