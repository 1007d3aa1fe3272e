"""Align sentences as segmented by an annotator with the canonical sentences of a text."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from faithfulness.text.canonical import (
    ALL_PAIRS,
    Canonical,
    build_canonical,
    list_word_pairs,
    strip_marks,
)
from faithfulness.text.normalise import blank_line_numbers, fold_blanks, reduce_text

_TIE = 3.0  # points within which order in the text decides
_CANDIDATES = 8
_ASKED = 160  # places looked up for one sentence, those of its rarest words first


class Window(NamedTuple):
    """Sentences in a row, first and last included, and how alike they are to the query (0-100)."""

    first: int
    last: int
    score: float


def find_best_window(query: str, known: Canonical, previous: int) -> Window | None:
    windows = _list_windows(query, known)
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
        Window(first, last, ratio)
        for (first, last), ratio in zip(windows, ratios, strict=True)
        if ratio >= top - _TIE
    ]
    chosen = min(
        close, key=lambda each: (each.first < previous, each.last - each.first, -each.score)
    )
    # Order in the text breaks ties between different places, never the extent at one place.
    rivals = [each for each in close if each.first <= chosen.last and chosen.first <= each.last]
    return max(rivals, key=lambda each: each.score)


def _list_windows(query: str, known: Canonical) -> list[tuple[int, int]]:
    count = len(known.texts)
    if count <= ALL_PAIRS:
        return [(first, first + extra) for extra in range(3) for first in range(count - extra)]
    near = {
        first
        for index in _find_similar_sentences(query, known)
        for first in range(max(0, index - 2), index + 1)
    }
    return [
        (first, first + extra)
        for first in sorted(near)
        for extra in range(3)
        if first + extra < count
    ]


def _find_similar_sentences(query: str, known: Canonical) -> list[int]:
    """The sentences that share most with the query, a rare word counting more than a common one."""
    shared = sorted(
        (known.by_word[word] for word in list_word_pairs(query) if word in known.by_word), key=len
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


ACCEPT = 62.0  # below this a sentence is not in the text (thresholds: docs/statistics.md)
_SURE = 90.0  # above this no search for a better passage
_PARTIAL_CUTOFF, _PARTIAL_WEIGHT, _PARTIAL_COVER = 75.0, 0.95, 0.6
_MIN_INSIDE, _MIN_PARTIAL = 8, 12  # shorter words stand anywhere by chance
_MAX_PARTIAL = 10_000_000  # pairs of characters: beyond, sentences are only compared whole
_TRIES = 50
_SNAP_SHARE, _SNAP_CHARACTERS = 0.75, 12


class SentenceMatch(NamedTuple):
    """Which canonical sentences a said sentence covers, where, and how sure that is (0-100)."""

    first: int
    last: int
    start: int
    end: int
    score: float
    method: str  # equal, inside, similar or partial


def align_sentences(
    said: Sequence[str], text: str, spans: Sequence[tuple[int, int]]
) -> list[SentenceMatch | None]:
    """One match for each said sentence, or None where the text has no such sentence."""
    if not spans:
        return [None] * len(said)
    known = build_canonical(text, tuple(spans))
    queries = [reduce_text(blank_line_numbers(each)) for each in said]
    matches = _read_exactly(said, queries, text, known)
    _read_short(said, queries, matches, text, known)
    previous = -1
    for position, query in enumerate(queries):
        if matches[position] is None and strip_marks(query):
            matches[position] = _read_loosely(query, known, previous)
        found = matches[position]
        previous = previous if found is None else found.last
    return matches


def _read_exactly(
    said: Sequence[str], queries: list[str], text: str, known: Canonical
) -> list[SentenceMatch | None]:
    """Equal sentences and verbatim parts, repeated ones taken in order."""
    matches: list[SentenceMatch | None] = []
    taken: Counter[str] = Counter()
    cursor = 0
    for sentence, query in zip(said, queries, strict=True):
        bare = strip_marks(query)
        twins = known.by_core.get(bare, []) if bare else []
        # Of lines that differ in their numbers alone, the one with the number of the sentence.
        numbered = len(twins) > 1 and _find_equal_lines(sentence, twins, text, known)
        if numbered:
            bare, twins = fold_blanks(sentence), numbered
        if twins:
            index = twins[min(taken[bare], len(twins) - 1)]
            taken[bare] += 1
            match: SentenceMatch | None = SentenceMatch(
                index, index, *known.spans[index], 100.0, "equal"
            )
        else:
            match = _match_inside(bare, known, cursor)
        matches.append(match)
        if match is not None:
            cursor = known.bounds[match.last][1]
    return matches


def _find_equal_lines(
    sentence: str, twins: Sequence[int], text: str, known: Canonical
) -> list[int]:
    """The sentences that are letter for letter the same, where it begins with a number."""
    if blank_line_numbers(sentence) == sentence:
        return []
    wanted = fold_blanks(sentence)
    return [each for each in twins if fold_blanks(text[slice(*known.spans[each])]) == wanted]


def _read_short(
    said: Sequence[str],
    queries: Sequence[str],
    matches: list[SentenceMatch | None],
    text: str,
    known: Canonical,
) -> None:
    """Sentences too short for a search by chance, where they stand letter for letter."""
    cursor = 0
    missing: set[str] = set()  # a judge in a loop says one short sentence thousands of times
    for position, query in enumerate(queries):
        match = matches[position]
        if (
            match is None
            and said[position] not in missing
            and 0 < len(strip_marks(query)) < _MIN_INSIDE
        ):
            match = _match_short_sentence(fold_blanks(said[position]), query, text, known, cursor)
            matches[position] = match
            if match is None:
                missing.add(said[position])
        if match is not None:
            cursor = known.bounds[match.last][1]


def _match_short_sentence(
    said: str, query: str, text: str, known: Canonical, cursor: int
) -> SentenceMatch | None:
    """Where a short sentence stands with a mark behind it; mere words do not count."""
    normal = known.normal.text
    for begin in (_get_search_start(known, cursor), 0):
        found = normal.find(query, begin)
        for _ in range(_TRIES):
            if found < 0:
                break
            end = found + len(query)
            start, after = known.normal.span(found, end)
            closed = not normal[end - 1].isalnum() or normal[end : end + 1] != " "
            if (
                closed
                and is_whole_words(normal, found, end)
                and fold_blanks(text[start:after]) == said
            ):
                return _build_match(known, *_include_marks(normal, found, end), 100.0, "inside")
            found = normal.find(query, found + 1)
    return None


def _match_inside(bare: str, known: Canonical, cursor: int) -> SentenceMatch | None:
    if len(bare) < _MIN_INSIDE:
        return None
    for begin in (_get_search_start(known, cursor), 0):
        found = known.normal.text.find(bare, begin)
        for _ in range(_TRIES):
            if found < 0:
                break
            if is_whole_words(known.normal.text, found, found + len(bare)):
                start, end = _include_marks(known.normal.text, found, found + len(bare))
                return _build_match(known, start, end, 100.0, "inside")
            found = known.normal.text.find(bare, found + 1)
    return None


def _include_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """The closing marks after a verbatim part belong to it."""
    while end < len(text) and not text[end].isalnum() and not text[end].isspace():
        end += 1
    return start, end


def _get_search_start(known: Canonical, cursor: int) -> int:
    """Parts of one sentence follow each other: begin at the sentence that was matched last."""
    index = bisect_left(known.bounds, (cursor, 0)) - 1
    return known.bounds[index][0] if index >= 0 else 0


def is_whole_words(text: str, start: int, end: int) -> bool:
    """Whether a range of a text begins and ends at the ends of words."""
    left = start > 0 and text[start - 1].isalnum() and text[start].isascii()
    right = end < len(text) and text[end].isalnum() and text[end - 1].isascii()
    return not (left and text[start].isalnum()) and not (right and text[end - 1].isalnum())


def _read_loosely(query: str, known: Canonical, previous: int) -> SentenceMatch | None:
    best = find_best_window(query, known, previous)
    score = best.score if best else 0.0
    if score < _SURE and len(query) >= _MIN_PARTIAL:
        partial = _find_best_passage(query, known, best, score)
        if partial is not None:
            return partial
    if best is None or score < ACCEPT:
        return None
    start, end = known.spans[best.first][0], known.spans[best.last][1]
    return SentenceMatch(best.first, best.last, start, end, score, "similar")


def _find_best_passage(
    query: str, known: Canonical, best: Window | None, score: float
) -> SentenceMatch | None:
    """A passage that fits better than whole sentences do: a trimmed or joined sentence."""
    if best is None:
        return None
    low, high = 0, len(known.normal.text)
    if len(known.texts) > ALL_PAIRS:
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
    return _build_match(
        known,
        low + found.dest_start,
        low + found.dest_end,
        found.score * _PARTIAL_WEIGHT,
        "partial",
    )


def _build_match(
    known: Canonical, start: int, end: int, score: float, method: str
) -> SentenceMatch | None:
    """A range of the normalised text, its ends snapped to sentences that are covered anyway."""
    covered = [
        index
        for index in range(
            max(0, bisect_right(known.bounds, (start, len(known.normal.text))) - 1),
            bisect_left(known.bounds, (end, 0)),
        )
        if _compute_overlap(known.bounds[index], start, end) > 0
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
    return SentenceMatch(first, last, begin, finish, score, method) if begin < finish else None


def _compute_overlap(bounds: tuple[int, int], start: int, end: int) -> int:
    return min(bounds[1], end) - max(bounds[0], start)


def _is_crumb(bounds: tuple[int, int], start: int, end: int) -> bool:
    shared = _compute_overlap(bounds, start, end)
    return shared <= _SNAP_CHARACTERS and shared < 0.25 * (bounds[1] - bounds[0])


def _is_nearly_whole(bounds: tuple[int, int], start: int, end: int) -> bool:
    shared, whole = _compute_overlap(bounds, start, end), bounds[1] - bounds[0]
    return shared > _SNAP_SHARE * whole or whole - shared <= _SNAP_CHARACTERS
