"""Draw charts whose marks are buttons in theme colors; a click updates the URL of the page.

Charts are drawn as text, so every value is available to keyboards and screen readers. Names from
imported files are inserted as plain text and cannot become links or formatting.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from components.ui.mounted import mount_component
from components.ui.session import read_reported
from components.ui.statistics_document import paragraph

_mount = mount_component(
    "plumbline_marks", "assets/text.css", "assets/text.js", "charts/marks.css", "charts/marks.js"
)
# Words of the address that name what was clicked; a new click replaces them all.
CLICKED = ("cell", "steps", "part", "apart")


def draw_marks(
    data: Mapping[str, Any],
    *,
    key: str,
    says: Mapping[str, Mapping[str, str]] | None = None,
    read: str = "",
) -> None:
    """Draw the chart; a click on a mark writes what `says` holds for its id into the address.

    A click on the mark that the address already names takes it back.

    Args:
        data: What marks.js draws.
        key: The chart's name on the page.
        says: What each mark writes into the address, by the mark's id.
        read: The heading or number in the document on statistics that explains the chart.
    """
    drawn = {**data, "read": paragraph(read) if read else ""}
    _mount(key=key, data=drawn, on_clicked_change=partial(_apply_click, key, says or {}))


def _apply_click(key: str, says: Mapping[str, Mapping[str, str]]) -> None:
    asked = says.get(str(read_reported(key, "clicked")))
    if asked is None:
        return
    before = {name: st.query_params.get(name) for name in asked}
    for name in (*CLICKED, "page"):
        st.query_params.pop(name, None)
    if before != dict(asked):
        st.query_params.update(asked)
