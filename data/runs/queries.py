"""Queries for runs, items and labels that return DataFrames; function docstrings list the columns.

Removed runs are excluded from all results, and superseded annotations are not counted.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from data.items.addressed_items import left_out
from data.items.counted_runs import runs_share_items
from data.items.current_sql import DECIDED_FOR_OTHER_RUNS, DECISIONS_IN_RUNS, GONE, WITH_DECISIONS
from data.store.cache.item_filter_sql import between, narrowed
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.visible import escape_brief
from faithfulness.statistics.intervals import compute_mean_interval

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


def build_run_items_sql(facts: Mapping[str, Any], *, with_decisions: bool) -> str:
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


RUNS = f"""
with stays as (
    select *
    from runs
    where run_no not in (select run_no from run_removals)
),
signed as (
    select
        run_no,
        author_no,
        count(value) as answers,
        count(*) filter (where value is null and problem <> '') as unread
    from annotations
    where annotation_no not in (
        {GONE}
    )
    group by run_no, author_no
),
said as (
    select
        g.run_no,
        sum(g.answers) filter (w.kind <> 'adjudicator') as answers,
        sum(g.answers) filter (w.kind = 'adjudicator') as decisions,
        sum(g.unread) as unread
    from signed g
    join authors w on w.author_no = g.author_no
    group by g.run_no
),
met as (
    select run_no, list(title order by began_at) as meetings
    from (
        select distinct p.run_no, m.meeting_id, m.title, m.began_at
        from meeting_points p
        join meetings m on m.meeting_id = p.meeting_id
    )
    group by run_no
),
named as (
    select
        n.run_no,
        count(*) filter (where w.kind = 'rater') as raters,
        count(*) filter (where w.kind = 'judge') as judges
    from (
        select run_no, author_no from signed
        union
        select run_no, author_no from summaries
    ) n
    join authors w on w.author_no = n.author_no
    group by n.run_no
),
listed as (
    select run_no, count(*) as items
    from run_items
    group by run_no
),
answered as (
    select run_no, count(*) as units
    from (select run_no, unit_no from annotations group by run_no, unit_no)
    group by run_no
)
select
    r.run_id,
    r.name,
    r.protocol,
    r.system,
    r.imported_at,
    r.is_sample,
    coalesce(l.items, 0)::bigint as items,
    coalesce(u.units, 0)::bigint as units,
    coalesce(s.answers, 0)::bigint as answers,
    coalesce(s.decisions, 0)::bigint as decisions,
    coalesce(s.unread, 0)::bigint as unread,
    coalesce(n.raters, 0)::bigint as raters,
    coalesce(n.judges, 0)::bigint as judges,
    coalesce(t.meetings, []) as meetings
from stays r
left join listed l on l.run_no = r.run_no
left join answered u on u.run_no = r.run_no
left join said s on s.run_no = r.run_no
left join named n on n.run_no = r.run_no
left join met t on t.run_no = r.run_no
order by r.run_no desc
"""  # noqa: S608 - put together from constants

# arg_max_null and not arg_max: a later summary without a value counts too.
HEADLINES = """
with stays as (
    select run_no, run_id
    from runs
    where run_no not in (select run_no from run_removals)
        and ($run_id is null or run_id = $run_id)
),
latest as (
    select
        run_no, item_no, author_no, name, given,
        arg_max_null(value, summary_no) as value
    from summaries
    where run_no in (select run_no from stays)
        and item_no not in (select unnest($left_out::integer[]))
    group by run_no, item_no, author_no, name, given
),
groups as (
    select author_no, kind, case when kind = 'judge' then author_no else 0 end as judge_no
    from authors
),
by_item as (
    select
        l.run_no, l.item_no, g.kind, g.judge_no, l.name, l.given,
        avg(l.value) as value
    from latest l
    join groups g on g.author_no = l.author_no
    group by l.run_no, l.item_no, g.kind, g.judge_no, l.name, l.given
),
histogram as (
    select run_no, kind, judge_no, name, given, value, count(*) as items
    from by_item
    group by run_no, kind, judge_no, name, given, value
),
behind as (
    select
        l.run_no, g.kind, g.judge_no, l.name, l.given,
        count(distinct l.author_no) as authors
    from latest l
    join groups g on g.author_no = l.author_no
    group by l.run_no, g.kind, g.judge_no, l.name, l.given
),
listed as (
    select run_no, count(*) as run_items
    from run_items
    group by run_no
)
select
    r.run_id,
    h.kind as author_kind,
    coalesce(w.name, '') as author,
    b.authors,
    h.name,
    h.given,
    coalesce(list(h.value) filter (where h.value is not null), []) as item_values,
    coalesce(list(h.items) filter (where h.value is not null), []) as item_counts,
    any_value(l.run_items) as run_items
from histogram h
join stays r on r.run_no = h.run_no
join behind b
    on b.run_no = h.run_no
    and b.kind = h.kind
    and b.judge_no = h.judge_no
    and b.name = h.name
    and b.given = h.given
join listed l on l.run_no = h.run_no
left join authors w on w.author_no = h.judge_no
group by r.run_no, r.run_id, h.kind, w.name, b.authors, h.name, h.given
order by r.run_no desc, h.kind desc, author, h.given, h.name
"""

AUTHORS = f"""
with signed as (
    select a.*
    from annotations a
    where a.run_no in (
            select run_no
            from runs
            where run_id = $run_id
                and run_no not in (select run_no from run_removals)
        )
        and a.annotation_no not in (
            {GONE}
        )
)
select
    w.kind as author_kind,
    w.name as author,
    count(distinct a.item_no) as items,
    count(a.value) as answers,
    count(*) filter (where a.value is null and a.problem <> '') as unread,
    count(*) filter (where a.value is null and a.problem = '') as not_judged
from signed a
join authors w on w.author_no = a.author_no
group by w.kind, w.name
order by w.kind desc, w.name
"""  # noqa: S608 - put together from constants

# A sentence the author merged from several of ours is one piece on several units, hence distinct.
LABEL_COUNTS = f"""
with signed as (
    select
        w.kind as author_kind, w.name as author, a.item_no, a.criterion, a.value, a.problem,
        a.pieces
    from annotations a
    join authors w on w.author_no = a.author_no
    where a.run_no in (
            select run_no
            from runs
            where run_id = $run_id
                and run_no not in (select run_no from run_removals)
        )
        and a.annotation_no not in (
            {GONE}
        )
        and ($criterion is null or a.criterion = $criterion)
        and (
            len($authors::varchar[]) = 0
            or list_contains($authors::varchar[], w.kind || ':' || w.name)
        )
),
counted as (
    select
        author_kind, author, criterion, value,
        case when value is not null then 'label' when problem <> '' then 'unread'
            else 'not judged' end as state,
        count(*) as units,
        count(*) filter (where len(pieces) = 0) as pieces
    from signed
    group by 1, 2, 3, 4, 5
),
cut as (
    select distinct author_kind, author, item_no, criterion, unnest(pieces) as piece
    from signed
    where len(pieces) > 0
),
cut_counted as (
    select
        author_kind, author, criterion, piece.value as value,
        case when piece.value is null then 'unread' else 'label' end as state,
        0 as units,
        count(*) as pieces
    from cut
    group by 1, 2, 3, 4, 5
)
select
    author_kind, author, criterion, state, value,
    sum(units)::bigint as units,
    sum(pieces)::bigint as pieces
from (select * from counted union all by name select * from cut_counted)
group by author_kind, author, criterion, state, value
order by author_kind desc, author, criterion, state, value
"""  # noqa: S608 - put together from constants


def with_decisions(question: str) -> str:
    """A question above, where a decision counts in every run of its protocol with the item."""
    return (
        question.replace("from annotations a\n", f"from {WITH_DECISIONS}\n")
        .replace(
            "from annotations\n    where annotation_no",
            f"from {WITH_DECISIONS}\n    where annotation_no",
        )
        .replace("with ", f"with {narrowed(DECISIONS_IN_RUNS, None)},\n", 1)
    )


PAGE = 50
LONGEST_PAGE = 500
SEARCH_SECONDS = 5.0
COUNT_SECONDS = 30.0  # counting a store of ten million labels on a busy machine takes some

_HEADLINE_COLUMNS = [
    *("run_id", "author_kind", "author", "authors", "name", "given"),
    *("value", "low", "high", "counted", "left_out"),
]


def runs(store: Store) -> pd.DataFrame:
    """Every run, the newest first.

    Columns:
        run_id, name, protocol, system, imported_at (UTC), is_sample.
        items: items of the run.
        units: units with at least one annotation in the run.
        answers: annotations with a value by raters and judges, each author's last.
        decisions: those by adjudicators that count in the run, whichever they were made in.
        unread: annotations without a value that state a problem.
        raters, judges: how many of each signed, or have a number, in the run.
        meetings: titles of the meetings with a point in the run, the first one first.
    """
    return remembered(store, "runs", _query_runs).copy()


def _resolve_question(store: Store, question: str) -> str:
    """A question about what counts in runs, which differ where two of them share an item."""
    return with_decisions(question) if runs_share_items(store) else question


def _query_runs(store: Store) -> pd.DataFrame:
    with store.read(seconds=COUNT_SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(_resolve_question(store, RUNS)).df()
    found["meetings"] = found["meetings"].map(list)
    return found


def load_headlines(
    store: Store, run_id: str | None = None, selection: Selection | None = None
) -> pd.DataFrame:
    """Each run's number by author group: every judge alone, all raters together.

    An item's number under the raters is the mean over the raters who have one. A run's number is
    the mean over the items that have one. Of the selection only counts whether items that speak to
    their judge are left out.

    Columns:
        run_id.
        author_kind: rater, judge or adjudicator.
        author: the judge's name; empty for raters and adjudicators, who are pooled.
        authors: how many authors stand behind the row.
        name: what the number is called, such as "F1"; given: it came with the file as it is.
        value, low, high: the mean and its 95 % interval over items; missing where undefined, and
            the interval also below 20 items.
        counted: items with a number; left_out: the run's other items.
    """
    items = left_out(store, selection or Selection()).tolist()
    if run_id is None and not items:
        return remembered(
            store, "headlines", lambda asked: _query_headlines(asked, None, [])
        ).copy()
    return _query_headlines(store, run_id, items)


def _query_headlines(store: Store, run_id: str | None, items: list[int]) -> pd.DataFrame:
    facts = {"run_id": run_id, "left_out": items}
    with store.read(seconds=COUNT_SECONDS) as cursor:
        groups = cursor.execute(HEADLINES, facts).fetchall()
    rows = []
    for *group, values, counts, of in groups:
        found = compute_mean_interval(values, counts)
        numbers = (found.value, found.low, found.high, found.counted, of - found.counted)
        rows.append((*group, *numbers))
    frame = pd.DataFrame(rows, columns=_HEADLINE_COLUMNS)
    # One number a group: the protocol's own before one that came with the file.
    frame = frame.drop_duplicates(["run_id", "author_kind", "author"]).reset_index(drop=True)
    return frame.astype({"value": "float64", "low": "float64", "high": "float64"})


def find_matching_runs(store: Store, selection: Selection) -> set[str]:
    """The runs with at least one item that the selection leaves; words are not looked for."""
    question = RUNS_WITH[runs_share_items(store)]
    found = _query_frame(store, question, **build_parameters(selection), run_id=None)
    return set(found["run_id"])


def load_authors(store: Store, run_id: str) -> pd.DataFrame:
    """Who signed in one run, raters first.

    Columns:
        author_kind, author.
        items, answers, unread: as in `runs`, of this author; not_judged: answered without a value
            and without a problem, where the protocol allows it.
    """
    return _query_frame(store, _resolve_question(store, AUTHORS), run_id=run_id)


def load_label_counts(
    store: Store, run_id: str, selection: Selection | None = None
) -> pd.DataFrame:
    """How often each author of a run gave each label; narrowed by authors and criterion.

    Columns:
        author_kind, author, criterion.
        state: label, unread or not judged; value: the label, missing in the other two states.
        units: units it was given to. pieces: pieces of the author's own cut it was given to; the
            same as units where the author's cut is ours.
    """
    question = _resolve_question(store, LABEL_COUNTS)
    return _query_frame(store, question, **build_parameters(selection), run_id=run_id)


def run_items(
    store: Store,
    run_id: str,
    selection: Selection | None = None,
    *,
    after: int = -1,
    limit: int = PAGE,
) -> pd.DataFrame:
    """One page of a run's items in the file's order: those behind position `after`.

    The selection narrows by words (in any text of the item, in any case), labels (given by a
    kind of author), criterion, authors, placements, slices, protocol, system and unread answers.

    Columns:
        position: hand the last one over as `after` for the next page.
        item_id, external_id (the file's own id).
        query, response: their first words.
        answers, unread: annotations on the item in this run.
        "rater NAME", "judge NAME": one column for each author with a number on this page, the
            item's headline number by that author; missing where undefined.

    Raises:
        StoreUnavailable: the search took longer than five seconds.
    """
    limit = min(max(limit, 1), LONGEST_PAGE)
    with store.read(seconds=SEARCH_SECONDS) as cursor:
        chosen = find_chosen_items(cursor, run_id, selection, after=after, limit=limit)
    page = _query_frame(store, ITEM_PAGE, run_id=run_id, **between(chosen))
    headline = _query_frame(store, ITEM_HEADLINES, run_id=run_id, **between(chosen))
    page = page.set_index("item_no")
    numbers = {
        f"{kind} {name}": group.drop_duplicates("item_no").set_index("item_no")["value"]
        for (kind, name), group in headline.groupby(["author_kind", "author"], sort=False)
    }
    # All at once: a hundred authors are a hundred columns.
    page = page.join(pd.DataFrame(numbers, index=page.index))
    return page.reset_index(drop=True)


def count_run_items(store: Store, run_id: str, selection: Selection | None = None) -> int:
    """How many items of a run the selection leaves."""
    with store.read(seconds=SEARCH_SECONDS) as cursor:
        return len(find_chosen_items(cursor, run_id, selection))


def load_item_runs(store: Store, item_id: str) -> pd.DataFrame:
    """The runs in which an item stands, the newest first.

    Columns:
        run_id, name, protocol, system, is_sample, position, external_id.
        further_ids: the ids of more records of the file that have the item's texts.
        attributes: what the file says about the item beside its texts, a dict of texts.
    """
    found = _query_frame(store, ITEM_RUNS, item_id=item_id)
    found["attributes"] = found["attributes"].map(dict)
    return found


def load_run_name(store: Store, run_id: str) -> str:
    """The name people gave a run.

    Raises:
        ReviewError: there is no such run, or it was removed.
    """
    found = _query_frame(store, RUN_NAME, run_id=run_id)
    if found.empty:
        raise ReviewError(f"{explain_missing_run(store, run_id)} Open the list of runs.")
    return str(found["name"].iloc[0])


def explain_missing_run(store: Store, run_id: str) -> str:
    """Why a run is in no list: by whom and when it was removed, or that there is none."""
    for run in _query_frame(store, REMOVAL, run_id=run_id).itertuples():
        day, by = f"{run.removed_at:%Y-%m-%d}", escape_brief(str(run.removed_by))
        return f"The run “{escape_brief(str(run.name))}” was removed on {day} by {by}."
    return f"The store has no run {run_id}."


def find_chosen_items(
    cursor: Cursor,
    run_id: str,
    selection: Selection | None,
    *,
    after: int = -1,
    limit: int | None = None,
) -> list[int]:
    """The numbers of a run's items that the selection leaves, in the run's order."""
    facts = build_parameters(selection) | {"run_id": run_id, "after": after, "limit": limit}
    question = build_run_items_sql(facts, with_decisions=_decides_elsewhere(cursor, facts))
    rows = cursor.execute(question, _filter_parameters(question, facts)).fetchall()
    return [int(number) for (number,) in rows]


def _decides_elsewhere(cursor: Cursor, facts: Mapping[str, Any]) -> bool:
    """Whether a decision that may be narrowed by counts in other runs than its own."""
    asked = narrowed(DECIDED_FOR_OTHER_RUNS, None)
    return bool(facts["narrowed"] and cursor.execute(asked).fetchall())


def _query_frame(
    store: Store, question: str, seconds: float = COUNT_SECONDS, /, **facts: Any
) -> pd.DataFrame:
    with store.read(seconds=seconds) as cursor:
        found: pd.DataFrame = cursor.execute(
            question, _filter_parameters(question, facts) or None
        ).df()
    return found


def _filter_parameters(question: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The engine refuses parameters that a statement does not name."""
    return {name: value for name, value in facts.items() if f"${name}" in question}


def build_parameters(selection: Selection | None) -> dict[str, Any]:
    """The parameters that narrowed questions share; an empty one does not narrow."""
    chosen = selection or Selection()
    by_label = (chosen.criterion, chosen.labels, chosen.unread, chosen.authors, chosen.placements)
    return {
        "narrowed": any(by_label),
        "criterion": chosen.criterion or None,
        "labels": list(chosen.labels),
        "unread": chosen.unread,
        "words": chosen.words or None,
        "item_id": chosen.item or None,
        "authors": [f"{each.kind.value}:{each.name}" for each in chosen.authors],
        "by": chosen.by if chosen.by and chosen.labels else None,
        "placements": list(chosen.placements),
        "protocol": chosen.protocol or None,
        "systems": list(chosen.systems),
        "slices": [f"{key}\x1f{value}" for key, value in chosen.slices],
        "slice_keys": len({key for key, _ in chosen.slices}),
    }
