"""Label transition matrix: labels of side A in rows, labels of side B in columns."""

from collections.abc import Mapping
from typing import Any

from components.charts.confusion import ConfusionCell, cell_as_text
from components.charts.marks import draw_marks
from components.charts.paired import SIDES
from components.ui.label_colors import Look
from components.ui.numbers import count, format_percent
from faithfulness.statistics.tables import Numbers


def show_flow(
    total: Numbers, looks: Mapping[str, Look], *, chosen: ConfusionCell | None, key: str = "flow"
) -> None:
    """Draw counts with their shares of the row; a click names a cell in the address."""
    says = {
        cell_as_text(row, column): {"cell": cell_as_text(row, column)}
        for row in looks
        for column in looks
    }
    draw_marks(build_flow_marks(total, looks, chosen), key=key, says=says, read=SIDES)


def show_shares(counts: Numbers, looks: Mapping[str, Look], *, key: str = "shares") -> None:
    """Draw each side's labels in a row of its own, where units cannot be paired."""
    values = tuple(looks)
    rows = [
        {
            "title": name,
            "glyph": "",
            "color": "",
            "cells": [
                _build_cell(line, at, f"{name} {looks[value].title}")
                for at, value in enumerate(values)
            ],
            "total": count(int(line.sum())),
        }
        for name, line in zip(("A", "B"), counts, strict=True)
    ]
    drawn = _build_matrix(rows, counts, looks, "Side", "Label", "Units by side and label")
    draw_marks(drawn, key=key, read=SIDES)


def build_flow_marks(
    total: Numbers, looks: Mapping[str, Look], chosen: ConfusionCell | None
) -> dict[str, Any]:
    """What `draw_marks` needs; cells without units cannot be clicked."""
    values = tuple(looks)
    rows = []
    for row, line in zip(values, total, strict=True):
        cells = []
        for at, column in enumerate(values):
            said = f"A {looks[row].title}, B {looks[column].title}"
            cell = _build_cell(line, at, said) | {
                "id": cell_as_text(row, column) if line[at] else "",
                "equal": row == column,
                "on": chosen == ConfusionCell(row, column),
            }
            cells.append(cell)
        rows.append({**_build_label(looks[row]), "cells": cells, "total": count(int(line.sum()))})
    return _build_matrix(
        rows, total, looks, "A", "B", "Units by label: rows side A, columns side B"
    )


def _build_matrix(
    rows: list[dict[str, Any]],
    total: Numbers,
    looks: Mapping[str, Look],
    rows_title: str,
    columns_title: str,
    label: str,
) -> dict[str, Any]:
    return {
        "kind": "matrix",
        "label": label,
        "rows_title": rows_title,
        "columns_title": columns_title,
        "columns": [_build_label(look) for look in looks.values()],
        "rows": rows,
        "totals": [count(int(each)) for each in total.sum(axis=0)],
        "total": count(int(total.sum())),
    }


def _build_label(look: Look) -> dict[str, str]:
    glyph = "" if look.glyph == look.title else look.glyph
    return {"title": look.title, "glyph": glyph, "color": look.color}


def _build_cell(line: Numbers, at: int, said: str) -> dict[str, Any]:
    units, of_row = int(line[at]), float(line.sum())
    share = units / of_row if of_row else None
    in_percent = format_percent(share)
    return {
        "id": "",
        "text": count(units),
        "note": in_percent if units else "",
        "share": share,
        "equal": False,
        "empty": not units,
        "on": False,
        "label": f"{said}: {count(units)} units, {in_percent} of the row",
    }
