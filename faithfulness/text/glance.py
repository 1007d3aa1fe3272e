"""Fast word-based prefilter that rules out clashes between two texts."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from faithfulness.text.numbers.measures import MEASURES, SHARES
from faithfulness.text.numbers.quantities import Quantity
from faithfulness.text.opposites import OPPOSITES, PREFIX_STARTS, bare_stem
from faithfulness.text.polarity import denied_stems, may_deny
from faithfulness.text.stems import stems_of, vocabulary

_FAMILIES = ("money", "degree")  # dimensions whose members are compared with each other
_WITH_OPPOSITES = frozenset(OPPOSITES)
_ANSWERED_BY: dict[tuple[int, int], set[str]] = {}
for _word, _of in OPPOSITES.items():
    for _pair in _of.items():
        _ANSWERED_BY.setdefault(_pair, set()).add(_word)
# For each word those that answer one of its questions otherwise; "hard" is one for "soft".
_RIVALS = {
    word: frozenset(
        rival
        for (question, answer), words in _ANSWERED_BY.items()
        if of.get(question, answer) != answer
        for rival in words
    )
    for word, of in OPPOSITES.items()
}
_SHARE_MARKS = frozenset({*SHARES, "out", "of", "in", "/"})


def _family(dimension: str) -> str:
    first = dimension.partition(" ")[0]
    return first if first in _FAMILIES else dimension


def _marks() -> Mapping[str, tuple[frozenset[str], str]]:
    words: dict[str, set[str]] = {"percent": set(_SHARE_MARKS), "rating": {"out", "of", "/"}}
    for word, measure in MEASURES.items():
        words.setdefault(_family(measure.dimension), set()).update({word, word.rstrip(".")})
    return {
        name: (
            frozenset(each for each in found if each.isascii() and each.isalpha()),
            "".join(each[0] for each in sorted(found) if not each[0].isalpha() or each[0] > "z"),
        )
        for name, found in words.items()
    }


_MARKS = _marks()  # for each dimension the words and the signs that can name it


def may_compare(ours: Iterable[Quantity], right: str) -> bool:
    """Whether the right text may have a number that one of these can be compared with."""
    return any(_may_name(each, right) for each in ours)


def _may_name(quantity: Quantity, right: str) -> bool:
    if quantity.dimension == "count":
        stems = stems_of(right)
        return any(name.lstrip("<") in stems for name in quantity.names)
    marks = _MARKS.get(_family(quantity.dimension))
    if marks is None:
        return True
    words, signs = marks
    return not words.isdisjoint(vocabulary(right)) or any(sign in right for sign in signs)


def may_contradict(left: str, right: str) -> bool:
    """Whether one text may deny a word that the other affirms."""
    mine, other = vocabulary(left), vocabulary(right)
    ours = denied_stems(left) if may_deny(mine) else frozenset()
    theirs = denied_stems(right) if may_deny(other) else frozenset()
    return bool(ours or theirs) and not (
        ours.isdisjoint(stems_of(right)) and theirs.isdisjoint(stems_of(left))
    )


def may_turn(left: str, right: str) -> bool:
    """Whether a word of one text may be a word of the other with a denying prefix."""
    ours, theirs = _turned(left), _turned(right)
    return bool(ours or theirs) and not (
        ours.isdisjoint(stems_of(right)) and theirs.isdisjoint(stems_of(left))
    )


@lru_cache(maxsize=512)
def _turned(text: str) -> frozenset[str]:
    found = [bare_stem(word) for word in vocabulary(text) if word[:2] in PREFIX_STARTS]
    return frozenset(found) - {""}


def may_exclude(left: str, right: str) -> bool:
    """Whether the texts may answer one of the listed questions differently."""
    ours = _WITH_OPPOSITES & vocabulary(left)
    theirs = _WITH_OPPOSITES & vocabulary(right) if ours else ours
    if not theirs or ours == theirs or not any(not theirs.isdisjoint(_RIVALS[w]) for w in ours):
        return False
    answers = _answers(ours)
    return any(
        question in answers and found.isdisjoint(answers[question])
        for question, found in _answers(theirs).items()
    )


def _answers(words: Iterable[str]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for word in words:
        for question, answer in OPPOSITES[word].items():
            found.setdefault(question, set()).add(answer)
    return found
