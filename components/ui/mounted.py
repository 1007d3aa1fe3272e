"""Register a Streamlit custom component from plain HTML, CSS and JavaScript files."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

COMPONENTS = Path(__file__).resolve().parents[1]
# Streamlit takes a string with line breaks for the code itself, one without for a path.
ROOT = '<div class="root">\n</div>'


def join_files(kind: str, files: Sequence[str]) -> str:
    """The files of one kind, put together in their order; they are named from `components/`."""
    return "\n".join(
        (COMPONENTS / file).read_text("utf-8") for file in files if file.endswith(f".{kind}")
    )


def mount_component(name: str, *files: str, html: str = ROOT) -> ComponentRenderer:
    """A component of these files; the last script is what Streamlit calls."""
    return st.components.v2.component(
        name,
        html=join_files("html", files) or html,
        css=join_files("css", files) or None,
        js=join_files("js", files),
    )
