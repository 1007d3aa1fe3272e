"""Notice on the item page that lists inconsistent answers with links to their units."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.inconsistencies.inconsistency_list import get_place, get_shown_author, show_lines
from components.inconsistencies.inconsistency_words import (
    format_inconsistency,
    format_rule_reason,
    format_unit_name,
)
from components.reader.reader import ReaderView
from components.ui.address import open_page
from components.ui.numbers import count
from components.ui.plain import plain
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Item
from faithfulness.policies.inconsistencies import Inconsistency, format_author

SHOWN = 12  # behind the button; the list has them all
WIDTH = 620  # fits beside the menu on a screen 1024 wide


def show_notice(
    found: Sequence[Inconsistency], item: Item, start: ReaderView, runs: tuple[str, ...] = ()
) -> None:
    """Draw one calm line: the first in words, the others behind a button; nothing without any.

    Args:
        found: what `faithfulness.policies.inconsistencies.audit` says of the item.
        item: the item.
        start: where its reader begins.
        runs: those that the list of all inconsistencies of the item is narrowed to.
    """
    if not found:
        return
    lines = [_build_line(each) for each in found]
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="audit_notice"
    ):
        told = (
            f"**Cannot all be right:** {plain(format_inconsistency(found[0]))} "
            ":material/arrow_forward:"
        )
        why = plain(
            f"{format_rule_reason(found[0].rule)} Show "
            f"{format_unit_name(found[0].unit_id).lower()}."
        )
        if st.button(told, key="audit_first", icon=":material/rule:", type="tertiary", help=why):
            open_page("item", get_place(lines[0]), shown=get_shown_author(lines[0]))
        if len(found) > 1:
            # Another one at another unit: it would stay open over the words that were asked for.
            key = f"audit_more_{start.unit}_{start.by}"
            more = st.popover(f"and {count(len(found) - 1)} more", type="tertiary", key=key)
            # A popover is as wide as what is in it, and a table as wide as what it is in.
            with more, st.container(width=WIDTH):
                _show_all(lines, item, runs)


def _show_all(lines: Sequence[dict[str, Any]], item: Item, runs: tuple[str, ...]) -> None:
    clicked = show_lines(lines[:SHOWN], {item.id: item}, key="audit_here")
    label = f"All {count(len(lines))} in the list"
    if st.button(label, key="audit_list", icon=":material/rule:"):
        open_page("audit", Selection(runs=runs), of=item.id)
    if clicked is not None:
        open_page("item", get_place(clicked), shown=get_shown_author(clicked))


def _build_line(each: Inconsistency) -> dict[str, Any]:
    """A row of the list, in the words of `data.inconsistencies.inconsistencies`."""
    return {
        "rule": each.rule.key,
        "item_id": each.item_id,
        "run_id": each.run_id,
        "run": "",
        "external_id": "",
        "unit_id": each.unit_id,
        "units": (each.other or each.one).units,
        "one_author": format_author(each.one.author),
        "one_criterion": each.one.criterion,
        "one_value": " or ".join(each.one.values),
        "other_author": format_author(each.other.author) if each.other else "",
        "other_values": each.other.values if each.other else (),
        "same_author": each.is_by_one_author,
    }
