"""Load items with the current annotations that the inconsistency check needs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from data.inconsistencies import inconsistencies_sql as sql
from data.items.loading import query_items
from data.store.cache.item_filter_sql import between
from data.store.engine import Cursor
from faithfulness.model.vocabulary import (
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Excerpt,
    Item,
    Piece,
    Placement,
    Span,
    Tier,
)

_REASON = "…"  # stands for the words of a reason, which the audit does not need


class SignedItems(NamedTuple):
    """Items by number, current annotations by item, and the numbers of all authors."""

    items: Mapping[int, Item]
    annotations: Mapping[str, Sequence[Annotation]]
    authors: Mapping[Author, int]


def read_signed(cursor: Cursor, numbers: Sequence[int]) -> SignedItems:
    """Return these items with their current annotations, without the words of their reasons."""
    authors = {
        number: Author(kind=AuthorKind(kind), name=name)
        for number, kind, name in cursor.execute(sql.AUTHORS).fetchall()
    }
    ids = dict(cursor.execute(sql.ITEM_IDS, {"numbers": list(numbers)}).fetchall())
    items = query_items(cursor, list(ids.values()))
    annotations: dict[str, list[Annotation]] = {}
    for row in cursor.execute(sql.SAID, between(list(numbers))).fetchall():
        annotation = _build_annotation(row, authors)
        annotations.setdefault(annotation.item_id, []).append(annotation)
    return SignedItems(
        items={number: items[item_id] for number, item_id in ids.items() if item_id in items},
        annotations=annotations,
        authors={author: number for number, author in authors.items()},
    )


def _build_annotation(row: Sequence[Any], authors: Mapping[int, Author]) -> Annotation:
    (number, run_id, item_id, unit_id, criterion, author, value, links, checks, has_reason,
     pieces, signed_at, tiers) = row  # fmt: skip
    answer = Answer(
        unit_id=unit_id,
        criterion=criterion,
        value=value,
        rationale=_REASON if has_reason else "",
        links=tuple(links),
        checks=tuple(checks),
        pieces=tuple(_build_piece(each) for each in pieces) if unit_id == "response" else (),
        excerpts=tuple(
            Excerpt(text="", placement=Placement(tier=Tier(each))) for each in tiers or ()
        ),
    )
    return Annotation(
        number=number,
        run_id=run_id,
        item_id=item_id,
        answer=answer,
        author=authors[author],
        signed_at=signed_at,
    )


def _build_piece(row: Mapping[str, Any]) -> Piece:
    start, end = row["span_start"], row["span_end"]
    span = None if start is None else Span(field="response", start=start, end=end)
    return Piece(text="", span=span, value=row["value"], score=row["score"])
