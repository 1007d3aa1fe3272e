"""Rechecking: somebody looked at a decision again under changed words, and it stands."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from data.meetings.decision_facts import words_of_run
from data.store.engine import Cursor
from data.store.replay import register_work
from data.store.sidecar_files import now
from data.store.store import Store
from data.triage.points import number_points
from faithfulness.model.errors import AlreadyDone, Conflict
from faithfulness.review.meeting import Point

KIND = "decision check"

_CURRENT = """
select a.annotation_no, a.operation_id
from adjudications d
join annotations a on a.annotation_no = d.annotation_no
where a.item_no = $item_no
    and a.run_no = $run_no
    and a.unit_no = $unit_no
    and a.criterion = $criterion
order by a.annotation_no desc
limit 1
"""

_ADD = """
insert into decision_checks (
    annotation_no, operation_id, guidance, prompt, checked_by, checked_at
)
values ($annotation_no, $operation_id, $guidance, $prompt, $checked_by, $checked_at)
"""


def confirm_decision(
    store: Store, point: Point, *, made_by: str, by: str, operation_id: str
) -> None:
    """Keep that a decision stands under the words in force now.

    Args:
        store: where to.
        point: what was decided.
        made_by: the operation that made the decision, as `to_recheck` gives it.
        by: who looked.
        operation_id: the same for the same press of a key.

    Raises:
        Conflict: another decision counts by now.
        ReviewError: the point is not there.
        NotSaved: nothing was stored.
    """
    payload = {
        "point": list(point),
        "made_by": made_by,
        "by": by,
        "words": words_of_run(store, point.run_id),
        "at": now().isoformat(),
    }
    try:
        store.write_journaled(
            operation_id, KIND, payload, lambda cursor: _work(cursor, operation_id, payload)
        )
    except AlreadyDone:
        return


def _work(cursor: Cursor, operation_id: str, payload: Mapping[str, Any]) -> None:
    (found,) = number_points(cursor, [Point(*payload["point"])])
    facts = {name: getattr(found, name) for name in ("run_no", "item_no", "unit_no")}
    last = cursor.execute(_CURRENT, facts | {"criterion": found.point.criterion}).fetchall()
    if not last or last[0][1] != payload["made_by"]:
        raise Conflict(
            "Another decision on this unit counts by now; nothing was stored. Look at that one."
        )
    checked = {
        "annotation_no": last[0][0],
        "operation_id": operation_id,
        "guidance": payload["words"].get("guidance", ""),
        "prompt": payload["words"].get("prompt", ""),
        "checked_by": payload["by"],
        "checked_at": datetime.fromisoformat(payload["at"]),
    }
    cursor.execute(_ADD, checked)


register_work(KIND, _work)
