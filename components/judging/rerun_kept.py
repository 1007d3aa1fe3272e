"""Confirmation after a rerun is stored, and a list of earlier stored reruns of the item."""

from typing import Any

import pandas as pd
import streamlit as st

from components.judging.rerun_in_meeting import describe_way_back, is_hidden, is_in_meeting
from components.judging.running_questions import RunningQuestion
from components.reader.item_view import open_item
from components.reader.reader import ReaderView
from components.ui.address import format_author_key
from components.ui.numbers import format_count, format_day
from components.ui.plain import plain
from components.ui.saved_views import open_last_address
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.judging.offline.offline_judge import NAME
from faithfulness.judging.prices import UNKNOWN, format_dollars
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import is_baseline
from faithfulness.model.vocabulary import Author, AuthorKind


def show_kept(asking: RunningQuestion, here: Selection) -> bool:
    """Say that it is stored and lead to it; answers whether to ask again."""
    st.success(
        f"Kept. {plain(asking.author.name)} now has these answers on the item; earlier ones of the "
        f"same judge are superseded and stay in the store.{_explain_queue(asking)}"
        f"{describe_way_back()}",
        icon=":material/check:",
    )
    with st.container(horizontal=True):
        if not is_hidden() and st.button(
            "Show on the item", type="primary", icon=":material/article:"
        ):
            open_item(here, ReaderView(unit=here.unit, by=format_author_key(asking.author)))
        _offer_disagreements(is_baseline=asking.author.name == NAME)
        # The key that leads here from a card: it opens the form, and nothing is asked yet.
        return st.button("Ask again", icon=":material/replay:", key="ask_more", shortcut="B")


def _explain_queue(asking: RunningQuestion) -> str:
    """Why a queue may look as before; empty where it does not."""
    if asking.author.name != NAME or is_in_meeting():
        return ""
    return " On Disagreements they count once “With offline baseline” is switched on."


def _offer_disagreements(*, is_baseline: bool) -> None:
    """The way back to the queue, as it was left; a meeting has its own."""
    if is_in_meeting():
        return
    label = "Disagreements with offline baseline" if is_baseline else "Back to the disagreements"
    if st.button(label, icon=":material/forum:", help="The queue as you left it"):
        open_last_address("disagreements", **({"baseline": "true"} if is_baseline else {}))


def show_earlier(kept: pd.DataFrame) -> None:
    """Reruns of the item that were kept, with what they took."""
    if kept.empty or is_hidden():
        return
    st.markdown("**Kept before**")
    found: list[Any] = list(kept.itertuples())
    rows = [
        TableRow(
            id=str(each.group_id),
            cells=[
                Cell(text=str(each.author), note=str(each.endpoint)),
                Cell(text=format_count(int(each.samples), "sample")),
                _build_prompt_cell(each),
                Cell(text=_format_cost(each)),
                Cell(text=format_day(each.replied_at)),
            ],
        )
        for each in found
    ]
    titles = ("Judge", "Asked", "Prompt", "Cost", "When")
    columns = [Column(title=each) for each in titles]
    show_table(columns, [Group(rows=rows)], key="kept", label="Reruns kept before")


def _build_prompt_cell(kept: Any) -> Cell:
    if is_baseline(Author(kind=AuthorKind.JUDGE, name=str(kept.author))):
        return Cell(text="reads none")
    return Cell(text=str(kept.version), note=str(kept.fingerprint))


def _format_cost(kept: Any) -> str:
    if kept.cost == kept.cost:
        return format_dollars(float(kept.cost))
    return UNKNOWN if kept.endpoint else "nothing"  # the baseline asks nobody
