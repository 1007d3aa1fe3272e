"""Read what a number is worth: digits with their separators, fractions, words, multiples."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from faithfulness.text.measures import FRACTIONS, MULTIPLES, NUMBER_WORDS
from faithfulness.text.stems import straight, vocabulary

SMALL = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_BIG = "hundred|thousand|million|billion|trillion|dozen"
_WORDED = (
    rf"(?:{_BIG})\b|(?:{SMALL})(?:[-\ ](?:{SMALL}))?\b(?:[-\ ](?:{_BIG})\b"
    rf"(?:\ and(?=\ (?:{SMALL})\b))?(?:\ (?:{SMALL})\b)*)*"
)
_DIGITS = (
    r"\d{1,3}(?:[,.'\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)"
    r"|\d{1,3}(?:\ \d{3})+,\d\d(?!\d)|\d+(?:[.,]\d+)?"
)
_MULTIPLE = r"(?P<multiple>[-\ ]?(?:thousand|million|billion|trillion|dozen|mn|bn|k|m)\b)?"
_NUMBER = re.compile(
    rf"(?:(?P<digits>{_DIGITS})(?P<part>\ ?[½¼¾⅓⅔⅛]|[-\ ]\d/\d{{1,2}}(?!\d))?|(?P<only>[½¼¾⅓⅔⅛]))"
    + _MULTIPLE
)
_IN_WORDS = re.compile(rf"\b(?P<words>{_WORDED}|half\b){_MULTIPLE}")
# The search for digits begins with one set of characters, so that it skips through the text.
_SPOT = re.compile(r"[0-9½¼¾⅓⅔⅛][0-9.,]*")
_MONEY = re.compile(r"(?:(?<![a-z])(?:us\$|ca?\$|au?\$|usd|eur|gbp|chf|inr|rs\.?)|[$€£¥₹]) ?$")
_MAY_END_MONEY = frozenset("$€£¥₹ drpfs.")
_NEVER_BEFORE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_.,/#[")
_SOME_WORD = frozenset(NUMBER_WORDS) | frozenset(_BIG.split("|")) | {"half"}
_DIGIT = re.compile("[0-9½¼¾⅓⅔⅛]")


class Numeral(NamedTuple):
    """A number as it stands in a text, with the currency written before it."""

    start: int
    end: int
    value: float
    digits: str  # empty for numbers in words
    words: str
    money: str


def numerals(text: str) -> list[Numeral]:
    """All numbers of a text, in order; those inside names such as "wh-1000x" not."""
    plain, found, end = straight(text), [], 0
    for spot in _SPOT.finditer(plain):
        start = spot.start()
        hit = _NUMBER.match(plain, start) if start >= end else None
        if hit is None:
            continue
        each = _numeral(plain, hit)
        if each is not None:
            found.append(each)
            end = each.end
    worded = vocabulary(text) & _SOME_WORD
    if worded:
        found.extend(_worded_numerals(plain, worded, found))
        found.sort()
    return found


def has_numeral(text: str) -> bool:
    """Whether a text may hold a number at all."""
    return _DIGIT.search(text) is not None or not _SOME_WORD.isdisjoint(vocabulary(text))


def _numeral(plain: str, hit: re.Match[str]) -> Numeral | None:
    start, end = hit.span()
    money, minus = _money_before(plain, start), _minus_before(plain, start)
    if not money and start and plain[start - 1] in _NEVER_BEFORE:
        return None
    digits, part, only, multiple = hit.group("digits", "part", "only", "multiple")
    value = _digits(digits, is_money=bool(money)) if digits else FRACTIONS[only]
    if value is None:
        return None
    if part:
        value += _fraction(part)
    if multiple:
        multiple = multiple.strip("- ")
        if multiple == "m" and not money:
            end = hit.start("multiple")  # metres
        else:
            value *= _times(multiple)
    start -= len(money) + minus
    return Numeral(start, end, -value if minus else value, digits or "", "", money.strip())


def _money_before(plain: str, start: int) -> str:
    """The currency that ends where a number begins, with the blank between them."""
    if not start or plain[start - 1] not in _MAY_END_MONEY:
        return ""
    found = _MONEY.search(plain, max(0, start - 5), start)
    return found.group() if found else ""


def _minus_before(plain: str, start: int) -> bool:
    if not start or plain[start - 1] not in "-−":
        return False
    return start == 1 or not (plain[start - 2].isalnum() or plain[start - 2] in ")-")


def _worded_numerals(
    plain: str, worded: Iterable[str], known: Sequence[Numeral]
) -> Iterator[Numeral]:
    """Numbers that begin with one of these words; each is found without a search by pattern."""
    end = 0
    for start in sorted(place for word in worded for place in _places(plain, word)):
        hit = _IN_WORDS.match(plain, start) if start >= end else None
        if hit is None or any(each.start <= start < each.end for each in known):
            continue
        end = hit.end()
        words, multiple = hit["words"], hit["multiple"]
        value = _worded(words) * (_times(multiple.strip("- ")) if multiple else 1.0)
        yield Numeral(start, end, value, "", words, "")


def _places(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def _times(multiple: str) -> float:
    return 1e6 if multiple == "m" else MULTIPLES[multiple]


def _digits(text: str, *, is_money: bool) -> float | None:
    """What digits are worth; nothing for 1,192.168.1, whose marks fit no way to write a number."""
    if text.isdigit():
        return float(text)
    for blank in "'\u00a0\u202f ":
        text = text.replace(blank, "")
    points, commas = text.count("."), text.count(",")
    if points and commas:
        decimal = "." if text.rfind(".") > text.rfind(",") else ","
        if text.count(decimal) > 1:
            return None
        text = text.replace("," if decimal == "." else ".", "").replace(",", ".")
    elif points > 1 or commas > 1:
        text = text.replace(".", "").replace(",", "")
    elif points or commas:
        mark = "." if points else ","
        whole, _, rest = text.partition(mark)
        thousands = len(rest) == 3 and (commas or is_money) and whole != "0"
        text = whole + rest if thousands else f"{whole}.{rest}"
    # float() reads digits of every script; a number too long for it is infinite, not an error.
    return float(text)


def _fraction(part: str) -> float:
    part = part.strip("- ")
    if part in FRACTIONS:
        return FRACTIONS[part]
    over, _, under = part.partition("/")
    return float(over) / float(under) if float(under) else 0.0


def _worded(text: str) -> float:
    if text == "half":
        return 0.5
    if text in NUMBER_WORDS:
        return NUMBER_WORDS[text]
    total, current = 0.0, 0.0
    for word in re.split("[- ]", text):
        if word in NUMBER_WORDS:
            current += NUMBER_WORDS[word]
        elif word in {"hundred", "dozen"}:
            current = (current or 1.0) * MULTIPLES[word]
        elif word in MULTIPLES:
            total, current = total + (current or 1.0) * MULTIPLES[word], 0.0
    return total + current
