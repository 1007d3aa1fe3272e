"""Read which words of a text are denied: negators and how far they reach."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from faithfulness.text.opposites import OPPOSITES
from faithfulness.text.stems import STOP_WORDS, TOKEN, stem, straight, tokens_of

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
_BREAKING = _BREAKS | _BREAK_WORDS
_NO_CONTENT = STOP_WORDS | _BREAKING
_ASIDE = frozenset({"in", "at", "on", "about", "during", "among", "within"})
_LISTS = frozenset({"no", "without", "neither", "nor", "none"})  # their "and" goes on denying


class Word(NamedTuple):
    """A content word and whether it is denied; `places_of` tells where it stands."""

    stem: str
    word: str
    place: int  # which token of the text it is
    denied: bool
    clause: int  # number of the negator that denies it, -1 when none does
    aside: bool = False  # only where or about what the denied thing does not happen


def may_deny(words: frozenset[str]) -> bool:
    """Whether a text with these words can deny something."""
    return not _DENYING.isdisjoint(words)


@lru_cache(maxsize=512)
def denied_stems(text: str) -> frozenset[str]:
    """Stems of the words that a text denies somewhere."""
    return frozenset([each.stem for each in content_words(text) if each.denied])


@lru_cache(maxsize=512)
def content_words(text: str) -> tuple[Word, ...]:
    """The content words of a text in order; never raises."""
    tokens = tokens_of(text)
    if _DENYING.isdisjoint(tokens):
        return tuple(
            [
                Word(stem(token), token, place, False, -1)
                for place, token in enumerate(tokens)
                if token not in _NO_CONTENT and token[0].isalnum()
            ]
        )
    return tuple(
        [
            Word(
                stem(tokens[place]),
                tokens[place],
                place,
                clause >= 0,
                clause,
                clause >= 0 and not _ASIDE.isdisjoint(tokens[clause + 1 : place]),
            )
            for place, clause in _read(tokens)
        ]
    )


@lru_cache(maxsize=64)
def places_of(text: str) -> list[tuple[int, int]]:
    """Where the tokens of a text stand: looked up for the few texts that clash."""
    return [each.span(1) for each in TOKEN.finditer(straight(text))]


_Marks = list[tuple[int, int]]  # places of content words, each with its negator's place or -1


def _read(tokens: Sequence[str]) -> _Marks:
    marks: _Marks = []
    negator, left, lists = -1, 0, False
    for place, token in enumerate(tokens):
        if token in _DENYING:
            marks = _denied_back(marks, tokens, place)
            if _denies(tokens, place):
                # Two negators in one clause cancel: "not without".
                negator, left = (-1, 0) if left else (place, _REACH)
                lists = token in _LISTS
        elif token in _BREAKING or (token == "and" and not lists):
            left = 0
        elif token not in STOP_WORDS and token[0].isalnum():
            marks.append((place, negator if left else -1))
            if left:
                # "Not hard to clean" denies "hard" alone.
                left = 0 if left == _REACH and token in OPPOSITES else left - 1
    return marks


def _denies(tokens: Sequence[str], place: int) -> bool:
    token = tokens[place]
    follows = tokens[place + 1] if place + 1 < len(tokens) else "."
    if token in _BACKWARD:
        return token == "free" and follows in {"of", "from"}
    if follows in _DENIES_NOTHING or follows in _BREAKS:
        return False
    if follows == "more":
        return tokens[place + 2 : place + 3] != ["than"]
    # "Cannot wait", "cannot recommend it enough".
    enough = follows in _PRAISING and "enough" in tokens[place + 1 : place + 4]
    return not (follows == "wait" or enough)


def _denied_back(marks: _Marks, tokens: Sequence[str], place: int) -> _Marks:
    """Denials that follow what they deny: "dishwasher safe: no", "BPA-free", "sold separately"."""
    token, before = tokens[place], tokens[place - 1] if place else ""
    if token == "free" and before == "-" and marks:
        last, clause = marks[-1]
        return [*marks[:-1], (last, place if clause < 0 else -1)]
    begins = place - 1
    if token == "no" and place > 1 and before in _ANSWERED:
        begins = place - 2
    elif token != "separately" or not place:
        return marks
    while begins > 0 and tokens[begins - 1] not in _BREAKS:
        begins -= 1
    return [(each, place if each >= begins else clause) for each, clause in marks]
