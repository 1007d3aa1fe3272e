"""Test whether words combined in a statement are also combined in the source.

"Black frame with white legs" contains all words of "It has a white frame" but does not state it. A
text is split into pieces at commas, "and", "with" and similar words. The words of one piece of a
statement may come from several pieces of the source, at most one of which may contain other
content words.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from faithfulness.checks.passages import read_words
from faithfulness.text.stems import fold_apostrophes, tokenize

# "Comes with a lid" has one thing, "a frame with black legs" two.
_ADDING = "with|without|including|excluding"
_JOINS = re.compile(
    rf"[.,:](?=\s|$)|[;()|!?\n]|\s[-–—]\s|(?<!comes )(?<!come )\b(?P<adding>{_ADDING})\b"
    r"|\b(?:and|or|but|plus|while|whereas)\b",
    re.IGNORECASE,
)


class _WordGroup(NamedTuple):
    """Words between two joins, and the "with" or "without" before them."""

    adding: str
    words: frozenset[str]


def split_word_groups(text: str) -> Iterator[_WordGroup]:
    """The pieces of a text with their words."""
    plain = fold_apostrophes(text)
    adding, start = "", 0
    for join in _JOINS.finditer(plain):
        yield _WordGroup(adding, read_words(plain[start : join.start()]))
        adding, start = (join["adding"] or "").lower(), join.end()
    yield _WordGroup(adding, read_words(plain[start:]))


def are_bound(words: frozenset[str], told: str, source: str, idle: frozenset[str]) -> bool:
    """Whether the source binds the words together; `idle` words of a piece say nothing else."""
    pieces = list(split_word_groups(source))
    if any(words <= each.words for each in pieces):
        return True
    # What only goes with the thing is not what is spoken of: "1.4 kg with battery".
    ours = frozenset(tokenize(told))
    free = [each for each in pieces if not each.adding or each.adding in ours]
    alone = frozenset[str]().union(*(each.words for each in free if each.words <= words | idle))
    return any(words <= alone | each.words for each in free)
