"""Read the numbers of a text: prices, percentages, measures, counts, ranges, years, with spans."""

import re
from functools import lru_cache
from math import inf
from typing import NamedTuple

from faithfulness.text.hedges import hedge_before
from faithfulness.text.measures import MEASURES, NUMBER_WORDS, ONLY_TOUCHING, SHARES, Measure
from faithfulness.text.numerals import SMALL, Numeral, numerals
from faithfulness.text.readable import readable
from faithfulness.text.stems import STOP_WORDS, stem, straight

_UNIT = re.compile(
    r"[-‐‑\u00a0 ]?(?:an? |us )?(fl\.? ?oz|°(?:[cf]\b)?|[%％℃℉\"″”′€£¥₹$¢円元]"
    r"|degrees? (?:celsius|fahrenheit|[cf]\b)|[a-z]+(?:/h)?\b)"
)
_OUT_OF = re.compile(rf" ?(?:out of|of|in|/) ?(?:the |every )?(\d+|{SMALL})\b(?![.,]?\d)(?! ?%)")
_BEFORE_SHARE = frozenset(" -/")
_BEGINS_SHARE = frozenset("/oi") | frozenset(each[0] for each in SHARES)
_SHARE = re.compile(rf"[- ]({'|'.join(SHARES)})\b")
_DATE = re.compile(r"\b(?:\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}:\d\d)\b")
_CLOCK = re.compile(r"(?:[ap]m|[ap]\.m|uhr|o'clock)\b")
_IN_DATES = frozenset("-/:.")
_RANGE = re.compile(r" ?(?:-|–|—|to|or|through) ?")
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
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of a text with what it counts or measures; never raises."""
    read = readable(text)
    found = _quantities(read.text)
    if not read.starts:
        return found
    places = (read.place(each.start, each.end) for each in found)
    return tuple(
        each._replace(start=start, end=end)
        for each, (start, end) in zip(found, places, strict=True)
    )


def _quantities(text: str) -> tuple[Quantity, ...]:
    read = numerals(text)
    if not read:
        return ()
    plain = straight(text)
    dates = []
    if any(plain[each.end : each.end + 1] in _IN_DATES for each in read):
        dates = [date.span() for date in _DATE.finditer(plain)]
    found: list[Quantity] = []
    for numeral in read:
        if found and numeral.start < found[-1].end:
            continue  # the 10 of "8 out of 10"
        if dates and any(start <= numeral.start < end for start, end in dates):
            continue
        each = _quantity(plain, numeral)
        if each is not None:
            found.append(each)
    return tuple(_merged(plain, found) if len(found) > 1 else found)


def _quantity(plain: str, numeral: Numeral) -> Quantity | None:
    start, end, value = numeral.start, numeral.end, numeral.value
    if numeral.digits and _is_list_mark(plain, start, end):
        return None
    share = _share(plain, end, value)
    if share is not None:
        return _hedged(plain, start, share[0], share[1])
    if numeral.money:
        return _hedged(plain, start, end, (value, MEASURES[numeral.money], _NONE))
    unit = _UNIT.match(plain, end)
    measure = None if unit is None else _measure(unit, end)
    if unit is not None and measure is not None:
        return _hedged(plain, start, unit.end(), (value, measure, _NONE))
    if unit is not None and _CLOCK.match(plain, unit.start(1)):
        return None  # "6 p.m." and "18 Uhr" count nothing: clocks.py reads them
    touches = end < len(plain) and plain[end].isascii() and plain[end].isalpha()
    if touches or numeral.words in {"one", "half"}:
        return None  # "3D", "4th", "the one"
    return _hedged(plain, start, end, _bare(plain, numeral))


_NONE: frozenset[str] = frozenset()
_DAY, _YEAR, _COUNT = (Measure(each, 1.0, "") for each in ("day", "year", "count"))
_Read = tuple[float, Measure, frozenset[str]]


def _hedged(plain: str, start: int, end: int, read: _Read) -> Quantity:
    value, measure, names = read
    hedge = hedge_before(plain, start)
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


def _share(plain: str, end: int, value: float) -> tuple[int, _Read] | None:
    """Reads "8 out of 10" and "two thirds" as percentages, "4.5 out of 5" as a rating."""
    mark = plain[end : end + 1]
    if mark not in _BEFORE_SHARE:
        return None
    if mark != "/" and plain[end + 1 : end + 2] not in _BEGINS_SHARE and plain[end - 1] != "f":
        return None  # neither a share, nor "out of", "of" and "in", nor half of something
    parts = _SHARE.match(plain, end)
    if parts is not None and value < 10:
        return parts.end(), (100 * value * SHARES[parts[1]], MEASURES["%"], frozenset())
    whole = _OUT_OF.match(plain, end)
    if whole is None:
        return (end, (50.0, MEASURES["%"], frozenset())) if _half_of(plain, end) else None
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


def _half_of(plain: str, end: int) -> bool:
    return plain[end - 4 : end] == "half" and plain.startswith((" of ", " the "), end)


def _measure(unit: re.Match[str], end: int) -> Measure | None:
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


def _bare(plain: str, numeral: Numeral) -> _Read:
    start, end, value, digits = numeral[:4]
    if _follows_month(plain, start) or _MONTH_AFTER.match(plain, end):
        if value <= 31:
            return value, _DAY, _NONE
        return value, _YEAR, _NONE
    if len(digits) == 4 and digits.isdigit() and int(value) in _YEARS:
        follows = _WORD.match(plain, end)
        named = follows is not None and follows[1] not in STOP_WORDS
        if not named or _SINCE.search(plain, max(0, start - 8), start):
            return value, _YEAR, _NONE
    return value, _COUNT, _names(plain, start, end)


def _follows_month(plain: str, start: int) -> bool:
    before = plain[max(0, start - 12) : start].rstrip(" ,.")
    return before[before.rfind(" ") + 1 :][:3] in _MONTH


def _names(plain: str, start: int, end: int) -> frozenset[str]:
    """Stems of the words that a bare number counts, or of the word it follows."""
    found = []
    for _ in range(3):
        word = _WORD.match(plain, end)
        if word is None or (name := word[1]) in STOP_WORDS:
            break
        if name not in _NO_NAME:
            found.append(stem(name))
        end = word.end()
    return frozenset(found) if found else _name_before(plain, start)


def _name_before(plain: str, start: int) -> frozenset[str]:
    before = plain[max(0, start - 30) : start].rstrip(" :#").split()
    if before and before[-1] in _LINKS:
        before.pop()
    word = _LAST.search(before[-1]) if before else None
    if word is None or word.group() in STOP_WORDS:
        return _NONE
    return frozenset([f"<{stem(word.group())}"])


def _merged(plain: str, found: list[Quantity]) -> list[Quantity]:
    """Join ranges and compounds; sides of a box share the unit that stands last."""
    for place in range(len(found) - 2, -1, -1):
        first, second = found[place], found[place + 1]
        if second.start - first.end > 12:
            continue
        between = plain[first.end : second.start]
        alike = first.dimension == second.dimension
        takes = first.dimension in {"count", "year"} and second.dimension not in {"day", "year"}
        if takes and _TIMES.fullmatch(between):
            found[place] = _with_unit(first, second)
        elif (takes or alike) and _is_range(plain, first, between):
            found[place : place + 2] = [_range(first, second)]
        elif alike and first.unit != second.unit and _COMPOUND.fullmatch(between):
            found[place : place + 2] = [_sum(first, second)]
    return found


def _is_range(plain: str, first: Quantity, between: str) -> bool:
    if between == " and ":
        return plain[max(0, first.start - 8) : first.start].endswith("between ")
    return _RANGE.fullmatch(between) is not None


def _with_unit(first: Quantity, second: Quantity) -> Quantity:
    size = first.raw * _factor(second)
    return first._replace(
        low=size, high=size, dimension=second.dimension, unit=second.unit, names=second.names
    )


def _range(first: Quantity, second: Quantity) -> Quantity:
    if first.dimension in {"count", "year"} and second.dimension != first.dimension:
        first = _with_unit(first, second)
    low, high = sorted((first.raw * _factor(first), second.raw * _factor(second)))
    return second._replace(
        start=first.start, low=low, high=high, hedge="", names=first.names | second.names
    )


def _sum(first: Quantity, second: Quantity) -> Quantity:
    larger = first if _factor(first) > _factor(second) else second
    raw = first.raw + second.raw * _factor(second) / _factor(first)
    size = raw * _factor(first)
    low = first.low if first.low == -inf else size
    high = first.high if first.high == inf else size
    return larger._replace(start=first.start, end=second.end, low=low, high=high, raw=raw)


def _factor(quantity: Quantity) -> float:
    """How many base units the quantity's own unit is."""
    return _FACTORS.get((quantity.dimension, quantity.unit), 1.0)


_FACTORS = {(each.dimension, each.unit): each.factor for each in MEASURES.values()}
