"""Items on which an answer changes between two policies: both answers, why, and the way there."""

from collections.abc import Mapping
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from components.agreement.policy_choice import Across
from components.ui.address import link, open_page
from components.ui.label_colors import Look
from components.ui.numbers import NONE, counted
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, Row, show_table
from components.ui.url_widgets import bound_page
from faithfulness.model.selection import Selection

SIDES = ("reference", "judge")
SAME = {True: "yes", False: "no", None: NONE}


class Flipping(Protocol):
    """As `data.agreement.policies.Flips`."""

    @property
    def rows(self) -> pd.DataFrame: ...

    @property
    def total(self) -> int: ...


def show_flipped(across: Across, found: Flipping, *, page: int, per_page: int) -> None:
    """One page of the items; a click on one opens the reader there."""
    heading = f"Items that flip between “{across.policy.title}” and “{across.second.title}”"
    st.subheader(plain(heading), anchor=False)
    if not found.total:
        st.caption("No item changes an answer between these two policies.")
        return
    lines = found.rows.to_dict("records")
    shown = across.asked.judge if across.bridged[1] else across.asked.reference
    more = {"shown": shown.as_text} if shown.author else {}
    places = [Selection(runs=(str(each["run_id"]),), item=str(each["item_id"])) for each in lines]
    rows = [
        _row(across, at, line, link("item", place, **more))
        for at, (line, place) in enumerate(zip(lines, places, strict=True))
    ]
    clicked = show_table(_columns(across), [Group(rows=rows)], key="flips", label=heading)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(counted(found.total, "item"), width="content")
        if found.total > per_page and bound_page("page", -(-found.total // per_page)) != page:
            st.rerun()
    if clicked and int(clicked.row) < len(places):
        open_page("item", places[int(clicked.row)], **more)


def _columns(across: Across) -> tuple[Column, ...]:
    heads = [
        f"{name} (bridged)" if bridged else name
        for name, bridged in zip(across.asked.sides, across.bridged, strict=True)
    ]
    return (
        Column(title="Item"),
        *(Column(title=each, firm=True) for each in heads),
        Column(title="Same label", drop=True),
    )


def _row(across: Across, at: int, line: Mapping[Any, Any], href: str) -> Row:
    named = str(line["external_id"] or str(line["item_id"])[:8])
    agreed = [SAME[_known(line[f"agreed_{name}"])] for name in ("first", "second")]
    return Row(
        id=str(at),
        cells=(
            Cell(text=named, note=str(line["run"]), action="open", href=href),
            *(_said(across, line, side) for side in (0, 1)),
            Cell(text=agreed[0] if agreed[0] == agreed[1] else ", then ".join(agreed)),
        ),
    )


def _said(across: Across, line: Mapping[Any, Any], at: int) -> Cell:
    """A side that is not bridged says the same under both policies, so that it stands once."""
    if not across.bridged[at]:
        return _plain(line[f"{SIDES[at]}_first"], across.looks)
    lines = []
    for name, policy in (("first", across.policy), ("second", across.second)):
        column = f"{SIDES[at]}_{name}"
        value = _plain(line[column], across.looks)
        text = f"{value.glyph} {value.text}".strip()
        lines.append((text, f"by “{policy.title}”: {line[f'{column}_reason'] or 'no answer'}"))
    return Cell(text="", lines=lines)


def _plain(value: Any, looks: Mapping[str, Look]) -> Cell:
    if not isinstance(value, str):
        return Cell(text=NONE)
    look = looks[value]
    glyph = "" if look.glyph == look.title else look.glyph
    return Cell(text=look.title, glyph=glyph, color=look.color)


def _known(agreed: Any) -> bool | None:
    return None if agreed is None or pd.isna(agreed) else bool(agreed)
