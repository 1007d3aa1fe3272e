"""Detect possible clashes of two texts: numbers, units, negated or exclusive words."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from math import inf, isfinite
from typing import NamedTuple

from faithfulness.text.glance import can_compare, can_contradict, can_exclude, can_turn
from faithfulness.text.normalise import lower_same_length
from faithfulness.text.numbers.clocks import find_differing_times
from faithfulness.text.numbers.measures import MEASURES
from faithfulness.text.numbers.numerals import has_numeral
from faithfulness.text.numbers.quantities import Quantity, are_same_percent, find_quantities
from faithfulness.text.opposites import ASPECTS, DIFFERENCE, OPPOSITES, strip_prefix
from faithfulness.text.polarity import Word, can_deny, locate_tokens, parse_content_words
from faithfulness.text.readable import make_readable
from faithfulness.text.stems import list_words

_CONVERTED, _ABOUT, _EXACT = 0.03, 0.10, 0.0005  # how far equal values may lie apart
_LONGEST = 4_000  # of longer texts the beginning is compared: a mark in a book is no mark
_ASPECT = re.compile(r"[a-z]+")
_AROUND = 45  # characters beside a number in which its aspect is named
_COMPARED = re.compile(r" (?:below|less|more|above|under|over|cheaper|off|higher|lower)\b")
_CAPACITY = re.compile(r"\b(?:holds?|holding|capacity)\b")
_NAMED_BY = re.compile(r"\d-[A-Za-z]|[a-z]-lit(?:re|er)")
_HOLDS = -1  # an aspect of volumes alone: what holds 150 kg is not compared with a weight
_CLAUSE = re.compile(r"[.;:!?\n]\s|, ")


class ClashKind(StrEnum):
    """What two texts seem to disagree about."""

    NUMBER = "number"
    UNIT = "unit"
    NEGATION = "negation"
    EXCLUSIVE = "exclusive"


class Clash(NamedTuple):
    """A possible clash, never a verdict; `left` and `right` are character ranges in the texts."""

    kind: ClashKind
    left: tuple[int, int]
    right: tuple[int, int]
    says: str


@lru_cache(maxsize=512)
def clashes(left: str, right: str) -> tuple[Clash, ...]:
    """Where the texts may clash, in the order of the left one; never raises."""
    one, other = make_readable(left[:_LONGEST]), make_readable(right[:_LONGEST])
    if one.text == other.text:
        return ()
    texts = one.text, other.text
    found = [
        *_find_number_clashes(*texts),
        *_find_time_clashes(*texts),
        *_find_word_clashes(*texts),
    ]
    if not found:
        return ()
    return tuple(
        each._replace(left=one.place(*each.left), right=other.place(*each.right))
        for each in sorted(found, key=lambda each: each.left)
    )


def _find_number_clashes(left: str, right: str) -> Iterator[Clash]:
    ours = find_quantities(left) if has_numeral(left) and has_numeral(right) else ()
    if not ours or not can_compare(ours, right):
        return
    theirs = find_quantities(right)
    for mine in ours:
        rivals = [other for other in theirs if are_comparable(mine, other)]
        if not rivals or any(can_agree(mine, other) for other in rivals):
            continue
        rivals = [other for other in rivals if _is_same_aspect(left, mine, right, other)]
        if not rivals or is_denied(left, mine) or is_denied(right, rivals[0]):
            continue
        yield _build_number_clash(left, mine, right, rivals)


def are_comparable(mine: Quantity, other: Quantity) -> bool:
    """Whether two quantities measure the same thing: lengths, prices, numbers of doors."""
    if mine.dimension == "count" or other.dimension == "count":
        return mine.dimension == other.dimension and not mine.names.isdisjoint(other.names)
    if mine.dimension == other.dimension:
        return True
    pair = mine.dimension[:6], other.dimension[:6]
    if pair == ("money ", "money "):
        return mine.raw == other.raw
    return pair == ("degree", "degree")


def can_agree(mine: Quantity, other: Quantity) -> bool:
    """Whether two comparable quantities can be the same one, with ranges, hedges and rounding."""
    if mine.dimension != other.dimension:
        return mine.dimension[:6] == "degree" and _can_degrees_agree(mine, other)
    slack = _EXACT if mine.unit == other.unit else _CONVERTED
    if "about" in (mine.hedge, other.hedge):
        slack = _ABOUT
    if mine.hedge == other.hedge == "up to":
        return _is_near(mine.high, other.high, slack)
    if mine.hedge == other.hedge == "least":
        return _is_near(mine.low, other.low, slack)
    if mine.dimension == "percent" and are_same_percent(mine.raw, other.raw):
        return True
    return _is_at_most(mine.low, other.high, slack) and _is_at_most(other.low, mine.high, slack)


def _can_degrees_agree(mine: Quantity, other: Quantity) -> bool:
    units = {mine.unit, other.unit}
    if "°" in units:
        return _is_near(mine.raw, other.raw, _EXACT)
    first, second = (mine, other) if mine.unit == "°C" else (other, mine)
    return abs(first.raw * 9 / 5 + 32 - second.raw) <= 2.0


def _is_near(one: float, other: float, slack: float) -> bool:
    return one == other or abs(one - other) <= slack * max(abs(one), abs(other))


def _is_at_most(low: float, high: float, slack: float) -> bool:
    return low <= high or (isfinite(low) and isfinite(high) and _is_near(low, high, slack))


def _is_same_aspect(left: str, mine: Quantity, right: str, other: Quantity) -> bool:
    """Battery life and charging time are both hours: no clash."""
    ours, theirs = find_aspects(left, mine), find_aspects(right, other)
    if (DIFFERENCE in ours) != (DIFFERENCE in theirs):
        return False  # "$20 cheaper" is no price
    return not ours or not theirs or not ours.isdisjoint(theirs)


def find_aspects(text: str, quantity: Quantity) -> set[int]:
    """What the words beside a quantity say that it is: a height, a weight, a warranty."""
    if quantity.dimension == "volume" and _NAMED_BY.search(text[quantity.start : quantity.end]):
        return {_HOLDS}  # whatever a 1.7-litre kettle does, 1.7 litres is what it holds
    begin = max(0, quantity.start - _AROUND)
    before = _CLAUSE.split(lower_same_length(text[begin : quantity.start]))[-1]
    after = _CLAUSE.split(lower_same_length(text[quantity.end : quantity.end + _AROUND]))[0]
    found = {ASPECTS[word] for word in _ASPECT.findall(f"{before} {after}") if word in ASPECTS}
    if quantity.dimension == "volume" and _CAPACITY.search(f"{before} {after}"):
        found.add(_HOLDS)
    return found | {DIFFERENCE} if _COMPARED.match(after) else found


def is_denied(text: str, quantity: Quantity) -> bool:
    """Whether the text says that this is not the quantity."""
    if not can_deny(list_words(text)):
        return False
    places = locate_tokens(text)
    for each in parse_content_words(text):
        start = places[each.place][0]
        if start >= quantity.start:
            return start < quantity.end and each.denied
    return False


def _build_number_clash(left: str, mine: Quantity, right: str, rivals: Sequence[Quantity]) -> Clash:
    same_number = [each for each in rivals if each.raw == mine.raw and each.unit != mine.unit]
    other = (same_number or sorted(rivals, key=lambda each: _compute_distance(mine, each)))[0]
    kind = ClashKind.UNIT if same_number else ClashKind.NUMBER
    said, stands = left[mine.start : mine.end], right[other.start : other.end]
    return Clash(kind, (mine.start, mine.end), (other.start, other.end), f"{said} against {stands}")


def _compute_distance(mine: Quantity, other: Quantity) -> float:
    size = abs(mine.raw - other.raw)
    return size if isfinite(size) else inf


def _find_time_clashes(left: str, right: str) -> Iterator[Clash]:
    for mine, other in find_differing_times(left, right):
        ours, theirs = (mine.start, mine.end), (other.start, other.end)
        says = f"{left[slice(*ours)]} against {right[slice(*theirs)]}"
        yield Clash(ClashKind.NUMBER, ours, theirs, says)


_Pair = tuple[Word, Word]


def _find_word_clashes(left: str, right: str) -> Iterator[Clash]:
    denied: list[_Pair] = []
    if can_contradict(left, right):
        denied += _find_denials(parse_content_words(left), parse_content_words(right))
    if can_turn(left, right):
        ours, theirs = parse_content_words(left), parse_content_words(right)
        denied += _find_prefix_pairs(ours, theirs)
        denied += [(one, two) for two, one in _find_prefix_pairs(theirs, ours)]
    for pair in denied:
        yield _build_word_clash(ClashKind.NEGATION, left, right, pair)
    if can_exclude(left, right):
        taken = {one.place for one, _ in denied}
        for pair in _find_exclusions(parse_content_words(left), parse_content_words(right)):
            if pair[0].place not in taken:
                yield _build_word_clash(ClashKind.EXCLUSIVE, left, right, pair)


def _find_denials(ours: Sequence[Word], theirs: Sequence[Word]) -> Iterator[_Pair]:
    other = _group_by_stem(theirs)
    mine = _group_by_stem([each for each in ours if each.stem in other])
    if any(each[0].denied and other[name][0].denied for name, each in mine.items()):
        return  # both deny the same thing, in other words
    seen = set()
    for name, one in mine.items():
        two = other[name]
        if (
            name in MEASURES
            or _get_polarity(one) is None
            or _get_polarity(one) is _get_polarity(two)
        ):
            continue
        clause = one[0].clause, two[0].clause
        if (
            _get_polarity(two) is None
            or clause in seen
            or not _is_denial_shared(one[0], two[0], ours, theirs)
        ):
            continue
        seen.add(clause)
        yield one[0], two[0]


def _group_by_stem(words: Sequence[Word]) -> dict[str, list[Word]]:
    found: dict[str, list[Word]] = {}
    for each in words:
        found.setdefault(each.stem, []).append(each)
    return found


def _get_polarity(words: Sequence[Word]) -> bool | None:
    """Whether a word is denied wherever it stands; None when here yes and there no."""
    first = words[0].denied
    return first if all(each.denied is first for each in words) else None


def _is_denial_shared(one: Word, two: Word, ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Whether what one text denies is what the other says: half of the words denied are shared."""
    denying, others = (one, theirs) if one.denied else (two, ours)
    within = ours if one.denied else theirs
    scope = [each.stem for each in within if each.clause == denying.clause and each.denied]
    said = {each.stem for each in others}
    acts = [each.stem for each in within if each.clause == denying.clause and not each.aside]
    if denying.aside and acts and said.isdisjoint(acts):
        return False  # "never hear of him in history" leaves history alone
    if any(each[0].isdigit() and each not in said for each in scope):
        return False  # "no 5 GHz" leaves 2.4 GHz alone
    return 2 * sum(each in said for each in scope) >= len(scope)


def _find_prefix_pairs(words: Sequence[Word], others: Sequence[Word]) -> Iterator[_Pair]:
    """One text has a word with a denying prefix and the other has it without: unsafe, safe."""
    known = {each.stem: each for each in others}
    for each in words:
        other = known.get(strip_prefix(each.word))
        if other is not None and each.stem not in known and each.denied == other.denied:
            yield each, other


def _find_exclusions(ours: Sequence[Word], theirs: Sequence[Word]) -> Iterator[_Pair]:
    mine, other = _group_by_question(ours), _group_by_question(theirs)
    stems = {each.stem for each in ours} & {each.stem for each in theirs}
    for question in sorted(mine.keys() & other.keys()):
        left, right = mine[question], other[question]
        if left.keys() & right.keys():
            continue
        one, two = next(iter(left.values())), next(iter(right.values()))
        topic = stems or len(ours) <= 4 or len(theirs) <= 4
        if one.denied == two.denied is False and topic:
            yield one, two


def _group_by_question(words: Sequence[Word]) -> dict[int, dict[int, Word]]:
    found: dict[int, dict[int, Word]] = {}
    for each in words:
        if each.word not in OPPOSITES:
            continue
        for question, answer in OPPOSITES[each.word].items():
            found.setdefault(question, {}).setdefault(answer, each)
    return found


def _build_word_clash(kind: ClashKind, left: str, right: str, pair: _Pair) -> Clash:
    one, two = pair
    said = f"not {one.word}" if one.denied else one.word
    stands = f"not {two.word}" if two.denied else two.word
    places = locate_tokens(left)[one.place], locate_tokens(right)[two.place]
    return Clash(kind, *places, f"{said} against {stands}")
