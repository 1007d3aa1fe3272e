"""Widgets whose values are stored in the URL, by key instead of by title."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.ui.session import make_widget_key, write_to_url


def bound_segments(name: str, label: str, titles: Mapping[str, str], *, usual: str = "") -> str:
    """One of several views; the `usual` one, else the first, needs no word in the address."""
    first = usual or next(iter(titles))
    said = st.query_params.get(name, first)
    shown = said if said in titles else first
    chosen = st.segmented_control(
        label,
        list(titles),
        format_func=titles.__getitem__,
        required=True,
        default=shown,
        key=make_widget_key(name, shown),
        label_visibility="collapsed",
    )
    value = str(chosen or first)
    write_to_url(name, value, "" if value == first else value)
    return value


def bound_pills(name: str, label: str, titles: Mapping[str, str]) -> str:
    """One of several, or none: the empty text."""
    said = st.query_params.get(name, "")
    shown = said if said in titles else None
    chosen = st.pills(
        label,
        list(titles),
        format_func=titles.__getitem__,
        default=shown,
        key=make_widget_key(name, shown),
        label_visibility="collapsed",
    )
    write_to_url(name, chosen, chosen or "")
    return chosen or ""


def bound_several(name: str, label: str, titles: Mapping[str, str]) -> list[str]:
    """Any of several; what the address names and the list lacks is not chosen."""
    said = [each for each in st.query_params.get_all(name) if each in titles]
    picked = st.multiselect(
        label,
        list(titles),
        format_func=titles.__getitem__,
        default=said,
        key=make_widget_key(name, said),
        placeholder=label,
        label_visibility="collapsed",
        width=165,
    )
    write_to_url(name, picked, picked)
    return picked


def bound_choice(
    name: str,
    label: str,
    titles: Mapping[str, str],
    *,
    width: int = 165,
    usual: str | None = None,
) -> str:
    """One of several in a closed list; the `usual` one, else the first, has no word in the address.

    Where the empty text is the usual one, the address always says what is chosen.
    """
    unsaid = next(iter(titles)) if usual is None else usual
    shown = chosen(name, titles, usual or "")
    picked = st.selectbox(
        label,
        list(titles),
        index=list(titles).index(shown),
        format_func=titles.__getitem__,
        key=make_widget_key(name, shown),
        label_visibility="collapsed",
        width=width,
    )
    write_to_url(name, picked, "" if picked == unsaid else picked)
    return picked


def chosen(name: str, titles: Mapping[str, str], first: str = "") -> str:
    """What the address says of a closed list; the first when it says nothing or nonsense."""
    usual = first or next(iter(titles))
    said = str(st.query_params.get(name, usual))
    return said if said in titles else usual


def read_number(name: str, otherwise: int) -> int:
    """A whole number that the address says; nonsense and giants count as nothing said."""
    said = st.query_params.get(name, "")
    return int(said) if said.isdecimal() and len(said) < 10 else otherwise


def bound_search(name: str, label: str) -> str:
    said = st.query_params.get(name, "")[:200]
    typed = st.text_input(
        label,
        said,
        placeholder=label,
        key=make_widget_key(name, said),
        icon=":material/search:",
        label_visibility="collapsed",
        width=220,
        max_chars=200,
    )
    write_to_url(name, typed, typed)
    return typed.strip()


def bound_toggle(name: str, label: str, *, word: str = "true", about: str = "") -> bool:
    """A switch; the address holds the word while it is on."""
    said = st.query_params.get(name) == word
    on = st.toggle(label, said, key=make_widget_key(name, said), help=about or None)
    write_to_url(name, on, word if on else "")
    return on


def bound_page(name: str, pages: int) -> int:
    """The number of a page, counted from 1."""
    said = st.query_params.get(name, "1")
    wanted = int(said) if said.isdecimal() and len(said) < 7 else 1
    shown = min(max(wanted, 1), pages)
    value = st.pagination(pages, default=shown, key=make_widget_key(name, shown))
    write_to_url(name, value, "" if value == 1 else str(value))
    return value


def ask_text_to_keep(name: str, label: str, *, key: str, longest: int, placeholder: str) -> str:
    """Words that somebody is writing, which `keep_in_url` is to keep over a reload.

    A field that is new shows what the address says; from then on the field leads and the address
    follows. Whoever writes and presses a button at once still sends the address of before, and
    must not lose the words to it.
    """
    said = st.query_params.get(name, "")[:longest]
    return st.text_input(label, said, max_chars=longest, placeholder=placeholder, key=key)


def keep_in_url(name: str, said: Sequence[str]) -> None:
    """Make the address say what a field holds that leads it."""
    if st.query_params.get_all(name) == list(said):
        return
    if said:
        st.query_params[name] = list(said)
    else:
        st.query_params.pop(name, None)
