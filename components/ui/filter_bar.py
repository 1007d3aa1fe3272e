"""Filter widgets that edit a Selection; values are stored in the URL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

import streamlit as st

from components.ui.address import build_parameters, parse_selection
from components.ui.not_found import SHOWN, warn_unknown_value
from components.ui.plain import plain, told_apart
from components.ui.url_widgets import (
    bound_choice,
    bound_pills,
    bound_search,
    bound_several,
    bound_toggle,
)
from faithfulness.model.selection import OUT, Selection

IN_THE_ROW = 2  # filters beside the search field; the others wait in a list that opens
SWITCHES = ("unread", "addressed", "trapped")
GONE_TOLD = 5  # an address may name many things that are gone; the rest is counted


@dataclass(frozen=True, kw_only=True, slots=True)
class FilterChoice:
    """One part of a Selection to choose from; `name` is its word in the address."""

    name: str
    label: str
    titles: Mapping[str, str]
    several: bool = True


def show_filter_bar(
    selection: Selection,
    *,
    protocols: Mapping[str, str] | None = None,
    words: str = "",
    unread: bool = False,
    addressed: bool = False,
    offer: Sequence[FilterChoice] = (),
    order: Sequence[FilterChoice] = (),
) -> Selection:
    """Draw the widgets that are offered and answer the selection they leave.

    Args:
        selection: what the address says; parts without a widget stay as they are.
        protocols: keys and titles to choose among.
        words: what the search field says it searches; no field when empty.
        unread: offer to see only what has an unread answer.
        addressed: offer to leave out items that speak to their judge, or made it fall into a trap.
        offer: further parts, the most used first. A value in the address that is not among the
            titles is gone: it is told and does not narrow.
        order: what stands at the row's end and is no part of a selection, such as the order of
            a list; the page reads it with `bound.chosen`.
    """
    shown = [each for each in offer if each.titles]
    asked = [_build_protocol_choice(protocols), *shown] if protocols else shown
    gone = [(each, value) for each in asked for value in _list_unknown_values(each, selection)]
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="filters"):
        if protocols:
            chosen = bound_pills("protocol", "Protocol", protocols)
            selection = replace(selection, protocol=chosen)
        if words:
            selection = replace(selection, words=bound_search("words", words))
        if words and shown:
            _show_fold_box(shown)
        selection = _ask_all(shown, selection, addressed=addressed)
        if unread:
            selection = replace(selection, unread=bound_toggle("unread", "Unread only"))
        for each in order:
            bound_choice(each.name, each.label, each.titles)
    for at, (choice, value) in enumerate(gone[:GONE_TOLD]):
        _warn_unknown_value(choice, value, at)
    if len(gone) > GONE_TOLD:
        st.caption(
            f"The address names {len(gone) - GONE_TOLD:,} more that the store does not have."
        )
    return selection


def _show_fold_box(choices: Sequence[FilterChoice]) -> None:
    """On a narrow screen the other filters wait behind this box; elsewhere nobody sees it.

    The style sheet does it, at once and without the server: only the browser knows its width. It
    needs a widget with a state of its own, and the number says that filters narrow the list.
    """
    names = (*(each.name for each in choices), *SWITCHES)
    used = sum(bool(st.query_params.get_all(each)) for each in names)
    with st.container(key="fold_filters", width="content"):
        st.checkbox(f"Filters ({used})" if used else "Filters", key="filters_open")


def _ask_all(
    choices: Sequence[FilterChoice], selection: Selection, *, addressed: bool
) -> Selection:
    for each in choices[:IN_THE_ROW]:
        selection = _ask_choice(each, selection)
    if len(choices) > IN_THE_ROW or addressed:
        with st.popover("More filters", icon=":material/tune:"):
            for each in choices[IN_THE_ROW:]:
                selection = _ask_choice(each, selection)
            if addressed:
                selection = _ask_addressed(selection)
    return selection


def _ask_addressed(selection: Selection) -> Selection:
    about = "Orders to a judge, ready verdicts and marks of a chat can move what a judge answers."
    label = "Leave out texts that speak to their judge"
    addressed = OUT if bound_toggle("addressed", label, word=OUT, about=about) else ""
    about = "For everybody, so that judges and raters are compared on the same items."
    label = "Leave out items on which a judge fell into a trap"
    trapped = OUT if bound_toggle("trapped", label, word=OUT, about=about) else ""
    return replace(selection, addressed=addressed, trapped=trapped)


def _ask_choice(choice: FilterChoice, selection: Selection) -> Selection:
    titles = told_apart(choice.titles)
    if choice.several:
        chosen = bound_several(choice.name, choice.label, titles)
    else:
        one = bound_choice(choice.name, choice.label, {"": choice.label, **titles})
        chosen = [one] if one else []
    return parse_selection(build_parameters(selection) | {choice.name: chosen})


def _build_protocol_choice(titles: Mapping[str, str]) -> FilterChoice:
    return FilterChoice(name="protocol", label="Protocol", titles=titles, several=False)


def _list_unknown_values(choice: FilterChoice, selection: Selection) -> list[str]:
    """What is said in vain; an author of no kind, say, does not even reach a selection."""
    raw = st.query_params.get_all(choice.name)
    lost = [
        each
        for each in raw
        if each and not build_parameters(parse_selection({choice.name: [each]}))
    ]
    said = (*build_parameters(selection).get(choice.name, ()), *lost)
    return [value for value in dict.fromkeys(said) if value not in choice.titles]


def _warn_unknown_value(choice: FilterChoice, value: str, at: int) -> None:
    """Say what the address names in vain, and offer what comes nearest."""
    named = value.rpartition(":")[2][:SHOWN]
    near = get_close_matches(named, choice.titles.values(), n=1, cutoff=0.5)
    key = next((key for key, title in choice.titles.items() if title in near), "")
    with st.container(horizontal=True, vertical_alignment="center", key=f"gone_{at}"):
        warn_unknown_value(choice.label.lower(), named)
        if key and st.button(f"Show {plain(choice.titles[key])}", key=f"near_{at}_{key}"):
            st.query_params[choice.name] = [key]
            st.rerun()
