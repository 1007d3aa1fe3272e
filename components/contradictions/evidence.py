"""View models for a unit and its quoted excerpts, split into segments where they clash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from components.evidence.quotes import beside
from components.evidence.segments import Segment, TextMark, segments
from faithfulness.model.vocabulary import (
    FIELD_KINDS,
    Annotation,
    Excerpt,
    Item,
    Placement,
    Span,
    Tier,
    Unit,
)
from faithfulness.model.wording import capitalize_first
from faithfulness.text.altered import describe_placement
from faithfulness.text.clashes import clashes
from faithfulness.text.differences import PartKind

AROUND = 180  # characters shown on each side of a unit or an excerpt
LONGEST = 700  # characters of a unit or an excerpt before it is cut
MOST = 3  # excerpts on a card


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownPassage:
    """Words of a text with what stands before and behind them, cut where they clash."""

    before: str = ""
    segments: Sequence[Segment] = ()
    behind: str = ""
    origin: str = ""  # of a claim: the sentence it was drawn from
    around_origin: tuple[str, str] = ("", "")  # what stands before and behind that sentence


@dataclass(frozen=True, kw_only=True, slots=True)
class Quoted:
    """One excerpt with who quotes it, where and how well it was found, and what clashes."""

    passage: ShownPassage
    found: str
    missing: bool
    where: str
    by: tuple[str, ...]
    clashes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    # The quote's own words where they differ: kind, what it says, what the source says.
    parts: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitEvidence:
    """A unit in its text, and what is quoted about it; `left` is how many quotes are not shown."""

    unit: ShownPassage
    quotes: tuple[Quoted, ...] = ()
    left: int = 0
    links: tuple[str, ...] = field(default=())


def collect_evidence(
    item: Item, unit: Unit, said: Sequence[Annotation], *, most: int = MOST
) -> UnitEvidence:
    """The unit's evidence as these annotations give it; the same words are one quote.

    Quotes that stand in a source come first, since only they can speak against the unit.
    """
    grouped: dict[tuple[str, Placement | None], list[Annotation]] = {}
    excerpts: dict[tuple[str, Placement | None], Excerpt] = {}
    for each in said:
        for excerpt in each.answer.excerpts:
            key = (excerpt.text.strip(), excerpt.placement)
            excerpts[key] = excerpt
            grouped.setdefault(key, []).append(each)
    titles = {each.name: format_field_title(each.name, each.kind) for each in item.fields}
    marks: list[TextMark] = []
    quotes = []
    for key, excerpt in sorted(excerpts.items(), key=lambda pair: _is_missing(pair[1]))[:most]:
        quote, own = _build_quote(
            item, unit, excerpt, titles, [e.author.name for e in grouped[key]]
        )
        quotes.append(quote)
        marks.extend(own)
    return UnitEvidence(
        unit=build_unit_passage(item, unit, marks),
        quotes=tuple(quotes),
        left=max(0, len(excerpts) - most),
        links=tuple(dict.fromkeys(link for each in said for link in each.answer.links)),
    )


def _build_quote(
    item: Item, unit: Unit, excerpt: Excerpt, titles: Mapping[str, str], by: list[str]
) -> tuple[Quoted, list[TextMark]]:
    placement = excerpt.placement
    spans = placement.spans if placement else ()
    words = _get_quoted_words(item, excerpt, spans)
    found = clashes(unit.text, words)
    right = [TextMark(*each.right, each.kind.value) for each in found]
    where = ", ".join(dict.fromkeys(titles.get(each.field, each.field) for each in spans))
    before, behind = _get_context(item, spans)
    quote = Quoted(
        passage=ShownPassage(before=before, segments=cut_around(words, right), behind=behind),
        found=capitalize_first(describe_placement(item, excerpt)),
        missing=_is_missing(excerpt),
        where=where,
        by=tuple(dict.fromkeys(by)),
        clashes=tuple(dict.fromkeys(each.says for each in found)),
        kinds=tuple(dict.fromkeys(each.kind.value for each in found)),
        parts=_build_diff_parts(item, excerpt, spans),
    )
    return quote, [TextMark(*each.left, each.kind.value) for each in found]


def _is_missing(excerpt: Excerpt) -> bool:
    return excerpt.placement is None or excerpt.placement.tier is Tier.ABSENT


def _get_quoted_words(item: Item, excerpt: Excerpt, spans: Sequence[Span]) -> str:
    """The source's own words where the excerpt has one place, else the excerpt's."""
    if len(spans) != 1:
        return excerpt.text
    return item.text_of(spans[0].field)[spans[0].start : spans[0].end] or excerpt.text


def _build_diff_parts(
    item: Item, excerpt: Excerpt, spans: Sequence[Span]
) -> tuple[tuple[str, str, str], ...]:
    """The excerpt beside the source's words, as the reader has it; long same runs are cut."""
    stands = " ".join(item.text_of(each.field)[each.start : each.end] for each in spans)
    told = beside(excerpt, stands)
    last = len(told) - 1
    return tuple(
        (each.kind.value, _shorten_run(each.excerpt_text, at == 0, at == last), "")
        if each.kind is PartKind.SAME
        else (each.kind.value, each.excerpt_text, each.source_text)
        for at, each in enumerate(told)
    )


def _shorten_run(text: str, is_first: bool, is_last: bool) -> str:
    """A run of same words: what stands beside a change is kept."""
    if len(text) <= AROUND:
        return text
    keep = AROUND // 3
    head = "" if is_first else text[:keep].rsplit(" ", 1)[0] + " "
    tail = "" if is_last else " " + text[-keep:].split(" ", 1)[-1]
    return f"{head}…{tail}"


def _get_context(item: Item, spans: Sequence[Span]) -> tuple[str, str]:
    if len(spans) != 1:
        return "", ""
    return neighbours(item.text_of(spans[0].field), spans[0].start, spans[0].end)


def build_unit_passage(item: Item, unit: Unit, marks: Sequence[TextMark]) -> ShownPassage:
    """A unit with what stands around it; of a claim, the sentence it was drawn from."""
    cut = cut_around(unit.text, marks)
    if unit.span is None:
        return ShownPassage(segments=cut)
    before, stands, behind = split_context(item, unit.span)
    if stands != unit.text:  # a claim is somebody's own words; its sentence stands below it
        origin = stands if len(stands) <= LONGEST else f"{stands[:LONGEST]}…"
        return ShownPassage(segments=cut, origin=origin, around_origin=(before, behind))
    return ShownPassage(before=before, segments=cut, behind=behind)


def split_context(item: Item, span: Span) -> tuple[str, str, str]:
    """The words of a range, between what stands before and behind them."""
    text = item.text_of(span.field)
    before, behind = neighbours(text, span.start, span.end)
    return before, text[span.start : span.end], behind


def neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands around a range, cut at blanks, with a sign where something is left out."""
    before, behind = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    if start > AROUND:
        before = "…" + (before.split(" ", 1)[-1] if " " in before else before)
    if end + AROUND < len(text):
        behind = (behind.rsplit(" ", 1)[0] if " " in behind else behind) + "…"
    return before, behind


def cut_around(text: str, marks: Sequence[TextMark]) -> list[Segment]:
    """The text in segments; of a long one, the part around its first mark."""
    if len(text) <= LONGEST:
        return segments(text, marks)
    first = min((each.start for each in marks), default=0)
    start = max(0, min(first - LONGEST // 3, len(text) - LONGEST))
    end = start + LONGEST
    moved = [TextMark(each.start - start, each.end - start, each.name) for each in marks]
    lead: list[Segment] = [("…", [])] if start else []
    rest: list[Segment] = [("…", [])] if end < len(text) else []
    return [*lead, *segments(text[start:end], moved), *rest]


def format_field_title(name: str, kind: str) -> str:
    """What people call a text of an item: its kind, with the number where there are several."""
    number = name.rpartition("_")[2]
    word = FIELD_KINDS.get(kind, name)
    return f"{word} {number}" if number.isdigit() else word
