"""Process the log entries of the rating form: store changes, submit and report problems."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from components.rating.form import FormEntry, FormFeedback, Start, get_feedback, set_feedback
from faithfulness.judging.request_priority import mark_serving
from faithfulness.model.errors import ReviewError
from faithfulness.review.rating import Advice

CHANGES = ("set", "undo", "time")
Complaints = Mapping[str, Sequence[str]]


class RatingRequest(NamedTuple):
    """What a rater wants after a turn: another item, or the guidance."""

    signed: bool = False
    go: int = 0
    guide: bool = False


class Deeds(NamedTuple):
    """What a page does for the form.

    Attributes:
        keep: stores changes, in order.
        sign: signs; answers complaints by unit, and none when it is signed.
        advise: what the rules make of the sheet now.
    """

    keep: Callable[[Sequence[FormEntry]], None]
    sign: Callable[[FormEntry], Complaints]
    advise: Callable[[], Advice]


@mark_serving()  # a fragment is drawn anew without its page
def take_turn(start: Start, entries: Sequence[FormEntry], deeds: Deeds) -> RatingRequest:
    """Do what the form asks and tell it the outcome; what is not stored stays in its log."""
    if not entries:
        return RatingRequest()
    before = get_feedback(start)
    told = FormFeedback(ack=before.ack, advice=before.advice, turn=before.turn + 1)
    wish = RatingRequest(guide=any(each.kind == "guide" for each in entries))
    try:
        changes = [each for each in entries if each.kind in CHANGES]
        deeds.keep(changes)
        told = replace(told, ack=max([told.ack, *(each.seq for each in changes)]))
        asked = next((each for each in entries if each.kind in ("sign", "go")), None)
        # A wish is heard once, whatever comes of it: it must not come true at a later turn.
        told = replace(told, ack=max(each.seq for each in entries))
        if asked is not None and asked.kind == "sign":
            found = deeds.sign(asked)
            told, wish = replace(told, complaints=found), RatingRequest(signed=not found)
        elif asked is not None:
            wish = RatingRequest(go=asked.by)
        told = replace(told, advice=deeds.advise())
    except ReviewError as problem:
        told = replace(told, problem=str(problem))
    set_feedback(start, told)
    return wish
