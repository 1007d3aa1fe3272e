"""Widgets for the additional judges of a batch, its concurrency and its request rate."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from components.judging.judge_form import JudgeChoice
from faithfulness.judging.offline.offline_judge import OfflineJudge, can_judge
from faithfulness.judging.pace import Pace
from faithfulness.model.protocol import Protocol

MOST_AT_ONCE = 32


def choose_more_judges(choice: JudgeChoice | None, protocol: Protocol) -> list[JudgeChoice]:
    """The chosen judge, and others to be asked about the same items in one go."""
    if choice is None or choice.is_offline:
        return [choice] if choice else []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        named = st.text_input(
            "More models at this address",
            key="batch_models",
            max_chars=500,
            placeholder="model-b, model-c",
            help="With commas between them; each is a judge of its own with the same settings.",
            width=420,
        )
        beside = can_judge(protocol) and st.toggle("Also the lexical baseline", key="batch_beside")
    models = dict.fromkeys(each.strip() for each in named.split(",") if each.strip())
    models.pop(choice.settings["model"], None)
    found = [
        choice,
        *(replace(choice, settings={**choice.settings, "model": each}) for each in models),
    ]
    if beside:
        found.append(JudgeChoice(settings=OfflineJudge().settings, prompt=protocol.prompt))
    return found


def choose_pace(choices: Sequence[JudgeChoice]) -> Pace:
    """How many questions are under way at once, and how many go out in a minute."""
    if not choices or choices[0].is_offline:
        return Pace(at_once=1)  # it computes, and a second thread would only slow the pages
    with st.expander("Pace"):
        left, right = st.columns(2)
        at_once = left.number_input("Questions at once", 1, MOST_AT_ONCE, 4, key="batch_at_once")
        limit = right.number_input(
            "Most calls a minute", 0, 100_000, 0, key="batch_limit", help="0 sets no limit"
        )
        st.caption(
            "When an endpoint is busy everybody waits as long as it asks, at most two minutes. A "
            "wrong key, an unknown model or an empty account ends the batch at once."
        )
    return Pace(at_once=int(at_once), per_minute=float(limit))
