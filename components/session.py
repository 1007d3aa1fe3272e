"""The only session state: what one browser tab remembers and no address should carry."""

import uuid
from typing import Any

import streamlit as st


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


def take(name: str) -> Any:
    """What was remembered, once: a message that survives the switch to another page."""
    return st.session_state.pop(f"remembered:{name}", None)
