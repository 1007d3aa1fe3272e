"""Load the reason for each decision on an item."""

from typing import NamedTuple

from data.items.loading import find_item_number
from data.store.store import Store

_REASONS = """
select d.annotation_no, a.value, d.reason, d.error_class
from adjudications d
join annotations a on a.annotation_no = d.annotation_no and a.item_no = $number
where d.item_no = $number
order by d.annotation_no
"""


class DecisionReason(NamedTuple):
    """Why a decision was made; `value` is None where it takes another back."""

    number: int
    value: str | None
    reason: str
    error_class: str


def load_reasons(store: Store, item_id: str) -> tuple[DecisionReason, ...]:
    """Of every decision on the item, also of those that no longer count.

    Raises:
        ReviewError: the store has no such item.
    """
    with store.read() as cursor:
        number = find_item_number(cursor, item_id)
        found = cursor.execute(_REASONS, {"number": number}).fetchall()
    return tuple(DecisionReason(*row) for row in found)
