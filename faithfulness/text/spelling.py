"""Decode HTML entities, JSON escapes and wide letters in a text."""

import html
import re
import unicodedata

# Only from the first of several backslashes, or a long run of them would be read again from each.
_CODE = re.compile(r"(?<!\\)\\+u([0-9a-fA-F]{4})")
_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
_MOST_LAYERS = 3  # a text may be encoded more than once: &amp;quot;


def decode_spelling(text: str) -> str:
    """Decode entities, JSON escapes and wide letters, and drop characters that are not seen."""
    for _ in range(_MOST_LAYERS):
        decoded = _CODE.sub(lambda code: chr(int(code.group(1), 16)), html.unescape(text))
        if decoded == text:
            break
        text = decoded
    if text.isascii():
        return text
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
