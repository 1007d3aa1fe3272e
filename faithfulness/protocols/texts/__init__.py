"""The guidance and prompt texts of the protocols, each in a Markdown file of its own."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def text(name: str) -> str:
    """One text by its file name without the ending."""
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
