"""Review disagreements on which all raters agree, and adopt their label as the decision."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from components.meetings.agenda import ListedPoint
from components.meetings.cells import (
    build_label_cell,
    build_unit_cell,
    format_unit_cell,
    parse_place,
)
from components.ui.address import open_page
from components.ui.numbers import format_count
from components.ui.session import done, operation_id, remember, remembered
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_page, bound_toggle
from faithfulness.review.meeting import Point

PAGE = 50
COLUMNS = (
    Column(title="Unit", wide=True),
    Column(title="All raters say", firm=True),
    Column(title="Against"),
)
_SHOWN = "unanimous cases as they were shown"

Case = TypeVar("Case", bound=tuple[Point, str, int])


def wants_unanimous() -> bool:
    """Whether somebody wants to see them; they are looked for only then."""
    return bound_toggle("unanimous", "Look at what all raters agree on")


def show_unanimous(
    total: int,
    cases: Sequence[Case],
    lines: Callable[[Sequence[Point]], Sequence[ListedPoint]],
) -> None:
    """Draw a page of the cases, each with the label it would get."""
    if not total:
        st.caption("There is no open disagreement on which two or more raters all say the same.")
        return
    more = f" The worst {len(cases):,} can be adopted at once." if total > len(cases) else ""
    st.caption(
        f"{format_count(total, 'open disagreement')} on which two or more raters all say the same. "
        "Their label counts as the verdict already; adopting it signs it as a decision and takes "
        f"it off the list.{more}"
    )
    first = 0
    if len(cases) > PAGE:
        first = PAGE * (bound_page("unanimous_page", -(-len(cases) // PAGE)) - 1)
    values = {point: value for point, value, _ in cases}
    shown = lines([point for point, *_ in cases[first : first + PAGE]])
    rows = [_build_row(each, values[each.point]) for each in shown]
    clicked = show_table(COLUMNS, [Group(rows=rows)], key="unanimous_cases", label="Unanimous")
    if clicked:
        open_page("item", parse_place(clicked.row))


def confirm_adoption(cases: Sequence[Case], by: str) -> Sequence[Case]:
    """The cases that were shown when somebody confirmed that they are to be adopted, else none."""
    many = len(cases)
    with st.popover(f"Adopt {format_count(many, 'decision')}", icon=":material/done_all:"):
        st.markdown(
            f"The label of all raters is signed as your decision on {format_count(many, 'unit')}."
        )
        if not by:
            st.caption("Say who hosts first.")
        pressed = st.button("Yes, adopt", type="primary", disabled=not by, key="adopt")
    shown: Sequence[Case] = remembered(_SHOWN) or cases
    remember(_SHOWN, cases)
    return shown if pressed else ()


def adopt(store: Callable[..., int]) -> None:
    """Store them as decisions and say so."""
    many = store(operation_id=operation_id("adopt"))
    done("adopt")
    st.toast(f"Adopted {format_count(many, 'decision')}.", icon=":material/done_all:")
    st.rerun()


def _build_row(each: ListedPoint, value: str) -> TableRow:
    row = "\x1f".join(each.point)
    name = each.external_id or each.point.item_id[:8]
    where = f"{name} · {format_unit_cell(each.point.unit_id)} · {each.run}"
    return TableRow(
        id=row,
        cells=(
            build_unit_cell(each.text, where, parse_place(row)),
            build_label_cell(each.protocol, each.point.criterion, value),
            Cell(text=" · ".join(each.why)),
        ),
    )
