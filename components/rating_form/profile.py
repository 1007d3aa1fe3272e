"""Who is rating: the server's identity after a login, else a name that the browser keeps."""

from typing import Any

import streamlit as st

from components import session
from components.mounted import mounted
from components.plain import plain
from faithfulness.names import folded_name

LONGEST = 80

_mount = mounted(
    "plumbline_rater",
    "assets/text.css",
    "assets/text.js",
    "rating_form/profile.css",
    "rating_form/profile.js",
    html='<div class="root profile">\n</div>',
)


def who_rates() -> str:
    """Show who rates, or ask; empty until somebody has said it."""
    return who_is_here("You rate as", "Start rating", "Your ratings are signed with this name.")


def who_is_here(as_what: str, button: str, why: str) -> str:
    """Show the name this browser is known by, or ask for it; one name for all it signs."""
    known = session.logged_in_as()
    if known:
        st.caption(f"{as_what} {plain(known)}")
        return known
    data = {"name": session.rater(), "as": as_what, "button": button, "why": why}
    result: Any = _mount(key="rater", data=data, on_name_change=_changed)
    return session.rater() or clean_name(result.name)


def clean_name(said: object) -> str:
    """A name in one line of printable characters, in the one spelling that is stored."""
    shown = "".join(each if each.isprintable() else " " for each in str(said or ""))
    return folded_name(folded_name(shown)[:LONGEST])


def _changed() -> None:
    session.rate_as(clean_name(session.reported("rater", "name")))
