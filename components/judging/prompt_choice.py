"""The choice of a prompt: a version that was used, an edit of it, or a file of one's own."""

import difflib
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.ui.frame import show_problem
from components.ui.plain import plain, told_apart
from components.ui.protocol_view import CARRIERS, REPLY_FORMS
from components.ui.session import logged_in_as, rater
from faithfulness.judging.prompt_file import load_prompt
from faithfulness.model.errors import ReviewError
from faithfulness.model.prompt import Carrier, Prompt, edited, has_reply_forms
from faithfulness.model.protocol import Protocol

_FILE = "file"


class PromptChoice(NamedTuple):
    """What a judge is told; `based_on` is the fingerprint of the version that was edited."""

    prompt: Prompt
    based_on: str = ""
    note: str = ""  # why it was edited
    made_by: str = ""


def choose_prompt(
    protocol: Protocol, stored: Sequence[Prompt], *, name: str = "prompt"
) -> PromptChoice | None:
    """Draw the choice and answer it; None while a file is missing or an edit is wrong."""
    known = {each.fingerprint: each for each in (protocol.prompt, *stored)}
    titles = {
        key: f"{each.version} · {key[:8]}" + (" (comes with Plumbline)" if not at else "")
        for at, (key, each) in enumerate(known.items())
    }
    titles = told_apart(titles | {_FILE: "A prompt file of your own"})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        picked = st.selectbox(
            "Prompt",
            list(titles),
            format_func=titles.__getitem__,
            key=f"{name}_{protocol.key}",
            width=420,
            persist_state="session",
        )
        edit = picked != _FILE and st.toggle("Edit it", key=f"{name}_edit", persist_state="session")
    try:
        if picked == _FILE:
            return _from_file(protocol, name)
        return _edit(known[picked], protocol, name) if edit else _as_it_is(known[picked])
    except ReviewError as problem:
        show_problem(problem)
        return None


def show_prompt_diff(before: Prompt, after: Prompt) -> None:
    """The words that differ between two versions, line by line."""
    lines = list(
        difflib.unified_diff(
            _lines(before), _lines(after), before.version, after.version, lineterm="", n=2
        )
    )
    st.code("\n".join(lines), language="diff", wrap_lines=True)


def _as_it_is(prompt: Prompt) -> PromptChoice:
    if prompt.carrier is Carrier.SLOTS:
        st.caption(CARRIERS[Carrier.SLOTS])
    return PromptChoice(prompt)


def _edit(base: Prompt, protocol: Protocol, name: str) -> PromptChoice:
    key = f"{name}_{protocol.key}_{base.fingerprint}"
    system = st.text_area(
        "System text", base.system, key=f"{key}_system", height=110, persist_state="session"
    )
    template = st.text_area(
        "Template", base.template, key=f"{key}_template", height=320, persist_state="session"
    )
    if has_reply_forms(base):
        st.caption(plain(REPLY_FORMS))
    prompt = edited(base, system=system, template=template)
    if prompt is base:
        st.caption("Nothing is changed yet. A change becomes a version of its own when it is kept.")
        return PromptChoice(base)
    if prompt.carrier is Carrier.SLOTS:
        load_prompt("the edited prompt", template.encode(), protocol)
    st.caption(
        f"New version {plain(prompt.version)}, fingerprint {prompt.fingerprint}, against "
        f"{plain(base.version)}:"
    )
    show_prompt_diff(base, prompt)
    return PromptChoice(prompt, base.fingerprint, *_signature(key))


def _signature(key: str) -> tuple[str, str]:
    """Why a version was made, and by whom; both may stay empty."""
    why, who = st.columns([3, 1])
    note = why.text_input(
        "Why this change",
        key=f"{key}_note",
        max_chars=500,
        placeholder="Kept with the version, for whoever looks at it later",
        persist_state="session",
    )
    known = logged_in_as()
    made_by = who.text_input(
        "Edited by",
        known or rater(),
        key=f"{key}_made_by",
        max_chars=100,
        disabled=bool(known),
        persist_state="session",
    )
    return note.strip(), known or made_by.strip()


def _from_file(protocol: Protocol, name: str) -> PromptChoice | None:
    file = st.file_uploader(
        "Prompt file", type=["yaml", "yml", "txt", "md"], max_upload_size=1, key=f"{name}_file"
    )
    if file is None:
        st.caption("YAML with a template and {{named}} slots, or text with empty {} slots.")
        return None
    prompt = load_prompt(file.name, file.getvalue(), protocol)
    st.caption(
        f"{plain(prompt.version)}, fingerprint {prompt.fingerprint}. {CARRIERS[prompt.carrier]}"
    )
    return PromptChoice(prompt)


def _lines(prompt: Prompt) -> list[str]:
    return [*prompt.system.splitlines(), "", *prompt.template.splitlines()]
