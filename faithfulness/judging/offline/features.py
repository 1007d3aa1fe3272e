"""Compute the five features that compare a sentence with its sources, and their weights."""

from math import exp
from typing import NamedTuple

from faithfulness.judging.offline.evidence import PassageEvidence
from faithfulness.judging.offline.sources import IndexedSources
from faithfulness.text.words import ContentWords, find_numbers, join_thousands

_MOST_NUMBERS = 2


class Features(NamedTuple):
    """What the regression looks at; every word counts alike."""

    covered: float  # share of the content words that the chosen passages hold
    near: float  # share of neighbouring content words that stand near each other in a passage
    numbers_missing: float  # numbers found in no source, two at most
    other_name: float  # 1 when a name stands nowhere and the passages have names of their own
    uncovered: float  # 1 when at least one content word is missing


# Fitted once by logistic regression on public sets (docs/offline_baseline.md); never tuned here.
WEIGHTS = Features(2.501, 0.316, -1.449, -0.882, 0.118)
BIAS = -1.784


def measure_features(
    text: str, words: ContentWords, sources: IndexedSources, evidence: PassageEvidence
) -> Features:
    wanted = words.content
    pairs = list(dict.fromkeys(zip(words.stems, words.stems[1:], strict=False)))
    near = sum(sources.are_near(one, other) for one, other in pairs)
    missing = find_missing_numbers(text, sources)
    return Features(
        covered=len(evidence.covered) / len(wanted) if wanted else 0.0,
        near=near / len(pairs) if pairs else 0.0,
        numbers_missing=float(min(_MOST_NUMBERS, len(missing))),
        other_name=float(_has_other_name(words, sources, evidence)),
        uncovered=float(len(evidence.covered) < len(wanted)),
    )


def compute_probability(features: Features) -> float:
    """The regression's value between 0 and 1: a measure for ordering, not a frequency."""
    total = sum(weight * value for weight, value in zip(WEIGHTS, features, strict=True))
    return 1 / (1 + exp(-(total + BIAS)))


def find_missing_numbers(text: str, sources: IndexedSources) -> frozenset[float]:
    """Numbers of the text that no source has, however its thousands are written."""
    absent = find_numbers(text) - sources.numbers
    if not absent:
        return absent
    return min(absent, find_numbers(join_thousands(text)) - sources.numbers, key=len)


def _has_other_name(
    words: ContentWords, sources: IndexedSources, evidence: PassageEvidence
) -> bool:
    if all(sources.holds(name) for name in words.names):
        return False
    own = frozenset(words.stems)
    return any(sources.passages[number].names - own for number in evidence.passages)
