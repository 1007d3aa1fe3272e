"""One disagreement by its item, unit and criterion, as pages load a whole list of them."""

from data.store.store import Store
from data.triage.cases import load_disagreements
from data.triage.disagreements import QUESTIONS, all_disagreements
from faithfulness.review.disagreement import Disagreement

UNIT = """
select u.unit_no
from units u
join items i on i.item_no = u.item_no
where i.item_id = $item_id
    and u.unit_id = $unit_id
"""


def case(
    store: Store, item_id: str, unit_id: str, criterion: str, *, with_baseline: bool = False
) -> Disagreement | None:
    """With everything said about it; None when there is none any more."""
    known = all_disagreements(store, with_baseline=with_baseline).to_pandas()
    with store.read() as cursor:
        facts = {"item_id": item_id, "unit_id": unit_id}
        units = [number for (number,) in cursor.execute(UNIT, facts).fetchall()]
    asked = [at for at, each in enumerate(QUESTIONS) if each.criterion.key == criterion]
    rows = known[known["unit_no"].isin(units) & known["question"].isin(asked)]
    return next(iter(load_disagreements(store, rows, with_baseline=with_baseline)), None)
