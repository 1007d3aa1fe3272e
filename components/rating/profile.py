"""Name of the current rater: the login identity, or else a name stored in the browser."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from components.ui import session
from components.ui.mounted import mount_component
from components.ui.plain import plain
from faithfulness.model.names import fold_name

LONGEST = 80
IN_SAMPLE = "This name has answers in the sample; yours will stand under the same name."

_mount = mount_component(
    "plumbline_rater",
    "assets/text.css",
    "assets/text.js",
    "rating/profile.css",
    "rating/profile.js",
    html='<div class="root profile">\n</div>',
)


def ask_rater(came_with_sample: Callable[[str], bool]) -> str:
    """Show who rates, or ask; empty until somebody has said it.

    Where the name is one that the sample brought, this is said beside it: what is signed from now
    on joins that rater's answers, and nobody should find it out later.
    """
    name = session.get_login_name() or session.rater()
    note = IN_SAMPLE if name and came_with_sample(name) else ""
    why = "Your ratings are signed with this name."
    return ask_name("You rate as", "Start rating", why, note)


def ask_name(as_what: str, button: str, why: str, note: str = "") -> str:
    """Show the name this browser is known by, or ask for it; one name for all it signs."""
    known = session.get_login_name()
    if known:
        st.caption(f"{as_what} {plain(known)}" + (f" · {note}" if note else ""))
        return known
    data = {"name": session.rater(), "as": as_what, "button": button, "why": why, "note": note}
    result: Any = _mount(key="rater", data=data, on_name_change=_store_name)
    return session.rater() or clean_name(result.name)


def clean_name(said: object) -> str:
    """A name in one line of printable characters, in the one spelling that is stored."""
    shown = "".join(each if each.isprintable() else " " for each in str(said or ""))
    return fold_name(fold_name(shown)[:LONGEST])


def _store_name() -> None:
    session.set_rater(clean_name(session.read_reported("rater", "name")))
