"""Table component that shows cell contents as plain text and reports clicks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from components.ui.as_data import as_data
from components.ui.mounted import mount_component

_mount = mount_component(
    "plumbline_table",
    "assets/text.css",
    "assets/text.js",
    "ui/table/table.css",
    "ui/table/table.js",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A column's heading and manners; columns with `drop` go first when the screen is narrow."""

    title: str
    end: bool = False  # numbers stand at the end of their column
    wide: bool = False
    drop: bool = False
    firm: bool = False  # wide enough for a label with its symbol


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One cell: a text with a badge, lines or a quieter note below, and what a click asks for."""

    text: str
    note: str = ""
    lines: Sequence[tuple[str, str]] = ()  # numbers with what each is, one below the other
    badge: str = ""
    glyph: str = ""
    color: str = ""
    action: str = ""  # makes the text a button that reports this word
    href: str = ""  # an address inside the app, for people who open it in a new tab
    strong: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TableRow:
    """One row; `id` comes back when one of its cells is clicked."""

    id: str
    cells: Sequence[Cell]
    here: bool = False  # what the address points at: marked, and brought into view once


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Rows under one heading."""

    rows: Sequence[TableRow]
    title: str = ""
    note: str = ""


class Clicked(NamedTuple):
    """What a person asked for: the row, and the word of the cell."""

    row: str
    action: str


def show_table(
    columns: Sequence[Column], groups: Sequence[Group], *, key: str, label: str
) -> Clicked | None:
    """Draw the table; answers what was clicked, once."""
    data = {
        "label": label,
        "columns": [as_data(each) for each in columns],
        "groups": [as_data(each) for each in groups],
    }
    result: Any = _mount(key=key, data=data, on_clicked_change=_do_nothing)
    said = result.clicked
    return Clicked(str(said["row"]), str(said["action"])) if said else None


def _do_nothing() -> None:
    """Streamlit only reports a click that has a callback."""
