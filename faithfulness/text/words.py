"""Extract the content words, names and numbers of a text for comparison by word."""

import re
from typing import NamedTuple

from faithfulness.text.numbers.numerals import PARTS, find_numerals
from faithfulness.text.readable import make_readable
from faithfulness.text.stems import STOP_WORDS, fold_apostrophes, stem

_TOKEN = re.compile(r"\[\d{1,3}\]|[^\W_]+(?:'[a-z]+)?")  # the 3 of "[3]" is a reference
_PARTED = re.compile(r"(?<=\d), (?=\d{3}\b)")  # "3, 800", as some tokenisers leave it
# Joining words that the stop list of clashes keeps, because there they can exclude each other.
_ALSO_STOPS = "after before until since among against within like well"
_STOPS = STOP_WORDS | frozenset(_ALSO_STOPS.split())
_NO_NUMBER = PARTS | {"one"}  # mostly pronouns and turns of phrase


class ContentWords(NamedTuple):
    """The content words of a text in order, and what is special among them."""

    stems: tuple[str, ...]
    spoken: tuple[str, ...]  # the same words as they stand in the text
    places: tuple[int, ...]  # which token of the text each is
    names: frozenset[str]  # stems of the words with a capital letter that grammar does not ask for
    tokens: int

    @property
    def content(self) -> tuple[str, ...]:
        """Every stem once, in order."""
        return tuple(dict.fromkeys(self.stems))


def read_words(text: str) -> ContentWords:
    text = make_readable(text).text
    plain = fold_apostrophes(text)
    found = [each.span() for each in _TOKEN.finditer(plain) if each[0][0] != "["]
    stems, spoken, places, names = [], [], [], set()
    for place, (start, end) in enumerate(found):
        token = plain[start:end]
        # A letter alone is an initial or a piece of "U.S."; sources write those in many ways.
        if token in _STOPS or (len(token) == 1 and not token.isdigit()):
            continue
        root = stem(token)
        stems.append(root)
        spoken.append(text[start:end])
        places.append(place)
        if text[start].isupper() and (place > 0 or _is_next_name(text, found)):
            names.add(root)
    return ContentWords(tuple(stems), tuple(spoken), tuple(places), frozenset(names), len(found))


def _is_next_name(text: str, found: list[tuple[int, int]]) -> bool:
    """The first word of a sentence has a capital letter anyway; of two in a row it is a name."""
    return len(found) > 1 and text[found[1][0]].isupper()


def find_numbers(text: str) -> frozenset[float]:
    """The values of all numbers of a text."""
    return frozenset(
        each.value
        for each in find_numerals(make_readable(text).text)
        if each.words not in _NO_NUMBER
    )


def join_thousands(text: str) -> str:
    """The text with thousands joined that a tokeniser parted."""
    return _PARTED.sub(",", text)
