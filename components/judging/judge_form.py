"""Form that selects a judge (offline baseline or endpoint), its prompt and sample count."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from components.judging.trap_notice import choose_traps
from components.ui.frame import show_problem
from components.ui.plain import plain, told_apart
from components.ui.protocol_view import CARRIERS, REPLY_FORMS
from components.ui.session import (
    forget_key,
    get_held_key,
    get_login_name,
    hold_key,
    rater,
    remembered,
)
from faithfulness.judging import make_judge
from faithfulness.judging.endpoint.addresses import check_address
from faithfulness.judging.endpoint.key import OPENAI_ADDRESS, Key, load_environment_key
from faithfulness.judging.judge import Judge
from faithfulness.judging.offline.offline_judge import (
    NAME,
    OfflineJudge,
    can_judge,
    describe_baseline,
)
from faithfulness.judging.prompt_file import load_prompt
from faithfulness.judging.rerun import warn_of_equal_samples
from faithfulness.model.errors import JudgeFailed, ReviewError
from faithfulness.model.prompt import (
    Carrier,
    Prompt,
    edit_prompt,
    has_reply_forms,
    remove_trap_version,
)
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
            return _load_prompt_file(protocol, name)
        return _edit_prompt(known[picked], protocol, name) if edit else _keep_prompt(known[picked])
    except ReviewError as problem:
        show_problem(problem)
        return None


def show_prompt_diff(before: Prompt, after: Prompt) -> None:
    """The words that differ between two versions, line by line."""
    lines = list(
        difflib.unified_diff(
            _list_prompt_lines(before),
            _list_prompt_lines(after),
            before.version,
            after.version,
            lineterm="",
            n=2,
        )
    )
    st.code("\n".join(lines), language="diff", wrap_lines=True)


def _keep_prompt(prompt: Prompt) -> PromptChoice:
    if prompt.carrier is Carrier.SLOTS:
        st.caption(CARRIERS[Carrier.SLOTS])
    return PromptChoice(prompt)


def _edit_prompt(base: Prompt, protocol: Protocol, name: str) -> PromptChoice:
    key = f"{name}_{protocol.key}_{base.fingerprint}"
    system = st.text_area(
        "System text", base.system, key=f"{key}_system", height=110, persist_state="session"
    )
    template = st.text_area(
        "Template", base.template, key=f"{key}_template", height=320, persist_state="session"
    )
    if has_reply_forms(base):
        st.caption(plain(REPLY_FORMS))
    prompt = edit_prompt(base, system=system, template=template)
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
    return PromptChoice(prompt, base.fingerprint, *_ask_signature(key))


def _ask_signature(key: str) -> tuple[str, str]:
    """Why a version was made, and by whom; both may stay empty."""
    why, who = st.columns([3, 1])
    note = why.text_input(
        "Why this change",
        key=f"{key}_note",
        max_chars=500,
        placeholder="Kept with the version, for whoever looks at it later",
        persist_state="session",
    )
    known = get_login_name()
    made_by = who.text_input(
        "Edited by",
        known or rater(),
        key=f"{key}_made_by",
        max_chars=100,
        disabled=bool(known),
        persist_state="session",
    )
    return note.strip(), known or made_by.strip()


def _load_prompt_file(protocol: Protocol, name: str) -> PromptChoice | None:
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


def _list_prompt_lines(prompt: Prompt) -> list[str]:
    return [*prompt.system.splitlines(), "", *prompt.template.splitlines()]


MOST_SAMPLES = 20
LONGEST = 2_000  # characters of a setting
KINDS = {"offline": "Lexical baseline (offline, no model)", "endpoint": "Model behind an endpoint"}


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeChoice:
    """Which judge, what it is told, and how often it is asked the same; never a key."""

    settings: Mapping[str, str]
    prompt: Prompt
    based_on: str = ""  # the fingerprint of the version that the prompt was edited from
    note: str = ""  # why it was edited
    made_by: str = ""
    samples: int = 1

    @property
    def is_offline(self) -> bool:
        return self.settings.get("model") == NAME

    @property
    def edited(self) -> dict[str, str]:
        """What is kept about an edited prompt beside its words."""
        return {"based_on": self.based_on, "note": self.note, "made_by": self.made_by}

    def judge(self) -> Judge:
        """The judge, with the key that this session or the environment holds for its address.

        Raises:
            JudgeFailed: a setting is wrong, in words for the person who made it.
        """
        return build_judge(self.settings)


def build_judge(settings: Mapping[str, str]) -> Judge:
    """A judge from what it once said of itself."""
    return make_judge(settings, find_key(settings.get("address", "")))


def find_key(address: str) -> Key | None:
    """The key this session holds for an address, else the operator's for it, else none."""
    return get_held_key(address) or load_environment_key(address)


def choose_judge_settings(
    protocol: Protocol,
    stored: Sequence[Prompt] = (),
    *,
    name: str = "judge",
    tries_prompt: bool = False,
) -> JudgeChoice | None:
    """Draw the choice and answer it; None while something is missing or wrong.

    Args:
        protocol: brings the prompt to begin with, and says whether the baseline can answer.
        stored: prompt versions that were used before.
        name: tells the widgets of two forms apart.
        tries_prompt: a prompt is on trial: begin with a judge that reads one, and set no traps.
    """
    kind = st.segmented_control(
        "Judge",
        list(KINDS),
        format_func=KINDS.__getitem__,
        default="endpoint" if tries_prompt else "offline",
        required=True,
        # The baseline that was chosen to ask again is no choice for a trial.
        key=f"{name}_kind_on_trial" if tries_prompt else f"{name}_kind",
        persist_state="session",
    )
    if kind != "endpoint":
        if tries_prompt:
            _show_reads_no_prompt()
        return _choose_offline(protocol)
    found = _choose_endpoint(name)
    bare = [remove_trap_version(each) for each in stored]
    told = choose_prompt(protocol, bare, name=f"{name}_prompt")
    prompt = choose_traps(protocol, told.prompt, name=name) if told and not tries_prompt else None
    if found is None or told is None:
        return None
    settings, samples = found
    return JudgeChoice(
        settings=settings,
        prompt=prompt or told.prompt,
        based_on=told.based_on,
        note=told.note,
        made_by=told.made_by,
        samples=samples,
    )


def _show_reads_no_prompt() -> None:
    st.warning(
        "The baseline reads no prompt, so it says nothing about one: what you see is how the "
        f"baseline itself fares. To try a prompt, choose “{KINDS['endpoint']}” and enter its "
        "address and model; one on your own machine will do.",
        icon=":material/info:",
    )


def _choose_offline(protocol: Protocol) -> JudgeChoice:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            "Compares words and numbers on this machine: no key, nothing is sent, the same answer "
            "every time. It reads no prompt.",
            width="content",
        )
        with st.popover("How good is it?", icon=":material/query_stats:"):
            st.markdown(describe_baseline())
    if not can_judge(protocol):
        st.info(
            f"Under {protocol.title} the baseline gives no answer, only findings: what words and "
            "numbers alone show.",
            icon=":material/info:",
        )
    return JudgeChoice(settings=OfflineJudge().settings, prompt=protocol.prompt)


def _choose_endpoint(name: str) -> tuple[Mapping[str, str], int] | None:
    address, model, key = st.columns([4, 3, 4])
    with address:
        base_url = _ask_text(
            f"{name}_address", "Address", OPENAI_ADDRESS, "Any OpenAI-compatible API, up to its /v1"
        )
    with model:
        chosen = _ask_text(f"{name}_model", "Model", "", "As the endpoint calls it")
    with key:
        ask_key(name, base_url)
    temperature, seed, longest, samples = st.columns(4)
    settings = {"address": base_url, "model": chosen}
    with temperature:
        settings["temperature"] = _ask_text(
            f"{name}_temperature", "Temperature", "0", "Empty: the endpoint's own"
        )
    with seed:
        settings["seed"] = _ask_text(
            f"{name}_seed", "Seed", "", "A whole number; each sample gets the next one"
        )
    with longest:
        settings["max_tokens"] = _ask_text(
            f"{name}_max_tokens", "Most tokens to write", "", "Empty: the endpoint's own limit"
        )
    with samples:
        often = st.number_input(
            "Samples",
            min_value=1,
            max_value=MOST_SAMPLES,
            key=f"{name}_samples",
            help="How often the same question is asked. The label that most samples give counts, "
            "of scores the median; where the samples are tied there is no answer.",
            persist_state="session",
        )
    with st.expander("More parameters"):
        settings["extra"] = _ask_text(
            f"{name}_extra", "Extra parameters, as JSON", "", '{"top_p": 0.9}'
        )
        settings["wall_seconds"] = _ask_text(
            f"{name}_wall", "Seconds to wait for one reply", "90", "Then the call is given up"
        )
    settings = {each: said for each, said in settings.items() if said}
    if not _is_sound(settings):
        return None
    if warning := warn_of_equal_samples(settings, int(often)):
        st.warning(warning, icon=":material/content_copy:")
    return settings, int(often)


def _is_sound(settings: Mapping[str, str]) -> bool:
    """Whether a judge could be made of it; else what is wrong is said here."""
    if not settings.get("model"):
        st.caption("Enter a model to go on.")
        return False
    try:
        make_judge(settings)
    except JudgeFailed as problem:
        st.warning(plain(str(problem)), icon=":material/edit:")
        return False
    return True


def ask_key(name: str, base_url: str) -> None:
    """Take a key for the address that the field `{name}_address` holds."""
    field = f"{name}_key"
    st.text_input(
        "Key",
        type="password",
        key=field,
        autocomplete="new-password",
        placeholder="Typed once, held for this session only",
        on_change=hold_key,
        args=(field, f"{name}_address"),
        help="Held in memory for this browser session and sent to this address only. It is never "
        "stored, logged or exported.",
    )
    held = get_held_key(base_url)
    if held is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"A key for {plain(_get_host(base_url))} is held.", width="content")
            st.button("Forget it", type="tertiary", on_click=forget_key, key=f"{name}_forget")
    elif load_environment_key(base_url) is not None:
        st.caption("The key of the server's environment is used.")
    elif remembered("key_problem"):
        st.caption(f":red[{plain(str(remembered('key_problem')))}]")
    else:
        st.caption("No key is held; endpoints on your own machine mostly need none.")


def _get_host(base_url: str) -> str:
    try:
        return check_address(base_url).host
    except JudgeFailed:
        return "this address"


def _ask_text(field: str, label: str, value: str, about: str) -> str:
    # No max_chars: it draws a counter of letters under fields where nobody counts them.
    typed = st.text_input(label, value=value, key=field, help=about, persist_state="session")
    return typed.strip()[:LONGEST]
