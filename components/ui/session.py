"""Session state of one browser tab that does not belong in the URL."""

import uuid
from typing import Any

import streamlit as st

from faithfulness.judging.endpoint.key import Key, get_host
from faithfulness.model.access import get_identity
from faithfulness.model.errors import JudgeFailed


def make_widget_key(name: str, said: Any) -> str:
    """A key for a widget whose default is what the address says; another key when that has moved.

    A default is told to the browser in every run of a page. What the session sets is told in one
    run alone; where the next one overtakes it, the browser shows nothing and sends that back.
    Streamlit's own binding puts the shown titles into the address, and titles may change or be
    the same for two things; addresses hold keys.
    """
    begun = int(st.session_state.get(f"begun:{name}", 0))
    if not begun or st.session_state.get(f"address:{name}") != said:
        begun += 1
        st.session_state[f"begun:{name}"] = begun
        st.session_state[f"address:{name}"] = said
    return f"{name}:{begun}"


def write_to_url(name: str, value: Any, said: str | list[str]) -> None:
    """Make the address say what the widget of this key holds now."""
    if st.session_state.get(f"address:{name}") == value:
        return
    st.session_state[f"address:{name}"] = value
    if said:
        st.query_params[name] = said
    else:
        st.query_params.pop(name, None)


def get_tab_id() -> str:
    """A name that no other tab has."""
    return str(st.session_state.setdefault("tab", uuid.uuid4().hex))


def read_reported(key: str, name: str) -> Any:
    """What a component of ours has just reported, for a callback that runs before the page."""
    return (st.session_state.get(key) or {}).get(name)


def standing(key: str, otherwise: str) -> str:
    """What the widget of this key holds before it is drawn again; when it is new, the other."""
    return str(st.session_state.get(key, otherwise))


def read_widget_values(key: str) -> list[str]:
    """What a widget for several holds before it is drawn again; nothing when it is new."""
    return list(map(str, st.session_state.get(key) or ()))


def operation_id(form: str) -> str:
    """The id of the next write of a form: the same until `done`, so that a double click is one."""
    key = f"operation:{form}"
    if key not in st.session_state:
        st.session_state[key] = uuid.uuid4().hex
    return str(st.session_state[key])


def done(form: str) -> None:
    st.session_state.pop(f"operation:{form}", None)


def remember(name: str, value: Any) -> None:
    st.session_state[f"remembered:{name}"] = value


def remembered(name: str) -> Any:
    return st.session_state.get(f"remembered:{name}")


def note_arrival(page: str) -> None:
    """Note which page is shown, and whether another one was before."""
    remember("arrives", remembered("page") != page)
    remember("page", page)


def arrives() -> bool:
    """Whether this run is the first on a page to which somebody came from another one."""
    return bool(remembered("arrives"))


def hold_key(secret_field: str, address_field: str) -> None:
    """Take a key out of the field it was typed into and bind it to the address beside it."""
    secret = str(st.session_state.get(secret_field) or "")
    # The field is emptied at once, so that no page is drawn with the key in it.
    st.session_state[secret_field] = ""
    forget_key()
    if not secret.strip():
        return
    try:
        remember("key", Key(secret, base_url=str(st.session_state.get(address_field) or "")))
    except JudgeFailed as problem:
        remember("key_problem", str(problem))


def get_held_key(base_url: str) -> Key | None:
    """The key typed for this address; one for another address is forgotten."""
    key = remembered("key")
    if isinstance(key, Key) and key.host == get_host(base_url):
        return key
    st.session_state.pop("remembered:key", None)
    return None


def forget_key() -> None:
    for name in ("key", "key_problem"):
        st.session_state.pop(f"remembered:{name}", None)


def rater() -> str:
    """Who rates in this tab, as the browser's own profile says; empty when nobody said."""
    return str(st.session_state.get("rater_name") or "")


def set_rater(name: str) -> None:
    st.session_state["rater_name"] = name


def get_login_name() -> str:
    """The server's identity of the visitor; empty where no login is configured."""
    return get_identity(st.user.to_dict()) if st.user.get("is_logged_in") else ""
