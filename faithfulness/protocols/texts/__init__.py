"""Protocol texts: the guidance and prompt of each protocol as Markdown files.

`load_text` returns one of them by its file name without the extension. Used by the protocol
modules.
"""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def load_text(name: str) -> str:
    """One text by its file name without the ending."""
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
