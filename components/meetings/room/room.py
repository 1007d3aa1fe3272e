"""Draw the meeting room; keys work without waiting for the server, and no key press is lost."""

from collections.abc import Sequence
from typing import Any

from components.meetings.room.card import build_agenda
from components.ui.actions.action_log import acknowledged, results
from components.ui.mounted import mount_component
from components.ui.session import operation_id, read_reported, remember, remembered
from faithfulness.review.disagreement import ERROR_CLASSES
from faithfulness.review.meeting import AgendaPoint, Meeting

FILES = (
    *("assets/text.css", "reader/findings.css", "triage/card.css", "triage/texts.css"),
    *("triage/controls.css", "meetings/room/room.css"),
    *("assets/text.js", "assets/places.js", "assets/limits.js"),
    *("reader/search.js", "reader/findings.js"),
    *(f"triage/{name}.js" for name in ("card", "texts", "keys", "choices")),
    *(f"meetings/room/{name}.js" for name in ("clock", "drafts", "bar", "panel", "sheets", "room")),
    "meetings/room/room.html",
)
# Cards at hand beside the one that is shown; keys pressed further on wait for theirs.
BEFORE, AHEAD = 2, 9

_mount = mount_component("plumbline_room", *FILES)


def room_key(meeting_id: str) -> str:
    return f"room_{meeting_id}"


def near(meeting: Meeting, asked: str) -> tuple[AgendaPoint, ...]:
    """The points whose cards are sent: around the one that the browser shows.

    `asked` names the position that an address leads back to.
    """
    key = room_key(meeting.id)
    said = read_reported(key, "at")
    kept = remembered(f"{key} at") if said is None else int(said)
    if kept is None:
        first = meeting.next_open
        begins = meeting.agenda.index(first) if first else 0
        kept = int(asked) - 1 if asked.isdecimal() else begins
    at = min(max(kept, 0), len(meeting.agenda) - 1)
    remember(f"{key} at", at)
    return meeting.agenda[max(0, at - BEFORE) : at + AHEAD]


def read_similar_request(meeting_id: str) -> str:
    """The point whose like cases somebody wants to see; empty when nobody does."""
    return str(read_reported(room_key(meeting_id), "like") or "")


def show_room(
    meeting: Meeting,
    cards: Sequence[dict[str, Any]],
    *,
    like: dict[str, Any] | None,
    may_decide: bool,
) -> str:
    """Draw the cards of `build_point_card`; what is done comes with the next run's `take_steps`.

    The answer is where a person wants to go: rerun or meetings, with the point's name behind
    a blank; empty while they stay.
    """
    key = room_key(meeting.id)
    data = {
        "meeting": meeting.id,
        "title": meeting.title or "Meeting",
        "host": meeting.host,
        "here": list(meeting.here),
        "known": list(meeting.present),
        "desk": operation_id(f"{key} desk"),
        "ack": acknowledged(key),
        "results": results(key),
        "classes": list(ERROR_CLASSES.items()),
        "mayDecide": may_decide,
        "agenda": build_agenda(meeting),
        "at": remembered(f"{key} at"),
        "cards": list(cards),
        "like": like,
    }
    result: Any = _mount(
        key=key,
        data=data,
        on_log_change=_do_nothing,
        on_at_change=_do_nothing,
        on_like_change=_do_nothing,
        on_leave_change=_do_nothing,
        on_texts_change=_do_nothing,
    )
    asked = result.leave
    return f"{asked['page']} {asked['key']}" if asked else ""


def _do_nothing() -> None:
    """Streamlit only reports a state that has a callback."""
