"""Read which words of a text are denied: negators and how far they reach."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from faithfulness.text.normalise import lower
from faithfulness.text.opposites import OPPOSITES
from faithfulness.text.stems import STOP_WORDS, stem

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:[.,]\d+)*|[^\w\s]")
_REACH = 5  # content words a negator denies at most
_NEGATORS = frozenset(
    ["not", "no", "never", "without", "cannot", "none", "neither", "nor", "lacks", "lack",
     "lacking", "lacked", "fails", "failed", "unable", "hardly", "barely", "nothing", "refuses",
     "refused", "isn't", "aren't", "wasn't", "weren't", "don't", "doesn't", "didn't", "can't",
     "couldn't", "won't", "wouldn't", "shouldn't", "hasn't", "haven't", "hadn't", "n't", "ain't",
     "dont", "doesnt", "didnt", "isnt", "cant", "wont", "resist", "resists", "prevent", "prevents",
     "avoid", "avoids"]
)  # fmt: skip
_BACKWARD = frozenset({"free", "separately"})
_DENYING = _NEGATORS | _BACKWARD
_ANSWERED = frozenset(":-–|?=")  # before the "no" of a table
_PLAIN = re.compile(r"[a-z]+(?:'[a-z]+)?")
# "not only", "no doubt", "no more than" deny nothing that follows.
_DENIES_NOTHING = frozenset(
    ["only", "just", "merely", "doubt", "wonder", "matter", "least", "less", "fewer", "later",
     "necessarily", "surprisingly", "surprise"]
)  # fmt: skip
_PRAISING = frozenset({"recommend", "praise", "say", "stress", "thank", "emphasize", "get"})
_BREAKS = frozenset('.,;:!?()[]{}—–|/\n"“”')
_BREAK_WORDS = frozenset(
    ["but", "however", "although", "though", "while", "because", "which", "whereas", "so", "until",
     "unless", "except"]
)  # fmt: skip
_LISTS = frozenset({"no", "without", "neither", "nor", "none"})  # their "and" goes on denying


class Word(NamedTuple):
    """A content word with where it stands and whether it is denied."""

    stem: str
    word: str
    start: int
    end: int
    denied: bool
    clause: int  # number of the negator that denies it, -1 when none does


@lru_cache(maxsize=4096)
def vocabulary(text: str) -> frozenset[str]:
    """The lower-case words of a text: enough to see that a closer look would find nothing."""
    return frozenset(_PLAIN.findall(_straight(text)))


def may_deny(words: frozenset[str]) -> bool:
    """Whether a text with these words can deny something."""
    return not _DENYING.isdisjoint(words)


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[Word, ...]:
    """The content words of a text in order; never raises."""
    tokens = [(each.group(), each.start(), each.end()) for each in _TOKEN.finditer(_straight(text))]
    words: list[Word] = []
    negator, left, lists = -1, 0, False
    for place, (token, start, end) in enumerate(tokens):
        if token in _DENYING:
            words = _denied_back(words, tokens, place)
        if token in _DENYING and _denies(tokens, place):
            # Two negators in one clause cancel: "not without".
            negator, left = (-1, 0) if left else (place, _REACH)
            lists = token in _LISTS
        elif token in _BREAKS or token in _BREAK_WORDS or (token == "and" and not lists):
            left = 0
        elif token not in STOP_WORDS and token not in _NEGATORS and token[0].isalnum():
            denied = left > 0
            words.append(Word(stem(token), token, start, end, denied, negator if denied else -1))
            # "Not hard to clean" denies "hard" alone.
            left = 0 if left == _REACH and token in OPPOSITES else max(0, left - 1)
    return tuple(words)


def _straight(text: str) -> str:
    return lower(text).replace("’", "'")


_Token = tuple[str, int, int]


def _denies(tokens: Sequence[_Token], place: int) -> bool:
    token = tokens[place][0]
    follows = tokens[place + 1][0] if place + 1 < len(tokens) else "."
    if token in _BACKWARD:
        return token == "free" and follows in {"of", "from"}
    if follows in _DENIES_NOTHING or follows in _BREAKS:
        return False
    if follows == "more":
        return not (place + 2 < len(tokens) and tokens[place + 2][0] == "than")
    # "Cannot wait", "cannot recommend it enough".
    ahead = [each[0] for each in tokens[place + 1 : place + 4]]
    return not (follows == "wait" or (follows in _PRAISING and "enough" in ahead))


def _denied_back(words: list[Word], tokens: Sequence[_Token], place: int) -> list[Word]:
    """Denials that follow what they deny: "dishwasher safe: no", "BPA-free", "sold separately"."""
    token, before = tokens[place][0], tokens[place - 1][0] if place else ""
    if token == "free" and before == "-" and words:
        return [*words[:-1], words[-1]._replace(denied=not words[-1].denied, clause=place)]
    begins = place - 1
    if token == "no" and place > 1 and before in _ANSWERED:
        begins = place - 2
    elif token != "separately" or not place:
        return words
    while begins > 0 and tokens[begins - 1][0] not in _BREAKS:
        begins -= 1
    floor = tokens[begins][1]
    return [
        each._replace(denied=True, clause=place) if each.start >= floor else each for each in words
    ]
