"""Draw stacked shares, small multiples of bars, and means in import order.

As in `marks`, charts are drawn as text: bars are buttons, and names from files stay plain text.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from components.ui.mounted import mount_component
from components.ui.session import read_reported

_mount = mount_component(
    "plumbline_spread", "assets/text.css", "assets/text.js", "charts/spread.css", "charts/spread.js"
)
# Words of the address that name what was clicked; a new click replaces them all.
CLICKED = ("line", "value")


class Bar(NamedTuple):
    """A bar by its line and its value; an empty value means the whole line."""

    line: str
    value: str = ""


def draw_spread(
    data: Mapping[str, Any], *, key: str, says: Mapping[str, Bar], rows: str = ""
) -> None:
    """Draw the chart; a click on a mark names its bar in the address, a second takes it back.

    Args:
        data: What spread.js draws.
        key: The chart's name on the page.
        says: The bar of each mark, by the mark's id.
        rows: What the lines of these bars are, where the page may draw other lines.
    """
    _mount(key=key, data=dict(data), on_clicked_change=partial(_apply_click, key, says, rows))


def _apply_click(key: str, says: Mapping[str, Bar], rows: str) -> None:
    bar = says.get(str(read_reported(key, "clicked")))
    if bar is None:
        return
    before = Bar(st.query_params.get("line", ""), st.query_params.get("value", ""))
    for name in (*CLICKED, "page"):
        st.query_params.pop(name, None)
    if before != bar:
        said = {"line": bar.line, "value": bar.value, "rows": rows}
        st.query_params.update({name: text for name, text in said.items() if text})
