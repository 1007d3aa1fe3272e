"""Warnings for items whose text addresses the judge (prompt injection)."""

from collections.abc import Callable, Sequence

import streamlit as st

from components.judging.batch_shapes import Plan
from components.ui.numbers import count, format_count
from components.ui.plain import plain
from faithfulness.checks import addressed
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Item

_ICON = ":material/record_voice_over:"
_SHOWN = 2  # places whose words are given; the reader shows all
_LETTERS = 160


def warn_of_item(item: Item) -> None:
    """The words of an item that speak to its judge; nothing when there are none."""
    words = [
        field.text[hit.start : hit.end]
        for field in item.fields
        for hit in addressed.find_hits(field.text)
    ]
    if not words:
        return
    said = ", ".join(f"“{plain(_shorten_words(each))}”" for each in words[:_SHOWN])
    more = f" and {format_count(len(words) - _SHOWN, 'more place')}" if len(words) > _SHOWN else ""
    st.warning(
        f"Text of this item speaks to its judge and can move what it answers: {said}{more}",
        icon=_ICON,
    )


def warn_of_items(plans: Sequence[Plan]) -> None:
    """How many of the items to be asked about speak to the judge, as far as was looked."""
    found = max(plans, key=lambda each: each.addressed, default=None)
    if found is None or not found.addressed:
        return
    of = format_count(found.weighed, "item")
    if found.weighed < len(found.item_ids):
        of = f"{of} that were looked at, out of {count(len(found.item_ids))}"
    st.warning(
        f"**{count(found.addressed)}** of {of} hold text that speaks to its judge and can move "
        "what it answers. They are asked about like the others; the item page shows the words.",
        icon=_ICON,
    )


def show_left_out(selection: Selection, ask: Callable[[], int]) -> None:
    """Say how many items do not count because they may have moved a judge, if any may."""
    why = []
    if selection.leaves_addressed:
        why.append("a text speaks to its judge")
    if selection.leaves_trapped:
        why.append("a judge fell into a trap there")
    if not why:
        return
    items, reason = ask(), " or ".join(why)
    if items:
        st.caption(f"{format_count(items, 'item')} left out: {reason}.")
    else:
        st.caption(f"No item is left out: of none is it known that {reason}.")


def _shorten_words(words: str) -> str:
    return words if len(words) <= _LETTERS else f"{words[:_LETTERS]}…"
