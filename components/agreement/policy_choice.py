"""Widgets that select sides, target protocol and two policies for a bridged comparison."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from components.agreement.choice import REFERENCE, ChosenComparison, select_labeled, wants_baseline
from components.ui.label_colors import Look, look
from components.ui.numbers import format_count
from components.ui.plain import plain
from components.ui.url_widgets import chosen
from faithfulness.model import protocol as protocols
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.model.wording import capitalize_first
from faithfulness.policies.bridges import BRIDGED_CRITERION, FORWARD
from faithfulness.policies.policies import POLICIES, Policy
from faithfulness.protocols import PROTOCOLS

Pick = Callable[[str, str, Mapping[str, str]], str]  # name in the address, label, titles by key
WHOLES = tuple(key for key, each in BRIDGED_CRITERION.items() if each in FORWARD)


class AskPartners(Protocol):
    """What the choice asks of the store."""

    def partners(self, selection: Selection) -> Mapping[str, int]: ...

    def sides_under(
        self, selection: Selection, protocol: str, *, with_baseline: bool
    ) -> pd.DataFrame: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Across:
    """A comparison whose sides may answer under different protocols, seen by two policies."""

    asked: ChosenComparison
    judge_protocol: protocols.Protocol
    target: protocols.Protocol
    policy: Policy
    second: Policy

    @property
    def named(self) -> dict[str, Any]:
        """What is compared, by the names of `data.agreement.question`."""
        return {
            "selection": self.asked.selection,
            "reference": self.asked.reference,
            "judge": self.asked.judge,
            "judge_protocol": self.judge_protocol.key,
            "to": self.target.key,
            "policy": self.policy.key,
        }

    @property
    def bridged(self) -> tuple[bool, bool]:
        """Whether the reference and the judge answer under another protocol than the target."""
        own = (self.asked.protocol, self.judge_protocol)
        return own[0].key != self.target.key, own[1].key != self.target.key

    @property
    def criterion(self) -> str:
        return BRIDGED_CRITERION[self.target.key]

    @property
    def looks(self) -> dict[str, Look]:
        """What each answer looks like under the target."""
        scale = self.target.criterion(self.criterion).scale
        return {each.value: look(each, scale) for each in scale.labels}

    @property
    def marked(self) -> tuple[str, str]:
        """Both sides inside a sentence that names the policy."""
        first, second = (
            f"{name} (bridged)" if bridged else name
            for name, bridged in zip(self.asked.in_words, self.bridged, strict=True)
        )
        return first, second


def compare_reference_only(
    ask: AskPartners, selection: Selection, protocol: protocols.Protocol, sides: pd.DataFrame
) -> ChosenComparison | None:
    """A comparison without a judge of its own, where one answers under another protocol.

    Args:
        ask: answers who else there is.
        selection: what the page is narrowed to.
        protocol: under which nobody can be compared.
        sides: who has labels under it, as `data.agreement.pairs.sides` answers.
    """
    if sides.empty:
        return None
    titles = {str(text): _format_side(Side.from_text(str(text))) for text in sides["side_text"]}
    side = Side.from_text(chosen(REFERENCE, titles))
    asked = ChosenComparison(
        selection=selection,
        protocol=protocol,
        criterion=protocol.criterion(selection.criterion),
        reference=side,
        judge=side,
        raters=(),
        judges=(),
    )
    if read_policy_choice(ask, asked) is None:
        return None
    select_labeled(REFERENCE, "Reference", titles)
    return asked


def choose_across(
    ask: AskPartners, asked: ChosenComparison, *, several: bool = True
) -> Across | None:
    """Draw the choices, of two policies or of one; None where no policy matters."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        return _build_choice(ask, asked, select_labeled, several=several)


def read_policy_choice(ask: AskPartners, asked: ChosenComparison) -> Across | None:
    """The same from the address alone, for what is drawn elsewhere."""
    return _build_choice(ask, asked, _read_choice)


def explain_no_partner(asked: ChosenComparison) -> None:
    """Why there is nothing to choose from."""
    st.info(
        f"{plain(asked.protocol.title)} answers about the whole response, and no author labels "
        "sentences or claims of the same items: no policy changes anything here. Import such "
        "labels, or choose a protocol that asks about sentences or claims.",
        icon=":material/rule:",
    )


def _build_choice(
    ask: AskPartners, asked: ChosenComparison, pick: Pick, *, several: bool = True
) -> Across | None:
    meeting = ask.partners(asked.selection)
    own = asked.protocol.key
    keys = sorted(meeting, key=lambda key: key != own)
    there = {key: side for key in keys if (side := _list_judges_under(ask, asked, key))}
    if not there:
        return None
    titles = {
        key: f"{PROTOCOLS[key].title} · {format_count(meeting[key], 'item')}" for key in there
    }
    other = pick("judge_protocol", "Judge answers under", titles)
    judge = asked.judge.as_text
    if other != own:
        judge = pick("judge_there", "Judge there", there[other])
    policy = pick("policy", "Policy", {key: each.title for key, each in POLICIES.items()})
    rest = {key: each.title for key, each in POLICIES.items() if key != policy}
    second = pick("second_policy", "Second policy", rest) if several else policy
    return Across(
        asked=asked.against(Side.from_text(judge)),
        judge_protocol=PROTOCOLS[other],
        target=PROTOCOLS[_choose_target(own, other, pick)],
        policy=POLICIES[policy],
        second=POLICIES[second],
    )


def _choose_target(own: str, other: str, pick: Pick) -> str:
    """The protocol of a side that answers about the whole, else the one that is asked for."""
    whole = next((key for key in (own, other) if key in WHOLES), "")
    titles = {
        key: PROTOCOLS[key].title for key in sorted(WHOLES, key="response_consistency".__ne__)
    }
    return whole or pick("to", "Compared as", titles)


def _list_judges_under(ask: AskPartners, asked: ChosenComparison, key: str) -> dict[str, str]:
    """Who can be the judge under a protocol, the page's own judge first; people after judges."""
    if key == asked.protocol.key:
        return {asked.judge.as_text: ""} if asked.judge != asked.reference else {}
    found = ask.sides_under(asked.selection, key, with_baseline=wants_baseline())
    found = found[found["kind"].isin((AuthorKind.JUDGE, AuthorKind.RATER))]
    lines = [
        (text != asked.judge.as_text, kind != AuthorKind.JUDGE, -int(items), str(text))
        for text, kind, items in zip(found["side_text"], found["kind"], found["items"], strict=True)
    ]
    return {
        text: f"{_format_side(Side.from_text(text))} · {format_count(-items, 'item')}"
        for _, _, items, text in sorted(lines)
    }


def _format_side(side: Side) -> str:
    is_judge = side.author is not None and side.author.kind is AuthorKind.JUDGE
    return side.author.name if is_judge and side.author else capitalize_first(side.in_words)


def _read_choice(name: str, label: str, titles: Mapping[str, str]) -> str:
    return chosen(name, titles)
