"""Extract statements about how many customers report something, for a person to verify.

A program cannot decide which reviews support a statement. Definite findings are limited to cases
that need no reading: more reviewers than reviews, or several customers but only one listed review.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import log

from faithfulness.checks.check import (
    CannotCheck,
    Check,
    FindingRange,
    Outcome,
    Statement,
    get_marked_words,
    list_statements,
    make_finding,
    select_fields,
)
from faithfulness.checks.cues import PEOPLE, SPEECH
from faithfulness.checks.review_arithmetic import CountClaim
from faithfulness.checks.reviews import split_reviews
from faithfulness.checks.synonym import Property, list_claimed_properties
from faithfulness.model.vocabulary import Field, Finding, Item, Span
from faithfulness.text.language import is_english
from faithfulness.text.numbers.hedges import find_hedge
from faithfulness.text.numbers.numerals import WORDED, find_numerals
from faithfulness.text.sentences import cut_sentences
from faithfulness.text.stems import fold_apostrophes, list_stems, list_words, stem

KEY = "review_count"
_SAID = frozenset(stem(each) for each in re.findall(r"[a-z]+", SPEECH.replace("?", ""))) | {
    stem(each) for each in PEOPLE.split("|")
}
_MOST_SHOWN = 12
_SHORT = 240  # characters of a review that is shown whole
_TURNS = re.compile(
    r",? (?:while|whereas|but|although|though|however|and (?:some|others))\b|;", re.I
)
_WHO = rf"(?:{PEOPLE}|people|parents|respondents)"
_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})*|half a dozen|{WORDED})"
_COUNT = (
    rf"(?:between (?P<from>{_NUMBER}) and (?P<upto>{_NUMBER})"
    rf"|(?P<count>{_NUMBER})(?:(?: ?[-–—] ?| to | or )(?P<most>{_NUMBER}))?)"
)
_NEVER_COUNTED = re.compile(r"\b(?:thousand|million|billion|trillion)\b")  # sold, not heard
_LIKE = r"(?:[a-z-]+ ){0,2}?"  # "satisfied cat owners"
_HALVES = {"half": 0.5, "a third": 1 / 3, "two thirds": 2 / 3, "a quarter": 0.25,
           "three quarters": 0.75}  # fmt: skip
_OF = r"(?:the |all |its |these |those )*"
_MANY = (
    r"(?:many|most|numerous|countless|a lot|lots|plenty|(?:the |a )?(?:vast |large |great |"
    r"overwhelming )*(?:majority|number))"
)
_GENERALLY = (
    "generally|usually|typically|mostly|overall|commonly|consistently|frequently|often|widely|"
    "universally|largely|overwhelmingly|regularly"
)
_SOME = "some|several|a few|few|multiple|various|certain|other|a couple of|a handful of"
_NOT_THEM = "new|your|our|all|for|to|with|from|by|and|of"
_PATTERNS = (
    (
        "share",
        rf"(?P<part>{_NUMBER}) (?:out )?(?:of|in) (?:every )?(?P<whole>{_NUMBER}) "
        rf"(?:of the )?{_LIKE}{_WHO}",
    ),
    ("share", rf"(?P<percent>\d+(?:\.\d+)?) ?(?:%|percent|per cent) of {_OF}{_LIKE}{_WHO}"),
    ("share", rf"(?P<half>{'|'.join(_HALVES)}) of {_OF}{_LIKE}{_WHO}"),
    ("share", rf"(?P<all>all|every one|each) (?:of )?(?:the |\d+ )*{_LIKE}{_WHO}"),
    ("share", rf"(?P<none>none|not one|no one) of (?:the |\d+ )*{_LIKE}{_WHO}"),
    ("share", rf"(?P<no>no) {_LIKE}{_WHO}"),
    ("many", rf"{_MANY}(?: of)? {_OF}{_LIKE}{_WHO}"),
    ("general", rf"{_WHO} (?:{_GENERALLY}) (?:{SPEECH})"),
    ("number", rf"{_COUNT} (?:of the )?{_LIKE}{_WHO}"),
    ("plural", rf"(?:{_SOME})(?: of)? {_OF}{_LIKE}{_WHO}"),
    ("plural", rf"(?<=according to )(?:(?:the|its|customer|user) )*{_WHO}"),
    (
        "plural",
        rf"(?<!one of the )(?:(?:the|its) )?(?:(?!{_NOT_THEM})[a-z-]+ )?{_WHO} "
        rf"(?:have |had |also |who [a-z ]{{3,40}} ){{0,2}}(?:{SPEECH})",
    ),
)
_READ = tuple((kind, re.compile(rf"\b(?:{pattern})\b")) for kind, pattern in _PATTERNS)
# A count of customers is a statement about what they say only where they say something.
_SAYS = re.compile(
    rf"(?:'s)?(?: \w+){{0,6}}? (?:{SPEECH}|are|were|have|had|is|was|don't|do not|did)\b"
)
_BY = re.compile(
    r"\b(?:according to|by|(?:for|to) whom|among|reported by|mentioned by|praised by) (?:\w+ )?$"
)
_NO_SPEECH = re.compile(r"\b(?:up to|for|allows?|supports?|helps?|lets?|serves?|suits?) (?:\w+ )?$")


def run(item: Item) -> Outcome:
    fields = select_fields(item, "reviews")
    if not fields:
        return CannotCheck(why="the item has no reviews to count")
    told = [(each, *claim) for each in list_statements(item) for claim in find_claims(each.text)]
    if not told:
        return ()
    if not all(is_english(each.text) for each in (*fields, *select_fields(item, "response"))):
        return CannotCheck(why="the reviews or the response are not in English")
    reviews = split_reviews(fields)
    if not reviews:
        return CannotCheck(why="the reviews are one block of text: how many they are is unclear")
    return tuple(_make_claim_finding(item, fields, reviews, *each) for each in told)


def get_finding_claim(found: Finding, item: Item) -> CountClaim | None:
    """The statement that a finding of this check marks, for the arithmetic on ticked reviews."""
    words = get_marked_words(found, item)
    for each in list_statements(item):
        if words is not None and each.start <= words.start < each.end:
            for place, claim in find_claims(each.text):
                if each.start + place[0] == words.start:
                    return claim
    return None


def find_claims(sentence: str) -> Iterator[tuple[tuple[int, int], CountClaim]]:
    """Statements of a sentence about how many customers say so, with their words."""
    plain = fold_apostrophes(sentence)
    if plain.rstrip("\"'”’)* ").endswith("?"):
        return
    taken: list[tuple[int, int]] = []
    for kind, pattern in _READ:
        for hit in pattern.finditer(plain):
            start, end = hit.span()
            overlaps = any(start < stop and begin < end for begin, stop in taken)
            if overlaps or not _is_about_customers(plain, kind, start, end):
                continue
            claim = _parse_claim(kind, hit)
            if claim is not None:
                taken.append((start, end))
                yield (start, end), claim


def _is_about_customers(plain: str, kind: str, start: int, end: int) -> bool:
    if kind == "general" or (kind == "plural" and not plain[:end].endswith(_ENDS)):
        return True
    before = plain[max(0, start - 40) : start]
    if _NO_SPEECH.search(before) or (before.endswith("by ") and plain[:end].endswith("people")):
        return False
    return _SAYS.match(plain, end) is not None or _BY.search(before) is not None


_ENDS = (*PEOPLE.split("|"), "people", "parents", "respondents")


def _parse_claim(kind: str, hit: re.Match[str]) -> CountClaim | None:
    said = {name: value for name, value in hit.groupdict().items() if value}
    hedge = find_hedge(hit.string, hit.start())
    if kind == "number":
        return _parse_number_claim(said, hedge)
    if kind != "share":
        return CountClaim(kind)
    share, slack = _parse_share(said)
    return CountClaim("share", share=share, slack=0.1 * share if hedge == "about" else slack,
                      hedge=hedge) if share <= 1 else None  # fmt: skip


def _parse_number_claim(said: dict[str, str], hedge: str) -> CountClaim | None:
    """The number that is said, or both ends of a range; "one customer" claims no number."""
    low, high = said.get("from") or said["count"], said.get("upto") or said.get("most")
    if any(_NEVER_COUNTED.search(each) for each in (low, high or "")):
        return None
    ends = sorted(int(_parse_value(each)) for each in (low, high) if each)
    if ends[-1] < 2:
        return None
    most = ends[-1] if len(ends) > 1 else 0
    return CountClaim("number", number=ends[0], most=most, hedge=hedge)


def _parse_share(said: dict[str, str]) -> tuple[float, float]:
    """The share that is said and how much its rounding leaves open on either side."""
    if "part" in said:
        whole = _parse_value(said["whole"])
        return (_parse_value(said["part"]) / whole, 0.5 / whole) if whole else (2.0, 0.0)
    if "percent" in said:
        return float(said["percent"]) / 100, 0.005
    if "half" in said:
        return _HALVES[said["half"]], 0.05
    return (1.0, 0.0) if "all" in said else (0.0, 0.0)


def _parse_value(word: str) -> float:
    return next((each.value for each in find_numerals(word)), 0.0)


def _make_claim_finding(
    item: Item,
    fields: Sequence[Field],
    reviews: Sequence[Span],
    statement: Statement,
    place: tuple[int, int],
    claim: CountClaim,
) -> Finding:
    words = FindingRange(statement.start + place[0], statement.start + place[1])
    said, total = statement.text[slice(*place)], len(reviews)
    mark = partial(make_finding, KEY)
    if (claim.kind == "number" and claim.number > total) or (total == 1 and _needs_two(claim)):
        listed = "one review is" if total == 1 else f"{total} reviews are"
        return mark("too_many", item, words, f"“{said}”, but {listed} listed", source=reviews[0])
    near = _find_related_sentences(statement.text, place, fields, reviews)
    says = f"“{said}”: {len(near)} of {total} reviews may speak of it; count those that do"
    return mark(claim.kind, item, words, says, sure=False, candidates=near)


def _needs_two(claim: CountClaim) -> bool:
    if claim.kind == "number":
        return claim.number > 1
    return claim.kind != "share" or 0 < claim.share < 1


def _find_related_sentences(
    text: str, place: tuple[int, int], fields: Sequence[Field], reviews: Sequence[Span]
) -> tuple[Span, ...]:
    """Of each review the sentence that shares most words with the statement, best first.

    Words that few reviews have weigh more; a review with none of the statement's words is left
    out. People tick, so that too many are better than too few.
    """
    wanted = list_stems(_extract_clause(text, place)) - _SAID
    shown = [
        each
        for each in list_claimed_properties(list_words(text))
        if each.claims.search(text, place[1])
    ]
    texts = {each.name: each.text for each in fields}
    held = [list_stems(texts[each.field][each.start : each.end]) & wanted for each in reviews]
    weights = {word: log(1 + len(reviews) / sum(word in each for each in held))
               for word in frozenset[str]().union(*held)}  # fmt: skip
    # A word of nearly all reviews, such as the name of the product, says nothing.
    frequent = {word: sum(word in each for each in held) for word in weights}
    most = max(3, len(reviews) // 2)
    scored = []
    for review, words in zip(reviews, held, strict=True):
        whole = texts[review.field][review.start : review.end]
        alike = any(each.shows.search(whole) for each in shown)
        if alike or any(frequent.get(word, 0) <= most for word in words):
            span, score = _find_best_sentence(review, whole, weights, shown)
            scored.append((score, span))
    scored.sort(key=lambda each: -each[0])
    return tuple(span for _, span in scored[:_MOST_SHOWN])


def _find_best_sentence(
    review: Span, whole: str, weights: Mapping[str, float], shown: Sequence[Property]
) -> tuple[Span, float]:
    if len(whole) <= _SHORT:
        return review, sum(weights.values())
    best = review, -1.0
    for start, end in cut_sentences(whole):
        part = whole[start:end]
        score = sum(weights.get(word, 0.0) for word in list_stems(part))
        score += sum(2.0 for each in shown if each.shows.search(part))
        if score > best[1]:
            span = Span(field=review.field, start=review.start + start, end=review.start + end)
            best = span, score
    return best


def _extract_clause(text: str, place: tuple[int, int]) -> str:
    """What is said of these customers: up to where the sentence turns to others."""
    after = _TURNS.split(text[place[1] :])[0]
    return after if len(list_stems(after) - _SAID) > 0 else f"{text[: place[0]]} {after}"


CHECK = Check(
    key=KEY,
    title="How many customers",
    about="“Many customers”, “8 out of 10” and the like against the listed reviews.",
    needs=("reviews",),
    run=run,
)
