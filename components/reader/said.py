"""What was said about each unit of an item, in the words and looks a reader sees."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from components.label_colors import Look, look_of
from faithfulness.protocol import Criterion, Protocol
from faithfulness.vocabulary import (
    FIELD_KINDS,
    Annotation,
    Author,
    AuthorKind,
    Excerpt,
    Item,
    Span,
    Tier,
)

FOUND = {
    Tier.VERBATIM: "Word for word",
    Tier.NEAR: "With small differences",
    Tier.STITCHED: "Stitched from several places",
    Tier.SIMILAR: "Only similar words found",
    Tier.ABSENT: "Not in any source",
}
_ORDER = {AuthorKind.ADJUDICATOR: 0, AuthorKind.RATER: 1, AuthorKind.JUDGE: 2}
# What a browser would strip or read as a slash before it follows an address.
_ODD = re.compile(r"[\s\\\x00-\x20\x7f]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Opinions:
    """The annotations on one item, and the author whose labels colour the text."""

    annotations: Sequence[Annotation]
    shown: Author | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Quote:
    """An excerpt with how well it was found, and the places to point at."""

    id: str
    text: str
    found: str
    missing: bool
    where: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Opinion:
    """One annotation as the reader shows it."""

    author: str
    kind: str
    criterion: str
    question: str
    look: Look
    rationale: str
    comment: str
    problem: str
    quotes: tuple[Quote, ...]
    links: tuple[tuple[str, bool], ...]  # the words, and whether a click may follow them
    checks: tuple[str, ...]
    pieces: tuple[tuple[str, str], ...]

    def as_data(self) -> dict[str, Any]:
        data = asdict(self)
        for quote in data["quotes"]:
            del quote["spans"]  # the marks in the sources carry the places
        return data


def said_about(item: Item, protocol: Protocol, opinions: Opinions) -> dict[str, list[Opinion]]:
    """Every unit's annotations: the adjudicator first, then people, then judges."""
    titles = {each.name: title(each.name, each.kind) for each in item.fields}
    asked = {each.key: each for each in protocol.criteria}
    order = {each.key: number for number, each in enumerate(protocol.criteria)}
    said: dict[str, list[Opinion]] = {}
    known = [each for each in opinions.annotations if each.answer.criterion in asked]
    for each in sorted(known, key=lambda each: _place(each, order)):
        shown = _opinion(each, asked[each.answer.criterion], protocol, titles)
        said.setdefault(each.answer.unit_id, []).append(shown)
    return said


def title(name: str, kind: str) -> str:
    """A field's heading: product_2 is Product 2."""
    number = name.rpartition("_")[2]
    word = FIELD_KINDS.get(kind, name)
    return f"{word} {number}" if number.isdigit() else word


def may_follow(link: str) -> bool:
    """Only plain web addresses become links; all else is shown as text."""
    if _ODD.search(link):
        return False
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def _place(each: Annotation, order: Mapping[str, int]) -> tuple[int, int, str]:
    return order[each.answer.criterion], _ORDER[each.author.kind], each.author.name


def _opinion(
    said: Annotation, criterion: Criterion, protocol: Protocol, titles: Mapping[str, str]
) -> Opinion:
    answer = said.answer
    texts = {check.key: check.text for check in criterion.checklist}
    return Opinion(
        author=said.author.name,
        kind=said.author.kind.value,
        criterion=criterion.key,
        question=criterion.question if len(protocol.criteria) > 1 else "",
        look=look_of(answer, criterion),
        rationale=answer.rationale,
        comment=answer.comment,
        problem=answer.problem,
        quotes=tuple(
            _quote(excerpt, f"{said.number}.{at}", titles)
            for at, excerpt in enumerate(answer.excerpts)
        ),
        links=tuple((each, may_follow(each)) for each in answer.links),
        checks=tuple(texts.get(key, key) for key in answer.checks),
        pieces=tuple((piece.text, piece.value or "") for piece in answer.pieces),
    )


def _quote(excerpt: Excerpt, id_: str, titles: Mapping[str, str]) -> Quote:
    placement = excerpt.placement
    if placement is None:
        return Quote(
            id=id_, text=excerpt.text, found="Not looked for", missing=True, where="", spans=()
        )
    found = FOUND[placement.tier]
    if placement.tier in (Tier.NEAR, Tier.STITCHED, Tier.SIMILAR):
        found += f", {placement.coverage:.0%} of its characters"
    names = dict.fromkeys(titles.get(span.field, span.field) for span in placement.spans)
    return Quote(
        id=id_,
        text=excerpt.text,
        found=found,
        missing=placement.tier is Tier.ABSENT,
        where=", ".join(names),
        spans=placement.spans,
    )
