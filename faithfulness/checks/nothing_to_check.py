"""Detect sentences that need no source: small talk, clarifying questions, refusals.

A statement that follows a refusal or a question is marked as one that must be checked: such an
answer is not "nothing to fact-check".
"""

import re
from collections.abc import Iterator

from faithfulness.checks.check import (
    CannotCheck,
    Check,
    FindingRange,
    Outcome,
    Statement,
    list_statements,
    make_finding,
    select_fields,
)
from faithfulness.model.vocabulary import Finding, Item
from faithfulness.text.language import is_english
from faithfulness.text.no_source import needs_no_source
from faithfulness.text.stems import fold_apostrophes

KEY = "nothing_to_check"
_CANNOT = (
    r"(?:i (?:can(?:no|')t|can not|am not able|am unable|could(?: not|n't)|won't|will not|do not|"
    r"don't|am not (?:trained|allowed|permitted|designed|programmed|qualified|equipped))|"
    r"i'm (?:not able|unable|afraid i can|not (?:trained|allowed|permitted|designed|programmed|"
    r"qualified|equipped))|we (?:cannot|can't|are unable)|(?:as an ai[^,]*, )i (?:cannot|can't|"
    r"do not))"
)
_ABOUT = (
    r"(?:help|assist|answer|respond|provide|give|discuss|advise|comment|offer|share|find|tell|say|"
    r"speak|talk|recommend|make|confirm|verify|know|"
    r"have (?:access|enough|any|the|information|data|details)|see|access|process|fulfil|do|to|"
    r"engage|"
    r"determine|locate)"
)
_REFUSING = re.compile(
    rf"^(?:(?:unfortunately|sorry|apologies|i'm sorry|i am sorry|my apologies|i apologi[sz]e|"
    rf"regrettably|no)[,.!;:]? ?(?:but )?)?{_CANNOT}(?: \w+)?,? {_ABOUT}\b"
    r"|^(?:i'm |i am )?(?:sorry|my apologies|i apologi[sz]e)\b[^.]{0,80}$"
    r"|^i(?:'d| would) rather not\b|^i (?:would )?prefer not to\b"
    r"|^(?:this|that) (?:question|topic|request|query) is (?:outside|beyond|not something i)\b"
    r"|^i (?:have|found) no (?:information|data|details|knowledge)\b"
)
_ITSELF = re.compile(
    r"^my name is \w+\b|^(?:i'm|i am|this is) (?:\w+, )?(?:an? |your |the )?(?:\w+ ){0,2}?"
    r"(?:ai|assistant|chatbot|bot|language model)\b"
    r"|^as an (?:ai|assistant)\b[^,]{0,40}, i (?:do not|don't) have "
    r"(?:feelings|opinions|preferences)|^i(?:'m| am) (?:doing )?(?:good|well|fine|great)\b"
    r"|^i(?:'m| am) (?:here|happy|glad|designed|ready) to (?:help|assist)\b"
)
_OFFERS = re.compile(
    r"^(?:if you (?:want|like|wish|prefer|need)[^,]{0,40}, )?i(?: can|'d be happy to|"
    r" could) (?:also )?"
    r"(?:show|compare|help|look|find|list|suggest|explain|check|recommend|walk|share|give)\b"
    r"(?!.*\bthat\b)[^.]*\byou\b"
)
_GOES_ON = re.compile(r",? (?:but|however|though|that said|still)[, ]+(?=\S+ \S+ \S+)")
_PARTS = re.compile(
    r"[.!?;:]+\s+|,\s+(?=(?:is|are|was|were|do|does|did|have|has|had|can|could|would|"
    r"will|should|what|which|who|where|when|why|how|right|isn't|don't)\b)"
)
_ASKS = re.compile(
    r"(?:and |or |so |well, |but )?(?:is|are|was|were|do|does|did|have|has|had|can|could|would|"
    r"will|should|may|might|what|which|who|whose|where|when|why|how|if|for|to|in)\b"
)
_TELLS = 4  # words: fewer are an exclamation
_QUESTION = "It asks a question."
_SMALL_TALK = frozenset(
    {
        "A greeting or filler.",
        "An offer, or a request to say more.",
        "A short exclamation.",
        "The assistant speaks about itself or declines.",
    }
)


def run(item: Item) -> Outcome:
    fields = select_fields(item, "response")
    if not fields:
        return CannotCheck(why="the response is empty")
    if not is_english(fields[0].text):
        return CannotCheck(why="the response is not in English")
    return tuple(_check_statements(item))


def _check_statements(item: Item) -> Iterator[Finding]:
    declined = stated = False
    for said in list_statements(item):
        kind = classify_sentence(said.text)
        if kind:
            words = FindingRange(said.start, said.end)
            yield make_finding(KEY, kind, item, words, _SAYS[kind])
            declined = declined or kind in {"refusing", "clarifying"}
            continue
        rest = _find_claim_after_refusal(said.text)
        if not needs_no_source(said.text) or rest is not None:
            if not stated and (declined or rest is not None):
                yield _make_after_refusal_finding(item, said, rest or 0)
            stated = True


def classify_sentence(sentence: str) -> str:
    """conversational, clarifying or refusing; empty for a sentence that may state something."""
    plain = fold_apostrophes(sentence).strip().lstrip("-*•> \"'“”‘")
    if _REFUSING.search(plain):
        return "" if _GOES_ON.search(plain) else "refusing"
    if _ITSELF.search(plain) and not _GOES_ON.search(plain):
        return "clarifying" if plain.endswith("?") else "conversational"
    if _OFFERS.search(plain):
        return "conversational"
    reason = needs_no_source(sentence)
    if reason == _QUESTION:
        return "" if _states_before_question(plain) else "clarifying"
    return "conversational" if reason in _SMALL_TALK and not _GOES_ON.search(plain) else ""


def _states_before_question(plain: str) -> bool:
    """Whether a sentence states something before it asks: "It is by Kirkman. Have you read it?"."""
    parts = _PARTS.split(plain.rstrip("\"'”’)*_ ?"))
    told = [each for each in parts[:-1] if len(each.split()) >= _TELLS]
    return any(not needs_no_source(f"{each}.") and not _ASKS.match(each) for each in told)


def _find_claim_after_refusal(sentence: str) -> int | None:
    """Where a sentence that begins by refusing goes on to state something."""
    plain = fold_apostrophes(sentence)
    if not _REFUSING.search(plain.strip()):
        return None
    hit = _GOES_ON.search(plain)
    return None if hit is None or classify_sentence(sentence[hit.end() :]) else hit.end()


def _make_after_refusal_finding(item: Item, said: Statement, start: int) -> Finding:
    words = FindingRange(said.start + start, said.end)
    return make_finding(KEY, "after_refusal", item, words, _SAYS["after_refusal"], sure=False)


_SAYS = {
    "conversational": "small talk that needs no source",
    "clarifying": "a question that needs no source",
    "refusing": "a refusal or inability that needs no source",
    "after_refusal": "follows a refusal or a question and must be checked all the same",
}

CHECK = Check(
    key=KEY,
    title="Nothing to check",
    about="Small talk, clarifying questions and refusals need no source; what follows them does.",
    needs=(),
    run=run,
)
