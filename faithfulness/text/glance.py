"""Fast word-based prefilter that rules out clashes between two texts."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from faithfulness.text.numbers.measures import MEASURES, SHARES
from faithfulness.text.numbers.quantities import Quantity
from faithfulness.text.opposites import OPPOSITES, PREFIX_STARTS, strip_prefix
from faithfulness.text.polarity import can_deny, find_denied_stems
from faithfulness.text.stems import list_stems, list_words

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


def _get_family(dimension: str) -> str:
    first = dimension.partition(" ")[0]
    return first if first in _FAMILIES else dimension


def _build_unit_marks() -> Mapping[str, tuple[frozenset[str], str]]:
    words: dict[str, set[str]] = {"percent": set(_SHARE_MARKS), "rating": {"out", "of", "/"}}
    for word, measure in MEASURES.items():
        words.setdefault(_get_family(measure.dimension), set()).update({word, word.rstrip(".")})
    return {
        name: (
            frozenset(each for each in found if each.isascii() and each.isalpha()),
            "".join(each[0] for each in sorted(found) if not each[0].isalpha() or each[0] > "z"),
        )
        for name, found in words.items()
    }


_MARKS = _build_unit_marks()  # for each dimension the words and the signs that can name it


def can_compare(ours: Iterable[Quantity], right: str) -> bool:
    """Whether the right text may have a number that one of these can be compared with."""
    return any(_can_name(each, right) for each in ours)


def _can_name(quantity: Quantity, right: str) -> bool:
    if quantity.dimension == "count":
        stems = list_stems(right)
        return any(name.lstrip("<") in stems for name in quantity.names)
    marks = _MARKS.get(_get_family(quantity.dimension))
    if marks is None:
        return True
    words, signs = marks
    return not words.isdisjoint(list_words(right)) or any(sign in right for sign in signs)


def can_contradict(left: str, right: str) -> bool:
    """Whether one text may deny a word that the other affirms."""
    mine, other = list_words(left), list_words(right)
    ours = find_denied_stems(left) if can_deny(mine) else frozenset()
    theirs = find_denied_stems(right) if can_deny(other) else frozenset()
    return bool(ours or theirs) and not (
        ours.isdisjoint(list_stems(right)) and theirs.isdisjoint(list_stems(left))
    )


def can_turn(left: str, right: str) -> bool:
    """Whether a word of one text may be a word of the other with a denying prefix."""
    ours, theirs = _list_unprefixed_stems(left), _list_unprefixed_stems(right)
    return bool(ours or theirs) and not (
        ours.isdisjoint(list_stems(right)) and theirs.isdisjoint(list_stems(left))
    )


@lru_cache(maxsize=512)
def _list_unprefixed_stems(text: str) -> frozenset[str]:
    found = [strip_prefix(word) for word in list_words(text) if word[:2] in PREFIX_STARTS]
    return frozenset(found) - {""}


def can_exclude(left: str, right: str) -> bool:
    """Whether the texts may answer one of the listed questions differently."""
    ours = _WITH_OPPOSITES & list_words(left)
    theirs = _WITH_OPPOSITES & list_words(right) if ours else ours
    if not theirs or ours == theirs or not any(not theirs.isdisjoint(_RIVALS[w]) for w in ours):
        return False
    answers = _group_answers(ours)
    return any(
        question in answers and found.isdisjoint(answers[question])
        for question, found in _group_answers(theirs).items()
    )


def _group_answers(words: Iterable[str]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for word in words:
        for question, answer in OPPOSITES[word].items():
            found.setdefault(question, set()).add(answer)
    return found
