"""Load agenda points as cards, including points without a current disagreement."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from data.store.store import Store
from data.triage.cases import load_disagreements
from data.triage.disagreements import QUESTIONS, SECONDS, all_disagreements
from data.triage.points import Numbered, number_points
from faithfulness.model.selection_sides import BASELINE
from faithfulness.model.vocabulary import Answer
from faithfulness.review.disagreement import Disagreement
from faithfulness.review.meeting import Point

# The row of a unit on which everybody says the same, or nobody says anything.
_AGREED = {"kinds": 0, "severity": 0.0, "weight": 0.0, "sureness": None}
_AGREED |= {"absent": 0, "clashes": 0, "found": 0}
_BASELINE = """
select a.unit_no, r.protocol, a.criterion, a.value, a.problem, a.rationale, a.confidence
from annotations a
join authors w on w.author_no = a.author_no
join runs r on r.run_no = a.run_no
where a.item_no between $first and $last
    and a.unit_no in (select unnest($units::integer[]))
    and w.kind = $kind
    and lower(w.name) = $name
    and r.run_no not in (select run_no from run_removals)
    and a.annotation_no not in (
        select supersedes
        from annotations
        where item_no between $first and $last
            and supersedes is not null
    )
order by a.value is not null, a.annotation_no
"""
_PLACES = """
select n.nth, r.run_id, i.item_id, u.unit_id, n.criterion
from asked_places n
join runs r on r.run_no = n.run_no
join items i on i.item_no = n.item_no
join units u on u.unit_no = n.unit_no and u.item_no = n.item_no
order by n.nth
"""
_PLACE_COLUMNS = pa.schema(
    [
        *((name, pa.int64()) for name in ("nth", "run_no", "item_no", "unit_no")),
        ("criterion", pa.string()),
    ]
)
_NUMBERS = {(each.protocol, each.criterion.key): at for at, each in enumerate(QUESTIONS)}


def load_point_cases(
    store: Store, points: Sequence[Point], *, with_baseline: bool = False
) -> dict[Point, Disagreement]:
    """What is said about each point; without kinds where nobody disagrees (any more).

    Raises:
        ReviewError: a point is not in the store any more.
    """
    if not points:
        return {}
    known = all_disagreements(store, with_baseline=with_baseline).to_pandas()
    with store.read() as cursor:
        numbered = number_points(cursor, points)
    # A point names its run: each has a card of its own, also of an item that two runs hold.
    asked = {(each.unit_no, _get_question_number(each), each.run_no): each for each in numbered}
    near = known[known["unit_no"].isin([unit for unit, _, _ in asked])]
    listed: list[Any] = list(near.itertuples(index=False))
    differ = {(each.unit_no, each.question): each._asdict() for each in listed}
    rows = [
        differ.get((unit, question), _AGREED)
        | {"unit_no": unit, "question": question, "item_no": each.item_no, "run_no": run_no}
        for (unit, question, run_no), each in asked.items()
    ]
    found = load_disagreements(store, pd.DataFrame(rows), with_baseline=with_baseline)
    by_point = {
        Point(each.case.run_id, each.case.item.id, each.case.unit.id, each.criterion.key): each
        for each in found
    }
    return {each: by_point[each] for each in points if each in by_point}


def load_baseline_answers(store: Store, points: Sequence[Point]) -> dict[Point, Answer]:
    """What the offline baseline says, where it was asked; it never makes a disagreement.

    Raises:
        ReviewError: a point is not in the store any more.
    """
    if not points:
        return {}
    with store.read(seconds=SECONDS) as cursor:
        numbered = number_points(cursor, points)
        items = [each.item_no for each in numbered]
        asked = {
            "first": min(items),
            "last": max(items),
            "units": [each.unit_no for each in numbered],
            "kind": BASELINE.kind.value,
            "name": BASELINE.name,
        }
        said = {row[:3]: row[3:] for row in cursor.execute(_BASELINE, asked).fetchall()}
    places = {each.point: (each.unit_no, each.protocol, each.point.criterion) for each in numbered}
    return {
        point: Answer(
            unit_id=point.unit_id,
            criterion=point.criterion,
            value=said[place][0],
            problem=said[place][1],
            rationale=said[place][2],
            confidence=said[place][3],
        )
        for point, place in places.items()
        if place in said
    }


def _get_question_number(each: Numbered) -> int:
    return _NUMBERS[each.protocol, each.point.criterion]


def load_points(store: Store, rows: pd.DataFrame) -> list[Point]:
    """Rows of a queue as points of an agenda, in their order."""
    listed: list[Any] = list(rows.itertuples(index=False))
    places = [
        {
            "nth": nth,
            "run_no": int(row.run_no),
            "item_no": int(row.item_no),
            "unit_no": int(row.unit_no),
            "criterion": QUESTIONS[row.question].criterion.key,
        }
        for nth, row in enumerate(listed)
    ]
    with store.read(seconds=SECONDS) as cursor:
        cursor.register("asked_places", pa.Table.from_pylist(places, _PLACE_COLUMNS))
        return [Point(*row[1:]) for row in cursor.execute(_PLACES).fetchall()]
