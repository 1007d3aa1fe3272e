"""Read what a number is worth: digits with their separators, fractions, words, multiples."""

import re

from faithfulness.text.measures import FRACTIONS, MULTIPLES, NUMBER_WORDS

SMALL = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_BIG = "hundred|thousand|million|billion|trillion|dozen"
_WORDED = (
    rf"(?:a\ )?(?:{_BIG})\b|(?:{SMALL})(?:[-\ ](?:{SMALL}))?\b(?:[-\ ](?:{_BIG})\b"
    rf"(?:\ and(?=\ (?:{SMALL})\b))?(?:\ (?:{SMALL})\b)*)*"
)
_DIGITS = (
    r"\d{1,3}(?:[,.'\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)"
    r"|\d{1,3}(?:\ \d{3})+,\d\d(?!\d)|\d+(?:[.,]\d+)?"
)
NUMBER = re.compile(
    rf"""
    (?:(?P<money>(?<![a-z])(?:us\$|ca?\$|au?\$|usd|eur|gbp|chf|inr|rs\.?)|[$€£¥₹])\ ?|
       (?<![a-z0-9_.,/\#\[]))
    (?P<minus>(?<![\w)])[-−](?=\d))?
    (?:(?P<digits>{_DIGITS})(?P<part>\ ?[½¼¾⅓⅔⅛]|[-\ ]\d/\d{{1,2}}(?!\d))?|(?P<only>[½¼¾⅓⅔⅛])
       |\b(?P<words>{_WORDED}|half\b))
    (?P<multiple>[-\ ]?(?:thousand|million|billion|trillion|dozen|mn|bn|k|m(?<=[$€£].m|\d\dm))\b)?
    """,
    re.VERBOSE,
)
MAY_HOLD = re.compile(rf"\d|[½¼¾⅓⅔⅛]|\b(?:{SMALL}|{_BIG}|half)\b")


def value_of(hit: re.Match[str]) -> float:
    """What a match of NUMBER is worth."""
    if hit["digits"]:
        value = _digits(hit["digits"], is_money=bool(hit["money"]))
        value += _fraction(hit["part"])
    elif hit["only"]:
        value = FRACTIONS[hit["only"]]
    else:
        value = _worded(hit["words"])
    if hit["multiple"]:
        multiple = hit["multiple"].strip("- ")
        value *= 1e6 if multiple == "m" else MULTIPLES[multiple]
    return -value if hit["minus"] else value


def _digits(text: str, *, is_money: bool) -> float:
    text = re.sub(r"['\u00a0\u202f ]", "", text)
    points, commas = text.count("."), text.count(",")
    if points and commas:
        decimal = "." if text.rfind(".") > text.rfind(",") else ","
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


def _fraction(part: str | None) -> float:
    if not part:
        return 0.0
    part = part.strip("- ")
    if part in FRACTIONS:
        return FRACTIONS[part]
    over, _, under = part.partition("/")
    return float(over) / float(under) if float(under) else 0.0


def _worded(text: str) -> float:
    if text == "half":
        return 0.5
    total, current = 0.0, 0.0
    for word in re.split("[- ]", text):
        if word in NUMBER_WORDS:
            current += NUMBER_WORDS[word]
        elif word in {"hundred", "dozen"}:
            current = (current or 1.0) * MULTIPLES[word]
        elif word in MULTIPLES:
            total, current = total + (current or 1.0) * MULTIPLES[word], 0.0
    return total + current
