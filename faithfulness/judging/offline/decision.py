"""Decide the label of one sentence, with its evidence and observed accuracy."""

import re
from bisect import bisect_right
from typing import NamedTuple

from faithfulness.judging.offline.clash import WordClash, find_clash
from faithfulness.judging.offline.evidence import PassageEvidence, choose_passages, list_excerpts
from faithfulness.judging.offline.features import (
    compute_probability,
    find_missing_numbers,
    measure_features,
)
from faithfulness.judging.offline.sources import IndexedSources
from faithfulness.model.vocabulary import Span
from faithfulness.text.clashes import ClashKind, clashes
from faithfulness.text.no_source import needs_no_source
from faithfulness.text.stems import fold_apostrophes, stem
from faithfulness.text.words import ContentWords, read_words

THRESHOLD = 0.50
REVIEW = (0.40, 0.70)  # between these a person should look whatever the label
# How often people called such a sentence supported, by the regression's value: observed on 9,353
# sentences of public test sets of which 31 % were supported (docs/offline_baseline.md).
_BANDS = (0.1, 0.4, 0.5, 0.6, 0.7)
_SUPPORTED = (0.04, 0.09, 0.17, 0.26, 0.47, 0.74)
_CLASH_RIGHT = 0.37  # 22 of 60 flags on four public sets
# A "not" beside the words is no ground for a label, only for a look: on the same sets 8 of 14 such
# sentences were supported all the same.
_DENIED_RIGHT = 0.57
# "Cheaper than" compares two things that the sources may well name without comparing them.
_COMPARES = re.compile(r"\b([a-z]+) than\b")
_NO_COMPARISON = frozenset({"rather", "other", "more", "less"})
_NAMED = 6  # missing words that a rationale names

PLEASE_CHECK = "Please check."


class SentenceDecision(NamedTuple):
    """A label with what stands behind it; `value` is the regression's, None where it was not asked.

    `confidence` is None where no frequency was ever observed.
    """

    label: str
    rationale: str
    spans: tuple[Span, ...] = ()
    confidence: float | None = None
    value: float | None = None
    clash: WordClash | None = None
    review: bool = False


def decide_label(
    text: str, sources: IndexedSources, *, may_need_no_source: bool = True
) -> SentenceDecision:
    """The label of one sentence or claim against these sources; the same every time."""
    reason = needs_no_source(text) if may_need_no_source else ""
    if reason:
        return SentenceDecision("no_rad", reason)
    words = read_words(text)
    if not words.content:
        told = f"There are no content words to compare with the sources. {PLEASE_CHECK}"
        return SentenceDecision("unsupported", told, review=True)
    evidence = choose_passages(words, sources)
    value = compute_probability(measure_features(text, words, sources, evidence))
    clash = find_clash(text, words, sources, evidence)
    if clash is not None:
        return _make_contradiction(clash, value, sources)
    review = REVIEW[0] <= value < REVIEW[1]
    supported = _SUPPORTED[bisect_right(_BANDS, value)]
    compared = _lacks_comparison(text, evidence)
    if value < THRESHOLD or compared:
        review = review or compared
        told = _explain_missing_support(text, words, sources, evidence)
        rationale = _add_review_note(told, review)
        return SentenceDecision(
            "unsupported", rationale, (), _round_share(1 - supported), value, None, review
        )
    spans = tuple(list_excerpts(evidence, sources))
    told = _explain_support(words, evidence)
    if denied := _describe_denial(text, spans, sources):
        told, review = f"{told} Yet it may be denied there: {denied}.", True
        supported = min(supported, _DENIED_RIGHT)
    return SentenceDecision(
        "supported", _add_review_note(told, review), spans, supported, value, None, review
    )


def _describe_denial(text: str, spans: tuple[Span, ...], sources: IndexedSources) -> str:
    """What the words behind a label deny of the sentence, or it of them; empty when nothing."""
    texts = {each.name: each.text for each in sources.fields}
    quoted = (texts[each.field][each.start : each.end] for each in spans)
    found = (clash for words in quoted for clash in clashes(text, words))
    return next((each.says for each in found if each.kind is ClashKind.NEGATION), "")


def _make_contradiction(
    clash: WordClash, value: float, sources: IndexedSources
) -> SentenceDecision:
    field = sources.fields[clash.passage.source].name
    span = Span(field=field, start=clash.passage.start, end=clash.passage.end)
    told = f"Possible clash: {clash.says}. {PLEASE_CHECK}"
    return SentenceDecision("contradictory", told, (span,), _CLASH_RIGHT, value, clash, True)


def _explain_support(words: ContentWords, evidence: PassageEvidence) -> str:
    where = "this passage" if len(evidence.passages) == 1 else "these passages"
    stand = "stands in this passage" if len(evidence.passages) == 1 else "stands in these passages"
    missing = _list_missing_words(words, evidence)
    if not missing:
        return f"Every content word of the sentence {stand}."
    found = len(words.content) - len(missing)
    return (
        f"{found} of {len(words.content)} content words stand in {where}; "
        f"missing: {_join_missing(missing)}."
    )


def _explain_missing_support(
    text: str, words: ContentWords, sources: IndexedSources, evidence: PassageEvidence
) -> str:
    if not evidence.passages:
        return "None of its content words stands in the sources."
    missing = _list_missing_words(words, evidence)
    told = "Its words stand in the sources, but not together or not with its numbers and names."
    if missing:
        found = len(words.content) - len(missing)
        told = (
            f"The nearest passages hold {found} of {len(words.content)} content words; "
            f"missing: {_join_missing(missing)}."
        )
    if numbers := find_missing_numbers(text, sources):
        given = ", ".join(f"{each:.15g}" for each in sorted(numbers)[:_NAMED])
        told += f" Found in no source: the number{'s' * (len(numbers) > 1)} {given}."
    return told


def _lacks_comparison(text: str, evidence: PassageEvidence) -> bool:
    found = [
        word for word in _COMPARES.findall(fold_apostrophes(text)) if word not in _NO_COMPARISON
    ]
    return any(stem(word) not in evidence.covered for word in found)


def _list_missing_words(words: ContentWords, evidence: PassageEvidence) -> list[str]:
    """The words as the sentence has them, each once."""
    found: dict[str, str] = {}
    for root, word in zip(words.stems, words.spoken, strict=True):
        if root not in evidence.covered:
            found.setdefault(root, word)
    return list(found.values())


def _join_missing(missing: list[str]) -> str:
    named = ", ".join(missing[:_NAMED])
    more = len(missing) - _NAMED
    return f"{named} and {more} more" if more > 0 else named


def _add_review_note(told: str, review: bool) -> str:
    return f"{told} Low confidence: please check." if review else told


def _round_share(share: float) -> float:
    return round(share, 2)
