"""Estimate the number of common items of two sides of a run, to select the default pair."""

from collections.abc import Mapping
from typing import Any

from data.agreement.cells import SECONDS, get_or_make
from data.agreement.sides import query_authors
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.comparability import Party
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection_sides import MAJORITY, Side

ENOUGH = 50_000  # items that are counted; of more, so many evenly spread ones stand for all
Common = Mapping[tuple[Party, Party], int]

# All raters of a run are one side, number 0: their majority, or the only rater there is.
_COMMON = """
with raters as (
    select author_no from authors where kind = 'rater'
),
held as (
    select distinct
        a.run_no, a.item_no,
        case when r.author_no is null then a.author_no else 0 end as side_no
    from annotations a
    left join raters r on r.author_no = a.author_no
    where a.criterion = $criterion
        and a.item_no % $every = 0
        and a.value is not null
        and a.annotation_no not in (
            select supersedes from annotations where supersedes is not null
        )
        and a.run_no in (
            select run_no
            from runs
            where protocol = $protocol
                and run_no not in (select run_no from run_removals)
        )
)
select u.run_id, x.side_no as one, y.side_no as other, count(*) as items
from held x
join held y on y.run_no = x.run_no and y.item_no = x.item_no and y.side_no > x.side_no
join runs u on u.run_no = x.run_no
group by u.run_id, x.side_no, y.side_no
"""

_RATERS = """
with said as (
    select run_no, author_no
    from annotations
    where criterion = $criterion
        and run_no not in (select run_no from run_removals)
        and annotation_no not in (
            select supersedes from annotations where supersedes is not null
        )
    group by run_no, author_no
)
select u.run_id, min(s.author_no), max(s.author_no)
from said s
join runs u on u.run_no = s.run_no
join authors w on w.author_no = s.author_no
where w.kind = 'rater'
group by u.run_id
"""

_HIGHEST = "select coalesce(max(item_no), 0) from items"


def load_common_items(store: Store, protocol: Protocol, criterion: Criterion) -> Common:
    """By two sides of one run, in either order, about how many items both labelled.

    Raters count together; everybody counts with current answers.
    """

    def make() -> dict[tuple[Party, Party], int]:
        facts: dict[str, Any] = {"protocol": protocol.key, "criterion": criterion.key}
        with store.read(seconds=SECONDS) as cursor:
            (highest,) = cursor.execute(_HIGHEST).fetchall()[0]
            facts["every"] = 1 + highest // ENOUGH
            return _count_common_items(cursor, facts)

    return get_or_make(
        store,
        ("compare common", protocol.key, criterion.key),
        make,
        lambda made: 200 * len(made),
    )


def _count_common_items(cursor: Cursor, facts: dict[str, Any]) -> dict[tuple[Party, Party], int]:
    known = {number: author for author, number in query_authors(cursor).items()}
    only = {"criterion": facts["criterion"]}
    raters = {
        run: Side.of(known[first]) if first == last else MAJORITY
        for run, first, last in cursor.execute(_RATERS, only).fetchall()
    }
    found = {}
    for run, one, other, items in cursor.execute(_COMMON, facts).fetchall():
        sides = [raters[run] if number == 0 else Side.of(known[number]) for number in (one, other)]
        first, second = (Party(run=run, side=each) for each in sides)
        found[first, second] = found[second, first] = int(items) * facts["every"]
    return found
