"""Load cases: units of runs with their texts and all current annotations."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from data.items.loading import ANNOTATION_COLUMNS, FIELDS, build_annotation, build_item, group_rows
from data.store.cache.item_filter_sql import between, narrowed
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.contradiction import UnitCase
from faithfulness.model.vocabulary import Annotation, AuthorKind, Item

Row = tuple[Any, ...]

# A unit's number is its place among the units of its kind in its field.
_UNITS = """
with near as (
    select
        unit_no, item_no, unit_id, kind, field, span_start, span_end, text,
        row_number() over (
            partition by item_no, field, kind
            order by position, unit_no
        ) as number,
        count(*) over (partition by item_no, field, kind) as of
    from units
    where {of_items}
)
select n.unit_no, n.number, n.of, i.item_id, i.cutter,
    n.unit_id, n.kind, n.field, n.span_start, n.span_end, n.text
from near n
join items i on i.item_no = n.item_no
where n.unit_no in (select unnest($units::integer[]))
    and i.item_no between $first and $last
"""

_ANNOTATIONS = f"""
select
    a.run_no, a.unit_no, r.protocol,
    r.run_no in (select run_no from run_removals) as is_removed,
    i.item_id,
    {ANNOTATION_COLUMNS}
from annotations a
join runs r on r.run_no = a.run_no
join units u on u.unit_no = a.unit_no and u.item_no between $first and $last
join items i on i.item_no = a.item_no and i.item_no between $first and $last
join authors w on w.author_no = a.author_no
where {{a_of_items}}
    and a.unit_no in (select unnest($units::integer[]))
    and a.annotation_no not in (
        select supersedes
        from annotations
        where item_no between $first and $last
            and supersedes is not null
    )
order by a.annotation_no
"""  # noqa: S608 - put together from constants

_EXCERPTS = """
select annotation_no, text, tier, coverage, spans
from excerpts
where {of_items}
    and annotation_no in (select unnest($annotations::bigint[]))
order by annotation_no, position
"""

_RUNS = """
select r.run_no, i.item_no, r.run_id, r.name, r.system, r.protocol, i.external_id
from runs r
join run_items i on i.run_no = r.run_no
where i.item_no between $first and $last
    and i.item_no in (select unnest($numbers::integer[]))
    and r.run_no in (select unnest($runs::integer[]))
"""


# Columns of a row before those of the annotation.
_BEFORE = 5


class _SignedAnnotation(NamedTuple):
    """An annotation with the run it was signed in."""

    run_no: int
    protocol: str
    is_removed: bool
    annotation: Annotation


class CaseNumbers(NamedTuple):
    """The store's numbers of one case, and the group it is shown in."""

    run_no: int
    item_no: int
    unit_no: int
    group: str = ""


def load_cases(store: Store, places: Iterable[CaseNumbers]) -> list[UnitCase]:
    """The cases at these places, in their order; one that is gone meanwhile is left out."""
    wanted = list(places)
    if not wanted:
        return []
    with store.read() as cursor:
        return _query_cases(cursor, wanted)


def _query_cases(cursor: Cursor, places: list[CaseNumbers]) -> list[UnitCase]:
    items = between(sorted({each.item_no for each in places}))
    of_units = items | {"units": [each.unit_no for each in places]}
    fields = group_rows(cursor.execute(FIELDS, items).fetchall())
    near = cursor.execute(narrowed(_UNITS, items["numbers"]), of_units).fetchall()
    units = {row[0]: row[1:] for row in near}
    runs = {
        (row[0], row[1]): row[2:]
        for row in cursor.execute(
            _RUNS, items | {"runs": [each.run_no for each in places]}
        ).fetchall()
    }
    said = _load_annotations(cursor, of_units, items)
    found = []
    for place in places:
        run = runs.get((place.run_no, place.item_no))
        if run is None or place.unit_no not in units:
            continue
        number, of, item_id, cutter, *unit = units[place.unit_no]
        item = build_item(item_id, cutter, fields[place.item_no], [tuple(unit)])
        counts = _select_counting(said[place.unit_no], place.run_no, run[3])
        found.append(_build_case(place, run, item, (number, of), counts))
    return found


def _load_annotations(
    cursor: Cursor, of_units: dict[str, Any], items: dict[str, Any]
) -> defaultdict[int, list[_SignedAnnotation]]:
    """By unit all that is said about it."""
    rows = cursor.execute(narrowed(_ANNOTATIONS, items["numbers"]), of_units).fetchall()
    signed = items | {"annotations": [row[_BEFORE] for row in rows]}
    excerpts = group_rows(cursor.execute(narrowed(_EXCERPTS, items["numbers"]), signed).fetchall())
    said: defaultdict[int, list[_SignedAnnotation]] = defaultdict(list)
    for run_no, unit_no, protocol, is_removed, item_id, *row in rows:
        annotation = build_annotation(item_id, tuple(row), excerpts[row[0]])
        said[unit_no].append(_SignedAnnotation(run_no, protocol, is_removed, annotation))
    return said


def _select_counting(
    said: Iterable[_SignedAnnotation], run_no: int, protocol: str
) -> list[Annotation]:
    """What counts in a run: its raters' and judges' answers, and of all decisions the last."""
    counting: list[Annotation] = []
    decisions: dict[str, Annotation] = {}
    # A decision that is unread never counts in place of one that can be read.
    for each in sorted(said, key=lambda each: each.annotation.answer.value is not None):
        is_own = each.run_no == run_no
        if each.annotation.author.kind is not AuthorKind.ADJUDICATOR:
            counting += [each.annotation] if is_own else []
            continue
        may_count = is_own or (each.protocol == protocol and not each.is_removed)
        if may_count and not each.annotation.answer.is_taken_back:
            decisions[each.annotation.answer.criterion] = each.annotation
    return sorted([*counting, *decisions.values()], key=lambda each: each.number)


def _build_case(
    place: CaseNumbers, run: Row, item: Item, counted: tuple[int, int], said: list[Annotation]
) -> UnitCase:
    run_id, name, system, protocol, external_id = run
    return UnitCase(
        run_id=run_id,
        run_name=name,
        system=system,
        protocol=protocol,
        external_id=external_id,
        item=item,
        unit=item.units[0],
        number=counted[0],
        of=counted[1],
        annotations=tuple(said),
        group=place.group,
    )
