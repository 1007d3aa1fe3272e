"""Deciding a disagreement, and taking a decision back: both are new adjudications."""

from data.records.adjudicating import adjudicate
from data.records.decision_facts import Circumstances
from data.store import Store
from faithfulness.errors import Conflict
from faithfulness.vocabulary import Answer, Author

_HISTORY = """
select a.annotation_no, a.value, a.supersedes
from annotations a
join runs r on r.run_no = a.run_no
join items i on i.item_no = a.item_no
join units u on u.unit_no = a.unit_no and u.item_no = a.item_no
join authors w on w.author_no = a.author_no
where r.run_id = $run_id
    and i.item_id = $item_id
    and u.unit_id = $unit_id
    and a.criterion = $criterion
    and w.kind = 'adjudicator'
order by a.annotation_no desc
"""


def decide(
    store: Store,
    *,
    run_id: str,
    item_id: str,
    unit_id: str,
    criterion: str,
    value: str,
    author: Author,
    reason: str,
    seen: int,
    operation_id: str,
    error_class: str = "",
    undoes: int = 0,
    confirmed: bool = False,
    circumstances: Circumstances | None = None,
) -> int:
    """Settle one unit and criterion, or take a decision back; returns the annotation's number.

    Taking back is a new adjudication too: it gives the value that counted before, or none. What
    is taken back stays on record.

    Args:
        store: where to.
        run_id: where the decision is kept.
        item_id: the item.
        unit_id: its unit.
        criterion: the question that is settled.
        value: a label of the scale.
        author: the adjudicator.
        reason: why this value counts.
        seen: the last annotation that the adjudicator was shown.
        operation_id: the same for the same press of a key.
        error_class: what went wrong, one of ERROR_CLASSES or empty.
        undoes: the number of the decision to take back; 0 to decide.
        confirmed: whoever was told of another decision wants this one all the same.
        circumstances: the meeting it is made in, time spent, wording it proposes.

    Raises:
        Conflict: somebody decided since, or, where circumstances say that it warns, ever; nothing
            was stored.
        ReviewError: no reason, or the answer does not fit run and item.
        NotSaved: nothing was stored.
    """
    said: str | None = value
    if undoes:
        facts = {"run_id": run_id, "item_id": item_id, "unit_id": unit_id, "criterion": criterion}
        with store.read() as cursor:
            history = cursor.execute(_HISTORY, facts).fetchall()
        said = _before(history, undoes)
        reason = f"Takes decision {undoes} back"
    answer = Answer(
        unit_id=unit_id,
        criterion=criterion,
        value=said,
        problem="" if said else "the decision was taken back",
    )
    return adjudicate(
        store,
        run_id=run_id,
        item_id=item_id,
        answer=answer,
        author=author,
        reason=reason,
        seen=seen,
        operation_id=operation_id,
        error_class=error_class,
        confirmed=confirmed,
        circumstances=circumstances,
    )


def _before(history: list[tuple[int, str | None, int | None]], undoes: int) -> str | None:
    """The value that counted before a decision."""
    found = {number: (value, supersedes) for number, value, supersedes in history}
    if undoes not in found:
        raise Conflict(f"There is no decision {undoes} to take back here; nothing was stored.")
    earlier = found[undoes][1]
    return found[earlier][0] if earlier in found else None
