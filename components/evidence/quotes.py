"""View models for excerpts: placement, difference from the source, and clashes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from components.evidence.segments import Segment, TextMark, segments
from faithfulness.intake.units import select_sources
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import Excerpt, Item, Span, Tier, Unit, UnitKind
from faithfulness.model.wording import ALTERED
from faithfulness.text.altered import BETWEEN, altered
from faithfulness.text.clashes import clashes
from faithfulness.text.differences import Part, PartKind, compare_words, describe_placement
from faithfulness.text.excerpts import PreparedSource, find_nearest, prepare_source

_ALTERED = "altered"  # in place of a tier: found with few differences that turn the sense
_LONGEST = 4_000  # a longer excerpt is shown whole, not word by word
_WORD = 30  # letters; some scripts have no blanks
_WIDEST = 400_000  # characters of sources beyond which no nearest passage is looked for


@dataclass(frozen=True, kw_only=True)
class ItemSources:
    """The texts of an item by name and with their titles, and which of them may be quoted."""

    texts: Mapping[str, str]
    titles: Mapping[str, str]
    prepared: Mapping[str, Sequence[PreparedSource]]  # by the field of the unit they are quoted for

    @classmethod
    def of(cls, item: Item, protocol: Protocol, titles: Mapping[str, str]) -> "ItemSources":
        prepared = {each.name: prepare_source(each) for each in item.fields if each.text}
        return cls(
            texts={each.name: each.text for each in item.fields},
            titles=titles,
            prepared={
                reviewed: [
                    prepared[each.name]
                    for each in select_sources(item, kinds, reviewed)
                    if each.name in prepared
                ]
                for reviewed, kinds in protocol.checked_against.items()
            },
        )

    def words(self, span: Span) -> str:
        return self.texts.get(span.field, "")[span.start : span.end]

    def where(self, spans: Sequence[Span]) -> str:
        return ", ".join(dict.fromkeys(self.titles.get(each.field, each.field) for each in spans))


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedQuote:
    """An excerpt with how well it was found, and the places to point at."""

    id: str
    text: str
    found: str  # in plain words
    tier: str
    where: str
    spans: tuple[Span, ...]
    parts: tuple[tuple[str, str, str], ...] = ()  # kind, the excerpt's words, the source's words
    unit: tuple[Segment, ...] = ()  # the unit's words, cut where they clash
    source: tuple[Segment, ...] = ()  # the source's words, cut where they clash
    clashes: tuple[str, ...] = ()  # what clashes, in words
    near: tuple[str, str] = ("", "")  # of an absent excerpt: the nearest passage, how far it is

    @property
    def missing(self) -> bool:
        return self.tier in ("", Tier.ABSENT)

    def as_data(self) -> dict[str, Any]:
        """For the browser; the marks in the sources carry the places."""
        names = ("id", "text", "found", "tier", "where", "parts", "unit", "source", "clashes")
        data = {name: kept for name in names if (kept := getattr(self, name))}
        return data | ({"near": self.near} if self.near[0] else {})


def quote(excerpt: Excerpt, id_: str, unit: Unit | None, sources: ItemSources) -> PlacedQuote:
    """Everything about one excerpt of an answer on a unit."""
    placement = excerpt.placement
    if placement is None:
        return PlacedQuote(
            id=id_, text=excerpt.text, found="not looked for", tier="", where="", spans=()
        )
    if placement.tier is Tier.ABSENT:
        return _build_absent_quote(excerpt, id_, unit.field if unit else "response", sources)
    found = " ".join(sources.words(span) for span in placement.spans)
    told = beside(excerpt, found)
    left, right, kinds = _mark_clashes(unit, found)
    words = BETWEEN.join(map(sources.words, placement.spans))
    turned = altered(excerpt.text, placement.tier, words)
    found_so = describe_placement(placement.tier, told, len(placement.spans))
    return PlacedQuote(
        id=id_,
        text=excerpt.text,
        found=f"{ALTERED}: {turned}" if turned else found_so,
        tier=_ALTERED if turned else placement.tier.value,
        where=sources.where(placement.spans),
        spans=placement.spans,
        parts=tuple((each.kind.value, each.excerpt_text, each.source_text) for each in told),
        unit=left,
        source=right,
        clashes=kinds,
    )


def beside(excerpt: Excerpt, found: str) -> tuple[Part, ...]:
    """The excerpt word by word beside the source's words; empty where they say the same."""
    placement = excerpt.placement
    if placement is None or placement.tier in (Tier.VERBATIM, Tier.ABSENT):
        return ()
    if max(len(excerpt.text), len(found)) > _LONGEST:
        return ()
    told = compare_words(excerpt.text, found)
    return told if any(each.kind is not PartKind.SAME for each in told) else ()


def _build_absent_quote(
    excerpt: Excerpt, id_: str, reviewed: str, sources: ItemSources
) -> PlacedQuote:
    near = ("", "")
    spans: tuple[Span, ...] = ()
    where = ""
    prepared = sources.prepared.get(reviewed, ())
    if sum(len(each.text) for each in prepared) <= _WIDEST and len(excerpt.text) < _LONGEST:
        found = find_nearest(excerpt.text, prepared)
        if found is not None:
            span = _extend_to_words(found.span, sources.texts[found.span.field])
            near = (sources.words(span), f"{found.distance:.0%} of the letters differ")
            spans, where = (span,), sources.where((span,))
    return PlacedQuote(
        id=id_,
        text=excerpt.text,
        found=describe_placement(Tier.ABSENT),
        tier=Tier.ABSENT.value,
        where=where,
        spans=spans,
        near=near,
    )


def _extend_to_words(span: Span, text: str) -> Span:
    """The span, grown to where its first and last words end."""
    start, end = span.start, span.end
    while start > 0 and text[start - 1].isalnum() and span.start - start < _WORD:
        start -= 1
    while end < len(text) and text[end].isalnum() and end - span.end < _WORD:
        end += 1
    return Span(field=span.field, start=start, end=end)


def _mark_clashes(
    unit: Unit | None, found: str
) -> tuple[tuple[Segment, ...], tuple[Segment, ...], tuple[str, ...]]:
    if unit is None or unit.kind is UnitKind.RESPONSE or len(found) > _LONGEST:
        return (), (), ()
    told = clashes(unit.text, found)
    if not told:
        return (), (), ()
    left = [TextMark(*each.left, each.kind) for each in told if each.left]
    right = [TextMark(*each.right, each.kind) for each in told if each.right]
    says = tuple(dict.fromkeys(each.says for each in told))
    return tuple(segments(unit.text, left)), tuple(segments(found, right)), says
