"""Draw the disagreement queue and one case; keys work without waiting for the server."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from components.triage.card import parse_card_place
from components.triage.marks import get_last_mark
from components.ui.actions.action_log import acknowledged, results
from components.ui.mounted import mount_component
from components.ui.session import (
    get_login_name,
    operation_id,
    rater,
    read_reported,
    remember,
    remembered,
)
from faithfulness.model.selection import Selection
from faithfulness.review.disagreement import ERROR_CLASSES

STYLES = ("card.css", "texts.css", "controls.css", "triage.css", "audit.css")
SCRIPTS = (
    "card.js", "texts.js", "audit.js", "keys.js", "queue.js", "choices.js", "drafts.js",
    "missed.js", "verdict.js", "next_open.js", "decision.js", "triage.js",
)  # fmt: skip
FILES = (
    *("assets/text.css", "assets/text.js", "assets/marks.js"),
    *("assets/boxes.js", "assets/places.js", "assets/limits.js"),
    *("reader/findings.css", "reader/search.js", "reader/findings.js"),
    *(f"triage/{name}" for name in ("triage.html", *STYLES, *SCRIPTS)),
)
_mount = mount_component("plumbline_triage", *FILES)


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuePosition:
    """Where the page's cards stand in the whole queue."""

    page: int
    pages: int
    total: int
    size: int  # cards on a full page
    decided_since: int = 0  # of the total; they keep their place until the list is made again
    order: str = "Worst first"
    only_open: bool = True  # so that a save goes on to what nobody has decided


def show_triage(
    cards: Sequence[dict[str, Any]],
    listed: QueuePosition,
    *,
    may: Callable[[str], bool],
    key: str = "triage",
) -> tuple[str, Selection, str] | None:
    """Draw cards of `build_card` and `build_audit_card`; what is decided `take_actions` takes next.

    The answer is the page that a person wants to see the case on, where, and whose labels there.
    """
    data = {
        "desk": operation_id(f"{key} desk"),
        "ack": acknowledged(key),
        "results": results(key),
        "who": get_login_name() or rater(),
        "isKnown": bool(get_login_name()),
        "classes": list(ERROR_CLASSES.items()),
        "mayDecide": may("adjudication"),
        "mayMark": may("meeting mark"),
        "lastMark": get_last_mark(key),
        "cards": list(cards),
        "page": listed.page,
        "pages": listed.pages,
        "total": listed.total,
        "before": (listed.page - 1) * listed.size,
        "decidedSince": listed.decided_since,
        "order": listed.order.lower(),
        "onlyOpen": listed.only_open,
    }
    result: Any = _mount(
        key=key,
        data=data,
        on_log_change=_do_nothing,
        on_turn_change=partial(_turn_page, key),
        on_leave_change=_do_nothing,
        on_marks_change=_do_nothing,
        on_texts_change=_do_nothing,
    )
    asked = result.leave
    if not asked or asked["page"] not in ("item", "rerun"):
        return None
    found = next((each for each in cards if each["key"] == asked["key"]), {})
    if "opens" in found:
        run_id, item_id, unit_id, shown = found["opens"]
        return "item", Selection(runs=(run_id,), item=item_id, unit=unit_id), shown
    return str(asked["page"]), parse_card_place(str(asked["key"])), ""


def get_list_start(signature: str) -> int | None:
    """How far decisions counted when this list was opened; None for a list that is new."""
    kept: tuple[str, int] | None = remembered("triage list")
    return kept[1] if kept is not None and kept[0] == signature else None


def begin(signature: str, as_of: int) -> None:
    remember("triage list", (signature, as_of))


def count_saved_since(as_of: int, *, key: str = "triage") -> int:
    """How many decisions of this tab are stored and are newer than a list's beginning."""
    said = results(key).values()
    return sum(each.get("state") == "saved" and each["number"] > as_of for each in said)


def offer_new_list() -> None:
    about = (
        "What is decided keeps its place in this list while you work through it. This makes the "
        "list again without it, and with what others have added."
    )
    st.button("Renew the list", icon=":material/refresh:", help=about, on_click=_begin_anew)


def _begin_anew() -> None:
    """Let the list be made again, without what was decided meanwhile."""
    remember("triage list", None)
    st.query_params.pop("page", None)


def _turn_page(key: str) -> None:
    """Turn the page before it is drawn again."""
    said = read_reported(key, "turn")
    if said:
        st.query_params["page"] = str(max(1, int(said["page"])))


def _do_nothing() -> None:
    """Streamlit only reports a state that has a callback."""
