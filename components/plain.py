"""The only way foreign text reaches a Streamlit widget: escaped for Markdown, nothing invisible.

Streamlit reads Markdown in headings, labels, captions, alerts and tables; an image in such a text
is fetched by every reader's browser. Widgets that read no Markdown (select boxes, text fields,
`st.text`, data frames) take `visible` instead, or they would show the escapes.
"""

import re
from collections.abc import Mapping
from itertools import pairwise

# Characters that change how their neighbours are shown, or that show nothing at all. The joiners
# U+200C and U+200D are left alone: scripts and emoji are spelt with them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_BLANKS = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
# Addresses, emoji names and arrows are looked for after Markdown is read, in whole runs of text.
# An empty directive cuts the run in two and leaves nothing on the page.
_CUT = ":small[]"
_RUN = re.compile(
    r"(?i)(https?|ftp|www)(?=[:.])"
    r"|(?<=\w)(?=@)"
    r"|(?<=:)(?=[\w+-]+:)"
    r"|(?<=[-<>~=])(?=[-=<>])"
)


def visible(text: str) -> str:
    """The text with control characters and direction marks spelt out, safe to send anywhere."""
    return _HIDDEN.sub(_name, text)


def plain(text: str) -> str:
    """One line of Markdown that shows exactly this text: no format, no link, no image, no emoji."""
    line = _BLANKS.sub(" ", visible(text)).strip()
    return _CUT.join(_PUNCTUATION.sub(_entity, part) for part in _parts(line))


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


def _parts(line: str) -> list[str]:
    borders = [0, *(match.end() for match in _RUN.finditer(line)), len(line)]
    return [line[start:end] for start, end in pairwise(borders)]


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match.group())};"


def _name(match: re.Match[str]) -> str:
    code = ord(match.group())
    # Unicode has a picture for each of the old control characters.
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟦U+{code:04X}⟧"
