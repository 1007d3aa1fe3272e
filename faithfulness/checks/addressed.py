"""Detect text in an item that addresses its judge (prompt injection).

Covers orders to a judge, ready-made verdicts and chat markup. An order counts only at the beginning
of a clause, and only if its object is the judge's own work: instructions, rubric or the score of a
response. Text about such orders, and orders about anything else, are not reported.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from faithfulness.checks.addressed_requests import ELSEWHERE, ELSEWHERE_SIGNS, REQUESTS
from faithfulness.checks.check import Check, FindingRange, Outcome, make_finding
from faithfulness.model.vocabulary import Finding, Item, Span
from faithfulness.text.stems import list_words

KEY = "addressed"


def _read_word_set(words: str) -> frozenset[str]:
    return frozenset(re.findall("[a-z]+", words))


_LONGEST = 200_000  # of a longer field the beginning is looked at
# An order is given at the beginning of a clause, or after words that make it one.
_GIVEN = (
    r"(?:(?<![^\s>\"'“(\[*#`-])(?<![a-z0-9,] )(?P<bare>)|(?<=[.!?:;>] )|(?<=--> )|"
    r"\b(?:please|kindly|now|always|simply|just|then|and|so|you (?:must|should|shall|will|have to|"
    r"need to))"
    r"[,:]? |, )"
)
_WORK = (
    r"(?:(?:(?:previous|prior|above|preceding|earlier|your|system|other|those|"
    r"original)(?: (?:system|task|"
    r"prompt|scoring|grading|evaluation|given))? (?:instructions?|prompts?|guidelines?|rules?|"
    r"directives?|orders?)|all (?:of )?(?:the |"
    r"these )?"
    r"(?:instructions|prompts|guidelines|directives))(?! (?:in|on|of|from|printed|given|supplied|"
    r"for)"
    r"\b)|system (?:prompt|message)|rubrics?|scoring (?:guide|rules?|criteria)|grading (?:criteria|"
    r"rules?|scheme)|evaluation criteria)"
)
_THING = (
    r"(?:summary|summaries|response|responses|answer|answers|sentence|sentences|claims?|output|"
    r"statements?|completion|prediction|comparison|text|item|submission)"
)
_GRADE = (
    r"(?:scores?|ratings?|grades?|(?:as|with|a|an|is|of) (?:[1-5]\b|five)|supported|faithful|"
    r"consistent|"
    r"excellent|perfect|correct|accurate|true|yes[_-]evidence|full marks|highest|top|"
    r"maximum|pass)\b"
)
# A scale of several answers is a guideline for raters, an order names the one it wants.
_GAP = r"(?:(?! or | from | scale | between | whether | if )[^.\n]){0,40}?"
# "A model railway fan" is no judge.
_WHO = (
    r"(?= ?[,.;:!?)—–-]| (?:and|or|that|who|which|reading|evaluating|judging|grading|assessing|"
    r"asked|"
    r"tasked|scoring|reviewing|rating|checking|looking)\b)"
)
_ONE = r"(?![^.\n]{0,25}(?: or | to [1-5]| if ))"
_BEST = (
    r"(?:supported|faithful|yes[_-]evidence|maximum|highest|top|full|perfect|five|5|excellent|true)"
)
_JUDGE = (
    r"(?:ai|llms?|graders?|judges?|evaluators?|raters?|annotators?|(?:large )?language models?|"
    r"(?:ai|llm|automated|automatic)[ -](?:graders?|judges?|evaluators?|raters?|reviewers?|models?|"
    r"assistants?|systems?)|models? that (?:grades?|judges?|evaluates?|rates?|scores?)|chatbots?)"
)
_IGNORE = (
    r"(?:ignore|disregard|forget|override|bypass|set aside|do not follow|don't follow|"
    r"stop following)"
)
_SAY = (
    r"(?:give|assign|award|output|return|answer(?: with)?|respond with|reply with|print|write|"
    r"choose|select)"
)
_RATE = r"(?:give|assign|award|rate|score|grade|label|mark|classify|treat)"
# A pattern is tried only on sentences with a word of each of its sets: most texts have none.
_THINGS = _read_word_set(_THING) | {"claim", "claims", "statement", "statements"}
_JUDGES = frozenset(
    ["ai", "llm", "llms", "grader", "graders", "judge", "judges", "evaluator", "evaluators",
     "rater", "raters", "annotator", "annotators", "model", "models", "chatbot", "chatbots",
     "reviewers", "reviewer"]
)  # fmt: skip
_ORDERS = (
    (
        (
            _read_word_set(_IGNORE),
            _read_word_set(
                "instruction instructions prompt prompts guideline guidelines rubric rubrics "
                "scoring grading criteria directive directives rule rules orders everything above "
                "previous preceding other system"
            ),
        ),
        rf"{_GIVEN}{_IGNORE}\b (?:[\w']+ ){{0,4}}?(?:{_WORK}|everything (?:you (?:were|"
        rf"have been|had been|are)|above|before)|"
        rf"(?:all )?(?:the )?(?:above|previous|preceding|other) (?:text|messages?|context|content)|"
        rf"(?:all )?(?:of )?the above(?=[ ]*(?:[.,;:!]|and\b)))",
    ),
    (
        (_read_word_set(_RATE), _THINGS),
        rf"{_GIVEN}{_RATE}\b (?:(?:this|the|that|every|each|all|any|my|its|these|following|entire|"
        rf"whole|above) ){{1,3}}{_THING}\b(?: here| above| below)?[,:]? (?:as |with |a |an |"
        rf"the |to be |"
        rf"at least |only |being )*(?:{_GRADE}|[1-5]\b){_ONE}",
    ),
    (
        (
            _read_word_set(_SAY),
            _read_word_set(
                "label score rating grade answer verdict value word mark highest maximum perfect "
                "full"
            ),
        ),
        rf"{_GIVEN}{_SAY}\b (?:only )?(?:a |an |the )?(?:label |score |rating |grade |answer |"
        rf"verdict |value |word |top mark |highest |maximum |perfect |full )+(?:score |rating |"
        rf"grade |marks? )?(?:of |to |for |as |is |=|: ?)?(?:[\"'“]?(?:supported|faithful|"
        rf"yes[_-]evidence|[1-5]\b|five|true)|(?:this|the|every|each) {_THING})",
    ),
    (
        (_JUDGES,),
        rf"\b(?:note|message|memo|attention|instructions?|reminder|hint|notice) (?:to|for) "
        rf"(?:the |all |any |our )?{_JUDGE}\b ?[:,;—–-]|\b(?:dear|attention|hey|"
        rf"hello) {_JUDGE}(?=[,:;.!—–-])|"
        rf"\bif you(?:'re| are) (?:an? |the )?{_JUDGE}{_WHO}|"
        r"(?:<!-- ?|^|[.!?] |\n|\[)(?:to )?(?:the )?(?:ai|llm|automated)[ -](?:reviewers?|graders?|"
        r"judges?|evaluators?|raters?|models?)\b(?: please|:)",
    ),
    (
        (_JUDGES, frozenset({"must", "should", "shall", "need", "have"})),
        rf"\b(?:(?:ai|llms?|graders?|judges?|evaluators?|raters?|annotators?|language models?|"
        rf"chatbots?)|(?:models?|assistants?|systems?) (?:assessing|judging|grading|evaluating|"
        rf"reviewing|rating|scoring|that (?:assess|judge|grade|evaluate|review|rate|score)s?)"
        rf"[^.\n]{{0,50}}?) (?:must|should|shall|need to|have to) (?:\w+ )?(?:assign|give|award|"
        rf"answer|label|mark|rate|score|output|return|choose|select|"
        rf"grade)\b{_GAP}\b{_BEST}\b{_ONE}",
    ),
    (
        (frozenset({"judge", "grader", "evaluator", "assistant", "model"}), frozenset({"you"})),
        r"\byou are (?:now )?(?:a|an|the) (?:\w+ ){0,2}(?:judge|grader|evaluator|assistant|model)"
        r" (?:that|who|which) (?:must|always|never|will|only)\b",
    ),
    (
        (_THINGS, frozenset({"must", "should", "has", "needs", "deserves"})),
        rf"\b(?:this|the) {_THING} (?:must|should|has to|needs to|deserves to) (?:be )?(?:"
        rf"receives?|get|given|rated|scored|labelled|labeled|marked|"
        rf"graded)\b[^.\n]{{0,40}}?\b{_GRADE}",
    ),
)
_VERDICTS = (
    r"<\s*score\s*>\s*[1-5](?:\.\d)?\s*<\s*/\s*score\s*>",
    r"\"(?:label|verdict|judgment|judgement|consistency|answer|query_type|faithfulness|accuracy)\""
    r"\s*:\s*(?:\"(?:supported|unsupported|contradictory|no_rad|yes_evidence|no_contrary_evidence|"
    r"yes_common_knowledge|nothing_to_check|faithful)\"|true\b|false\b|[1-5]\b)",
    r"<\s*verdict\s*>[^<\n]{1,40}<\s*/\s*verdict\s*>",
)
_ROLES = (
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\|>",
    r"\[/?INST\]",
    r"<</?SYS>>",
    r"<(?:start|end)_of_turn>",
)
# What a prompt has where its texts go in; other templates have other names there.
_SLOTS = (
    r"\{\{\s*(?:user_|the_|source_)?(?:context|response|query|request|reference|summary|document|"
    r"answer|claims?|sentences?|products?|rubric|instructions?|label|score|verdict)"
    r"(?:_(?:document|text|list|json))?\s*\}\}"
)
_READ_ORDERS = tuple(
    (needs, re.compile(pattern, re.I | re.M)) for needs, pattern in (*_ORDERS, *REQUESTS)
)
_READ_MARKS = (
    ("order", ELSEWHERE_SIGNS, ELSEWHERE),
    ("verdict", ("score", '"', "verdict"), re.compile("|".join(_VERDICTS), re.I)),
    ("role", ("<|", "[/", "[I", "[i", "<<", "_of_turn"), re.compile("|".join(_ROLES), re.I)),
    ("slot", ("{{",), re.compile(_SLOTS, re.I)),
)
_END = re.compile(r"[.!?](?=\s|$)|\n")
_WORD = re.compile("[a-z]+")
_WIDE = 160  # characters of a sentence shown on either side of what gave it away
_SAYS = {
    "order": "speaks to the judge and tells it what to do",
    "verdict": "holds a ready verdict in a judge's format",
    "role": "holds the marks of a chat with a model",
    "slot": "holds a slot of a judge's prompt",
}


class _Hit(NamedTuple):
    kind: str
    start: int
    end: int


def run(item: Item) -> Outcome:
    found: list[Finding] = []
    for field in item.fields:
        for hit in find_hits(field.text):
            says = _SAYS[hit.kind]
            if field.name == "response":
                words = FindingRange(hit.start, hit.end)
                found.append(make_finding(KEY, hit.kind, item, words, says))
            else:
                span = Span(field=field.name, start=hit.start, end=hit.end)
                found.append(make_finding(KEY, hit.kind, item, None, says, source=span))
    return tuple(found)


def speaks(item: Item) -> bool:
    """Whether any text of an item speaks to its judge."""
    return any(True for field in item.fields for _ in find_hits(field.text))


def find_hits(text: str) -> Iterator[_Hit]:
    """Where a text speaks to its judge: one place for each sentence, from first to last word."""
    text = text[:_LONGEST]
    ends = [0, *(each.end() for each in _END.finditer(text)), len(text)]
    found = [*_find_orders(text, ends), *_find_markers(text)]
    last: _Hit | None = None
    for each in sorted(
        (_expand_to_sentence(text, hit, ends) for hit in found), key=lambda hit: hit.start
    ):
        if last is not None and each.start < last.end:
            last = last._replace(end=max(last.end, each.end))
            continue
        if last is not None:
            yield last
        last = each
    if last is not None:
        yield last


def _find_orders(text: str, ends: list[int]) -> Iterator[_Hit]:
    words = list_words(text)
    tried = [each for each in _READ_ORDERS if _can_match(words, each[0])]
    if not tried:
        return
    for start, end in pairwise(ends):
        words = frozenset(_WORD.findall(text[start:end].lower()))
        for needs, pattern in tried:
            if _can_match(words, needs):
                for hit in pattern.finditer(text, max(0, start - 2), end):
                    if not (
                        hit.groupdict().get("bare") == "" and _continues_sentence(text, hit.start())
                    ):
                        yield _Hit("order", *hit.span())


def _continues_sentence(text: str, at: int) -> bool:
    """Whether a line goes on with the sentence of the line before, as in wrapped text.

    A capital letter begins a sentence, and after a heading one begins in any case.
    """
    line = text.rfind("\n", 0, at)
    if line < 0 or text[line:at].strip() or text[at].isupper():
        return False
    before = text[text.rfind("\n", 0, line) + 1 : line].strip()
    return before[-1:].isalnum() and not (before.startswith("#") or before.isupper())


def _can_match(words: frozenset[str], needs: tuple[frozenset[str], ...]) -> bool:
    return not any(words.isdisjoint(each) for each in needs)


def _find_markers(text: str) -> Iterator[_Hit]:
    for kind, signs, pattern in _READ_MARKS:
        if any(each in text for each in signs):
            for hit in pattern.finditer(text):
                yield _Hit(kind, *hit.span())


def _expand_to_sentence(text: str, hit: _Hit, ends: list[int]) -> _Hit:
    """The sentence that a hit stands in: a piece of an order says little; a long one is cut."""
    first = bisect_right(ends, hit.start + len(text[hit.start : hit.end]) // 2)
    start = max(ends[first - 1], hit.start - _WIDE)
    end = min(ends[bisect_left(ends, hit.end)], hit.end + _WIDE)
    piece = text[start:end]
    return hit._replace(start=start + len(piece) - len(piece.lstrip()),
                        end=start + len(piece.rstrip()))  # fmt: skip


CHECK = Check(
    key=KEY,
    title="Speaks to the judge",
    about="Texts that give orders to a judge, hold ready verdicts or the marks of a chat.",
    needs=(),
    run=run,
)
