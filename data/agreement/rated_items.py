"""Count rated items, and those that were on a meeting agenda before their first rating."""

from collections.abc import Sequence
from typing import NamedTuple

from data.agreement.cells import SECONDS
from data.items.narrowing_sql import run_is_counted
from data.store.store import Store

# An item is in the sample from its first rating on; whoever rates it later does not choose it.
_RATED = f"""
with standing as (
    select run_no
    from runs
    where protocol = $protocol
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
        and run_no not in (select run_no from run_removals)
        and {run_is_counted()}
),
rated as (
    select a.item_no, min(a.signed_at) as first_at
    from annotations a
    join authors w on w.author_no = a.author_no
    join standing s on s.run_no = a.run_no
    where w.kind = 'rater'
        and a.value is not null
    group by a.item_no
),
listed as (
    select p.item_no, min(m.began_at) as listed_at
    from meeting_points p
    join meetings m on m.meeting_id = p.meeting_id
    group by p.item_no
)
select count(*), count(*) filter (where g.listed_at < f.first_at)
from rated f
left join listed g on g.item_no = f.item_no
"""  # noqa: S608 - put together from constants


class RatedItems(NamedTuple):
    """Items that people rated, and those that stood on an agenda before anybody rated them."""

    rated: int
    disputed: int


def count_rated_items(store: Store, protocol: str, runs: Sequence[str] = ()) -> RatedItems:
    """Count under one protocol; items come on an agenda because answers about them differ.

    The sample counts as `data.items.sample_runs` says.
    """
    asked = {"protocol": protocol, "runs": list(runs)}
    with store.read(seconds=SECONDS) as cursor:
        found = cursor.execute(_RATED, asked).fetchone()
    return RatedItems(*map(int, found or (0, 0)))
