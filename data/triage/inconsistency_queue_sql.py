"""The SQL that narrows inconsistencies to cases of the queue."""

from data.items.narrowing_sql import run_is_counted

# As NARROWED of `data.inconsistencies.inconsistencies_sql`, with slices, and with words of the
# response alone: what a case is about.
INSIDE = f"""
select distinct n.item_no
from run_items n
join runs r on r.run_no = n.run_no
where (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
    and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], r.system))
    and ($protocol = '' or r.protocol = $protocol)
    and r.run_no not in (select run_no from run_removals)
    and ($item_id = '' or n.item_no in (select item_no from items where item_id = $item_id))
    and (
        $slice_keys = 0
        or len(
            list_filter(
                map_entries(n.attributes),
                lambda one: list_contains($slices::varchar[], one.key || chr(31) || one.value)
            )
        ) = $slice_keys
    )
    and (
        $words = ''
        or n.item_no in (
            select item_no
            from fields
            where name = 'response'
                and contains(lower(text), lower($words))
        )
    )
    and {run_is_counted("r")}
"""  # noqa: S608 - put together from constants
