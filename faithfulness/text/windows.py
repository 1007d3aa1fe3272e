"""Find the one to three canonical sentences in a row that are most like a query."""

from collections import Counter
from typing import NamedTuple

from rapidfuzz import fuzz, process

from faithfulness.text.canonical import ALL_PAIRS, Canonical, marks

_TIE = 3.0  # points within which order in the text decides
_CANDIDATES = 8
_ASKED = 160  # places looked up for one sentence, those of its rarest words first


class Window(NamedTuple):
    """Sentences in a row, first and last included, and how alike they are to the query (0-100)."""

    first: int
    last: int
    score: float


def best_window(query: str, known: Canonical, previous: int) -> Window | None:
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


def _windows(query: str, known: Canonical) -> list[tuple[int, int]]:
    count = len(known.texts)
    if count <= ALL_PAIRS:
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


def _sharing_words(query: str, known: Canonical) -> list[int]:
    """The sentences that share most with the query, a rare word counting more than a common one."""
    shared = sorted(
        (known.by_word[word] for word in marks(query) if word in known.by_word), key=len
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
