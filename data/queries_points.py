"""Points of an agenda as cards to show, also those on which nobody disagrees any more."""

from collections.abc import Sequence

import pandas as pd

from data.queries_disagreement_cases import load
from data.queries_disagreements import QUESTIONS, all_disagreements
from data.records.points import Numbered, number_points
from data.store import Store
from faithfulness.disagreement import Disagreement
from faithfulness.meeting import Point

# The row of a unit on which everybody says the same, or nobody says anything.
_AGREED = {"kinds": 0, "severity": 0.0, "weight": 0.0, "sureness": None, "absent": 0, "clashes": 0}
_NUMBERS = {(each.protocol, each.criterion.key): at for at, each in enumerate(QUESTIONS)}


def point_cases(
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
    asked = {(each.unit_no, _question(each)): each for each in numbered}
    near = known[known["unit_no"].isin([unit for unit, _ in asked])]
    places = zip(near["unit_no"], near["question"], strict=True)
    rows = near[[place in asked for place in places]]
    differ = set(zip(rows["unit_no"], rows["question"], strict=True))
    agreed = [
        _AGREED
        | {"unit_no": unit, "question": question, "item_no": each.item_no, "run_no": each.run_no}
        for (unit, question), each in asked.items()
        if (unit, question) not in differ
    ]
    found = [
        each
        for part in (rows, pd.DataFrame(agreed))
        for each in load(store, part, with_baseline=with_baseline)
    ]
    by_place = {(each.case.item.id, each.case.unit.id, each.criterion.key): each for each in found}
    return {each: by_place[each[1:]] for each in points if each[1:] in by_place}


def _question(each: Numbered) -> int:
    return _NUMBERS[each.protocol, each.point.criterion]
