"""Items of the sample alone: lists of work begin with what people brought themselves."""

from data.of_runs import of_runs
from data.store import Store

_ITEMS = """
with own as (
    select run_no
    from runs
    where not is_sample
        and run_no not in (select run_no from run_removals)
)
select distinct item_no
from run_items
where run_no in (select run_no from runs where is_sample)
    and item_no not in (select item_no from run_items where run_no in (select run_no from own))
    and exists (select 1 from own)
"""


def sample_items(store: Store) -> list[int]:
    """The numbers of items that stand in no run but the sample's; none where all is the sample."""

    def ask(asked: Store) -> list[int]:
        with asked.read() as cursor:
            return [number for (number,) in cursor.execute(_ITEMS).fetchall()]

    return of_runs(store, "sample items", ask)
