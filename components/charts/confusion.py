"""Confusion matrix: one row per reference label, one column per judge label."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from components.charts.marks import draw_marks
from components.ui.label_colors import Look
from components.ui.numbers import count, format_percent
from faithfulness.statistics.tables import Numbers

BETWEEN = ":"  # no value of a scale holds it


class ConfusionCell(NamedTuple):
    """One cell: what the reference says and what the judge says."""

    reference: str
    judge: str


def show_confusion(
    total: Numbers,
    looks: Mapping[str, Look],
    *,
    sides: tuple[str, str],
    chosen: ConfusionCell | None,
    key: str = "confusion",
) -> None:
    """Draw counts with their shares of the row; a click names a cell in the address.

    Args:
        total: Units, rows the reference.
        looks: What each value of the scale looks like, in the scale's order.
        sides: What people call reference and judge.
        chosen: The cell that the address names.
        key: The chart's name on the page.
    """
    values = tuple(looks)
    names = [_build_label(look) for look in looks.values()]
    cells = [
        [_build_cell(total, looks, row, column, chosen) for column in values] for row in values
    ]
    data = {
        "kind": "matrix",
        "label": f"Units by label: rows {sides[0]}, columns {sides[1]}",
        "rows_title": f"Reference: {sides[0]}",
        "columns_title": f"Judge: {sides[1]}",
        "columns": names,
        "rows": [
            {**name, "cells": line, "total": count(int(total[at].sum()))}
            for at, (name, line) in enumerate(zip(names, cells, strict=True))
        ],
        "totals": [count(int(each)) for each in total.sum(axis=0)],
        "total": count(int(total.sum())),
    }
    says = {
        cell_as_text(row, column): {"cell": cell_as_text(row, column)}
        for row in values
        for column in values
    }
    draw_marks(data, key=key, says=says, read="the-table")


def cell_as_text(reference: str, judge: str) -> str:
    return f"{reference}{BETWEEN}{judge}"


def parse_cell_key(text: str, values: Sequence[str]) -> ConfusionCell | None:
    """The cell that an address names; None where it names none of this scale."""
    reference, _, judge = text.partition(BETWEEN)
    return ConfusionCell(reference, judge) if reference in values and judge in values else None


def _build_label(look: Look) -> dict[str, str]:
    glyph = "" if look.glyph == look.title else look.glyph
    return {"title": look.title, "glyph": glyph, "color": look.color}


def _build_cell(
    total: Numbers,
    looks: Mapping[str, Look],
    row: str,
    column: str,
    chosen: ConfusionCell | None,
) -> dict[str, Any]:
    values = tuple(looks)
    line = total[values.index(row)]
    units, of_row = int(line[values.index(column)]), float(line.sum())
    share = units / of_row if of_row else None
    said = format_percent(share)
    return {
        "id": cell_as_text(row, column) if units else "",
        "text": count(units),
        "note": said if units else "",
        "share": share,
        "equal": row == column,
        "empty": not units,
        "on": chosen == ConfusionCell(row, column),
        "label": f"Reference {looks[row].title}, judge {looks[column].title}: {count(units)} "
        f"units, {said} of the row",
    }
