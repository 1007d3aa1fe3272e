"""Choose whose labels colour a text."""

from collections.abc import Iterable

import streamlit as st

from components.address import author_as_text
from components.plain import told_apart
from faithfulness.vocabulary import Author, AuthorKind


def author_choice(authors: Iterable[Author], wanted: Iterable[Author], key: str) -> Author | None:
    """The author in the address, else a judge, else whoever there is; None when nobody signed."""
    known = sorted(set(authors))
    if not known:
        return None
    asked = [each for each in known if each in set(wanted)]
    judges = [each for each in known if each.kind is AuthorKind.JUDGE]
    titles = told_apart({author_as_text(each): f"{each.kind} {each.name}" for each in known})
    return st.selectbox(
        "Labels by",
        known,
        index=known.index((asked or judges or known)[0]),
        format_func=lambda each: titles[author_as_text(each)],
        key=key,
    )
