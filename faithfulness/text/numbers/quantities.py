"""Parse quantities in a text: prices, percentages, measures, counts, ranges, years."""

import re
from collections.abc import Iterator
from functools import lru_cache
from math import floor, inf
from typing import NamedTuple

from faithfulness.text.numbers.hedges import find_hedge
from faithfulness.text.numbers.measures import (
    MEASURES,
    NUMBER_WORDS,
    ONLY_TOUCHING,
    SHARES,
    UnitMeasure,
)
from faithfulness.text.numbers.numerals import PARTS, SMALL, Numeral, find_numerals
from faithfulness.text.readable import make_readable
from faithfulness.text.stems import STOP_WORDS, fold_apostrophes, stem

_UNIT = re.compile(
    r"[-‐‑\u00a0 ]?(?:an? |one |us )?(fl\.? ?oz|°(?:[cf]\b)?|[%％℃℉\"″”′€£¥₹$¢円元]"
    r"|degrees? (?:celsius|fahrenheit|[cf]\b)|[a-z]+(?:/h)?\b)"
)
_OUT_OF = re.compile(rf" ?(?:out of|of|in|/) ?(?:the |every )?(\d+|{SMALL})\b(?![.,]?\d)(?! ?%)")
_BEFORE_SHARE = frozenset(" -‐‑/⁄")
_BEGINS_SHARE = frozenset("/oi") | frozenset(each[0] for each in SHARES)
_OVER = re.compile(r"[/⁄](\d{1,2})(?![\d/.])")
_OF_ONE = re.compile(r" of (?=an? |one )")
_PARTS = "|".join(sorted(SHARES, key=len, reverse=True))
_SHARE = re.compile(rf"[-‐‑ ]({_PARTS})\b")
_AND_PART = re.compile(rf" and (an?|one|two|three)[- ]({_PARTS})\b(?!-)")
_ONE_AND_PART = re.compile(
    rf"\ban? (?P<unit>[a-z]+)(?= and (?:an?|one|two|three)[- ](?:{_PARTS})\b)"
)
_DATE = re.compile(r"\b(?:\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}:\d\d)\b")
_CLOCK = re.compile(r"(?:[ap]m|[ap]\.m|uhr|o'clock)\b")
_IN_DATES = frozenset("-/:.")
_RANGE = re.compile(r"-? ?(?:[-‐‑–—]|to|or|through)[- ]?")
_SAME_UNIT = re.compile(r"[-‐‑–—]| to ")  # "$10-20": the first end has the unit
_BEGINS_RANGE = re.compile(
    rf"(?:-? (?:to|or|through|(?P<both>and)) |-(?:to|or)-|[-‐‑–—])(?:\d|(?:{SMALL})\b)"
)
_TIMES = re.compile(r"[ \"”″]*(?:[a-z]+ ?)?[x×*][ ]?")
_COMPOUND = re.compile(r",? (?:and )?| ?")
_AFTER = re.compile(
    r" ?(?:(?P<least>\+|or (?:more|higher|older|above|longer)\b|plus\b|and (?:up|over|above)\b)"
    r"|(?P<most>or (?:less|fewer|lower|under|below)\b))"
)
_WORD = re.compile(r"[- ]?([a-z][a-z'’]*)")
_LAST = re.compile(r"[a-z][a-z'-]*$")
_LINKS = frozenset({"of", "is", "was", "are", "at", "in", "for", "rated", "="})
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTH = frozenset(_MONTHS.split())
_MONTH_AFTER = re.compile(rf" (?:of )?(?:{_MONTHS.replace(' ', '|')})[a-z]*\b")
_SINCE = re.compile(r"(?:\b(?:in|since|from|by|until|of|year|till|before|after|during)|[(,]) ?$")
_COMMON = (
    "large small big different new old main single total whole full extra great good nice long "
    "short high low available first last next approx times time"
)
_NO_NAME = frozenset(_COMMON.split())
_YEARS = range(1400, 2101)
_SAME = 1e-9
_MINUS = ("minus ", "minus-")


class Quantity(NamedTuple):
    """A number of a text, as a range in the base unit of what it measures.

    `low` and `high` differ for ranges and bounds. `names` are stems of the words counted; `hedge`
    is "", "about", "up to", "most" or "least".
    """

    start: int
    end: int
    low: float
    high: float
    dimension: str
    unit: str
    hedge: str
    names: frozenset[str]
    raw: float


@lru_cache(maxsize=512)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of a text with what it counts or measures; never raises."""
    read = make_readable(text)
    found = _parse_quantities(read.text)
    if not read.starts:
        return found
    places = (read.place(each.start, each.end) for each in found)
    return tuple(
        each._replace(start=start, end=end)
        for each, (start, end) in zip(found, places, strict=True)
    )


def are_same_percent(one: float, other: float) -> bool:
    """Whether two percentages are the same, one of them perhaps the other's rounding.

    Only a share without an end is rounded: a third is 33 % and 33.3 %, two thirds are 66 % and
    67 %, but 33.5 % is not 33 %.
    """
    return abs(one - other) < _SAME or _is_rounded_to(one, other) or _is_rounded_to(other, one)


def _is_rounded_to(share: float, percent: float) -> bool:
    if abs(round(share, 3) - share) < _SAME:
        return False
    digits = next((each for each in range(3) if abs(round(percent, each) - percent) < _SAME), None)
    if digits is None:
        return False
    cut_off = floor(share * 10.0**digits) / 10.0**digits
    return min(abs(round(share, digits) - percent), abs(cut_off - percent)) < _SAME


def _parse_quantities(text: str) -> tuple[Quantity, ...]:
    read = find_numerals(text)
    if not read:
        return ()
    plain = fold_apostrophes(text)
    dates = []
    if any(plain[each.end : each.end + 1] in _IN_DATES for each in read):
        dates = [date.span() for date in _DATE.finditer(plain)]
    found: list[Quantity] = []
    for numeral in read:
        if found and numeral.start < found[-1].end:
            continue  # the 10 of "8 out of 10"
        if dates and any(start <= numeral.start < end for start, end in dates):
            continue
        each = _parse_quantity(plain, numeral)
        if each is not None:
            found.append(each)
    found = sorted([*found, *_parse_one_and_parts(plain)])
    return tuple(_merge_quantities(plain, found) if len(found) > 1 else found)


def _parse_quantity(plain: str, numeral: Numeral) -> Quantity | None:
    start, end, value = numeral.start, numeral.end, numeral.value
    if numeral.digits and _is_list_mark(plain, start, end):
        return None
    part = _parse_part_of_unit(plain, numeral)
    if part is None:
        part = (
            _parse_part_of_all(plain, numeral)
            if numeral.words in PARTS
            else _parse_share(plain, numeral)
        )
    if part is not None:
        return _build_hedged(plain, start, *part)
    if numeral.money:
        return _build_hedged(plain, start, end, (value, MEASURES[numeral.money], _NONE))
    unit = None if numeral.words in PARTS else _UNIT.match(plain, end)
    measure = None if unit is None else _find_measure(unit, end)
    if unit is not None and measure is not None:
        start, value = _parse_below_zero(plain, start, value, measure)
        end, more = _parse_and_part(plain, unit.end())
        return _build_hedged(plain, start, end, (value + more, measure, _NONE))
    if unit is not None and _CLOCK.match(plain, unit.start(1)):
        return None  # "6 p.m." and "18 Uhr" count nothing: clocks.py reads them
    touches = end < len(plain) and plain[end].isascii() and plain[end].isalpha()
    if touches or (numeral.words in _PHRASES and not _is_range_start(plain, start, end)):
        return None  # "3D", "4th", "the one"
    return _build_hedged(plain, start, end, _parse_bare(plain, numeral))


def _parse_below_zero(
    plain: str, start: int, value: float, measure: UnitMeasure
) -> tuple[int, float]:
    """Where "minus five degrees" begins and what it is worth; other numbers stay as they are."""
    if measure.dimension.startswith("degree") and plain.endswith(_MINUS, 0, start):
        return start - len("minus "), -value
    return start, value


_NONE: frozenset[str] = frozenset()
_PHRASES = PARTS | {"one"}
_DAY, _YEAR, _COUNT = (UnitMeasure(each, 1.0, "") for each in ("day", "year", "count"))
_Read = tuple[float, UnitMeasure, frozenset[str]]


def _build_hedged(plain: str, start: int, end: int, read: _Read) -> Quantity:
    value, measure, names = read
    hedge = find_hedge(plain, start)
    after = None if hedge else _AFTER.match(plain, end)
    if after is not None:
        hedge, end = str(after.lastgroup), after.end()
    size = value * measure.factor
    low = -inf if hedge in {"up to", "most"} else size
    high = inf if hedge == "least" else size
    return Quantity(start, end, low, high, measure.dimension, measure.unit, hedge, names, value)


def _is_list_mark(plain: str, start: int, end: int) -> bool:
    begins = start == 0 or plain[start - 1] == "\n"
    return begins and plain[end : end + 2] in {". ", ") "} and end - start < 3


def _parse_part_of_unit(plain: str, numeral: Numeral) -> tuple[int, _Read] | None:
    """Reads "1/2 cup", "three-quarters of an hour", "quarter inch": a part of one unit."""
    end, value = numeral.end, numeral.value
    if numeral.words not in PARTS:
        over = _OVER.match(plain, end) if numeral.digits else None
        parts = _SHARE.match(plain, end) if over is None and value < 10 else None
        if over is not None and value < float(over[1]):
            end, value = over.end(), value / float(over[1])
        elif parts is not None:
            end, value = parts.end(), value * SHARES[parts[1]]
        else:
            return None
    of_one = _OF_ONE.match(plain, end)
    if numeral.words in PARTS - {"half", "quarter"} and of_one is None:
        return None  # "a third day" is none of three parts
    end = end + len(" of") if of_one else end
    unit = _UNIT.match(plain, end)
    measure = None if unit is None else _find_measure(unit, end)
    if unit is None or measure is None:
        return None
    if numeral.words not in PARTS and measure.dimension in {"rating", "percent"}:
        return None  # "4/5 stars" are four
    return unit.end(), (value, measure, _NONE)


def _parse_and_part(plain: str, end: int) -> tuple[int, float]:
    """What follows a unit in "5 days and a half"; "a cup and a half cup" names the unit again."""
    part = _AND_PART.match(plain, end)
    follows = _WORD.match(plain, part.end()) if part is not None else None
    if part is None or (follows is not None and follows[1] in {*MEASURES, "of", "the"}):
        return end, 0.0
    return part.end(), NUMBER_WORDS.get(part[1], 1.0) * SHARES[part[2]]


def _parse_one_and_parts(plain: str) -> Iterator[Quantity]:
    """Reads "an hour and a half", which gives no number before its unit."""
    if " and " not in plain:
        return
    for one in _ONE_AND_PART.finditer(plain):
        end, more = _parse_and_part(plain, one.end())
        measure = MEASURES.get(one["unit"])
        if more and measure is not None:
            yield _build_hedged(plain, one.start(), end, (1.0 + more, measure, _NONE))


def _is_range_start(plain: str, start: int, end: int) -> bool:
    range_ = _BEGINS_RANGE.match(plain, end)
    if range_ is None:
        return False
    return range_["both"] is None or plain.endswith("between ", 0, start)


def _parse_part_of_all(plain: str, numeral: Numeral) -> tuple[int, _Read] | None:
    """Reads "a third of the users" and "half the users" as percentages."""
    if not plain.startswith((" of ", " the "), numeral.end):
        return None
    return numeral.end, (100 * numeral.value, MEASURES["%"], _NONE)


def _parse_share(plain: str, numeral: Numeral) -> tuple[int, _Read] | None:
    """Reads "8 out of 10" and "two thirds" as percentages, "4.5 out of 5" as a rating."""
    end, value = numeral.end, numeral.value
    mark = plain[end : end + 1]
    if mark not in _BEFORE_SHARE:
        return None
    if mark not in "/⁄" and plain[end + 1 : end + 2] not in _BEGINS_SHARE:
        return None  # neither a share, nor "out of", "of" and "in"
    parts = _SHARE.match(plain, end)
    if parts is not None and value < 10:
        return parts.end(), (100 * value * SHARES[parts[1]], MEASURES["%"], frozenset())
    whole = _OUT_OF.match(plain, end)
    if whole is None:
        return None
    total = NUMBER_WORDS.get(whole[1]) or float(whole[1] if whole[1].isdigit() else 0)
    if not value <= total <= 1000 or total < 2 or (total > 10 and "out" not in whole[0]):
        return None
    follows = _WORD.match(plain, whole.end())
    named = follows is not None and follows[1] not in STOP_WORDS
    if follows is not None and follows[1] in MEASURES and "star" not in follows[1]:
        return None
    if total == 5 and (not named or "star" in plain[whole.end() : whole.end() + 6]):
        return whole.end(), (value, MEASURES["stars"], frozenset())
    return whole.end(), (100 * value / total, MEASURES["%"], frozenset())


def _find_measure(unit: re.Match[str], end: int) -> UnitMeasure | None:
    word = unit[1]
    if word.startswith("fl"):
        return MEASURES["floz"]
    if word.startswith("degree") and " " in word:
        return MEASURES["°c" if word.split()[1].startswith("c") else "°f"]
    if word in ONLY_TOUCHING and unit.start(1) - end > (0 if word in {"in", "s"} else 1):
        return None
    if word == "in" and unit.start(1) != end and unit.string[end] != "-":
        return None
    return MEASURES.get(word)


def _parse_bare(plain: str, numeral: Numeral) -> _Read:
    start, end, value, digits = numeral[:4]
    if _is_after_month(plain, start) or _MONTH_AFTER.match(plain, end):
        if value <= 31:
            return value, _DAY, _NONE
        return value, _YEAR, _NONE
    if len(digits) == 4 and digits.isdigit() and int(value) in _YEARS:
        follows = _WORD.match(plain, end)
        named = follows is not None and follows[1] not in STOP_WORDS
        if not named or _SINCE.search(plain, max(0, start - 8), start):
            return value, _YEAR, _NONE
    return value, _COUNT, _collect_names(plain, start, end)


def _is_after_month(plain: str, start: int) -> bool:
    before = plain[max(0, start - 12) : start].rstrip(" ,.")
    return before[before.rfind(" ") + 1 :][:3] in _MONTH


def _collect_names(plain: str, start: int, end: int) -> frozenset[str]:
    """Stems of the words that a bare number counts, or of the word it follows."""
    found = []
    for _ in range(3):
        word = _WORD.match(plain, end)
        if word is None or (name := word[1]) in STOP_WORDS:
            break
        if name not in _NO_NAME:
            found.append(stem(name))
        end = word.end()
    return frozenset(found) if found else _find_name_before(plain, start)


def _find_name_before(plain: str, start: int) -> frozenset[str]:
    before = plain[max(0, start - 30) : start].rstrip(" :#").split()
    if before and before[-1] in _LINKS:
        before.pop()
    word = _LAST.search(before[-1]) if before else None
    if word is None or word.group() in STOP_WORDS:
        return _NONE
    return frozenset([f"<{stem(word.group())}"])


def _merge_quantities(plain: str, found: list[Quantity]) -> list[Quantity]:
    """Join ranges and compounds; sides of a box share the unit that stands last."""
    for place in range(len(found) - 2, -1, -1):
        first, second = found[place], found[place + 1]
        if second.start - first.end > 12:
            continue
        between = plain[first.end : second.start]
        alike = first.dimension == second.dimension
        takes = first.dimension in {"count", "year"} and second.dimension not in {"day", "year"}
        if takes and _TIMES.fullmatch(between):
            found[place] = _copy_unit(first, second)
        elif (takes or alike) and _is_range(plain, first, between):
            found[place : place + 2] = [_join_range(first, second)]
        elif _is_same_unit(first, second, between):
            found[place : place + 2] = [_join_range(first, _copy_unit(second, first))]
        elif alike and first.unit != second.unit and _COMPOUND.fullmatch(between):
            found[place : place + 2] = [_add_quantities(first, second)]
    return found


def _is_same_unit(first: Quantity, second: Quantity, between: str) -> bool:
    bare = second.dimension == "count" and not second.names and not second.hedge
    counts = first.dimension in {"count", "year", "day", "rating"}
    return bare and not counts and _SAME_UNIT.fullmatch(between) is not None


def _is_range(plain: str, first: Quantity, between: str) -> bool:
    if between == " and ":
        return plain[max(0, first.start - 8) : first.start].endswith("between ")
    return _RANGE.fullmatch(between) is not None


def _copy_unit(first: Quantity, second: Quantity) -> Quantity:
    size = first.raw * _compute_factor(second)
    return first._replace(
        low=size, high=size, dimension=second.dimension, unit=second.unit, names=second.names
    )


def _join_range(first: Quantity, second: Quantity) -> Quantity:
    if first.dimension in {"count", "year"} and second.dimension != first.dimension:
        first = _copy_unit(first, second)
    low, high = sorted((first.raw * _compute_factor(first), second.raw * _compute_factor(second)))
    return second._replace(
        start=first.start, low=low, high=high, hedge="", names=first.names | second.names
    )


def _add_quantities(first: Quantity, second: Quantity) -> Quantity:
    larger = first if _compute_factor(first) > _compute_factor(second) else second
    raw = first.raw + second.raw * _compute_factor(second) / _compute_factor(first)
    size = raw * _compute_factor(first)
    low = first.low if first.low == -inf else size
    high = first.high if first.high == inf else size
    return larger._replace(start=first.start, end=second.end, low=low, high=high, raw=raw)


def _compute_factor(quantity: Quantity) -> float:
    """How many base units the quantity's own unit is."""
    return _FACTORS.get((quantity.dimension, quantity.unit), 1.0)


_FACTORS = {(each.dimension, each.unit): each.factor for each in MEASURES.values()}
