"""Draw the rating form and return its new log entries in order, exactly once."""

import hashlib
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from components.rating.plan import build_item_plan
from components.ui import session
from components.ui.mounted import mount_component
from faithfulness.model.vocabulary import Item
from faithfulness.review.rating import Advice

SCRIPTS = ("kept.js", "steps.js", "texts.js", "answer.js", "keys.js", "form.js")
NO_ADVICE = Advice()
_KNOWN = 300  # steps that the form can recognise as stored; it has fewer on their way

_mount = mount_component(
    "plumbline_rating_form",
    *("assets/text.css", "assets/text.js", "assets/boxes.js", "assets/places.js"),
    "assets/limits.js",
    *("rating/form.html", "rating/form.css"),
    *(f"rating/{script}" for script in SCRIPTS),
)
# A component of its own: what it carries is small, and the item's texts are not sent again.
_mount_courier = mount_component("plumbline_rating_courier", "rating/courier.js")


class OpenSheet(Protocol):
    """What is read from the store when a sheet is opened."""

    @property
    def last(self) -> str: ...

    @property
    def states(self) -> Mapping[str, Any]: ...

    @property
    def undo(self) -> Sequence[tuple[str, Any]]: ...

    @property
    def is_signed(self) -> bool: ...

    @property
    def trail(self) -> Sequence[tuple[str, str]]: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """A sheet when it is opened; it stays what it was, so that the form is sent once.

    Attributes:
        visit: names this opening of the sheet.
        last: the last step that was stored before it.
        states: what stands on the sheet.
        undo: steps that can be taken back, with the state before each.
        is_signed: whether the rater has signed this item before.
        advice: what the rules make of the sheet.
        known: ids of the steps that were stored before it, in order.
    """

    visit: str
    last: str
    states: Mapping[str, Any]
    undo: Sequence[tuple[str, Any]]
    is_signed: bool
    advice: Advice = NO_ADVICE
    known: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class FormFeedback:
    """What the form is to know after a turn: how far it is stored, and what is wrong or advised."""

    ack: int = 0
    problem: str = ""
    complaints: Mapping[str, Sequence[str]] | None = None
    advice: Advice = NO_ADVICE
    turn: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class FormEntry:
    """One line of the form's log: a changed unit, a wish to sign, or to go to another item."""

    seq: int
    id: str
    kind: str
    unit: str
    state: Any
    seconds: float
    by: int = 0
    times: Mapping[str, float] = field(default_factory=dict)


def shown(sheet: tuple[str, ...]) -> Start | None:
    """The opening of this sheet that the browser still shows with what was entered in it.

    Going to another page drops what the form has reported, and with it what the form shows.
    """
    found: Start | None = session.remembered(f"sheet:{'/'.join(sheet)}")
    is_shown = (
        found is not None and session.read_reported(_make_key(found.visit), "log") is not None
    )
    return found if is_shown else None


def opened(sheet: tuple[str, ...], last_stored: str) -> Start | None:
    """An opening of this sheet since which nothing was stored; None when it is to open anew."""
    found: Start | None = session.remembered(f"sheet:{'/'.join(sheet)}")
    return found if found is not None and found.last == last_stored else None


def find_orphaned_sheet(runs: Collection[str]) -> tuple[tuple[str, ...], str] | None:
    """The sheet that is shown though its run is none of these any more, and its protocol."""
    sheet, protocol_key = session.remembered("rated sheet") or ((), "")
    return (sheet, protocol_key) if sheet and sheet[0] not in runs and shown(sheet) else None


def open_anew(sheet: tuple[str, ...], found: OpenSheet, advice: Advice = NO_ADVICE) -> Start:
    start = Start(
        visit=uuid.uuid4().hex,
        last=found.last,
        states=found.states,
        undo=found.undo,
        is_signed=found.is_signed,
        advice=advice,
        known=[each for each, _ in found.trail[-_KNOWN:]],
    )
    session.remember(f"sheet:{'/'.join(sheet)}", start)
    return start


def close(sheet: tuple[str, ...]) -> None:
    """Forget an opening, so that the sheet is read from the store when it is shown again."""
    session.remember(f"sheet:{'/'.join(sheet)}", None)


def pending(start: Start) -> list[FormEntry]:
    """What the form did since the last turn, in order."""
    ack = get_feedback(start).ack
    log = session.read_reported(_make_key(start.visit), "log")
    found = [_parse_entry(each) for each in log or [] if isinstance(each, Mapping)]
    return [each for each in found if each.seq > ack and each.id.startswith(start.visit)]


def get_feedback(start: Start) -> FormFeedback:
    """What the form was told last."""
    return session.remembered(f"told:{start.visit}") or FormFeedback(advice=start.advice)


def set_feedback(start: Start, told: FormFeedback) -> None:
    session.remember(f"told:{start.visit}", told)


def show_rating_form(
    sheet: tuple[str, ...], item: Item, protocol_key: str, start: Start, *, store: str
) -> None:
    """Show the form; what is done in it comes with the next turn by `pending`.

    `store` names the store: a browser keeps what is not stored yet for this one only.
    """
    session.remember("rated sheet", (sheet, protocol_key))
    data = {
        **build_item_plan(item, protocol_key),
        "sheet": "/".join(sheet),
        "store": hashlib.sha256(store.encode()).hexdigest()[:16],
        "known": list(start.known),
        "visit": start.visit,
        "seq": 0,
        "states": start.states,
        "undo": [list(each) for each in start.undo],
        "signed": start.is_signed,
        "advice": asdict(start.advice),
    }
    _mount(key=_make_key(start.visit), data=data, on_log_change=_do_nothing)
    told = get_feedback(start)
    _mount_courier(
        key=f"courier_{start.visit}",
        data={"visit": start.visit, **_drop_empty_complaints(asdict(told))},
    )


def _drop_empty_complaints(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name != "complaints" or value}


def _make_key(visit: str) -> str:
    return f"rating_{visit}"


def _parse_entry(said: Mapping[str, Any]) -> FormEntry:
    times = said.get("times")
    return FormEntry(
        seq=int(said.get("seq") or 0),
        id=str(said.get("id") or "")[:80],
        kind=str(said.get("kind") or ""),
        unit=str(said.get("unit") or "")[:200],
        state=said.get("state"),
        seconds=_clamp_seconds(said.get("seconds")),
        by=1 if said.get("by") == 1 else -1,
        times={str(unit): _clamp_seconds(each) for unit, each in times.items()}
        if isinstance(times, Mapping)
        else {},
    )


def _clamp_seconds(said: object) -> float:
    """A day at most; what a browser says is not believed further."""
    return min(max(float(said), 0.0), 86_400.0) if isinstance(said, int | float) else 0.0


def _do_nothing() -> None:
    """Streamlit only reports a state that has a callback."""
