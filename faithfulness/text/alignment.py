"""Find which canonical sentences an author meant by sentences of their own cut."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz import fuzz, process

from faithfulness.text.normalise import PUNCTUATION, Normal, normalise, reduced

ACCEPT = 62.0  # below this a sentence is not in the text (thresholds: docs/statistics.md)
_SURE = 90.0  # above this no search for a better passage
_PARTIAL_CUTOFF, _PARTIAL_WEIGHT, _PARTIAL_COVER = 75.0, 0.95, 0.6
_TIE = 3.0  # points within which order in the text decides
_MIN_INSIDE, _MIN_PARTIAL = 8, 12  # shorter words stand anywhere by chance
_MAX_PARTIAL = 10_000_000  # pairs of characters: beyond, sentences are only compared whole
_TRIES = 50
_ALL_PAIRS = 24  # longer texts are searched by shared words, so that time stays linear
_CANDIDATES = 8
_ASKED = 160  # places looked up for one sentence, those of its rarest words first
_SNAP_SHARE, _SNAP_CHARACTERS = 0.75, 12
_WORD = re.compile(r"\w{3,}|[^\W\d_a-zа-яё]{1,2}")


class Match(NamedTuple):
    """Which canonical sentences a said sentence covers, where, and how sure that is (0-100)."""

    first: int
    last: int
    start: int
    end: int
    score: float
    method: str  # equal, inside, similar or partial


class _Candidate(NamedTuple):
    first: int
    last: int
    score: float


def align(said: Sequence[str], text: str, spans: Sequence[tuple[int, int]]) -> list[Match | None]:
    """One match for each said sentence, or None where the text has no such sentence."""
    if not spans:
        return [None] * len(said)
    known = _canonical(text, tuple(spans))
    queries = [reduced(each) for each in said]
    matches = _read_exactly(queries, known)
    previous = -1
    for position, query in enumerate(queries):
        if matches[position] is None and _core(query):
            matches[position] = _read_loosely(query, known, previous)
        found = matches[position]
        previous = previous if found is None else found.last
    return matches


@dataclass(frozen=True, kw_only=True)
class _Canonical:
    """A text with its canonical sentences, prepared for searching."""

    normal: Normal
    spans: tuple[tuple[int, int], ...]
    bounds: tuple[tuple[int, int], ...]  # the same spans in the normalised text
    texts: tuple[str, ...]
    by_core: dict[str, list[int]]
    by_word: dict[str, list[int]]


@lru_cache(maxsize=16)
def _canonical(text: str, spans: tuple[tuple[int, int], ...]) -> _Canonical:
    normal = normalise(text)
    places = normal.places
    starts = places.searchsorted([start for start, _ in spans]).tolist()
    ends = places.searchsorted([end for _, end in spans]).tolist()
    bounds = tuple(zip(starts, ends, strict=True))
    texts = tuple(normal.text[start:end].strip() for start, end in bounds)
    by_core: dict[str, list[int]] = {}
    by_word: dict[str, list[int]] = {}
    for index, each in enumerate(texts):
        by_core.setdefault(_core(each), []).append(index)
        if len(texts) > _ALL_PAIRS:
            for word in _marks(each):
                by_word.setdefault(word, []).append(index)
    return _Canonical(
        normal=normal, spans=spans, bounds=bounds, texts=texts, by_core=by_core, by_word=by_word
    )


def _core(text: str) -> str:
    return text.strip(PUNCTUATION)


def _read_exactly(queries: list[str], known: _Canonical) -> list[Match | None]:
    """Equal sentences and verbatim parts, repeated ones taken in order."""
    matches: list[Match | None] = []
    taken: Counter[str] = Counter()
    cursor = 0
    for query in queries:
        core = _core(query)
        twins = known.by_core.get(core) if core else None
        if twins:
            index = twins[min(taken[core], len(twins) - 1)]
            taken[core] += 1
            match: Match | None = Match(index, index, *known.spans[index], 100.0, "equal")
        else:
            match = _inside(core, known, cursor)
        matches.append(match)
        if match is not None:
            cursor = known.bounds[match.last][1]
    return matches


def _inside(core: str, known: _Canonical, cursor: int) -> Match | None:
    if len(core) < _MIN_INSIDE:
        return None
    for begin in (_before(known, cursor), 0):
        found = known.normal.text.find(core, begin)
        for _ in range(_TRIES):
            if found < 0:
                break
            if _whole_words(known.normal.text, found, found + len(core)):
                start, end = _with_marks(known.normal.text, found, found + len(core))
                return _match(known, start, end, 100.0, "inside")
            found = known.normal.text.find(core, found + 1)
    return None


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """The closing marks after a verbatim part belong to it."""
    while end < len(text) and not text[end].isalnum() and not text[end].isspace():
        end += 1
    return start, end


def _before(known: _Canonical, cursor: int) -> int:
    """Parts of one sentence follow each other: begin at the sentence that was matched last."""
    index = bisect_left(known.bounds, (cursor, 0)) - 1
    return known.bounds[index][0] if index >= 0 else 0


def _whole_words(text: str, start: int, end: int) -> bool:
    left = start > 0 and text[start - 1].isalnum() and text[start].isascii()
    right = end < len(text) and text[end].isalnum() and text[end - 1].isascii()
    return not (left and text[start].isalnum()) and not (right and text[end - 1].isalnum())


def _read_loosely(query: str, known: _Canonical, previous: int) -> Match | None:
    best = _best_window(query, known, previous)
    score = best.score if best else 0.0
    if score < _SURE and len(query) >= _MIN_PARTIAL:
        partial = _best_passage(query, known, best, score)
        if partial is not None:
            return partial
    if best is None or score < ACCEPT:
        return None
    start, end = known.spans[best.first][0], known.spans[best.last][1]
    return Match(best.first, best.last, start, end, score, "similar")


def _best_window(query: str, known: _Canonical, previous: int) -> _Candidate | None:
    windows = _windows(query, known)
    if not windows:
        return None
    joined = [" ".join(known.texts[first : last + 1]) for first, last in windows]
    ratios = process.cdist([query], joined, scorer=fuzz.ratio)[0].tolist()
    singles = [index for index, (first, last) in enumerate(windows) if first == last]
    sorted_ratios = process.cdist(
        [query], [joined[index] for index in singles], scorer=fuzz.token_sort_ratio
    )[0].tolist()
    for index, ratio in zip(singles, sorted_ratios, strict=True):
        ratios[index] = max(ratios[index], ratio * 0.98)
    top = max(ratios)
    close = [
        _Candidate(first, last, ratio)
        for (first, last), ratio in zip(windows, ratios, strict=True)
        if ratio >= top - _TIE
    ]
    chosen = min(
        close, key=lambda each: (each.first < previous, each.last - each.first, -each.score)
    )
    # Order in the text breaks ties between different places, never the extent at one place.
    rivals = [each for each in close if each.first <= chosen.last and chosen.first <= each.last]
    return max(rivals, key=lambda each: each.score)


def _windows(query: str, known: _Canonical) -> list[tuple[int, int]]:
    count = len(known.texts)
    if count <= _ALL_PAIRS:
        return [(first, first + extra) for extra in range(3) for first in range(count - extra)]
    near = {
        first
        for index in _sharing_words(query, known)
        for first in range(max(0, index - 2), index + 1)
    }
    return [
        (first, first + extra)
        for first in sorted(near)
        for extra in range(3)
        if first + extra < count
    ]


def _sharing_words(query: str, known: _Canonical) -> list[int]:
    """The sentences that share most with the query, a rare word counting more than a common one."""
    shared = sorted(
        (known.by_word[word] for word in _marks(query) if word in known.by_word), key=len
    )
    votes: Counter[int] = Counter()
    asked = 0
    for sentences in shared:
        asked += len(sentences)
        if asked > _ASKED and votes:
            break
        for index in sentences[:_ASKED]:
            votes[index] += 1000 // len(sentences) + 1
    return [index for index, _ in votes.most_common(_CANDIDATES)]


def _marks(text: str) -> set[str]:
    """Words and neighbouring words: where all words are common, their pairs are not."""
    words = _WORD.findall(text)
    return {*words, *map(" ".join, pairwise(words))}


def _best_passage(
    query: str, known: _Canonical, best: _Candidate | None, score: float
) -> Match | None:
    """A passage that fits better than whole sentences do: a trimmed or joined sentence."""
    if best is None:
        return None
    low, high = 0, len(known.normal.text)
    if len(known.texts) > _ALL_PAIRS:
        low = known.bounds[max(0, best.first - 2)][0]
        high = known.bounds[min(len(known.bounds) - 1, best.last + 2)][1]
    if len(query) * (high - low) > _MAX_PARTIAL:
        return None
    wanted = max(_PARTIAL_CUTOFF, score / _PARTIAL_WEIGHT)
    found = fuzz.partial_ratio_alignment(
        query, known.normal.text[low:high], score_cutoff=min(wanted, 100.0)
    )
    if found is None or found.src_end - found.src_start < _PARTIAL_COVER * len(query):
        return None
    if found.dest_end <= found.dest_start or found.score * _PARTIAL_WEIGHT <= score:
        return None
    return _match(
        known,
        low + found.dest_start,
        low + found.dest_end,
        found.score * _PARTIAL_WEIGHT,
        "partial",
    )


def _match(known: _Canonical, start: int, end: int, score: float, method: str) -> Match | None:
    """A range of the normalised text, its ends snapped to sentences that are covered anyway."""
    covered = [
        index
        for index in range(
            max(0, bisect_right(known.bounds, (start, len(known.normal.text))) - 1),
            bisect_left(known.bounds, (end, 0)),
        )
        if _overlap(known.bounds[index], start, end) > 0
    ]
    while len(covered) > 1 and _is_crumb(known.bounds[covered[0]], start, end):
        start = known.bounds[covered.pop(0)][1]
    while len(covered) > 1 and _is_crumb(known.bounds[covered[-1]], start, end):
        end = known.bounds[covered.pop()][0]
    if not covered:
        return None
    begin, finish = known.normal.span(start, max(end, start + 1))
    first, last = covered[0], covered[-1]
    if method != "inside":
        begin = (
            known.spans[first][0] if _is_nearly_whole(known.bounds[first], start, end) else begin
        )
        finish = (
            known.spans[last][1] if _is_nearly_whole(known.bounds[last], start, end) else finish
        )
    begin, finish = max(begin, known.spans[first][0]), min(finish, known.spans[last][1])
    return Match(first, last, begin, finish, score, method) if begin < finish else None


def _overlap(bounds: tuple[int, int], start: int, end: int) -> int:
    return min(bounds[1], end) - max(bounds[0], start)


def _is_crumb(bounds: tuple[int, int], start: int, end: int) -> bool:
    shared = _overlap(bounds, start, end)
    return shared <= _SNAP_CHARACTERS and shared < 0.25 * (bounds[1] - bounds[0])


def _is_nearly_whole(bounds: tuple[int, int], start: int, end: int) -> bool:
    shared, whole = _overlap(bounds, start, end), bounds[1] - bounds[0]
    return shared > _SNAP_SHARE * whole or whole - shared <= _SNAP_CHARACTERS
