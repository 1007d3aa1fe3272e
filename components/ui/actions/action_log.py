"""Process the action log of a browser component in order, exactly once, and acknowledge it."""

import re
from collections.abc import Callable
from typing import Any

from components.ui.frame import show_problem
from components.ui.session import operation_id, read_reported, remember, remembered
from faithfulness.model.errors import Conflict, NotAllowed, NotSaved, ReviewError, StoreUnavailable

_KEPT = 600  # results told to the browser; more than an agenda or a queue's pages hold
LONGEST = (
    4_000  # characters of a reason or of proposed wording; `choices.js` says it while one types
)
_OWN_ID = re.compile(r"[0-9a-f]{32}")

State = dict[str, Any]
# What the browser says, what became of the last action on the same thing, the operation's id.
Act = Callable[[dict[str, Any], State, str], State]


def take_new(act: Act, *, key: str) -> None:
    """Do every action that is new, before the page is drawn.

    The browser sends its whole list of actions until it is told how far they are done, so a run
    that is cut short loses none; and each has its own operation id, so none is stored twice. An
    action may bring its id along, which then also holds when the tab was loaded anew.

    After a restart the browser sends the last list again by itself, with actions in it of which a
    person was told that they are not saved. They name the session that they were made for; what
    nobody has answered yet the component sends anew.
    """
    desk = operation_id(f"{key} desk")
    for said in read_reported(key, "log") or []:
        seq = int(said["seq"])
        if seq > acknowledged(key) and said.get("desk", desk) == desk:
            own = str(said.get("id") or "")
            name = own if _OWN_ID.fullmatch(own) else f"{desk}-{seq}"
            _run_action(act, said, seq, key, f"{key}-{name}")
            remember(f"{key} ack", seq)


def store_presses(key: str, name: str, keep: Callable[[dict[str, Any], str], object]) -> str:
    """Store every press of a component's list that is new, in order; answers the last one done.

    The browser sends its whole list until it is told how far it is stored. What the store cannot
    take for now is therefore sent again, and so is all behind it, for order matters; what it will
    never take is told and left.

    Args:
        key: of the component that reports.
        name: of its list; each press in it has an id.
        keep: stores one, given the press and its id.
    """
    done: list[str] = list(remembered(f"{key} {name}") or ())
    for said in read_reported(key, name) or ():
        press = str(said["id"])[:64]
        if press in done:
            continue
        try:
            keep(said, press)
        except ReviewError as problem:
            show_problem(problem)
            passes = isinstance(problem, NotSaved | StoreUnavailable)
            if passes and not isinstance(problem, NotAllowed):
                break
        done = [*done, press][-_KEPT:]
        remember(f"{key} {name}", done)
    return get_last_press(key, name)


def get_last_press(key: str, name: str) -> str:
    """The last press of a list that was dealt with; empty when none was."""
    return str((remembered(f"{key} {name}") or [""])[-1])


def parse_words(said: dict[str, Any], name: str) -> str:
    """Words that somebody wrote, whole.

    Raises:
        ReviewError: they are longer than what is stored; half a reason would be signed otherwise.
    """
    words = str(said.get(name) or "").strip()
    if len(words) > LONGEST:
        raise ReviewError(
            f"Not saved: the {name.replace('_', ' ')} has {len(words):,} characters, and at most "
            f"{LONGEST:,} are stored. Shorten it, then save again."
        )
    return words


def acknowledged(key: str) -> int:
    return int(remembered(f"{key} ack") or 0)


def results(key: str) -> dict[str, State]:
    """By what an action is about: what became of the last one."""
    return dict(remembered(f"{key} results") or {})


def _run_action(act: Act, said: dict[str, Any], seq: int, key: str, operation: str) -> None:
    place = str(said["key"])
    before = results(key)
    own = before.pop(place, {"number": 0, "made": []})
    state: State = {"seq": seq, "kind": said["kind"], "number": own["number"], "made": own["made"]}
    state["operation"] = operation
    try:
        if own.get("operation") == operation and own["state"] not in ("conflict", "failed"):
            state = own | {"seq": seq}  # sent again before the browser had heard of it
        else:
            state |= {"text": ""} | act(said, own, operation)
    except Conflict as problem:
        state |= {"state": "conflict", "text": str(problem)}
    except ReviewError as problem:
        state |= {"state": "failed", "text": str(problem)}
    kept = list((before | {place: state}).items())[-_KEPT:]
    remember(f"{key} results", dict(kept))
