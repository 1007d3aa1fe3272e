"""Detect negated words in a text: negators and their scope."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from faithfulness.text.opposites import OPPOSITES
from faithfulness.text.stems import STOP_WORDS, TOKEN, fold_apostrophes, stem, tokenize

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
_NO_CONTENT = STOP_WORDS | _BREAKING | _DENYING
_ASIDE = frozenset({"in", "at", "on", "about", "during", "among", "within"})
_LISTS = frozenset({"no", "without", "neither", "nor", "none"})  # their "and" goes on denying


class Word(NamedTuple):
    """A content word and whether it is denied; `locate_tokens` tells where it stands."""

    stem: str
    word: str
    place: int  # which token of the text it is
    denied: bool
    clause: int  # number of the negator that denies it, -1 when none does
    aside: bool = False  # only where or about what the denied thing does not happen


def can_deny(words: frozenset[str]) -> bool:
    """Whether a text with these words can deny something."""
    return not _DENYING.isdisjoint(words)


@lru_cache(maxsize=512)
def find_denied_stems(text: str) -> frozenset[str]:
    """Stems of the words that a text denies somewhere."""
    tokens = tokenize(text)
    return frozenset([stem(tokens[place]) for place in _find_denied(text)])


@lru_cache(maxsize=512)
def parse_content_words(text: str) -> tuple[Word, ...]:
    """The content words of a text in order; never raises."""
    tokens = tokenize(text)
    denied = _find_denied(text)
    return tuple(
        [
            Word(stem(token), token, place, False, -1)
            if place not in denied
            else Word(
                stem(token), token, place, True, denied[place], _is_aside(tokens, place, denied)
            )
            for place, token in enumerate(tokens)
            if token not in _NO_CONTENT and token[0].isalnum()
        ]
    )


@lru_cache(maxsize=64)
def locate_tokens(text: str) -> list[tuple[int, int]]:
    """Where the tokens of a text stand: looked up for the few texts that clash."""
    return [each.span(1) for each in TOKEN.finditer(fold_apostrophes(text))]


_Denied = dict[int, int]  # places of denied content words, each with its negator's place


def _is_aside(tokens: Sequence[str], place: int, denied: _Denied) -> bool:
    return not _ASIDE.isdisjoint(tokens[denied[place] + 1 : place])


@lru_cache(maxsize=512)
def _find_denied(text: str) -> _Denied:
    """Read from each negator as far as it reaches: most of a text lies beyond all of them."""
    tokens, denied = tokenize(text), _Denied()
    if _DENYING.isdisjoint(tokens):
        return denied
    places = [place for place, token in enumerate(tokens) if token in _DENYING]
    negator, left, lists = -1, 0, False
    for place, end in zip(places, [*places[1:], len(tokens)], strict=True):
        _deny_back(denied, tokens, place)
        if _is_denying(tokens, place):
            # Two negators in one clause cancel: "not without".
            negator, left = (-1, 0) if left else (place, _REACH)
            lists = tokens[place] in _LISTS
        if left:
            left = _deny_on(denied, tokens, range(place + 1, end), (negator, left, lists))
    return denied


def _deny_on(
    denied: _Denied, tokens: Sequence[str], places: range, state: tuple[int, int, bool]
) -> int:
    """Deny the content words of these places until a clause ends; gives how many are left."""
    negator, left, lists = state
    for place in places:
        token = tokens[place]
        if token in _BREAKING or (token == "and" and not lists):
            return 0
        if _is_content(token):
            denied[place] = negator
            # "Not hard to clean" denies "hard" alone.
            left = 0 if left == _REACH and token in OPPOSITES else left - 1
            if not left:
                return 0
    return left


def _is_content(token: str) -> bool:
    return token not in _NO_CONTENT and token[0].isalnum()


def _is_denying(tokens: Sequence[str], place: int) -> bool:
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


def _deny_back(denied: _Denied, tokens: Sequence[str], place: int) -> None:
    """Denials that follow what they deny: "dishwasher safe: no", "BPA-free", "sold separately"."""
    token, before = tokens[place], tokens[place - 1] if place else ""
    if token == "free" and before == "-":
        last = next((each for each in range(place - 1, -1, -1) if _is_content(tokens[each])), None)
        if last is not None and denied.pop(last, None) is None:
            denied[last] = place
        return
    begins = place - 1
    if token == "no" and place > 1 and before in _ANSWERED:
        begins = place - 2
    elif token != "separately" or not place:
        return
    while begins > 0 and tokens[begins - 1] not in _BREAKS:
        begins -= 1
    denied.update((each, place) for each in range(begins, place) if _is_content(tokens[each]))
