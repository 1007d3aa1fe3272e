"""Form that maps the columns of an imported table to roles."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.ui.plain import plain, told_apart
from components.ui.session import standing
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import FIELD_KINDS

ROLES = {
    "ignore": "Leave out",
    "attribute": "Keep beside the item",
    "id": "The item's id",
    "system": "The system's name",
    "author": "Author: the rater, annotator or judge who answered",
    "rater": "Rater or annotator who answered",
    "judge": "Judge or model that answered",
    "author_kind": "Whether a person or a model answered",
    "sentence": "The sentence that is answered about",
    "start": "Where the sentence starts in the response, counted from 0",
    "end": "Where the sentence ends: the place of the character behind it",
    "claim": "The claim that is answered about",
    "side": "Which text the claim is from",
    "fragments": "A list of fragments",
    "rationale": "Rationale: the reason or explanation",
    "comment": "A comment",
    "excerpt": "Excerpt: quote or evidence from a source",
    "links": "Evidence links",
    "confidence": "Confidence: how sure the author is",
    "reply": "A judge's whole reply",
    "number": "A metric's number on a scale of its own, kept as given",
}
_ANSWER = "Answer (label, verdict or score): "  # whoever looks for a role types one of these words
PRODUCT_PARTS = ("title", "base_price", "final_price", "opinion_summary")


class KnownTables(NamedTuple):
    """What the page knows about tables: their columns, and what a mapping may be."""

    columns: Callable[[], Mapping[str, str]]  # names with first values
    # The protocol and the roles chosen for the same header before, if any.
    remembered: Callable[[Iterable[str]], tuple[str, Mapping[str, str]] | None]
    suggest: Callable[[Mapping[str, str], str], dict[str, str]]  # from names and first values
    missing: Callable[[Mapping[str, str], str], str]
    # Of a column, its first value and a protocol: the roles that make it one author's answers.
    by_author: Callable[[str, str, str], Sequence[str]]
    # Of a mapping: the roles that make a column the reasons of an author who answers in it.
    reasons: Callable[[Mapping[str, str]], Sequence[str]]
    # The protocol whose labels the values are; empty where they do not tell.
    protocol: Callable[[], str] = str


def ask_mapping(
    tables: KnownTables, protocol: Protocol | None, key: str
) -> tuple[dict[str, str], str]:
    """The role of every column, and what still keeps the table from being read."""
    if protocol is None:
        st.info("Choose the protocol, then say what each column is for.", icon=":material/rule:")
        return {}, "no protocol is chosen"
    columns = tables.columns()
    suggested = tables.suggest(columns, protocol.key)
    before = tables.remembered(columns)
    st.markdown("## What each column is for")
    if before and before[0] == protocol.key:
        suggested |= before[1]
        st.caption("A table with these columns was imported before; its mapping is filled in.")
    else:
        st.caption(
            "Filled in as far as names and first rows tell. That is a proposal: change what is "
            "wrong."
        )
    own = {
        column: tables.by_author(column, first, protocol.key) for column, first in columns.items()
    }
    mapping = map_columns(columns, suggested, own, tables.reasons, protocol, key)
    missing = tables.missing(mapping, protocol.key)
    if missing:
        st.info(f"Not readable yet: {plain(missing)}.", icon=":material/rule:")
    return mapping, missing


def map_columns(
    columns: Mapping[str, str],
    suggested: Mapping[str, str],
    own: Mapping[str, Sequence[str]],
    reasons: Callable[[Mapping[str, str]], Sequence[str]],
    protocol: Protocol,
    key: str,
) -> dict[str, str]:
    """One choice for every column; the name of each comes with its first value.

    Args:
        columns: names with first values.
        suggested: the role each column begins with.
        own: the roles that only this column may have, because they carry its name.
        reasons: the roles that follow from who answers in the other columns.
        protocol: whose criteria are answered.
        key: tells these choices from those of another table.
    """
    # A column may come before that of its author, so the authors are known before any is drawn.
    keys = {column: f"role_{key}_{number}" for number, column in enumerate(columns)}
    shown = {column: standing(keys[column], suggested[column]) for column in columns}
    chosen: dict[str, str] = {}
    row: Sequence[DeltaGenerator] = ()
    for number, (column, first) in enumerate(columns.items()):
        if number % 3 == 0:
            row = st.columns(3)
        place = row[number % 3]
        others = {each: role for each, role in shown.items() if each != column}
        named = (*own[column], *reasons(others), *_iter_answer_roles(suggested))
        offered = told_apart(_list_roles(protocol, named))
        begin = suggested[column] if suggested[column] in offered else "attribute"
        chosen[column] = place.selectbox(
            plain(column) or "(no name)",
            list(offered),
            index=list(offered).index(begin),
            format_func=offered.__getitem__,
            key=keys[column],
        )
        place.caption(plain(first) or "empty in the first row")
    return chosen


def _iter_answer_roles(suggested: Mapping[str, str]) -> Iterator[str]:
    """Suggested answers of authors: the name may be another than the column's."""
    return (role for role in suggested.values() if role.startswith("value:"))


def _list_roles(protocol: Protocol, named: Iterable[str]) -> dict[str, str]:
    """Every role a column may have under a protocol, in the words people read.

    Args:
        protocol: whose criteria are answered.
        named: roles with an author's name in them, as a wide table has.
    """
    values = {f"value:{each.key}": f"{_ANSWER}{each.question}" for each in protocol.criteria}
    fields = {
        f"field:{kind}": f"Text: {title}"
        for kind, title in FIELD_KINDS.items()
        if kind not in ("fragment", "product")
    }
    products = {
        f"product:{number}:{part}": f"Product {number}: {part.replace('_', ' ')}"
        for number in (1, 2, 3)
        for part in PRODUCT_PARTS
        if protocol.key == "comparative_summary"
    }
    known = {**values, **fields, **products, **ROLES}
    several = len(protocol.criteria) > 1
    return {role: _format_role(role, known, several) for role in named if role not in known} | known


def _format_role(role: str, known: Mapping[str, str], several: bool) -> str:
    head, _, who = role.partition("@")
    name = known.get(head, head.replace("_", " ").replace(":", ": "))
    if who and head.startswith("value:"):
        author = (
            f"judge {who.removeprefix('judge:')}" if who.startswith("judge:") else f"rater {who}"
        )
        question = name.removeprefix(_ANSWER)
        return f"Answer by {author}: {question}" if several else f"Answer by {author}"
    return f"{name} ({who.replace(':', ' ')})" if who else name
