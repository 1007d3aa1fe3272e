"""Escape invisible and direction-changing characters in untrusted text for display."""

import re

LONGEST = 200  # letters of one foreign text in a line of a command
SENTENCE = 400  # letters of a sentence of ours that quotes foreign words

# Characters that change how their neighbours are shown, or that show nothing at all; a terminal
# takes some as orders. The joiners U+200C and U+200D are left alone: scripts and emoji are spelt
# with them.
HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_BREAKS = re.compile(r"[\t\n\r]+")


def visible(text: str) -> str:
    """The text with control characters and direction marks spelt out, safe to send anywhere."""
    return HIDDEN.sub(_name_character, text)


def escape_line(text: str) -> str:
    """One whole visible line: a text can neither begin a line of its own nor write over one."""
    return visible(_BREAKS.sub(" ", text))


def escape_brief(text: str, longest: int = LONGEST) -> str:
    """One visible line of at most so many letters, spelt out ones counted as one."""
    line = _BREAKS.sub(" ", text)
    return visible(line if len(line) <= longest else f"{line[: longest - 1]}…")


def _name_character(match: re.Match[str]) -> str:
    code = ord(match.group())
    # Unicode has a picture for each of the old control characters.
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟦U+{code:04X}⟧"
