"""Place an excerpt in its sources: verbatim, near, stitched, similar or absent, with spans."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz import fuzz

from faithfulness.model.vocabulary import Field, Placement, Span, Tier
from faithfulness.text.candidates import (
    CandidatePassage,
    MatchedRun,
    find_best_passage,
    find_longest_runs,
    find_whole_runs,
    group_runs,
    trim_blanks,
)
from faithfulness.text.normalise import (
    Normal,
    blank_line_numbers,
    normalize_text,
    reduce_text,
    squashed,
)
from faithfulness.text.standing import is_joined, is_whole_match

QUOTED, SIMILAR = 0.75, 0.50  # coverage from which words count as quoted, or as a similar passage
_LONGEST = 20_000  # of a longer excerpt that is not verbatim, only the beginning is looked for
_SHORT = 8  # an excerpt shorter than this stands anywhere by chance: verbatim or absent
_MARKS_LEFT = 12  # characters outside runs that may all be punctuation or cut-off beginnings
_STITCH_GAIN = 0.15  # how much more several places must explain before one place is not enough
_SEPARATOR = "\x00"  # no normalised text contains it, so no run crosses two sources
_ELLIPSIS = re.compile(r"\s{0,3}[\[(]?\s{0,3}(?:\.{3,}|…|(?:\. ){2,}\.)\s{0,3}[\])]?\s{0,3}")
_OUTER = " \t\r\n\"'“”‘’«»„*_`"
_AFTER_NUMBER = frozenset(".)")
_TRIES = 20
_ABSENT = Placement(tier=Tier.ABSENT)


@dataclass(frozen=True, kw_only=True)
class PreparedSource:
    """One source with its normalised text, made once for all excerpts that are looked for in it."""

    field: str
    text: str

    @cached_property
    def normal(self) -> Normal:
        return normalize_text(self.text)

    @cached_property
    def unnumbered(self) -> Normal | None:
        """The text without the numbers of its lists; None where it has no such list."""
        text = blank_line_numbers(self.text)
        return None if text == self.text else normalize_text(text)

    def span(self, start: int, end: int) -> Span:
        """A range of the normalised text as a Span of the field."""
        begin, finish = self.normal.span(start, end)
        return Span(field=self.field, start=begin, end=finish)


class Nearest(NamedTuple):
    """The passage that comes closest to an excerpt; `distance` is 0 for equal, 1 for unlike."""

    span: Span
    text: str
    distance: float


class _Match(NamedTuple):
    source: int
    start: int
    end: int


def prepare_source(field: Field) -> PreparedSource:
    """Ready a source for searching; the same text asked for again costs nothing."""
    return _prepare_cached(field.name, field.text)


@lru_cache(maxsize=24)
def _prepare_cached(name: str, text: str) -> PreparedSource:
    return PreparedSource(field=name, text=text)


def place_excerpt(excerpt: str, sources: Sequence[PreparedSource]) -> Placement:
    """How and where the words of an excerpt stand in the sources; never raises."""
    wanted = excerpt.strip()
    if not wanted:
        return _ABSENT
    found = _find_exactly(wanted, sources)
    if found is None:
        bare = _strip_ellipses(wanted).strip(_OUTER)
        found = _find_alike(bare, sources) if bare else None
        wanted = bare
    if found is not None:
        return _build_placement(Tier.VERBATIM, [found], 1.0, sources)
    if len(wanted) < _SHORT:
        return _ABSENT
    split = _ELLIPSIS.split(wanted) if _can_have_ellipses(wanted) else [wanted]
    parts = [part for each in split if (part := each.strip(_OUTER))]
    joined = _find_parts(parts, sources) if len(parts) > 1 else None
    if joined is not None:
        tier = Tier.STITCHED if len(joined) > 1 else Tier.VERBATIM
        return _build_placement(tier, joined, 1.0, sources)
    return _place_loosely(reduce_text(" ".join(parts)[:_LONGEST]), sources)


def find_nearest(excerpt: str, sources: Sequence[PreparedSource]) -> Nearest | None:
    """The most similar passage of all sources, for excerpts that stand nowhere."""
    query = reduce_text(excerpt)
    best: Nearest | None = None
    for source in sources:
        if not query or not source.normal.text:
            continue
        found = fuzz.partial_ratio_alignment(query, source.normal.text)
        if found is None or found.dest_end <= found.dest_start:
            continue
        distance = 1.0 - found.score / 100.0
        if best is None or distance < best.distance:
            span = source.span(found.dest_start, found.dest_end)
            best = Nearest(span, source.text[span.start : span.end], distance)
    return best


def _can_have_ellipses(text: str) -> bool:
    return "…" in text or "..." in text or ". ." in text


def _strip_ellipses(text: str) -> str:
    ends = list(_ELLIPSIS.finditer(text)) if _can_have_ellipses(text) else []
    start = ends[0].end() if ends and ends[0].start() == 0 else 0
    end = ends[-1].start() if ends and ends[-1].end() == len(text) else len(text)
    return text[start:end]


def _find_exactly(wanted: str, sources: Sequence[PreparedSource]) -> _Match | None:
    for index, source in enumerate(sources):
        found = source.text.find(wanted)
        for _ in range(_TRIES):
            if found < 0:
                break
            if is_whole_match(source.text, found, found + len(wanted)):
                return _Match(index, found, found + len(wanted))
            found = source.text.find(wanted, found + 1)
    return None


def _find_alike(
    wanted: str, sources: Sequence[PreparedSource], after: _Match | None = None
) -> _Match | None:
    """The same words up to case, quotes, blanks and Markdown; then up to all punctuation."""
    query = reduce_text(wanted)
    order = list(range(len(sources)))
    if after is not None:  # a later part most likely goes on in the source of the part before it
        order.sort(key=lambda index: index != after.source)
    floors = {after.source: after.end} if after is not None else {}
    found = _find_in_normal(query, sources, order, floors)
    if found is None and blank_line_numbers(wanted) == wanted:
        found = _find_unnumbered(query, sources, order, floors)
    return found or _find_squashed(squashed(query), sources, order)


def _find_in_normal(
    query: str, sources: Sequence[PreparedSource], order: list[int], floors: Mapping[int, int]
) -> _Match | None:
    for index in order:
        source = sources[index]
        found = _locate_in_normal(query, source.normal, source.text, floors.get(index, 0))
        if found is not None:
            return _Match(index, *found)
    return None


def _find_unnumbered(
    query: str, sources: Sequence[PreparedSource], order: list[int], floors: Mapping[int, int]
) -> _Match | None:
    """A copy of a list may leave out the numbers of its lines; it may not change them."""
    for index in order:
        source = sources[index]
        if source.unnumbered is not None:
            found = _locate_in_normal(query, source.unnumbered, source.text, floors.get(index, 0))
            if found is not None:
                return _Match(index, *found)
    return None


def _find_squashed(
    words: str, sources: Sequence[PreparedSource], order: list[int]
) -> _Match | None:
    if len(words) < _SHORT:
        return None
    for index in order:
        found = _locate_in_squashed(words, sources[index])
        if found is not None:
            return _Match(index, *found)
    return None


def _locate_in_normal(
    query: str, normal: Normal, original: str, floor: int
) -> tuple[int, int] | None:
    if not query:
        return None
    text = normal.text
    first: tuple[int, int] | None = None
    found = text.find(query)
    for _ in range(_TRIES):
        if found < 0:
            break
        span = normal.span(found, found + len(query))
        if is_whole_match(original, *span):
            if span[0] >= floor:
                return span
            first = first or span
        found = text.find(query, found + 1)
    return first


def _locate_in_squashed(query: str, source: PreparedSource) -> tuple[int, int] | None:
    text = source.normal.squashed
    found = text.find(query)
    for _ in range(_TRIES):
        if found < 0:
            break
        span = source.normal.squashed_span(found, found + len(query))
        if is_whole_match(source.text, *span, whole_words=True):
            return span
        found = text.find(query, found + 1)
    return None


def _find_parts(parts: list[str], sources: Sequence[PreparedSource]) -> list[_Match] | None:
    """Every part of an excerpt with ellipses, or None as soon as one is not found."""
    found: list[_Match] = []
    for part in parts:
        hit = _find_alike(part, sources, found[-1] if found else None)
        if hit is None:
            return None
        found.append(hit)
    return found


def _place_loosely(query: str, sources: Sequence[PreparedSource]) -> Placement:
    if not query or not sources:
        return _ABSENT
    parsed = [find_longest_runs(source.normal.text, query) for source in sources]
    alone = [
        find_best_passage(source.normal.text, query, runs)
        for source, runs in zip(sources, parsed, strict=True)
    ]
    best = max(range(len(sources)), key=lambda index: alone[index].coverage)
    near = alone[best].coverage
    several, left_out = _stitch_pieces(query, sources, parsed)
    if left_out:
        return several
    if near >= QUOTED and several.coverage - near < _STITCH_GAIN:
        return _place_passage(Tier.NEAR, alone[best], sources[best])
    if several.coverage >= QUOTED and len(several.spans) > 1:
        return several
    if near >= SIMILAR:
        return _place_passage(
            Tier.NEAR if near >= QUOTED else Tier.SIMILAR, alone[best], sources[best]
        )
    if several.coverage >= SIMILAR:
        return replace(several, tier=Tier.SIMILAR)
    return _ABSENT


def _stitch_pieces(
    query: str, sources: Sequence[PreparedSource], parsed: Sequence[list[MatchedRun]]
) -> tuple[Placement, bool]:
    """The excerpt as pieces from several places, and whether they are all of it, word for word."""
    text, runs, offsets = sources[0].normal.text, parsed[0], [0]
    if len(sources) > 1:
        texts = [source.normal.text for source in sources]
        text = _SEPARATOR.join(texts)
        runs = find_longest_runs(text, query)
        offsets = [0, *accumulate(len(each) + 1 for each in texts[:-1])]
    covered = sum(run.end - run.start for run in runs)
    coverage = covered / len(query)
    whole = find_whole_runs(text, query) if len(query) - covered <= _MARKS_LEFT else []
    spans = []
    for group in whole if len(whole) > 1 else group_runs(runs):
        index = bisect_right(offsets, group[0].place) - 1
        start, end = group[0].place - offsets[index], group[-1].place_end - offsets[index]
        start, end = trim_blanks(sources[index].normal.text, start, end)
        spans.append((index, *sources[index].normal.span(start, end)))
    found = _build_placement(Tier.STITCHED, spans, 1.0 if len(whole) > 1 else coverage, sources)
    return found, len(whole) > 1 and len(found.spans) > 1


def _place_passage(tier: Tier, passage: CandidatePassage, source: PreparedSource) -> Placement:
    start, end = source.normal.span(passage.start, passage.end)
    # People must see the whole number: $49 in the excerpt, $499 in the source.
    while end < len(source.text) and is_joined(source.text[end - 1], source.text[end]):
        end += 1
    if source.text[start : start + 1] in _AFTER_NUMBER and source.text[:start][-1:].isdigit():
        start -= 1  # and the number of a list: "8. Stir" in the excerpt, "5. Stir" in the source
    while start > 0 and is_joined(source.text[start - 1], source.text[start]):
        start -= 1
    span = Span(field=source.field, start=start, end=end)
    return Placement(tier=tier, spans=(span,), coverage=passage.coverage)


def _build_placement(
    tier: Tier,
    found: Sequence[tuple[int, int, int]],
    coverage: float,
    sources: Sequence[PreparedSource],
) -> Placement:
    """Spans in the order of sources and text; those that overlap become one."""
    merged = _merge_ranges(found) if len(found) > 1 else found
    spans = [Span(field=sources[at].field, start=start, end=end) for at, start, end in merged]
    return Placement(tier=tier, spans=tuple(spans), coverage=min(1.0, coverage))


def _merge_ranges(found: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    merged: list[tuple[int, int, int]] = []
    for index, start, end in sorted(found):
        if merged and merged[-1][0] == index and start <= merged[-1][2]:
            merged[-1] = (index, merged[-1][1], max(end, merged[-1][2]))
        else:
            merged.append((index, start, end))
    return merged
