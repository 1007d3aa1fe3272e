"""Choose the passages that hold most of the words of a sentence."""

from collections import Counter
from typing import NamedTuple

from faithfulness.judges.lexical.sources import Sources
from faithfulness.judges.lexical.words import Words
from faithfulness.vocabulary import Span

_PAIRS_COUNT = 0.25  # what neighbouring words are worth beside single ones
_BESIDE = 0.02  # a passage next to a chosen one is preferred to an equal one elsewhere
_LEAST_GAIN = 0.08
_MOST = 3


class Evidence(NamedTuple):
    """Passages in the order of the sources, with the stems of the sentence that stand in them."""

    passages: tuple[int, ...]
    best: int | None  # the passage that holds most by itself
    covered: frozenset[str]


def choose(words: Words, sources: Sources) -> Evidence:
    """The best passage, then those that add most of what is still missing, three at most."""
    wanted = words.content
    held = _held(wanted, sources)
    if not held:
        return Evidence((), None, frozenset())
    shared = Counter[int]()
    pairs = list(dict.fromkeys(zip(words.stems, words.stems[1:], strict=False)))
    for pair in pairs:
        shared.update(sources.pairs.get(pair, ()))

    def worth(number: int) -> tuple[float, int]:
        bonus = _PAIRS_COUNT * shared[number] / len(pairs) if pairs else 0.0
        return len(held[number]) / len(wanted) + bonus, -number

    best = max(held, key=worth)
    chosen, covered = [best], set(held[best])
    while len(chosen) < _MOST:
        gains = {
            number: len(stems - covered) / len(wanted) + _BESIDE * _is_beside(number, chosen)
            for number, stems in held.items()
        }
        number = max(gains, key=lambda each: (gains[each], -each))
        if len(held[number] - covered) / len(wanted) < _LEAST_GAIN:
            break
        chosen.append(number)
        covered |= held[number]
    return Evidence(tuple(sorted(chosen)), best, frozenset(covered))


def excerpts(evidence: Evidence, sources: Sources) -> list[Span]:
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


def _held(wanted: tuple[str, ...], sources: Sources) -> dict[int, set[str]]:
    held: dict[int, set[str]] = {}
    for root in wanted:
        for number in sources.holders.get(root, ()):
            held.setdefault(number, set()).add(root)
    return held


def _is_beside(number: int, chosen: list[int]) -> bool:
    return number - 1 in chosen or number + 1 in chosen
