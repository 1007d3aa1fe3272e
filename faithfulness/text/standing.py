"""Word-boundary tests: reject matches that split a number or a word."""

import re

_SHORT = 8  # a shorter hit must be whole words: it stands inside longer ones by chance
_POINTS = frozenset(".,")
_ONLY_ZEROS = re.compile(r"[.,]0{1,2}(?!\d)")  # $499 may be quoted from $499.00


def is_whole_match(text: str, start: int, end: int, *, whole_words: bool = False) -> bool:
    """Whether a hit cuts no number in two ($49 is not in $499) and, if short, no word."""
    if is_inside_number(text, start):
        return False
    if is_inside_number(text, end) and not _ONLY_ZEROS.match(text, end):
        return False
    if end - start >= _SHORT and not whole_words:
        return True
    return not is_inside_word(text, start) and not is_inside_word(text, end)


def is_inside_number(text: str, place: int) -> bool:
    if not 0 < place < len(text):
        return False
    left, right = text[place - 1], text[place]
    if left.isdigit():
        return right.isdigit() or (right in _POINTS and text[place + 1 : place + 2].isdigit())
    return left in _POINTS and right.isdigit() and text[place - 2 : place - 1].isdigit()


def is_inside_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and is_joined(text[place - 1], text[place])


def is_joined(left: str, right: str) -> bool:
    """Two letters of a script that writes blanks between its words."""
    return left.isalnum() and right.isalnum() and left < "\u0e00" and right < "\u0e00"
