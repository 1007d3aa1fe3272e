"""View models for the annotations of an item, as shown in the reader."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlsplit

from components.evidence.quotes import ItemSources, PlacedQuote, quote
from components.ui.address import format_author_key
from components.ui.as_data import as_data
from components.ui.label_colors import Look, get_answer_look
from faithfulness.intake.departures import find_departures
from faithfulness.intake.rating_path import STATEMENTS, UNVERIFIED
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import (
    FIELD_KINDS,
    Annotation,
    Author,
    AuthorKind,
    Item,
    Piece,
    Unit,
    UnitKind,
)
from faithfulness.model.wording import format_undo, parse_undone_number
from faithfulness.protocols.response_consistency import CONSISTENCY
from faithfulness.review.disagreement import ERROR_CLASSES

Reasons = Mapping[int, tuple[str | None, str, str]]  # value, reason and error class by number
_ORDER = {AuthorKind.ADJUDICATOR: 0, AuthorKind.RATER: 1, AuthorKind.JUDGE: 2}
# What a browser would strip or read as a slash before it follows an address.
_ODD = re.compile(r"[\s\\\x00-\x20\x7f]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Opinions:
    """The annotations on one item, and the numbers that came without any."""

    annotations: Sequence[Annotation]
    # Numbers that came with the file: kind of author, author, name, value.
    given: Sequence[tuple[str, str, str, float | None]] = ()
    # Why decisions were made: number, value, reason, error class.
    reasons: Sequence[tuple[int, str | None, str, str]] = ()
    # Decisions that were made in another run: number, name of the run.
    decided_in: Sequence[tuple[int, str]] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Opinion:
    """One annotation as the reader shows it."""

    author: str
    by: str  # the author as an address names them
    kind: str
    criterion: str
    value: str
    look: Look
    rationale: str
    comment: str
    problem: str
    reason: str  # of a decision
    error_class: str  # in words
    decided_in: str  # the other run in which it was decided
    quotes: tuple[PlacedQuote, ...]
    links: tuple[tuple[str, bool], ...]  # the words, and whether a click may follow them
    checks: tuple[str, ...]
    pieces: tuple[tuple[str, str], ...]
    departs: str  # from what the author marked, and why that implies another answer

    def as_data(self) -> dict[str, Any]:
        told = {each.name: getattr(self, each.name) for each in fields(self)}
        told["look"] = as_data(self.look)
        told["quotes"] = [each.as_data() for each in self.quotes]
        return {name: value for name, value in told.items() if value not in ("", (), [])}


def build_opinions(item: Item, protocol: Protocol, opinions: Opinions) -> dict[str, list[Opinion]]:
    """Every unit's annotations: the adjudicator first, then people, then judges."""
    titles = {each.name: title(each.name, each.kind) for each in item.fields}
    sources = ItemSources.of(item, protocol, titles)
    units = {each.id: each for each in item.units}
    asked = {each.key: each for each in protocol.criteria}
    order = {each.key: number for number, each in enumerate(protocol.criteria)}
    why = {number: (value, reason, kind) for number, value, reason, kind in opinions.reasons}
    departures = _collect_departures(item, opinions.annotations)
    decided_in = dict(opinions.decided_in)
    said: dict[str, list[Opinion]] = {}
    known = [each for each in opinions.annotations if each.answer.criterion in asked]
    for each in sorted(known, key=lambda each: _get_sort_key(each, order)):
        unit = units.get(each.answer.unit_id)
        shown = _build_opinion(each, asked[each.answer.criterion], unit, sources, why)
        shown = replace(
            shown,
            departs=departures.get(each.number, ""),
            decided_in=decided_in.get(each.number, ""),
        )
        said.setdefault(each.answer.unit_id, []).append(shown)
    return said


def _collect_departures(item: Item, annotations: Sequence[Annotation]) -> dict[int, str]:
    """By annotation: how an answer of a rater or judge departs from its author's own marks."""
    own: dict[Author, list[Annotation]] = {}
    for each in annotations:
        if each.author.kind is not AuthorKind.ADJUDICATOR:
            own.setdefault(each.author, []).append(each)
    found: dict[int, str] = {}
    for signed in own.values():
        for departure in find_departures(item, [each.answer for each in signed]):
            number = next(each.number for each in signed if each.answer is departure.answer)
            found[number] = f"{found.get(number, '')} {departure.because}".strip()
    return found


def select_judged_units(item: Item, protocol: Protocol, opinions: Opinions) -> list[Unit]:
    """The units that the labels are about: the protocol's own kind, or claims.

    A file may label nothing but the claims behind the sentences; those are what is to be read then.
    """
    named = {each.answer.unit_id for each in opinions.annotations}
    kinds = {each.kind for each in item.units if each.id in named}
    claims = protocol.unit not in kinds and UnitKind.CLAIM in kinds
    kind = UnitKind.CLAIM if claims else protocol.unit
    return [each for each in item.units if each.kind == kind]


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


def _get_sort_key(each: Annotation, order: Mapping[str, int]) -> tuple[int, int, str]:
    return order[each.answer.criterion], _ORDER[each.author.kind], each.author.name


def _build_opinion(
    said: Annotation, criterion: Criterion, unit: Unit | None, sources: ItemSources, why: Reasons
) -> Opinion:
    answer = said.answer
    titles = {label.value: label.title for label in criterion.scale.labels}
    _, reason, error_class = why.get(said.number, (None, "", ""))
    return Opinion(
        author=said.author.name,
        by=format_author_key(said.author),
        kind=said.author.kind.value,
        criterion=criterion.key,
        value=answer.value or "",
        look=get_answer_look(answer, criterion),
        rationale=answer.rationale,
        comment=answer.comment,
        problem=answer.problem,
        reason=_format_reason(reason, titles, why),
        error_class=ERROR_CLASSES.get(error_class, error_class),
        quotes=tuple(
            quote(excerpt, f"{said.number}.{at}", unit, sources)
            for at, excerpt in enumerate(answer.excerpts)
        ),
        links=tuple((each, may_follow(each)) for each in answer.links),
        checks=answer.checks,
        pieces=tuple(
            (piece.text, _format_piece_title(piece, criterion)) for piece in answer.pieces
        ),
        departs="",
        decided_in="",
    )


def _format_piece_title(piece: Piece, criterion: Criterion) -> str:
    """What an author said of a piece; of a statement in the words of the form."""
    scale = STATEMENTS if criterion.key == CONSISTENCY.key else criterion.scale
    value = piece.value or (UNVERIFIED if scale is STATEMENTS else "")
    return scale.label(value).title if value in scale else value


def _format_reason(reason: str, titles: Mapping[str, str], why: Reasons) -> str:
    """Where another decision was taken back, which; not under what number it is stored."""
    number = parse_undone_number(reason)
    if not number:
        return reason
    value, earlier, _ = why.get(number, (None, "", ""))
    return format_undo(titles.get(value or "", ""), earlier)
