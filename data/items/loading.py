"""Load items and annotations from the store as model objects."""

from collections import defaultdict
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from data.items.places import find_item
from data.store.cache.item_filter_sql import between
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import (
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Excerpt,
    Field,
    Item,
    Piece,
    Placement,
    Span,
    Tier,
    Unit,
    UnitKind,
)

Row = tuple[Any, ...]

_ITEMS = """
select item_no, item_id, cutter
from items
where item_id in (select unnest($item_ids::varchar[]))
order by item_no
"""

FIELDS = """
select item_no, name, kind, text
from fields
where item_no between $first and $last
    and item_no in (select unnest($numbers::integer[]))
order by item_no, position
"""

_UNITS = """
select item_no, unit_id, kind, field, span_start, span_end, text
from units
where item_no between $first and $last
    and item_no in (select unnest($numbers::integer[]))
order by item_no, position, unit_no
"""

# Of one item: quicker without a list of numbers and without an order, which Python then gives.
_OWN_FIELDS = """
select position, name, kind, text
from fields
where item_no = $number
"""

_OWN_UNITS = """
select position, unit_no, unit_id, kind, field, span_start, span_end, text
from units
where item_no = $number
"""

# Of annotations a, runs r, units u and authors w, in the order that `build_annotation` reads.
ANNOTATION_COLUMNS = """
    a.annotation_no, r.run_id, u.unit_id, u.field, a.criterion, w.kind, w.name, a.value, a.problem,
    a.rationale, a.comment, a.confidence, a.links, a.checks, a.pieces, a.signed_at, a.supersedes,
    a.reply_id
"""

# The store lies sorted by item, so the bare number lets the engine skip all other items.
_ANNOTATIONS = f"""
select
    {ANNOTATION_COLUMNS}
from annotations a
join runs r on r.run_no = a.run_no
join units u on u.unit_no = a.unit_no and u.item_no = $number
join authors w on w.author_no = a.author_no
where a.item_no = $number
    and r.run_no not in (select run_no from run_removals)
    and ($run_id is null or r.run_id = $run_id)
    and ($kind is null or (w.kind = $kind and w.name = $name))
order by a.annotation_no
"""  # noqa: S608 - put together from constants

_EXCERPTS = """
select annotation_no, text, tier, coverage, spans
from excerpts
where item_no = $number
order by annotation_no, position
"""


def load_item(store: Store, item_id: str) -> Item:
    """One item with its fields and units.

    Raises:
        ReviewError: the store has no such item.
    """
    found = load_known_items(store, (item_id,))
    if item_id not in found:
        raise ReviewError(f"The store has no item {item_id}. Open it from its run's list.")
    return found[item_id]


def load_known_items(store: Store, item_ids: Iterable[str]) -> dict[str, Item]:
    """Those of these items that are stored, by id."""
    with store.read() as cursor:
        return query_items(cursor, list(item_ids))


def query_items(cursor: Cursor, item_ids: list[str]) -> dict[str, Item]:
    """As `load_known_items`, as one cursor sees them, inside a transaction or not."""
    if len(item_ids) == 1:
        (item_id,) = item_ids
        head = find_item(cursor, item_id)
        return (
            {} if head is None else {item_id: query_item(cursor, head.number, item_id, head.cutter)}
        )
    heads = cursor.execute(_ITEMS, {"item_ids": item_ids}).fetchall()
    numbers = between([row[0] for row in heads])
    fields = group_rows(cursor.execute(FIELDS, numbers).fetchall())
    units = group_rows(cursor.execute(_UNITS, numbers).fetchall())
    return {
        item_id: build_item(item_id, cutter, fields[item_no], units[item_no])
        for item_no, item_id, cutter in heads
    }


def query_item(cursor: Cursor, number: int, item_id: str, cutter: str) -> Item:
    """One item whose number is known, as one cursor sees it, inside a transaction or not."""
    return query_numbered_item(cursor, number, item_id, cutter)[0]


def query_numbered_item(
    cursor: Cursor, number: int, item_id: str, cutter: str
) -> tuple[Item, dict[str, int]]:
    """As `query_item`, with the numbers of its units."""
    fields = cursor.execute(_OWN_FIELDS, {"number": number}).fetchall()
    units = cursor.execute(_OWN_UNITS, {"number": number}).fetchall()
    item = build_item(
        item_id,
        cutter,
        [row[1:] for row in sorted(fields, key=itemgetter(0))],
        [row[2:] for row in sorted(units, key=itemgetter(0, 1))],
    )
    return item, {row[2]: row[1] for row in units}


def load_annotations(
    store: Store, item_id: str, run_id: str | None = None, current: bool = True
) -> list[Annotation]:
    """What was signed on one item, in the order of signing; of one run or of all not removed.

    With `current` only what no later annotation supersedes and nobody took back.

    Raises:
        ReviewError: the store has no such item.
    """
    with store.read() as cursor:
        return query_annotations(cursor, item_id, run_id, current)


def query_annotations(
    cursor: Cursor, item_id: str, run_id: str | None, current: bool, author: Author | None = None
) -> list[Annotation]:
    """As `load_annotations`, as one cursor sees them, inside a transaction or not.

    With `author` only what that author signed is read.
    """
    number = find_item_number(cursor, item_id)
    who = {"kind": author and author.kind.value, "name": author and author.name}
    asked = {"number": number, "run_id": run_id} | who
    rows = cursor.execute(_ANNOTATIONS, asked).fetchall()
    excerpts = cursor.execute(_EXCERPTS, {"number": number}).fetchall() if rows else []
    return build_annotations(item_id, rows, excerpts, current=current)


def build_annotations(
    item_id: str, rows: list[Row], excerpts: list[Row], *, current: bool
) -> list[Annotation]:
    """Annotations from rows of them and of their excerpts, in the columns asked for above."""
    quoted = group_rows(excerpts)
    found = [build_annotation(item_id, row, quoted[row[0]]) for row in rows]
    if not current:
        return found
    gone = {each.supersedes for each in found}
    gone |= {each.number for each in found if each.answer.is_taken_back}
    return [each for each in found if each.number not in gone]


def find_item_number(cursor: Cursor, item_id: str) -> int:
    """The store's number of an item.

    Raises:
        ReviewError: the store has no such item.
    """
    head = find_item(cursor, item_id)
    if head is None:
        raise ReviewError(f"The store has no item {item_id}. Open it from its run's list.")
    return head.number


def group_rows(rows: list[Row]) -> defaultdict[int, list[Row]]:
    """Rows by their first column."""
    groups: defaultdict[int, list[Row]] = defaultdict(list)
    for first, *rest in rows:
        groups[first].append(tuple(rest))
    return groups


def build_item(item_id: str, cutter: str, fields: list[Row], units: list[Row]) -> Item:
    texts = {name: text for name, _, text in fields}
    return Item(
        id=item_id,
        fields=tuple(Field(name=name, kind=kind, text=text) for name, kind, text in fields),
        units=tuple(_build_unit(row, texts) for row in units),
        cutter=cutter,
    )


def _build_unit(row: Row, texts: dict[str, str]) -> Unit:
    unit_id, kind, field, start, end, text = row
    span = None if start is None else Span(field=field, start=start, end=end)
    if text is None:
        text = texts.get(field, "")[start:end]
    return Unit(id=unit_id, kind=UnitKind(kind), field=field, text=text, span=span)


def build_annotation(item_id: str, row: Row, excerpts: list[Row]) -> Annotation:
    (number, run_id, unit_id, field, criterion, kind, name, value, problem, rationale, comment,
     confidence, links, checks, pieces, signed_at, supersedes, reply_id) = row  # fmt: skip
    answer = Answer(
        unit_id=unit_id,
        criterion=criterion,
        value=value,
        rationale=rationale,
        excerpts=tuple(_build_excerpt(each) for each in excerpts),
        links=tuple(links),
        checks=tuple(checks),
        comment=comment,
        confidence=confidence,
        pieces=tuple(_build_piece(each, field) for each in pieces),
        problem=problem,
    )
    return Annotation(
        number=number,
        run_id=run_id,
        item_id=item_id,
        answer=answer,
        author=Author(kind=AuthorKind(kind), name=name),
        signed_at=signed_at,
        supersedes=supersedes,
        reply_id=reply_id,
    )


def _build_excerpt(row: Row) -> Excerpt:
    text, tier, coverage, spans = row
    if tier is None:
        return Excerpt(text=text)
    places = tuple(
        Span(field=each["field"], start=each["span_start"], end=each["span_end"]) for each in spans
    )
    placement = Placement(tier=Tier(tier), spans=places, coverage=coverage or 0.0)
    return Excerpt(text=text, placement=placement)


def _build_piece(found: dict[str, Any], field: str) -> Piece:
    start = found["span_start"]
    span = None if start is None else Span(field=field, start=start, end=found["span_end"])
    return Piece(text=found["text"], span=span, value=found["value"], score=found["score"])
