"""Query the numbers that were imported with an item of a run, by annotator."""

from typing import NamedTuple

from data.store.store import Store

_GIVEN = """
select
    w.kind,
    w.name as author,
    s.name,
    arg_max_null(s.value, s.summary_no) as value
from summaries s
join authors w on w.author_no = s.author_no
where s.given
    and s.run_no in (select run_no from runs where run_id = $run_id)
    and s.item_no in (select item_no from items where item_id = $item_id)
group by w.kind, w.name, s.name
order by w.kind desc, w.name, s.name
"""


class GivenNumber(NamedTuple):
    """One number as the file gives it; `value` is None where the file has none."""

    kind: str
    author: str
    name: str
    value: float | None


def load_given_numbers(store: Store, run_id: str, item_id: str) -> tuple[GivenNumber, ...]:
    """Every author's numbers, raters first."""
    with store.read() as cursor:
        found = cursor.execute(_GIVEN, {"run_id": run_id, "item_id": item_id}).fetchall()
    return tuple(GivenNumber(*row) for row in found)
