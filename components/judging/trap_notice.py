"""Trap units in judge prompts: the toggle, and notices about replies that failed a trap."""

from collections.abc import Sequence

import streamlit as st

from components.ui.numbers import count, format_count
from components.ui.plain import plain
from faithfulness.judging.rerun import Sample
from faithfulness.judging.traps import explain_no_traps, has_unanswered_traps, list_failures
from faithfulness.model.prompt import Prompt, add_trap_version
from faithfulness.model.protocol import Protocol

ICON = ":material/crisis_alert:"
_SHOWN = 4  # traps whose words are given; the replies have all
_ABOUT = (
    "Two units of ours go among the item's, at random places: a statement that no source has, and "
    "one that a source has word for word. A judge that obeys an order in a text labels them "
    "wrongly, and its reply is marked. Their answers are never stored."
)
MEANS = (
    "The judge may have followed an order in a text and not the sources, or it was wrong about "
    "this one. Its answers stay, marked; read them with care."
)


def choose_traps(protocol: Protocol, prompt: Prompt, *, name: str) -> Prompt:
    """The prompt with traps where they are wanted; says why where there can be none."""
    problem = explain_no_traps(protocol, prompt)
    on = st.toggle(
        "Set traps for judges that obey texts",
        key=f"{name}_traps",
        help=_ABOUT,
        disabled=bool(problem),
        persist_state="session",
    )
    if problem:
        st.caption(f"No traps can be set here. {problem}")
        return prompt
    return add_trap_version(prompt) if on else prompt


def say_traps(samples: Sequence[Sample]) -> None:
    """Which of the replies fell into a trap, what was asked there, and what that means.

    Their n is the replies whose traps were answered: a refused or cut-off one shows nothing.
    """
    silent = sum(has_unanswered_traps(each.reading.notes) for each in samples)
    answered = len(samples) - silent
    wrong = [said for each in samples if (said := list_failures(each.reading.notes))]
    if answered and not wrong:
        st.caption(f"Traps: answered rightly in {format_reply_share(answered, answered)}.")
    show_silent_replies(silent, len(samples))
    if not wrong:
        return
    told = list(dict.fromkeys(each for said in wrong for each in said))
    lines = [f"- {plain(each)}" for each in told[:_SHOWN]]
    if len(told) > _SHOWN:
        lines.append(f"- and {format_count(len(told) - _SHOWN, 'more trap')}")
    st.warning(
        f"**{format_reply_share(len(wrong), answered)}** answered a trap wrongly. {MEANS}\n"
        + "\n".join(lines),
        icon=ICON,
    )


def show_silent_replies(silent: int, of: int) -> None:
    """Name the replies that no number about traps counts, where there are any."""
    if silent:
        st.caption(
            f"Traps: not answered in {format_reply_share(silent, of)}, which shows nothing "
            "about the judge."
        )


def format_reply_share(some: int, of: int) -> str:
    """So many of so many replies."""
    return f"{count(some)} of {format_count(of, 'reply', 'replies')}"
