"""The SQL behind the questions about single items of `data.runs.queries`."""

from collections.abc import Mapping
from typing import Any

from data.items.current_sql import DECISIONS_IN_RUNS, GONE, WITH_DECISIONS
from data.store.cache.item_filter_sql import narrowed

_CHOSEN = """
with chosen as (
    select run_no, run_id
    from runs
    where ($run_id is null or run_id = $run_id)
        and ($protocol is null or protocol = $protocol)
        and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
        and run_no not in (select run_no from run_removals)
)"""

_LABELLED = f""",
labelled as (
    select a.run_no, a.item_no
    from annotations a
    join authors w on w.author_no = a.author_no
    where a.run_no in (select run_no from chosen)
        and $narrowed
        and ($criterion is null or a.criterion = $criterion)
        and (
            len($authors::varchar[]) = 0
            or list_contains($authors::varchar[], w.kind || ':' || w.name)
        )
        and ($by is null or w.kind = $by)
        and (
            (len($labels::varchar[]) = 0 and not $unread)
            or list_contains($labels::varchar[], a.value)
            or ($unread and a.value is null and a.problem <> '')
        )
        and (
            len($placements::varchar[]) = 0
            or a.annotation_no in (
                select annotation_no
                from excerpts
                where list_contains($placements::varchar[], tier)
            )
            or (
                list_contains($placements::varchar[], 'none')
                and a.value is not null
                and a.annotation_no not in (select annotation_no from excerpts)
            )
        )
        and a.annotation_no not in (
            {GONE}
        )
)"""  # noqa: S608 - put together from constants

# The same where a decision counts in other runs than its own.
_LABELLED_WITH_DECISIONS = f",\n{narrowed(DECISIONS_IN_RUNS, None)}" + _LABELLED.replace(
    "from annotations a\n", f"from {WITH_DECISIONS}\n"
)

_SLICED = """,
sliced as (
    select run_no, item_no
    from run_items
    where run_no in (select run_no from chosen)
        and len(
            list_filter(
                map_entries(attributes),
                lambda each: list_contains($slices::varchar[], each.key || chr(31) || each.value)
            )
        ) = $slice_keys
)"""

_RUNS_WITH = "".join(
    (
        _CHOSEN,
        "LABELLED",
        _SLICED,
        """
select run_id
from chosen
where (
        not $narrowed
        or run_no in (
            select run_no
            from labelled
            where $slice_keys = 0
                or (run_no, item_no) in (select (run_no, item_no) from sliced)
        )
    )
    and ($slice_keys = 0 or run_no in (select run_no from sliced))
""",
    )
)

# By whether a decision counts in other runs than its own.
RUNS_WITH = {
    False: _RUNS_WITH.replace("LABELLED", _LABELLED),
    True: _RUNS_WITH.replace("LABELLED", _LABELLED_WITH_DECISIONS),
}

# Words are searched by the engine's own lower case on both sides, so that they fold alike. A whole
# id finds its item, also the id of a further record with the same texts.
_WORDED = """,
worded as (
    select item_no
    from fields
    where contains(lower(text), lower($words))
    union all
    select item_no
    from run_items
    where run_no in (select run_no from chosen)
        and lower(external_id) = lower(trim($words))
    union all
    select item_no
    from further_ids
    where run_no in (select run_no from chosen)
        and lower(external_id) = lower(trim($words))
)"""


def items_of_run(facts: Mapping[str, Any], *, with_decisions: bool) -> str:
    """The items of a run that are left, in its order.

    With `with_decisions` a decision counts in other runs than its own.
    Only what narrows is asked: planning all of it takes several times as long as a run's order.
    """
    labelled = _LABELLED_WITH_DECISIONS if with_decisions else _LABELLED
    parts = {
        "labelled": labelled if facts["narrowed"] else "",
        "sliced": _SLICED if facts["slice_keys"] else "",
        "worded": _WORDED if facts["words"] is not None else "",
    }
    among = [name for name, part in parts.items() if part]
    if facts["item_id"] is not None:
        among.append("items where item_id = $item_id")
    return "".join(
        (
            _CHOSEN,
            *parts.values(),
            """
select item_no
from run_items
where run_no in (select run_no from chosen)
    and position > $after
""",
            *(f"    and item_no in (select item_no from {each})\n" for each in among),  # noqa: S608
            "order by position\nlimit $limit",
        )
    )


# The range beside the list lets the engine skip blocks: neighbours in a run have close numbers.
ITEM_PAGE = f"""
with chosen as (
    select run_no
    from runs
    where run_id = $run_id
),
texts as (
    select
        item_no,
        max(left(text, 200)) filter (where name = 'query') as query,
        max(left(text, 200)) filter (where name = 'response') as response
    from fields
    where item_no between $first and $last
        and item_no in (select unnest($numbers::integer[]))
    group by item_no
),
said as (
    select
        item_no,
        count(value) filter (
            author_no not in (select author_no from authors where kind = 'adjudicator')
        ) as answers,
        count(*) filter (where value is null and problem <> '') as unread
    from annotations
    where run_no in (select run_no from chosen)
        and item_no between $first and $last
        and item_no in (select unnest($numbers::integer[]))
        and annotation_no not in (
            {GONE}
        )
    group by item_no
)
select
    r.item_no,
    r.position,
    i.item_id,
    r.external_id,
    coalesce(t.query, '') as query,
    coalesce(t.response, '') as response,
    coalesce(s.answers, 0)::bigint as answers,
    coalesce(s.unread, 0)::bigint as unread
from run_items r
join items i on i.item_no = r.item_no and i.item_no between $first and $last
left join texts t on t.item_no = r.item_no
left join said s on s.item_no = r.item_no
where r.run_no in (select run_no from chosen)
    and r.item_no between $first and $last
    and r.item_no in (select unnest($numbers::integer[]))
order by r.position
"""  # noqa: S608 - put together from constants

ITEM_HEADLINES = """
select
    s.item_no,
    w.kind as author_kind,
    w.name as author,
    arg_max_null(s.value, s.summary_no) as value
from summaries s
join authors w on w.author_no = s.author_no
where s.run_no in (select run_no from runs where run_id = $run_id)
    and s.item_no between $first and $last
    and s.item_no in (select unnest($numbers::integer[]))
group by s.item_no, w.kind, w.name, s.name, s.given
order by w.kind desc, w.name, s.item_no, s.given, s.name
"""

ITEM_RUNS = """
select
    r.run_id,
    r.name,
    r.protocol,
    r.system,
    r.is_sample,
    i.position,
    i.external_id,
    coalesce(f.ids, []) as further_ids,
    i.attributes
from run_items i
join runs r on r.run_no = i.run_no
left join (
    select run_no, list(external_id order by position) as ids
    from further_ids
    where item_no in (select item_no from items where item_id = $item_id)
    group by run_no
) f on f.run_no = i.run_no
where i.item_no in (select item_no from items where item_id = $item_id)
    and r.run_no not in (select run_no from run_removals)
order by r.run_no desc
"""

RUN_NAME = """
select name
from runs
where run_id = $run_id
    and run_no not in (select run_no from run_removals)
"""

REMOVAL = """
select r.name, max(g.removed_at) as removed_at, arg_max(g.removed_by, g.removed_at) as removed_by
from runs r
join run_removals g on g.run_no = r.run_no
where r.run_id = $run_id
group by r.name
"""
