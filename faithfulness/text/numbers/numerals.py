"""Parse numerals: digits with separators, fractions, number words, multiples."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from faithfulness.text.numbers.measures import FRACTIONS, MULTIPLES, NUMBER_WORDS, SHARES
from faithfulness.text.stems import fold_apostrophes, list_words

SMALL = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_BIG = "hundred|thousand|million|billion|trillion|dozen"
_SIGNS = "".join(FRACTIONS)
_JOIN = r"[-‐‑\u00a0\ ]"  # between the words of a number
_HYPHEN = "[-‐‑]"
# What stands behind "and" or a hyphen is the number's own; behind a blank it may begin another
# one: "two hundred five-star reviews".
_REST = rf"(?:{_HYPHEN}(?:{SMALL})\b|\ (?:{SMALL})\b(?!{_HYPHEN}(?!(?:{SMALL})\b)[a-z]))"
_AND = rf"(?:{_JOIN}and(?={_JOIN}(?:{SMALL})\b))?"
_AFTER_BIG = rf"(?:{_AND}{_REST}(?:{_REST})*)?"
_WORDED = (
    rf"(?:{_BIG})\b{_AFTER_BIG}|(?:{SMALL})(?:{_JOIN}(?:{SMALL}))?\b"
    rf"(?:{_JOIN}(?:{_BIG})\b{_AFTER_BIG})*"
)
WORDED = _WORDED  # for patterns of others: "twenty-five", "one hundred and twenty"
_WORDED_PLAIN = rf"(?:{SMALL})(?:{_JOIN}(?:{SMALL}))?\b(?:{_JOIN}(?:{_BIG})\b)*|(?:{_BIG})\b"
_DIGITS = (
    r"\d{1,3}(?:[,.'\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)"
    r"|\d{1,3}(?:\ \d{3})+,\d\d(?!\d)|\d+(?:[.,]\d+)?"
)
# "eight and a half", "2-and-a-quarter", "five and three-eighths": never "two and a half of them".
_PART_IN_WORDS = (
    rf"{_JOIN}and{_JOIN}(?:(?:(?:a|an|one){_JOIN})?(?:half|quarter|third|eighth)"
    rf"|two{_JOIN}third|three{_JOIN}(?:quarter|fourth)"
    rf"|(?:two|three|four|five|six|seven|eight|nine){_JOIN}"
    rf"(?:third|quarter|fourth|fifth|sixth|eighth|tenth)s)\b(?!\ (?:of|the|as)\b)"
)
# "five point two"; "at one point two people" are two.
_DECIMALS = "zero|one|two|three|four|five|six|seven|eight|nine"
_POINT = rf"(?<!at{_JOIN}one){_JOIN}point(?:{_JOIN}(?:{_DECIMALS})\b)+"
_PART = (
    rf"\ ?[{_SIGNS}]|(?:{_JOIN}and)?{_JOIN}\d[/⁄]\d{{1,2}}(?![\d/])"
    rf"|{_PART_IN_WORDS}|{_POINT}"
)
_MULTIPLE = r"(?P<multiple>[-\ ]?(?:hundred|thousand|million|billion|trillion|dozen|mn|bn|k|m)\b)?"
_NUMBER = re.compile(
    rf"(?:(?P<digits>{_DIGITS})(?P<part>{_PART})?|(?P<only>[{_SIGNS}]))" + _MULTIPLE
)
_HALVED = rf"half(?:{_JOIN}an?)?(?={_JOIN}(?:{_BIG})\b)"
_ALONE = "half|quarter|third|fourth|fifth|sixth|eighth|tenth"  # as in "a third of the users"
PARTS = frozenset(_ALONE.split("|"))  # mostly turns of phrase, unless a unit follows


def _compile_word_pattern(worded: str) -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:(?P<words>{worded})(?P<part>{_PART})?|(?P<halved>{_HALVED})|(?P<alone>{_ALONE})\b)"
        rf"{_MULTIPLE}"
    )


_IN_WORDS = _compile_word_pattern(_WORDED)
_BETWEEN = _compile_word_pattern(
    _WORDED_PLAIN
)  # in "between one hundred and two hundred" the "and" parts two
# The search for digits begins with one set of characters, so that it skips through the text.
_SPOT = re.compile(rf"[0-9{_SIGNS}][0-9.,]*")
_MONEY = re.compile(r"(?:(?<![a-z])(?:us\$|ca?\$|au?\$|usd|eur|gbp|chf|inr|rs\.?)|[$€£¥₹]) ?$")
_MAY_END_MONEY = frozenset("$€£¥₹ drpfs.")
_NEVER_BEFORE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_.,/#[")
_SOME_WORD = frozenset(NUMBER_WORDS) | frozenset(f"{_BIG}|{_ALONE}".split("|"))
_JOINS = re.compile(_JOIN)
_ARTICLES = frozenset({"", "and", "a", "an", "one"})
_DIGIT = re.compile(f"[0-9{_SIGNS}]")


class Numeral(NamedTuple):
    """A number as it stands in a text, with the currency written before it."""

    start: int
    end: int
    value: float
    digits: str  # empty for numbers in words
    words: str
    money: str


def find_numerals(text: str) -> list[Numeral]:
    """All numbers of a text, in order; those inside names such as "wh-1000x" not."""
    plain, found, end = fold_apostrophes(text), [], 0
    for spot in _SPOT.finditer(plain):
        start = spot.start()
        hit = _NUMBER.match(plain, start) if start >= end else None
        if hit is None:
            continue
        each = _parse_numeral(plain, hit)
        if each is not None:
            found.append(each)
            end = each.end
    worded = list_words(text) & _SOME_WORD
    if worded:
        words = list(_find_worded_numerals(plain, worded, found))
        # The 1 of "eight and 1/2" is no number of its own.
        starts = [each.start for each in words]
        found = [one for one in found if not _is_inside(one.start, words, starts)]
        found = sorted([*found, *words])
    return found


def has_numeral(text: str) -> bool:
    """Whether a text may hold a number at all."""
    return _DIGIT.search(text) is not None or not _SOME_WORD.isdisjoint(list_words(text))


def _parse_numeral(plain: str, hit: re.Match[str]) -> Numeral | None:
    start, end = hit.span()
    money, minus = _find_currency(plain, start), _has_minus(plain, start)
    if not money and start and plain[start - 1] in _NEVER_BEFORE:
        return None
    digits, part, only, multiple = hit.group("digits", "part", "only", "multiple")
    value = _parse_digits(digits, is_money=bool(money)) if digits else FRACTIONS[only]
    if value is None:
        return None
    if part:
        value += _parse_fraction(part)
    if multiple:
        multiple = multiple.strip("- ")
        if multiple == "m" and not money:
            end = hit.start("multiple")  # metres
        else:
            value *= _get_multiple(multiple)
    start -= len(money) + minus
    return Numeral(start, end, -value if minus else value, digits or "", "", money.strip())


def _find_currency(plain: str, start: int) -> str:
    """The currency that ends where a number begins, with the blank between them."""
    if not start or plain[start - 1] not in _MAY_END_MONEY:
        return ""
    found = _MONEY.search(plain, max(0, start - 5), start)
    return found.group() if found else ""


def _has_minus(plain: str, start: int) -> bool:
    if not start or plain[start - 1] not in "-−":
        return False
    return start == 1 or not (plain[start - 2].isalnum() or plain[start - 2] in ")-")


def _find_worded_numerals(
    plain: str, worded: Iterable[str], known: Sequence[Numeral]
) -> Iterator[Numeral]:
    """Numbers that begin with one of these words; each is found without a search by pattern."""
    end = 0
    starts = [each.start for each in known]
    for start in sorted(place for word in worded for place in _find_places(plain, word)):
        if start < end:
            continue
        pattern = _BETWEEN if plain.endswith("between ", 0, start) else _IN_WORDS
        hit = pattern.match(plain, start)
        if hit is None or _is_inside(start, known, starts):
            continue
        found = _parse_worded_numeral(hit)
        if found is not None:
            end = found.end
            yield found


def _is_inside(place: int, known: Sequence[Numeral], starts: Sequence[int]) -> bool:
    """Whether a place lies in one of these numbers, which are in order and apart."""
    at = bisect_right(starts, place) - 1
    return at >= 0 and place < known[at].end


def _parse_worded_numeral(hit: re.Match[str]) -> Numeral | None:
    """The number that such words give; none for an ordinal such as the third."""
    words, part, halved, alone, multiple = hit.group("words", "part", "halved", "alone", "multiple")
    start, end = hit.span()
    if alone and alone != "half":
        article = hit.string.endswith(("a ", "an "), 0, start)
        if not (article or alone == "quarter"):
            return None
        return Numeral(start, hit.end("alone"), SHARES[alone], "", alone, "")
    value = (
        0.5 if halved or alone else _parse_words(words) + (_parse_fraction(part) if part else 0.0)
    )
    if multiple:
        value *= _get_multiple(multiple.strip("- "))
    return Numeral(start, end, value, "", alone or hit.group(), "")


def _find_places(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def _get_multiple(multiple: str) -> float:
    return 1e6 if multiple == "m" else MULTIPLES[multiple]


def _parse_digits(text: str, *, is_money: bool) -> float | None:
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


def _parse_fraction(part: str) -> float:
    """What "½", " 1/2", "-and-a-half", " and three quarters" and " point two" add to a number."""
    _, point, decimals = part.partition("point")
    if point:
        digits = (int(NUMBER_WORDS[word]) for word in _JOINS.split(decimals) if word)
        return float("0." + "".join(map(str, digits)))
    words = [word for word in _JOINS.split(part) if word not in _ARTICLES]
    if words[-1] in FRACTIONS:
        return FRACTIONS[words[-1]]
    if words[-1] in SHARES:
        return SHARES[words[-1]] * (NUMBER_WORDS[words[0]] if len(words) > 1 else 1.0)
    over, _, under = words[-1].replace("⁄", "/").partition("/")
    return float(over) / float(under) if float(under) else 0.0


def _parse_words(text: str) -> float:
    if text in NUMBER_WORDS:
        return NUMBER_WORDS[text]
    total, current = 0.0, 0.0
    for word in _JOINS.split(text):
        if word in NUMBER_WORDS:
            current += NUMBER_WORDS[word]
        elif word in {"hundred", "dozen"}:
            current = (current or 1.0) * MULTIPLES[word]
        elif word in MULTIPLES:
            total, current = total + (current or 1.0) * MULTIPLES[word], 0.0
    return total + current
