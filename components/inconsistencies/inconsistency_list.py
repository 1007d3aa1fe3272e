"""List of inconsistent answers, with its filters, its rows and its download."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import pandas as pd
import streamlit as st

from components.inconsistencies.inconsistency_words import (
    describe_answer,
    describe_other_side,
    format_rule_reason,
    format_unit_name,
)
from components.ui.address import format_author_key, link, open_page, parse_author_key
from components.ui.chips.chips import ChipGroup
from components.ui.numbers import format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from components.ui.url_widgets import bound_page
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Item
from faithfulness.policies.inconsistency_rules import AUDIT_RULES

ABOUT = (
    "Answers about one item that rule each other out by the rules of their protocols. Somebody "
    "erred, or a rule is read in two ways; which of them, the list does not say."
)
WHOSE = {"": "All", "one_author": "One author", "several_authors": "Several authors"}
# The rules as chips; whole titles stand above the rows.
SHORT = {
    "faithfulness_5_with_fault": "Faithfulness 5",
    "faithfulness_4_with_faults": "Faithfulness 4",
    "accuracy_with_contradiction": "Accuracy, contradicted",
    "accuracy_with_invention": "Accuracy, invented",
    "yes_with_contradiction": "Yes, contradicted",
    "nothing_to_check_with_statements": "Nothing to check",
    "ethics_5_with_outside_text": "Ethics 5",
    "accuracy_above_checked": "Accuracy above checks",
    "ethics_above_checked": "Ethics above checks",
    "evidence_without_link": "No link",
    "links_not_taken": "Links not taken",
    "answer_against_statements": "Against statements",
    "supported_by_absent_words": "Quote nowhere",
}
KINDS = {"csv": "CSV", "xlsx": "Excel", "parquet": "Parquet", "jsonl": "JSON lines"}
COLUMNS = (Column(title="Unit", wide=True), Column(title="One answer"), Column(title="Against it"))
Write = Callable[[str], bytes]  # from a kind of file to its content


def filter_rules(said: Collection[str]) -> tuple[str, ...]:
    """Rules that the address names; nonsense does not narrow."""
    return tuple(key for key in AUDIT_RULES if key in said)


def build_chip_groups(
    whose: str, rules: Collection[str], by_whose: Mapping[str, int], by_rule: Mapping[str, int]
) -> list[ChipGroup]:
    """One author or several, then the rules."""
    return [
        ChipGroup(
            name="whose",
            label="One author or several",
            titles=WHOSE,
            counts=by_whose,
            on=(whose,),
            single=True,
        ),
        ChipGroup(name="rule", label="Rule", titles=SHORT, counts=by_rule, on=tuple(rules)),
    ]


def show_item_filter(name: str) -> None:
    """Say that the list is of one item, and lead to the whole list."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"Only of item {plain(name)}", width="content")
        if st.button("Of all items", icon=":material/close:", type="tertiary"):
            open_page("audit", Selection())


def show_empty_list(*, is_narrowed: bool) -> None:
    if is_narrowed:
        st.info(
            "Nothing like this here. Widen the filter, or choose another rule.",
            icon=":material/filter_alt_off:",
        )
        return
    st.info(
        "No two answers on an item rule each other out. That takes an item with answers about the "
        "whole response and labels on its sentences, or an answer that lacks its evidence.",
        icon=":material/done_all:",
    )


def offer_file(write: Write, total: int) -> None:
    """The list as a file, narrowed as the page is; none is written before somebody asks."""
    with st.popover("Download", icon=":material/download:", disabled=not total):
        st.caption(f"This list with both sides and the rule: {format_count(total, 'row')}.")
        with st.container(horizontal=True, gap="small"):
            for kind, title in KINDS.items():
                st.download_button(
                    title,
                    partial(write, kind),
                    file_name=f"cannot-all-be-right.{kind}",
                    key=f"file_audit_{kind}",
                    on_click="ignore",
                )


def show_audits(
    rows: pd.DataFrame, items: Mapping[str, Item], *, total: int, page: int, per_page: int
) -> None:
    """Draw one page of the list; a click on a unit opens the reader there.

    Args:
        rows: as `data.inconsistencies.inconsistencies.audits` answers.
        items: those of the rows, by id.
        total: how many there are on all pages.
        page: which page this is, from 1.
        per_page: how many a page holds.
    """
    lines = rows.to_dict("records")
    clicked = show_lines(lines, items, key="audits")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(format_count(total, "inconsistency", "inconsistencies"), width="content")
        if total > per_page and bound_page("page", -(-total // per_page)) != page:
            st.rerun()
    if clicked is not None:
        open_page("item", get_place(clicked), shown=get_shown_author(clicked))


def show_lines(
    lines: Sequence[Mapping[Any, Any]], items: Mapping[str, Item], *, key: str
) -> Mapping[Any, Any] | None:
    """Draw the rows under their rules; answers the one that was clicked."""
    groups = [
        _build_group(rule, is_own, [_build_row(at, line, items) for at, line in told])
        for (is_own, rule), told in groupby(enumerate(lines), lambda each: _get_group_key(each[1]))
    ]
    clicked = show_table(COLUMNS, groups, key=key, label="Answers that cannot all be right")
    return lines[int(clicked.row)] if clicked and int(clicked.row) < len(lines) else None


def get_place(line: Mapping[Any, Any]) -> Selection:
    """Where the reader opens."""
    return Selection(
        runs=(str(line["run_id"]),), item=str(line["item_id"]), unit=str(line["unit_id"])
    )


def get_shown_author(line: Mapping[Any, Any]) -> str:
    """Whose labels the reader begins with: the side that speaks about the unit."""
    name = str(line["other_author"] or line["one_author"])
    author = parse_author_key(name.replace(" ", ":", 1))
    return format_author_key(author) if author else ""


def _get_group_key(line: Mapping[Any, Any]) -> tuple[bool, str]:
    return bool(line["same_author"]), str(line["rule"])


def _build_group(key: str, is_own: bool, rows: Sequence[TableRow]) -> Group:
    rule = AUDIT_RULES[key]
    whose = "One author against themselves. " if is_own else ""
    return Group(title=rule.title, note=f"{whose}{format_rule_reason(rule)}", rows=rows)


def _build_row(at: int, line: Mapping[Any, Any], items: Mapping[str, Item]) -> TableRow:
    one = describe_answer(str(line["one_criterion"]), str(line["one_value"]))
    other = describe_other_side(str(line["rule"]), list(line["other_values"]))
    return TableRow(
        id=str(at),
        cells=(
            Cell(
                text=_get_unit_text(line, items),
                note=_format_note(line),
                action="open",
                href=link("item", get_place(line), shown=get_shown_author(line)),
            ),
            Cell(text=one.text, glyph=one.glyph, color=one.color, note=str(line["one_author"])),
            Cell(
                text=other.text,
                glyph=other.glyph,
                color=other.color,
                note=_format_other_author(line),
            ),
        ),
    )


def _get_unit_text(line: Mapping[Any, Any], items: Mapping[str, Item]) -> str:
    item = items.get(str(line["item_id"]))
    units = item.units if item is not None else ()
    unit = next((each for each in units if each.id == line["unit_id"]), None)
    if unit is None or unit.id == "response":
        return "(the whole response)"
    return unit.text


def _format_note(line: Mapping[Any, Any]) -> str:
    unit = format_unit_name(str(line["unit_id"]))
    if not line["run"]:  # on the item's own page
        return unit
    named = str(line["external_id"] or str(line["item_id"])[:8])
    return f"{unit} · {named} · {line['run']}"


def _format_other_author(line: Mapping[Any, Any]) -> str:
    who = "the same author" if line["same_author"] else str(line["other_author"])
    many = format_count(len(line["units"]), "sentence") if len(line["units"]) > 1 else ""
    return " · ".join(each for each in (who if line["other_author"] else "", many) if each)
