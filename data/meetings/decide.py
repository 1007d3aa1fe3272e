"""Save or undo a decision on a disagreement; both append a new adjudication."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from data.meetings.adjudicate import adjudicate
from data.meetings.answer_words import format_named_unit
from data.meetings.decision_facts import Circumstances
from data.store.store import Store
from faithfulness.model.errors import Conflict
from faithfulness.model.vocabulary import TAKEN_BACK, Answer, Author
from faithfulness.model.wording import parse_undone_number
from faithfulness.review.meeting import Point

_TAKES_BACK = "Takes decision {number} back"
# Of all runs of the protocol with the item: a disagreement spans them.
_HISTORY = """
select r.run_id, a.annotation_no, a.value, a.operation_id, d.reason
from annotations a
join adjudications d on d.annotation_no = a.annotation_no
join runs own on own.run_id = $run_id
join runs r on r.run_no = a.run_no and r.protocol = own.protocol
join items i on i.item_no = a.item_no
join units u on u.unit_no = a.unit_no and u.item_no = a.item_no
where i.item_id = $item_id
    and u.unit_id = $unit_id
    and a.criterion = $criterion
    and r.run_no not in (select run_no from run_removals)
order by a.annotation_no
"""


class Reversal(NamedTuple):
    """What takes a decision back, the run to keep it in, and the last adjudication there is."""

    run_id: str
    answer: Answer
    reason: str
    seen: int


class _DecidedUnit(NamedTuple):
    counting: dict[int, str | None]  # decisions that nobody took back, in their order
    standing: dict[str, str | None]  # what each run was left with, in the order of time
    last: int


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

    Taking back is a new adjudication too, in the run of what it takes back: it gives the value that
    counted before, or none where that stands in another run or nowhere. Both stay on record.

    Args:
        store: where to.
        run_id: where the decision is kept; it counts for all runs of the protocol with the item.
        item_id: the item.
        unit_id: its unit.
        criterion: the question that is settled.
        value: a label of the scale.
        author: the adjudicator.
        reason: why this value counts.
        seen: the last annotation that the adjudicator was shown; taking back needs none.
        operation_id: the same for the same press of a key.
        error_class: what went wrong, one of ERROR_CLASSES or empty.
        undoes: the number of the decision to take back; 0 to decide.
        confirmed: whoever was told of another decision wants this one all the same.
        circumstances: the meeting it is made in, time spent, wording it proposes.

    Raises:
        Conflict: somebody decided since, or, where circumstances say that it warns, ever; or what
            is to be taken back does not count any more. Nothing was stored.
        ReviewError: no reason, or the answer does not fit run and item.
        NotSaved: nothing was stored.
    """
    answer = Answer(unit_id=unit_id, criterion=criterion, value=value)
    if undoes:
        point = Point(run_id, item_id, unit_id, criterion)
        run_id, answer, reason, seen = build_reversal(store, point, undoes, operation_id)
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


def build_reversal(store: Store, point: Point, undoes: int, operation_id: str) -> Reversal:
    """What takes a decision back that was made on this point in any run.

    Raises:
        Conflict: the decision does not count any more, so that another would go with it.
    """
    with store.read() as cursor:
        history = cursor.execute(_HISTORY, point._asdict()).fetchall()
    counting, standing, last = _read_history(history, operation_id)
    runs = [run_id for run_id, value in standing.items() if value is not None]
    if not runs or next(reversed(counting), 0) != undoes:
        raise Conflict(
            f"This decision on {format_named_unit(point.unit_id)} does not count any more: "
            "it was taken "
            "back, or somebody decided since. Nothing was stored. Look at what counts now."
        )
    del counting[undoes]
    value = next(reversed(counting.values()), None)
    # What stands in another run counts by itself; said twice it would have to be taken back twice.
    if len(runs) > 1 and standing[runs[-2]] == value:
        value = None
    answer = Answer(
        unit_id=point.unit_id,
        criterion=point.criterion,
        value=value,
        problem="" if value else TAKEN_BACK,
    )
    return Reversal(runs[-1], answer, _TAKES_BACK.format(number=undoes), last)


def _read_history(history: Sequence[tuple[Any, ...]], operation_id: str) -> _DecidedUnit:
    counting: dict[int, str | None] = {}
    standing: dict[str, str | None] = {}
    last = 0
    for run_id, number, value, operation, reason in history:
        if operation == operation_id:
            break  # sent twice: what was known when it was sent first
        last = number
        standing.pop(run_id, None)
        standing[run_id] = value
        if parse_undone_number(reason) in counting:
            del counting[parse_undone_number(reason)]
        elif value is not None:
            counting[number] = value
    return _DecidedUnit(counting, standing, last)
