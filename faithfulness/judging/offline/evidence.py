"""Select the source passages that contain most words of a sentence."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from faithfulness.judging.offline.sources import IndexedSources
from faithfulness.model.vocabulary import Span
from faithfulness.text.words import ContentWords

_PAIRS_COUNT = 0.25  # what neighbouring words are worth beside single ones
_LEAST_GAIN = 0.08
_MOST = 3


class PassageEvidence(NamedTuple):
    """Passages in the order of the sources, with the stems of the sentence that stand in them."""

    passages: tuple[int, ...]
    best: int | None  # the passage that holds most by itself
    covered: frozenset[str]


def choose_passages(words: ContentWords, sources: IndexedSources) -> PassageEvidence:
    """The best passage, then those that add most of what is still missing, three at most."""
    wanted = words.content
    held = _count_held_stems(wanted, sources)
    if not held:
        return PassageEvidence((), None, frozenset())
    best = _find_best_passage(words, held, sources)
    chosen = [best]
    missing = frozenset(wanted) - sources.passages[best].stems
    while missing and len(chosen) < _MOST:
        adds = _count_held_stems(missing, sources)
        if not adds or max(adds.values()) < _LEAST_GAIN * len(wanted):
            break
        # Of equal ones the passage next to a chosen one: what belongs together stands together.
        number = max(adds, key=lambda each: (adds[each], _is_beside(each, chosen), -each))
        chosen.append(number)
        missing -= sources.passages[number].stems
    return PassageEvidence(tuple(sorted(chosen)), best, frozenset(wanted) - missing)


def list_excerpts(evidence: PassageEvidence, sources: IndexedSources) -> list[Span]:
    """Where the passages stand; those that follow each other in one source are one excerpt."""
    spans: list[Span] = []
    last = -2
    for number in evidence.passages:
        passage = sources.passages[number]
        name = sources.fields[passage.source].name
        if spans and number == last + 1 and spans[-1].field == name:
            spans[-1] = Span(field=name, start=spans[-1].start, end=passage.end)
        else:
            spans.append(Span(field=name, start=passage.start, end=passage.end))
        last = number
    return spans


def _count_held_stems(wanted: Iterable[str], sources: IndexedSources) -> Counter[int]:
    """How many of the stems each passage holds."""
    held: Counter[int] = Counter()
    for root in wanted:
        held.update(sources.holders.get(root, ()))
    return held


def _find_best_passage(words: ContentWords, held: Counter[int], sources: IndexedSources) -> int:
    count = len(words.content)
    pairs = list(dict.fromkeys(zip(words.stems, words.stems[1:], strict=False)))
    # Pairs can make up for a quarter of the words, so only these passages can still win.
    least = max(held.values()) - _PAIRS_COUNT * count
    able = {number: each / count for number, each in held.items() if each >= least}
    for pair in pairs:
        for number in sources.pairs.get(pair, set()) & able.keys():
            able[number] += _PAIRS_COUNT / len(pairs)
    return max(able, key=lambda number: (able[number], -number))


def _is_beside(number: int, chosen: list[int]) -> bool:
    return number - 1 in chosen or number + 1 in chosen
