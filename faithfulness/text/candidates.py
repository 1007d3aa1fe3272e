"""Search the sources for the passages most similar to a given text."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from math import log
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from faithfulness.model.vocabulary import Field, Span
from faithfulness.text.normalise import PUNCTUATION, lower_same_length
from faithfulness.text.standing import is_inside_number, is_inside_word, is_whole_match
from faithfulness.text.stems import STOP_WORDS, stem

_RUN, _ANCHOR = 16, 8  # a run is proof; an anchor only says where to look
_DENSE_RUN, _DENSE_ANCHOR = 6, 4  # where one character is a syllable or a word
_DENSE = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")
_GAP = 60  # how much wider a gap may be in the text than in the query within one place
_AHEAD = 400  # how far after a run its continuation is preferred to an earlier copy
_SLACK = 24  # characters looked at beyond the expected ends of a passage
_PROMISING, _ENOUGH = 0.2, 0.75  # shares below which a place is not looked at, or ends the search
_LONG = 4_000  # beyond this the runs alone decide: refining grows with the square
_BLOCK = 4  # shorter equal pieces are chance
_MARKS = frozenset(PUNCTUATION)


class MatchedRun(NamedTuple):
    """A piece of the query and where the same characters stand in the text."""

    start: int
    end: int
    place: int

    @property
    def place_end(self) -> int:
        return self.place + self.end - self.start


class CandidatePassage(NamedTuple):
    """A range of the text with the share of the query's characters that stand in it."""

    start: int
    end: int
    coverage: float


def is_dense(query: str) -> bool:
    """Whether the script writes no blanks between words, so that few characters say much."""
    return not query.isascii() and 3 * len(_DENSE.findall(query)) > len(query)


def find_longest_runs(text: str, query: str, *, anchors: bool = False) -> list[MatchedRun]:
    """Cover the query from left to right by its longest runs in the text."""
    dense = is_dense(query)
    least = (_DENSE_ANCHOR if dense else _ANCHOR) if anchors else _DENSE_RUN if dense else _RUN
    tail = _DENSE_ANCHOR if dense else _ANCHOR
    runs: list[MatchedRun] = []
    position = 0
    while len(query) - position >= tail:
        length, place = _find_longest_prefix(text, query, position, least)
        if not length:
            position = position + 1 if dense else _find_next_word(query, position)
            continue
        if runs:
            place = _find_continuation(text, query[position : position + length], runs[-1], place)
        runs.append(MatchedRun(position, position + length, place))
        position += length
    return runs


def group_runs(runs: Sequence[MatchedRun]) -> list[list[MatchedRun]]:
    """Group runs that follow each other in the text as they do in the query."""
    places: list[list[MatchedRun]] = []
    for run in runs:
        if places:
            last = places[-1][-1]
            gap = run.place - last.place_end
            if 0 <= gap <= run.start - last.end + _GAP:
                places[-1].append(run)
                continue
        places.append([run])
    return places


def find_whole_runs(text: str, query: str) -> list[list[MatchedRun]]:
    """The query as verbatim runs of whole words, grouped where the text leaves nothing out.

    Empty when a word stands in no run: the query was then edited, and not only shortened.
    """
    least, tail = (_DENSE_RUN, _DENSE_ANCHOR) if is_dense(query) else (_RUN, _ANCHOR)
    groups: list[list[MatchedRun]] = []
    position = 0
    while position < len(query):
        last = groups[-1][-1] if groups else None
        run = _find_whole_run(text, query, position, last, least)
        shortest = tail if run is not None and run.end == len(query) else least
        if run is None or run.end - run.start < shortest:
            if not _is_mark(query, position):
                return []
            position += 1
        else:
            if last is not None and _is_nothing_between(text, last.place_end, run.place):
                groups[-1].append(run)
            else:
                groups.append([run])
            position = run.end
    return groups


def find_best_passage(text: str, query: str, runs: Sequence[MatchedRun]) -> CandidatePassage:
    """The one passage that explains most of the query, letters that differ left out."""
    best = _find_best_place(text, query, runs)
    if best.coverage >= _ENOUGH:
        return best
    anchored = _find_best_place(text, query, find_longest_runs(text, query, anchors=True))
    return max(best, anchored, key=lambda each: each.coverage)


def trim_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + left + len(piece.strip())


def _find_whole_run(
    text: str, query: str, position: int, last: MatchedRun | None, least: int
) -> MatchedRun | None:
    """The longest run from here that cuts no word and no number, neither here nor in the text."""
    length, place = _find_longest_prefix(text, query, position, least)
    if not length:
        return None
    if last is not None:
        place = _find_continuation(text, query[position : position + length], last, place)
    if is_inside_word(text, place) or is_inside_number(text, place):
        return None
    end = position + length
    while end > position:
        if is_whole_match(query, position, end, whole_words=True) and is_whole_match(
            text, place, place + end - position, whole_words=True
        ):
            return MatchedRun(position, end, place)
        end = query.rfind(" ", position, end)
    return None


def _is_mark(query: str, position: int) -> bool:
    """Punctuation may differ; the sign of a number may not."""
    signs = query[position] == "-" and query[position + 1 : position + 2].isdigit()
    return query[position] in _MARKS and not signs


def _is_nothing_between(text: str, start: int, end: int) -> bool:
    return start <= end <= start + _BLOCK and all(each in _MARKS for each in text[start:end])


def _find_best_place(text: str, query: str, runs: Sequence[MatchedRun]) -> CandidatePassage:
    best = CandidatePassage(0, 0, 0.0)
    for place in sorted(group_runs(runs), key=_count_matched, reverse=True)[:2]:
        if best.coverage >= _ENOUGH or _count_matched(place) < _PROMISING * len(query):
            break
        best = max(best, _refine_place(text, query, place), key=lambda each: each.coverage)
    return best


def _count_matched(place: Sequence[MatchedRun]) -> int:
    return sum(run.end - run.start for run in place)


def _refine_place(text: str, query: str, place: Sequence[MatchedRun]) -> CandidatePassage:
    head, tail = place[0].start, len(query) - place[-1].end
    low = max(0, place[0].place - head - min(head, _SLACK))
    high = min(len(text), place[-1].place_end + tail + min(tail, _SLACK))
    if len(query) > _LONG:
        return CandidatePassage(
            place[0].place, place[-1].place_end, _count_matched(place) / len(query)
        )
    wide = _compare_range(text, query, low, high)
    if not head + tail or high - low <= len(query):
        return wide
    # A window with room to spare lets the edit distance scatter letters over it; one as long as
    # the query has no place for words that the query leaves out. The better of both is right.
    narrowed = fuzz.partial_ratio_alignment(query, text[low:high])
    if narrowed is None:
        return wide
    low, high = _expand_to_words(text, low + narrowed.dest_start, low + narrowed.dest_end)
    return max(_compare_range(text, query, low, high), wide, key=lambda each: each.coverage)


def _compare_range(text: str, query: str, low: int, high: int) -> CandidatePassage:
    equal = [
        block
        for block in Levenshtein.opcodes(query, text[low:high])
        if block.tag == "equal" and block.src_end - block.src_start >= _BLOCK
    ]
    if not equal:
        return CandidatePassage(0, 0, 0.0)
    coverage = sum(block.src_end - block.src_start for block in equal) / len(query)
    start, end = low + equal[0].dest_start, low + equal[-1].dest_end
    return CandidatePassage(*trim_blanks(text, start, end), coverage)


def _expand_to_words(text: str, start: int, end: int) -> tuple[int, int]:
    before = text.rfind(" ", max(0, start - _SLACK), start + 1)
    after = text.find(" ", max(0, end - 1), end + _SLACK)
    return (before + 1 if before >= 0 else start), (after if after >= 0 else end)


def _find_next_word(query: str, position: int) -> int:
    blank = query.find(" ", position + 1)
    return blank + 1 if blank >= 0 else len(query)


def _find_continuation(text: str, piece: str, last: MatchedRun, place: int) -> int:
    """Prefer the copy that goes on where the run before ended."""
    found = text.find(piece, last.place_end, last.place_end + len(piece) + _AHEAD)
    return found if found >= 0 else place


def _find_longest_prefix(text: str, query: str, position: int, least: int) -> tuple[int, int]:
    """Length and place of the longest prefix of `query[position:]` that occurs in the text."""
    start = query[position : position + least]
    place = text.find(start)
    if place < 0:
        return 0, -1
    rest = len(query) - position
    good = step = len(start)
    while good + step <= rest:
        found = text.find(query[position : position + good + step], place)
        if found < 0:
            break
        place, good, step = found, good + step, 2 * step
    bad = min(good + step, rest + 1)
    while bad - good > 1:
        middle = (good + bad) // 2
        found = text.find(query[position : position + middle], place)
        if found >= 0:
            place, good = found, middle
        else:
            bad = middle
    return good, place


# A passage is a sentence, or a line; a longer one is cut between words.
_PASSAGE = re.compile(
    r"\S(?:[^\n]{0,380}?(?:[.!?]+[\"'”’)\]]*(?=\s|$)|[。！？])|[^\n]{0,380}(?=\s|$)|\S{0,380})"
)
_TERM = re.compile(r"\d+(?:[.,]\d+)*|[a-z][a-z'’]*|[^\W\d_a-z]")
_TERMS_READ = 400  # of a longer selection the beginning decides
_LOOKED_AT = 40  # passages compared letter by letter
_LEAST = 0.10  # a passage that scores lower shares only chance words


class Candidate(NamedTuple):
    """A passage that may bear on a text; `score` runs from 0 (unlike) to 1 (all of it is there)."""

    span: Span
    text: str
    score: float


class _TextIndex(NamedTuple):
    spans: list[tuple[int, int]]
    holders: dict[str, list[int]]


def find_candidates(text: str, sources: Sequence[Field], most: int = 5) -> tuple[Candidate, ...]:
    """The nearest passages of all sources, best first; never raises, empty when nothing is near."""
    wanted = Counter(_list_terms(text)[:_TERMS_READ])
    indexes = [_build_index(each.text) for each in sources]
    passages = sum(len(each.spans) for each in indexes)
    if not wanted or not passages:
        return ()
    weights = {}
    for term in wanted:
        held = sum(len(each.holders.get(term, ())) for each in indexes)
        weights[term] = log(1 + passages / (held + 0.5))
    total = sum(weights.values())
    scores: defaultdict[tuple[int, int], float] = defaultdict(float)
    for number, index in enumerate(indexes):
        for term, weight in weights.items():
            for passage in index.holders.get(term, ()):
                scores[number, passage] += weight
    best = nlargest(
        _LOOKED_AT, scores.items(), key=lambda each: (each[1], -each[0][0], -each[0][1])
    )
    plain = lower_same_length(text)
    found = [_build_candidate(plain, sources[at[0]], indexes[at[0]].spans[at[1]], score / total)
             for at, score in best]  # fmt: skip
    near = [each for each in found if each.score >= _LEAST]
    return tuple(sorted(near, key=lambda each: -each.score)[:most])


def _build_candidate(plain: str, source: Field, span: tuple[int, int], shared: float) -> Candidate:
    start, end = span
    passage = source.text[start:end]
    alike = fuzz.token_set_ratio(plain, lower_same_length(passage)) / 100.0
    score = round(shared * (0.6 + 0.4 * alike), 4)
    return Candidate(Span(field=source.name, start=start, end=end), passage, score)


def _list_terms(text: str) -> list[str]:
    """Stems of words and numbers; a script without blanks gives its characters."""
    found = _TERM.findall(lower_same_length(text))
    return [stem(each) for each in found if each not in STOP_WORDS]


@lru_cache(maxsize=32)
def _build_index(text: str) -> _TextIndex:
    spans = list(_split_passages(text))
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for number, (start, end) in enumerate(spans):
        for term in set(_list_terms(text[start:end])):
            holders[term].append(number)
    return _TextIndex(spans, dict(holders))


def _split_passages(text: str) -> Iterator[tuple[int, int]]:
    for found in _PASSAGE.finditer(text):
        yield found.span()
