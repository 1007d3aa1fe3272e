"""Detect sentences that state no checkable fact: questions, offers, greetings, opinions."""

import re
from typing import NamedTuple

from faithfulness.text.stems import fold_apostrophes
from faithfulness.text.words import find_numbers, read_words

_SHORT_LEAD = 14  # words of a heading or lead-in
_SHORT_CRY = 5


class _Family(NamedTuple):
    reason: str
    pattern: re.Pattern[str]
    even_with_facts: bool = False  # a number or a name does not make such a sentence checkable


def _make_family(reason: str, pattern: str, *, even_with_facts: bool = False) -> _Family:
    return _Family(reason, re.compile(pattern), even_with_facts)


_SOURCE = (
    r"(?:context|documents?|sources?|text|passages?|articles?|description|listing|reviews?|page|"
    r"information(?: provided| given)?|fragments?)"
)
_TELLS = r"(?:mention|say|specif|state|contain|include|provide|give|indicate|list|describe|cover)"
_FAMILIES = (
    _make_family("It asks a question.", r"\?[\"'”’)*_]*$", even_with_facts=True),
    _make_family(
        "The assistant speaks about itself or declines.",
        r"^(?:i'm|i am) (?:an? (?:ai|language|virtual)|sorry|unable|not able|afraid)"
        r"|^(?:sorry|my apologies|i apologi[sz]e)\b|\bas an? (?:ai|(?:large )?language model)\b"
        r"|^(?:unfortunately, )?i (?:can't|cannot|can not|won't|could not|couldn't|do not|don't)"
        r" (?:help|assist|answer|provide|find|have|tell|verify|confirm|know|see|offer)\b"
        r"(?!.*\bbut\b)",  # "I don't know, but …" goes on to state something
        even_with_facts=True,
    ),
    _make_family(
        "It says what the sources leave out.",
        rf"\b{_SOURCE}\b[^.]{{0,30}}\b(?:does not|doesn't|do not|don't|did not|didn't) "
        rf"(?:explicitly |specifically |directly |clearly )?{_TELLS}"
        rf"|^there is no (?:mention|information|indication|detail)",
        even_with_facts=True,
    ),
    _make_family(
        "A greeting or filler.",
        r"^(?:hi|hello|hey|thanks|thank you|sure|certainly|of course|absolutely|welcome|"
        r"you're welcome|no problem|okay|ok|got it|great question|good question|happy to help|"
        r"here you go|good luck|enjoy|have an? (?:great|nice|good|wonderful|lovely)|"
        r"i hope (?:this|that|you)|hope (?:this|that) helps)\b[^.!?]{0,60}[.!]*$",
    ),
    _make_family(
        "An offer, or a request to say more.",
        r"^(?:let me know|feel free|please (?:let|feel|contact|reach|share|tell|provide|specify|"
        r"ask|clarify)|would you like|i(?: can|'d be| would be|'m| am) happy to|"
        r"i can (?:help|assist|also help))\b"
        r"|^if you (?:have|need|want|would|'d|could)[^.]*\b(?:let me know|feel free|please|"
        r"i can|i'm happy|happy to)\b",
    ),
    _make_family(
        "A disclaimer.",
        r"^(?:please note|note that|keep in mind|bear in mind|this is not (?:medical|legal|"
        r"financial)|always (?:check|consult|read)|(?:please )?consult (?:a|an|your|with)|"
        r"(?:prices?|availability|results?)(?: and \w+)? (?:may|can) (?:vary|change)|"
        r"individual results)\b",
    ),
    _make_family(
        "Advice.",
        r"^(?:try|consider|make sure|be sure|remember to|don't forget|think about|ask yourself|"
        r"be careful|take care)\b"
        r"|^(?:however, )?it(?:'s| is) important to (?:ensure|check|consult|remember|read)\b",
    ),
    _make_family(
        "An opinion in the first person.",
        r"^(?:well, |yes, |no, |honestly, )?(?:i (?:think|believe|feel|guess|hope|love|like|"
        r"prefer|enjoy|would (?:say|recommend|suggest)|'d (?:say|recommend)|recommend|suggest|"
        r"personally|really)|in my opinion|personally|my (?:favou?rite|advice|guess|view))\b",
    ),
)
_LEAD = re.compile(r"^(?:here(?:'s| is| are)|below (?:is|are)|the following)\b")
_HEADING = re.compile(r"^\s*(?:#{1,6} |\*\*[^*]+\*\*:?\s*$)")


def needs_no_source(sentence: str) -> str:
    """Why the sentence needs no source, in plain words; empty when it states something."""
    plain = fold_apostrophes(sentence).strip().lstrip("-*•> \"'“”‘")
    for family in _FAMILIES:
        if family.pattern.search(plain) and (family.even_with_facts or not _has_facts(sentence)):
            return family.reason
    return _classify_shape(sentence, plain)


def _classify_shape(sentence: str, plain: str) -> str:
    count = len(plain.split())
    if _HEADING.match(sentence) and count <= _SHORT_LEAD and not plain.endswith("."):
        return "A heading."
    leads = plain.rstrip("*_ ").endswith(":") and (_LEAD.match(plain) or count <= _SHORT_LEAD)
    if leads and not find_numbers(sentence):
        return "It only leads to what follows."
    if plain.endswith("!") and count <= _SHORT_CRY and not _has_facts(sentence):
        return "A short exclamation."
    return ""


def _has_facts(sentence: str) -> bool:
    """A number, or a name in the middle of the sentence, can be looked up."""
    return bool(read_words(sentence).names) or bool(find_numbers(sentence))
