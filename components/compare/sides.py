"""Widgets that select the protocol, the two sides and the reference of a comparison."""

import typing
from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

import pandas as pd
import streamlit as st

from components.ui.not_found import warn_if_unknown, warn_unknown_value
from components.ui.plain import told_apart
from components.ui.session import make_widget_key, write_to_url
from components.ui.url_widgets import bound_choice, bound_segments, chosen
from faithfulness.model.comparability import Party
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection_sides import MAJORITY, Side, is_baseline
from faithfulness.model.vocabulary import AuthorKind

_GONE_TOLD = 3
# A word of its own: an address that says nothing means the likeliest reference, not none.
NONE = "none"
NO_REFERENCE = {NONE: "No reference"}


class Known(typing.Protocol):
    """A side that can be chosen, with what people call its run, system and prompt."""

    @property
    def party(self) -> Party: ...
    @property
    def run(self) -> str: ...
    @property
    def system(self) -> str: ...
    @property
    def is_sample(self) -> bool: ...
    @property
    def version(self) -> str: ...


K = TypeVar("K", bound=Known)
Common = Mapping[tuple[Party, Party], int]


def choose_question(protocols: Mapping[str, Protocol], usual: str) -> tuple[Protocol, Criterion]:
    """The protocol under which two sides are compared, and one of its criteria.

    `usual` is the protocol to show where the address names none.
    """
    titles = {key: each.title for key, each in protocols.items()}
    warn_if_unknown("protocol", "protocol", titles, "Another one is shown.")
    protocol = protocols[bound_segments("protocol", "Protocol", titles, usual=usual)]
    criteria = {each.key: each.key.replace("_", " ").capitalize() for each in protocol.criteria}
    if len(criteria) == 1:
        return protocol, protocol.criteria[0]
    return protocol, protocol.criterion(bound_choice("criterion", "Criterion", criteria))


def read_runs() -> tuple[str, ...]:
    """The runs that the address names, by themselves or as those of a side."""
    sides = (str(st.query_params.get(name, "")).partition("|")[0] for name in ("a", "b"))
    return tuple(each for each in (*st.query_params.get_all("run"), *sides) if each)


def choose_sides(known: Sequence[K], common: Common, runs: Collection[str]) -> tuple[K, K]:
    """Two different sides; those that the address does not name are the likeliest pair.

    The first is a side of the run that the address names, where it names one.

    Args:
        known: The sides there are.
        common: How many items two sides of one run both labelled.
        runs: The runs of the store, under any protocol.
    """
    _warn_missing_runs(runs)
    by_text = {format_party_key(each.party): each for each in known}
    titles = told_apart({key: _format_title(each) for key, each in by_text.items()})
    with st.container(horizontal=True, vertical_alignment="bottom", key="sides"):
        usual, run = likely(by_text, common), st.query_params.get("run", "")
        of_run = (key for key in usual if by_text[key].party.run == run)
        first = _select_side("a", "Side A", titles, next(of_run, usual[0]))
        swap = st.container(width="content")
        left = {key: title for key, title in titles.items() if key != first}
        second = _select_side("b", "Side B", left, likely(by_text, common, first)[0])
    if swap.button("Swap", icon=":material/swap_horiz:", key="swap", width="content"):
        _swap_sides(first, second)
    return by_text[first], by_text[second]


def _warn_missing_runs(runs: Collection[str]) -> None:
    """A side of another protocol is no mistake: the address keeps it when the protocol changes."""
    for run in [each for each in dict.fromkeys(read_runs()) if each not in runs][:_GONE_TOLD]:
        warn_unknown_value("run", run, "The sides that share most items are shown instead.")


def choose_reference(offered: pd.DataFrame, parties: Sequence[Party]) -> Side | None:
    """Whom both sides are held against: the raters together where nobody says otherwise.

    Args:
        offered: As `data.compare.references.references` answers.
        parties: The two sides, neither of which is a reference for itself.
    """
    titles = dict(zip(offered["side_text"], offered["title"], strict=True))
    for each in parties:
        titles.pop(each.side.as_text, None)
    raters = set(offered.loc[offered["kind"] == AuthorKind.RATER.value, "side_text"])
    likely = MAJORITY.as_text if MAJORITY.as_text in titles and raters & set(titles) else NONE
    if st.query_params.get("reference") == "":  # as addresses named nobody before
        st.query_params["reference"] = NONE
    with st.columns(2)[0]:
        picked = _select_side(
            "reference", "Held against", NO_REFERENCE | told_apart(titles), likely
        )
    return None if picked == NONE else Side.from_text(picked)


def format_party_key(party: Party) -> str:
    """The form that stands in the address; neither an id nor a fingerprint holds a bar."""
    return f"{party.run}|{party.prompt}|{party.side.as_text}"


def _format_title(known: Known) -> str:
    of_system = "" if known.system in ("", known.run) else f" ({known.system})"
    prompt = known.party.prompt
    of_prompt = f" · prompt {known.version or prompt[:8]}" if prompt else ""
    return f"{known.run}{of_system} · {known.party.side.in_words}{of_prompt}"


def likely(known: Mapping[str, K], common: Common, first: str = "") -> list[str]:
    """The sides in the order in which somebody would choose them beside the first.

    Own runs before the sample, a judge before people, the one that shares most items with somebody;
    beside a judge whoever of
    its run shares most items with it, else the same judge elsewhere. Beside raters together those
    of another run: then systems are compared. The offline baseline comes last: it reads nothing.
    """
    if not first:
        most = _count_most_shared(common)

        def unlikely(key: str) -> tuple[bool, bool, int, int]:
            party = known[key].party
            shared = most.get(party, 0)
            return not shared, known[key].is_sample, _rank_party(party), -shared

        return sorted(known, key=unlikely)
    mine = known[first].party

    def far(key: str) -> tuple[bool, bool, bool, int, int]:
        party = known[key].party
        same_run, same_side = party.run == mine.run, party.side == mine.side
        likelier = bool(party.prompt) or mine.side.author is None
        elsewhere, unlike = not (same_run or same_side), same_side != likelier
        return (
            elsewhere,
            _is_baseline(party),
            unlike,
            -common.get((mine, party), 0),
            _rank_party(party),
        )

    return sorted((key for key in known if key != first), key=far)


def _count_most_shared(common: Common) -> dict[Party, int]:
    """By side the most items that it shares with anybody but the baseline."""
    most: dict[Party, int] = {}
    for (one, other), items in common.items():
        if not _is_baseline(other):
            most[one] = max(items, most.get(one, 0))
    return most


def _is_baseline(party: Party) -> bool:
    return party.side.author is not None and is_baseline(party.side.author)


def _rank_party(party: Party) -> int:
    if party.side.author is None:
        return 1
    if _is_baseline(party):
        return 3
    return 0 if party.side.author.kind is AuthorKind.JUDGE else 2


def _select_side(name: str, label: str, titles: Mapping[str, str], likely: str) -> str:
    shown = chosen(name, titles, likely)
    picked = st.selectbox(
        label,
        list(titles),
        index=list(titles).index(shown),
        format_func=titles.__getitem__,
        key=make_widget_key(name, shown),
    )
    # A choice is named in the address, also the likeliest one: that may change with the store.
    write_to_url(name, picked, picked)
    return str(picked)


def _swap_sides(first: str, second: str) -> None:
    st.query_params.update({"a": second, "b": first})
    for name in ("cell", "page"):
        st.query_params.pop(name, None)
    st.rerun()
