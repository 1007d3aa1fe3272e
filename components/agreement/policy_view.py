"""The view “Policies” of the agreement page: what a reading of the rules does to the headline."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import streamlit as st

from components.agreement import policy_headline
from components.agreement.choice import Asked
from components.agreement.policy_choice import (
    AskPartners,
    across_from_url,
    choose_across,
    say_no_partner,
)
from components.agreement.policy_flips import Flipping, show_flipped
from components.ui.plain import plain
from components.ui.url_widgets import asked_number

VIEW = "policies"
PER_PAGE = 20  # as data.agreement.policies.PAGE


class Seen(Protocol):
    """As `data.agreement.policies.Lens`."""

    @property
    def rows(self) -> Sequence[policy_headline.Headline]: ...


class AskLens(AskPartners, Protocol):
    """What this view asks of the store."""

    def lens(self, named: Mapping[str, Any]) -> Seen: ...

    def flips(self, named: Mapping[str, Any], first: str, second: str, page: int) -> Flipping: ...


def show_policies(ask: AskLens, asked: Asked) -> None:
    """The sentence, the table, the rules and the items that flip."""
    across = choose_across(ask, asked)
    if across is None:
        say_no_partner(asked)
        return
    page = max(1, asked_number("page", 1))
    named, pair = across.named, (across.policy.key, across.second.key)
    found, flips = ask.lens(named), ask.flips(named, *pair, page)
    if flips.total and flips.rows.empty:
        page = -(-flips.total // PER_PAGE)
        flips = ask.flips(named, *pair, page)
    said = policy_headline.in_one_sentence(across, found.rows, flips.total)
    st.markdown(f"##### {plain(said)}")
    policy_headline.show_sides(across)
    clicked = policy_headline.show_headlines(across, found.rows)
    policy_headline.show_rules()
    if clicked:
        st.query_params["policy"] = clicked.row
        st.rerun()
    show_flipped(across, flips, page=page, per_page=PER_PAGE)


def in_files(ask: AskPartners, asked: Asked) -> dict[str, Any]:
    """What this view compares, for the files beside it; as other views where it shows nothing."""
    across = across_from_url(ask, asked)
    return asked.named if across is None else across.named
