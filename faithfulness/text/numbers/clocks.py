"""Parse times of day in a text, and detect those that differ from another text's times."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from faithfulness.text.numbers.hedges import find_hedge
from faithfulness.text.numbers.measures import NUMBER_WORDS
from faithfulness.text.polarity import can_deny
from faithfulness.text.readable import make_readable
from faithfulness.text.stems import STOP_WORDS, fold_apostrophes, list_stems, list_words, stem

_HOURS = "one two three four five six seven eight nine ten eleven twelve"
_TIME = re.compile(
    rf"(?P<hour>\d{{1,2}}|{_HOURS.replace(' ', '|')})"
    r"(?:(?P<mark>[:.])(?P<minute>[0-5]\d))?(?![\d:]|[.,]\d)"
    r"(?: ?(?:(?P<half>[ap])(?:\.m\b\.?|m\b)|(?P<named>uhr\b|o'clock\b)))?"
)
_NEVER_BEFORE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_:.,/#$€£+-–")
_RANGE = re.compile(r" ?(?:-|–|—|to|until|till|bis) ?")
_ENDS_RANGE = re.compile(r"(?<![\d.,:/$€£-])\d{1,2} ?(?:-|–|—|to) ?$")  # the 7 of "7-10 am"
_NO_CLOCK = re.compile(r"[- ]?(?:min|sec|hour|hrs?\b|h\b|ratio|aspect|mix|inch|%)")
_ZONE = re.compile(
    r" ?\(?((?:utc|gmt)(?: ?[+-] ?\d+)?|[ecmp][sd]?t|ces?t|bst|ist|jst|local|eastern|pacific)\b"
)
# "p.m. on Sundays" and "Sat. until" go on, "p.m. The" does not.
_SHORT = "mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec"
_SENTENCE = re.compile(
    rf"(?<!\b(?:{_SHORT}|[ap]\.m))\.\s|[;!?]\s|\n|(?<=[ap]\.m\.)\s(?=(?:the|it|we|our|this|they)\b)"
)
_CLAUSE = re.compile(r"[,:]\s|\b(?:and|but|while|whereas|und|aber)\b")
_AROUND = 80  # characters on each side of a time in which its matter is named
_NEAR = _AROUND // 4  # no more times stand there
_WORDS = frozenset({"am", "pm", "m", "uhr", "o'clock"})  # one stands in a text without a colon
_BEGINS = "open opens opening opened start starts starting begin begins beginning"
_ENDS = "close closes closing closed end ends ending"
_VERBS = {**dict.fromkeys(_BEGINS.split(), "start"), **dict.fromkeys(_ENDS.split(), "end")}
_ROLES = {
    **dict.fromkeys(("until", "till", "til", "bis"), "end"),
    **dict.fromkeys(("from", "ab", "von"), "start"),
    **dict.fromkeys(("at", "um"), "at"),
    **{each: each for each in ("after", "before", "by")},
}
# Between what a time is of and the time: "Checkout: 11 am", "dinner is 7 pm". Other words of the
# stop list, those that loosen and those that compare leave open what it is.
_LINKS = frozenset({"is", "are", "was", "were", "=", "-", "–", "—"})
_NAMING = frozenset({"the", "a", "an", "our", "your", "its", "this"})  # "the 6 pm show"
_LOOSE = frozenset({"past", "toward", "towards", "since", "between", "later", "earlier", "except"})
_PLAIN = re.compile(r"[a-z][a-z'-]*")
_NO_MATTER = frozenset({"until", "till", "til", "bi", "after", "befor", "am", "pm", "uhr", "utc"})
# Beginnings are enough: what has other days or seasons is only compared less often.
_DAYS = (
    *("mon", "tue", "wed", "thu", "fri", "sat", "sun", "week", "dail", "every", "holi", "today"),
    *("tomor", "yester", "tonight", "night", "summer", "winter", "jan", "feb", "mar", "apr", "may"),
    *("jun", "jul", "aug", "sep", "oct", "nov", "dec", "dien", "mitt", "donn", "frei", "son"),
)
# With these a 12:10 alone is a ratio, a verse, a score or a place in a recording.
_OTHERS = (
    "ratio ratios aspect scale odds gear gears mix mixed mixing dilute proportion proportions "
    "verse verses chapter psalm gospel score scored scores won win lost lose beat video clip "
    "track song recording timestamp lap page"
)
_NO_CLOCKS = frozenset(map(stem, _OTHERS.split()))
# "For members", "(groups)": the others of one event may have another time. "For business" and
# "(buffet)" are nobody's, so that only these words tell for whom it is.
_WHOM = re.compile(r"(?:\b(?:for|für)\s|\()([^,:()]+)")
_WHOM_WORDS = (
    "members nonmembers groups guests children kids toddlers teens adults families family students "
    "pupils seniors pensioners residents staff employees employee visitors public women men ladies "
    "beginners volunteers subscribers exhibitors press mitglieder gruppen gäste kinder erwachsene "
    "familien familie schüler studenten senioren besucher frauen männer"
)
_PEOPLE = frozenset(map(stem, _WHOM_WORDS.split()))
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_DATE = re.compile(r"\d[./-]\d")
_HALF_DAY = 720  # minutes; what 9:00 without am or pm leaves open


class Clock(NamedTuple):
    """A time of day; `role` is empty where the words before it do not say what it is about.

    Else it is "start", "end", "at", "after", "before", "by", or "the" of a time that names a thing.
    """

    start: int
    end: int
    minutes: int
    exact: bool  # a 9:00 alone may be meant for the evening
    role: str
    zone: str
    matter: frozenset[str]  # stems of what is said before it in its sentence
    own: frozenset[str]  # those of them since an earlier time, which were not said of that one
    after: frozenset[str]  # stems and numbers of what follows in its clause
    days: frozenset[str]  # the days on both sides, and numbers
    whom: frozenset[str]  # stems of the people it is said to be for
    denied: bool


def find_differing_times(left: str, right: str) -> Iterator[tuple[Clock, Clock]]:
    """Times of the left text, each with one of the right text that it cannot be."""
    ours = find_clocks(left) if can_have_time(left) and can_have_time(right) else ()
    theirs = find_clocks(right) if ours else ()
    others = [each for each in theirs if each.role and not _is_in(each, ours)]
    for mine in ours:
        rivals = [each for each in others if _are_comparable(mine, each)]
        if rivals and all(_are_different(mine, each) for each in theirs):
            yield mine, rivals[0]


def can_have_time(text: str) -> bool:
    return ":" in text or not _WORDS.isdisjoint(list_words(text))


@lru_cache(maxsize=64)
def find_clocks(text: str) -> tuple[Clock, ...]:
    """Every time of day that is written as one; never raises."""
    read = make_readable(text)
    found = _parse_clocks(fold_apostrophes(read.text))
    places = (read.place(each.start, each.end) for each in found)
    return tuple(
        each._replace(start=start, end=end)
        for each, (start, end) in zip(found, places, strict=True)
    )


def _parse_clocks(plain: str) -> list[Clock]:
    hits = list(_find_hits(plain))
    found: list[Clock] = []
    tails = _list_tails(plain, [hit for hit, _ in hits])
    for number, (hit, joined) in enumerate(hits):
        last = found[-1] if found else None
        near = tails[max(0, number - _NEAR) : number + 1]
        each = _build_clock(plain, hit, last if joined else None, near)
        if joined and last is not None:
            # "Until 18:00 - 19:00" is unsure.
            found[-1] = last._replace(role="start" if each.role else "")
        found.append(each)
    return found


def _find_hits(plain: str) -> Iterator[tuple[re.Match[str], bool]]:
    """What is written as a time, and whether it ends a range that the one before begins."""
    last = None
    for hit in _TIME.finditer(plain):
        start, end = hit.span()
        joined = last is not None and _RANGE.fullmatch(plain, last, start) is not None
        if _compute_minutes(hit) is None or _NO_CLOCK.match(plain, end):
            continue
        apart = not start or plain[start - 1] not in _NEVER_BEFORE
        if joined or apart or (hit["half"] and _ENDS_RANGE.search(plain, max(0, start - 9), start)):
            yield hit, joined
            last = end


class _Tail(NamedTuple):
    """What follows a time: its place, its words, and the days named up to the sentence's end."""

    start: int
    end: int
    text: str
    days: frozenset[str]


def _list_tails(plain: str, hits: Sequence[re.Match[str]]) -> list[_Tail]:
    """The words after each time in its clause; of "9:00 to 17:00 on Sundays" both have the last."""
    found: list[_Tail] = []
    follows = len(plain)
    for hit in reversed(hits):
        start = hit.end()
        stop = _SENTENCE.search(plain, start, start + _AROUND)
        rest = plain[start : stop.start() if stop else start + _AROUND]
        text = _CLAUSE.split(rest[: follows - start])[0]
        end = start + len(text)
        if follows < start + len(rest) and not list_stems(text) - _NO_MATTER:
            text = found[-1].text
        found.append(_Tail(start, end, text, _find_dates(text) or _find_days(rest)))
        follows = hit.start()
    return found[::-1]


def _find_dates(text: str) -> frozenset[str]:
    days = _find_days(text)
    return days.union(_DIGITS.findall(text)) if days or _DATE.search(text) else days


def _find_days(text: str) -> frozenset[str]:
    return frozenset(each[:3] for each in list_words(text) if each.startswith(_DAYS))


def _build_clock(
    plain: str, hit: re.Match[str], first: Clock | None, tails: Sequence[_Tail]
) -> Clock:
    start, end = hit.span()
    zone = _ZONE.match(plain, end)
    before = _SENTENCE.split(plain[max(0, start - _AROUND) : start])[-1]
    earlier = [each for each in tails[:-1] if each.start > start - len(before)]
    since = earlier[-1].end if earlier else start - len(before)
    # What follows an earlier time of the sentence was said of that one.
    begins = [start - len(before), *(each.end for each in earlier)]
    ends = [*(each.start for each in earlier), start]
    said = " ".join(plain[slice(*each)] for each in zip(begins, ends, strict=True))
    matter, tail = list_stems(said) - _NO_MATTER, tails[-1]
    sure = hit["half"] or hit["named"] or matter.isdisjoint(_NO_CLOCKS)
    return Clock(
        start=start,
        end=end,
        minutes=_compute_minutes(hit) or 0,
        exact=bool(hit["half"]) or _parse_hour(hit) > 12 or hit["hour"][0] == "0",
        role=_find_role(before, hit, first) if sure else "",
        zone="" if zone is None else zone[1],
        matter=matter,
        own=list_stems(plain[since:start]) - _NO_MATTER if earlier else frozenset(),
        after=(list_stems(tail.text) - _NO_MATTER).union(_DIGITS.findall(tail.text)),
        days=tail.days.union(_find_days(said), _DIGITS.findall(plain, since, start)),
        whom=_find_people(f"{said}, {tail.text}"),
        denied=can_deny(list_words(before) | list_words(tail.text)),
    )


def _find_people(text: str) -> frozenset[str]:
    words = _LETTERS.findall(" ".join(_WHOM.findall(text)))
    return _PEOPLE.intersection(map(stem, words))


def _compute_minutes(hit: re.Match[str]) -> int | None:
    """Minutes since midnight; nothing for 18.00 and 18 alone, 13 pm and 25:00."""
    hour, half = _parse_hour(hit), hit["half"]
    if not half and not hit["named"] and hit["mark"] != ":":
        return None
    if hour > 23 or (half and not 1 <= hour <= 12):
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return 60 * hour + int(hit["minute"] or 0)


def _parse_hour(hit: re.Match[str]) -> int:
    return int(NUMBER_WORDS.get(hit["hour"], 0)) or int(hit["hour"])


def _find_role(before: str, hit: re.Match[str], first: Clock | None) -> str:
    """What the time is to its matter, by the words before it; the second of a range is an end."""
    written = bool(hit["half"] or hit["named"])
    if first is not None:
        return "end" if first.role == "start" or (written and first.role == "at") else ""
    words = before.rstrip(" :").split()[-2:]
    word = words[-1].strip("(") if words else ""
    of = _VERBS.get(words[0], "") if len(words) > 1 else ""
    role = _VERBS.get(word, "") or _ROLES.get(word, "")
    if written and not role:
        return _find_plain_role(before, word)
    # "Mix it at 1:10" and "won by 21:19" are no times.
    sure = written or (role != "by" and (role != "at" or len(hit["hour"]) > 1))
    return of if role == "at" and of else role if sure else ""


def _find_plain_role(before: str, word: str) -> str:
    """The role of a time with am, pm, Uhr or o'clock after a word that gives it none."""
    if _ENDS_RANGE.search(before):
        return "end"
    if not word or word in _NAMING:
        return "the"
    if word in _LINKS:
        return "at"
    loose = word in STOP_WORDS or word in _LOOSE or find_hedge(before, len(before))
    return "at" if not loose and _PLAIN.fullmatch(word) else ""


def _are_comparable(mine: Clock, other: Clock) -> bool:
    """Only times of one matter, day, zone and role; the shorter sentence may say less."""
    if not mine.role or mine.denied or other.denied:
        return False
    if (mine.role, mine.zone, mine.days) != (other.role, other.zone, other.days):
        return False
    if mine.whom != other.whom:
        return False  # members may come in earlier
    ours, theirs = mine.matter | mine.after, other.matter | other.after
    if not mine.own <= theirs or not other.own <= ours:
        return False  # the dinner of "breakfast at 7 am, dinner at 8 pm"
    if mine.role == "the":
        return ours == theirs != frozenset()  # a 6 pm show may be sold out, an 8 pm show be great
    shared = mine.matter & other.matter
    if mine.role == "at" and all(each.startswith(_DAYS) for each in shared):
        return False  # "Monday 6 pm" may be about anything
    return bool(shared) and (ours <= theirs or theirs <= ours)


def _is_in(time: Clock, others: Sequence[Clock]) -> bool:
    """Whether others have the time too, and not in another role: then they name one time more."""
    return any(each.role in {time.role, ""} and not _are_different(time, each) for each in others)


def _are_different(mine: Clock, other: Clock) -> bool:
    apart = mine.minutes - other.minutes
    return bool(apart if mine.exact and other.exact else apart % _HALF_DAY)
