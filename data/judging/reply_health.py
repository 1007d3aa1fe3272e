"""Count judge replies by parsing outcome, and list replies with format problems."""

from typing import NamedTuple

import pandas as pd

from data.store.store import Store
from faithfulness.judging.reply_states import classify_reply

SECONDS = 30.0
PAGE = 10
COLUMNS = ["run_id", "run", "protocol", "judge", "outcome", "states", "replies"]

# A reply counts while an answer of its question does, or while nobody took an answer from it. Where
# samples were kept each has its own answers; otherwise they are the annotations. Only annotations
# know whether an answer was about other words than the unit's, and whether the samples were tied:
# that is told with the reply to which the annotation belongs.
_READ = """
with stays as (
    select run_no, run_id, name, protocol
    from runs
    where run_no not in (select run_no from run_removals)
        and list_contains($runs::varchar[], run_id)
),
told as (
    select
        r.reply_id, r.run_no, r.item_no, r.author_no, r.notes, lower(r.finish_reason) as ended,
        coalesce(f.group_id, r.reply_id) as question
    from replies r
    left join reply_facts f on f.reply_id = r.reply_id
    where r.run_no in (select run_no from stays)
),
signed as (
    select
        reply_id, value, problem, len(pieces) > 0 as altered,
        annotation_no not in (
            select supersedes from annotations where supersedes is not null
        ) as is_current
    from annotations
    where run_no in (select run_no from stays)
        and reply_id is not null
),
questions as (
    select t.question, bool_or(s.is_current) as is_current
    from told t
    join signed s on s.reply_id = t.reply_id
    group by t.question
),
sampled as (
    select reply_id, value, problem
    from sample_answers
    where reply_id in (select reply_id from told)
),
answers as (
    select
        reply_id, value, problem,
        reply_id in (select reply_id from signed where is_current and altered) as altered
    from sampled
    union all
    select reply_id, value, problem, altered
    from signed
    where is_current
        and reply_id not in (select reply_id from sampled)
),
ties as (
    select reply_id, list(distinct problem) as problems
    from signed
    where is_current
        and value is null
        and (starts_with(problem, 'samples tied') or problem like 'the % samples do not agree%')
    group by reply_id
),
by_reply as (
    select
        reply_id,
        list_sort(
            list(distinct problem) filter (where value is null and problem <> '')
        ) as problems,
        count(*) filter (where value is null and problem <> '') as unread,
        count(*) as answers,
        bool_or(altered) as altered
    from answers
    group by reply_id
),
read as (
    select
        t.run_no, t.item_no, t.author_no, t.reply_id, t.notes, t.ended,
        list_sort(list_distinct(list_concat(
            coalesce(b.problems, []::varchar[]), coalesce(x.problems, []::varchar[])
        ))) as problems,
        coalesce(b.altered, false) as altered,
        case when b.unread = 0 then 'read' when b.unread < b.answers then 'partly' else 'unread'
            end as outcome
    from told t
    left join questions q on q.question = t.question
    left join by_reply b on b.reply_id = t.reply_id
    left join ties x on x.reply_id = t.reply_id
    where coalesce(q.is_current, true)
)
"""

HEALTH = "".join(
    (
        _READ,
        """
select
    s.run_id, s.name as run, s.protocol, w.name as judge, r.outcome, r.problems, r.notes,
    r.ended, r.altered, count(*) as replies
from read r
join stays s on s.run_no = r.run_no
join authors w on w.author_no = r.author_no
group by
    s.run_no, s.run_id, s.name, s.protocol, w.name, r.outcome, r.problems, r.notes, r.ended,
    r.altered
order by s.run_no desc, w.name
""",
    )
)

FLAWED = "".join(
    (
        _READ,
        """
select
    s.run_id, i.item_id, ri.external_id, w.name as judge, r.outcome, r.problems, r.notes, r.ended,
    r.altered, r.reply_id
from read r
join stays s on s.run_no = r.run_no
join authors w on w.author_no = r.author_no and w.name = $judge
join items i on i.item_no = r.item_no
join run_items ri on ri.run_no = r.run_no and ri.item_no = r.item_no
where r.outcome <> 'read'
    or r.altered
    or len(r.problems) > 0
    or len(r.notes) > 0
    or r.ended not in ('', 'stop')
order by ri.position, r.reply_id
""",
    )
)

_TEXTS = """
select reply_id, text, model
from replies
where list_contains($ids::varchar[], reply_id)
"""


class Flawed(NamedTuple):
    """A page of replies that did not keep to the form, with their words as they came.

    `replies` has run_id, item_id, external_id, outcome (read, partly, unread), problems, states,
    text and model.
    """

    replies: pd.DataFrame
    total: int


def load_reply_health(store: Store, run_ids: list[str]) -> pd.DataFrame:
    """How many replies of each judge could be read, and what was wrong with the others.

    Columns:
        run_id, run (its name), protocol, judge.
        outcome: read, partly (some answers unread) or unread.
        states: names of `reply_states.ReplyState`, none where nothing was wrong.
        replies: how many.
    """
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(HEALTH, {"runs": run_ids}).df()
    return _add_states(found)[COLUMNS]


def load_flawed_replies(
    store: Store, run_id: str, judge: str, *, state: str = "", page: int = 1
) -> Flawed:
    """The replies of one judge in one run with this state, or with any."""
    with store.read(seconds=SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(FLAWED, {"runs": [run_id], "judge": judge}).df()
        found = _add_states(found)
        if len(found):
            found = found[[state in each if state else bool(each) for each in found["states"]]]
        start = (max(page, 1) - 1) * PAGE
        shown = found.iloc[start : start + PAGE]
        texts: pd.DataFrame = cursor.execute(_TEXTS, {"ids": shown["reply_id"].tolist()}).df()
    return Flawed(shown.merge(texts, on="reply_id", how="left"), len(found))


def _add_states(found: pd.DataFrame) -> pd.DataFrame:
    columns = (found[name] for name in ("problems", "notes", "ended", "altered"))
    states = [
        tuple(classify_reply(problems, notes, finish_reason=ended, altered=bool(altered)))
        for problems, notes, ended, altered in zip(*columns, strict=True)
    ]
    return found.assign(states=pd.Series(states, index=found.index, dtype=object))
