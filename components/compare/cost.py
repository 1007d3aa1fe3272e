"""Cost, tokens and latency of the replies of both sides."""

from collections.abc import Sequence
from typing import Any, Protocol

import streamlit as st

from components.ui.numbers import count
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.model.selection_sides import Side
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.statistics.paired import drop_nan as known_of
from faithfulness.statistics.paired import quantile
from faithfulness.statistics.tables import Numbers

COLUMNS = (Column(title="Per reply"), Column(title="A", end=True), Column(title="B", end=True))
UNKNOWN = "unknown"


class Spent(Protocol):
    """What each reply of a side took; nan where that is unknown."""

    @property
    def items(self) -> Any: ...
    @property
    def seconds(self) -> Numbers: ...
    @property
    def tokens_in(self) -> Numbers: ...
    @property
    def tokens_out(self) -> Numbers: ...
    @property
    def cost(self) -> Numbers: ...


def show_cost(sides: Sequence[Spent], who: Sequence[Side]) -> None:
    """Draw what is known; people have no replies, and what was not recorded is unknown."""
    if not any(_is_judge(each) for each in who):
        st.caption("Both sides are people: only a judge's replies carry a time and a cost.")
        return
    rows = [
        _build_row(
            "Replies", [_build_replies_cell(*each) for each in zip(sides, who, strict=True)]
        ),
        _build_row("Seconds, median", [_build_median_cell(each.seconds, 1) for each in sides]),
        _build_row(
            "Seconds, slowest tenth from", [_build_p90_cell(each.seconds) for each in sides]
        ),
        _build_row(
            "Tokens read, median", [_build_median_cell(each.tokens_in, 0) for each in sides]
        ),
        _build_row(
            "Tokens written, median", [_build_median_cell(each.tokens_out, 0) for each in sides]
        ),
        _build_row("Cost, mean", [_build_mean_cell(each.cost) for each in sides]),
        _build_row("Cost in all", [_build_sum_cell(each.cost) for each in sides]),
    ]
    show_table(COLUMNS, [Group(rows=rows)], key="cost", label="Time, tokens and cost of A and B")


def _build_row(title: str, cells: Sequence[Cell]) -> TableRow:
    return TableRow(id=title, cells=(Cell(text=title), *cells))


def _build_replies_cell(side: Spent, who: Side) -> Cell:
    if not _is_judge(who):
        return Cell(text="—", note="people")
    if not len(side.items):
        return Cell(text="0", note="labels came without replies")
    return Cell(text=count(len(side.items)))


def _is_judge(who: Side) -> bool:
    return who.author is not None and who.author.kind is AuthorKind.JUDGE


def _build_median_cell(values: Numbers, digits: int) -> Cell:
    return _build_known_cell(values, lambda known: f"{quantile(known, 0.5):,.{digits}f}")


def _build_p90_cell(values: Numbers) -> Cell:
    return _build_known_cell(values, lambda known: f"{quantile(known, 0.9):,.1f}")


def _build_mean_cell(values: Numbers) -> Cell:
    return _build_known_cell(values, lambda known: f"{known.mean():,.5f}")


def _build_sum_cell(values: Numbers) -> Cell:
    return _build_known_cell(values, lambda known: f"{known.sum():,.2f}")


def _build_known_cell(values: Numbers, say: Any) -> Cell:
    known = known_of(values)
    if not len(known):
        return Cell(text=UNKNOWN if len(values) else "—")
    left = len(values) - len(known)
    note = f"n = {count(len(known))}" + (f", {count(left)} unknown" if left else "")
    return Cell(text=say(known), note=note)
