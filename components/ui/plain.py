"""Escape untrusted text for Streamlit widgets: no Markdown, no invisible characters.

Streamlit renders Markdown in headings, labels, captions, alerts and tables; an image in such text
would be fetched by the browser of every reader. Widgets that do not render Markdown (select boxes,
text fields, `st.text`, data frames) need `visible` instead, because they would show the escapes.
"""

import re
from collections.abc import Mapping
from itertools import pairwise

from faithfulness.model.visible import visible

__all__ = ["plain", "told_apart", "visible"]

_BLANKS = re.compile(r"\s+")
# Between letters or digits these five mean nothing to Markdown. They stay, because Streamlit gives
# a label unread to whoever listens to the page: bot_version and not bot&#95;version.
_PUNCTUATION = re.compile(r"(?<![^\W_])[-_.,']|[-_.,'](?![^\W_])|[!-&(-+/:-@\[-^`{-~]")
# Addresses, emoji names and arrows are looked for after Markdown is read, in whole runs of text.
# An empty directive cuts the run in two and leaves nothing on the page.
_CUT = ":small[]"
_RUN = re.compile(
    r"(?i)(https?|ftp|www)(?=[:.])"
    r"|(?=@)"
    r"|(?<=:)(?=[\w+-]+:)"
    r"|(?<=[-<>~=])(?=[-=<>])"
)


def plain(text: str) -> str:
    """One line of Markdown that shows exactly this text: no format, no link, no image, no emoji."""
    line = _BLANKS.sub(" ", visible(text)).strip()
    return _CUT.join(_PUNCTUATION.sub(_encode_entity, part) for part in _split_parts(line))


def told_apart(titles: Mapping[str, str]) -> dict[str, str]:
    """Titles for a closed list, each only once: a list finds its choice by the title it shows."""
    shown: dict[str, str] = {}
    used: set[str] = set()
    for key, title in titles.items():
        text, number = visible(title), 1
        while text in used:
            number += 1
            text = f"{visible(title)} ({number})"
        used.add(text)
        shown[key] = text
    return shown


def _split_parts(line: str) -> list[str]:
    borders = [0, *(match.end() for match in _RUN.finditer(line)), len(line)]
    return [line[start:end] for start, end in pairwise(borders)]


def _encode_entity(match: re.Match[str]) -> str:
    return f"&#{ord(match.group())};"
