"""Query prompt versions, their agreement with the raters and the most disputed items."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import pandas as pd

from data.items.current_sql import LAST_READABLE
from data.items.narrowing_sql import run_is_counted
from data.store.store import Store
from data.triage.queue import load_queue
from faithfulness.judging.prompt_history import PromptVersion, VersionAgreement
from faithfulness.model.prompt import Carrier, Prompt
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.statistics.tables import count_pairs

_STANDING = """
standing as (
    select run_no, run_id
    from runs
    where protocol = $protocol
        and run_no not in (select run_no from run_removals)
)"""

_COUNTED = f"""
counted_runs as (
    select run_no
    from runs
    where run_no in (select run_no from standing)
        and {run_is_counted()}
)"""  # noqa: S608 - put together from constants

_MAJORITY = f"""
rated as (
    select a.item_no, a.unit_no, a.value
    from annotations a
    join authors w on w.author_no = a.author_no
    where w.kind = 'rater'
        and a.criterion = $criterion
        and a.item_no in (select item_no from asked_items)
        and a.run_no in (select run_no from standing)
        {LAST_READABLE}
),
votes as (
    select item_no, unit_no, value, count(*) as votes
    from rated
    group by item_no, unit_no, value
),
majority as (
    select
        item_no, unit_no,
        case when 2 * max(votes) > sum(votes) then arg_max(value, votes) end as value
    from votes
    group by item_no, unit_no
)"""  # noqa: S608 - put together from constants

# A version that judges were told in runs alone that do not count is none of this store's.
VERSIONS = f"""
with {_STANDING},
{_COUNTED},
used as (
    select
        r.fingerprint,
        count(*)::integer as replies,
        count(distinct r.item_no)::integer as items,
        list(distinct w.name order by w.name) as judges,
        min(r.replied_at) as first_used_at,
        max(r.replied_at) as last_used_at
    from replies r
    join authors w on w.author_no = r.author_no
    where r.run_no in (select run_no from counted_runs)
        and not list_contains($but::varchar[], w.kind || ':' || lower(w.name))
    group by r.fingerprint
)
select
    p.fingerprint, p.version, p.system_text, p.template, p.carrier, p.slots,
    u.first_used_at,
    u.last_used_at,
    coalesce(u.judges, []) as judges,
    coalesce(u.items, 0) as items,
    coalesce(u.replies, 0) as replies
from prompts p
left join used u on u.fingerprint = p.fingerprint
where p.protocol = $protocol
    and (
        u.fingerprint is not null
        or p.fingerprint not in (
            select fingerprint
            from replies
            where run_no in (select run_no from standing)
                and run_no not in (select run_no from counted_runs)
        )
    )
qualify row_number() over (partition by p.fingerprint order by p.first_used_at) = 1
order by p.first_used_at, p.fingerprint
"""  # noqa: S608 - put together from constants

NOTES = """
select fingerprint, based_on, note, made_by, made_at
from prompt_notes
qualify row_number() over (partition by fingerprint order by made_at) = 1
"""

# Also what a later answer superseded: a version is judged by what it was answered with. Of its
# answers the last in each run counts, and of these the last readable one.
AGREEMENT = f"""
with {_STANDING},
{_COUNTED},
told as (
    select r.reply_id, r.fingerprint
    from replies r
    join authors w on w.author_no = r.author_no
    where r.fingerprint <> ''
        and r.run_no in (select run_no from counted_runs)
        and not list_contains($but::varchar[], w.kind || ':' || lower(w.name))
),
said_in_runs as (
    select
        t.fingerprint, a.annotation_no, a.author_no, a.item_no, a.unit_no, a.value,
        a.problem <> '' as is_problem, a.signed_at
    from annotations a
    join told t on t.reply_id = a.reply_id
    where a.criterion = $criterion
        and a.run_no in (select run_no from counted_runs)
    qualify row_number() over (
        partition by t.fingerprint, a.author_no, a.unit_no, a.run_no
        order by a.annotation_no desc
    ) = 1
),
said as (
    select *
    from said_in_runs
    qualify row_number() over (
        partition by fingerprint, author_no, unit_no
        order by value is null, annotation_no desc
    ) = 1
),
asked_items as (
    select distinct item_no
    from said
),
{_MAJORITY}
select
    s.fingerprint, w.name as judge, s.item_no,
    m.value as reference,
    s.value as said,
    s.value is null and s.is_problem as is_unread,
    m.unit_no is not null and m.value is null as is_tied,
    count(*)::integer as units,
    min(s.signed_at) as first_at,
    max(s.signed_at) as last_at
from said s
join authors w on w.author_no = s.author_no
left join majority m on m.unit_no = s.unit_no
group by all
"""  # noqa: S608 - put together from constants

_ASKED_ITEMS = """
asked_items as (
    select item_no, item_id
    from items
    where list_contains($items::varchar[], item_id)
)"""

MAJORITY = f"""
with {_STANDING},
{_ASKED_ITEMS},
{_MAJORITY}
select i.item_id, u.unit_id, m.value
from majority m
join asked_items i on i.item_no = m.item_no
join units u on u.unit_no = m.unit_no
where m.value is not null
"""  # noqa: S608 - put together from constants

LABELS = f"""
with {_STANDING},
{_ASKED_ITEMS},
latest as (
    select a.item_no, a.unit_no, a.author_no, a.value
    from annotations a
    where a.criterion = $criterion
        and a.item_no in (select item_no from asked_items)
        and a.run_no in (select run_no from standing)
        {LAST_READABLE}
)
select w.name as judge, i.item_id, u.unit_id, l.value
from latest l
join authors w on w.author_no = l.author_no and w.kind = 'judge'
join asked_items i on i.item_no = l.item_no
join units u on u.unit_no = l.unit_no
order by judge
"""  # noqa: S608 - put together from constants

# Items of a few disagreements, in the runs where a decision about them would go.
PLACES = """
select d.item_no, i.item_id, r.run_id, n.external_id
from (select unnest($item_nos::integer[]) as item_no, unnest($run_nos::integer[]) as run_no) d
join items i on i.item_no = d.item_no
join runs r on r.run_no = d.run_no
join run_items n on n.run_no = d.run_no and n.item_no = d.item_no
"""


SECONDS = 30.0
DISPUTED = 20  # items; from so many on a difference has an interval
_PAGES = 40  # of disagreements that are looked through for them

Labels = dict[tuple[str, str], str]  # by item and unit


class Disputed(NamedTuple):
    """An item that people and judges differ about, in the run where it is asked about."""

    run_id: str
    item_id: str
    external_id: str


def load_versions(
    store: Store, protocol: Protocol, runs: Sequence[str] = ()
) -> tuple[PromptVersion, ...]:
    """The version that comes with the protocol, then all that were used, by first use.

    `runs` are those that somebody looks at: of the sample only these count beside others.
    """
    facts = {"protocol": protocol.key, "but": _list_excluded_judges(), "runs": list(runs)}
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(VERSIONS, facts).df().to_dict("records")
        notes = cursor.execute(NOTES).df().to_dict("records")
    made = {str(each["fingerprint"]): each for each in notes}
    shipped = protocol.prompt
    used = [_build_version(each, made.get(str(each["fingerprint"]), {}), shipped) for each in rows]
    if any(each.is_shipped for each in used):
        return tuple(sorted(used, key=lambda each: not each.is_shipped))
    return (PromptVersion(prompt=shipped, is_shipped=True), *used)


def load_version_agreement(
    store: Store, protocol: Protocol, criterion: Criterion, runs: Sequence[str] = ()
) -> list[VersionAgreement]:
    """How far each judge told each version agrees with the raters, by first use.

    `runs` as for `load_versions`.
    """
    facts = {"protocol": protocol.key, "criterion": criterion.key, "but": _list_excluded_judges()}
    facts |= {"runs": list(runs)}
    with store.read(seconds=SECONDS) as cursor:
        rows = cursor.execute(AGREEMENT, facts).df()
    found = [
        _build_agreement(str(fingerprint), str(judge), part, criterion)
        for (fingerprint, judge), part in rows.groupby(["fingerprint", "judge"], sort=True)
    ]
    return sorted(found, key=lambda each: each.first_at)


def load_majority_labels(
    store: Store, protocol: str, criterion: str, items: Sequence[str]
) -> Labels:
    """What more than half of the raters say, by item and unit; nothing where they come to none."""
    rows = _query_labels(store, MAJORITY, protocol, criterion, items)
    return {(str(item), str(unit)): str(value) for item, unit, value in rows}


def load_judge_labels(
    store: Store, protocol: str, criterion: str, items: Sequence[str]
) -> dict[str, Labels]:
    """What stands now, by judge, item and unit."""
    found: dict[str, Labels] = {}
    for judge, item, unit, value in _query_labels(store, LABELS, protocol, criterion, items):
        found.setdefault(str(judge), {})[str(item), str(unit)] = str(value)
    return found


def load_most_disputed(
    store: Store,
    protocol: str,
    criterion: str,
    limit: int = DISPUTED,
    *,
    runs: Sequence[str] = (),
) -> list[Disputed]:
    """Items of the worst disagreements, decided or not, on which the raters have a majority.

    Those of `runs`; without any, of all that count.
    """
    chosen: dict[str, Disputed] = {}
    seen: set[int] = set()
    selection = Selection(protocol=protocol, criterion=criterion, runs=tuple(runs))
    page, pages = 1, 1
    while page <= min(pages, _PAGES) and len(chosen) < limit:
        found = load_queue(store, selection, decided="all", page=page)
        pages = found.pages
        first = found.rows.drop_duplicates("item_no")
        new = first[~first["item_no"].isin(seen)]
        seen.update(new["item_no"].tolist())
        for each in _keep_rated(store, new, protocol, criterion):
            chosen.setdefault(each.item_id, each)
        page += 1
    return list(chosen.values())[:limit]


def _keep_rated(store: Store, rows: pd.DataFrame, protocol: str, criterion: str) -> list[Disputed]:
    numbers = [int(each) for each in rows["item_no"]]
    facts = {"item_nos": numbers, "run_nos": [int(each) for each in rows["run_no"]]}
    with store.read(seconds=SECONDS) as cursor:
        found = cursor.execute(PLACES, facts).fetchall()
    by_number = {
        int(number): Disputed(str(run), str(item), str(external))
        for number, item, run, external in found
    }
    items = [each.item_id for each in by_number.values()]
    rated = {item for item, _ in load_majority_labels(store, protocol, criterion, items)}
    here = (by_number[number] for number in numbers if number in by_number)
    return [each for each in here if each.item_id in rated]


def _query_labels(
    store: Store, asked: str, protocol: str, criterion: str, items: Sequence[str]
) -> list[tuple[Any, ...]]:
    facts = {"protocol": protocol, "criterion": criterion, "items": list(items)}
    with store.read(seconds=SECONDS) as cursor:
        return cursor.execute(asked, facts).fetchall()


def _list_excluded_judges() -> list[str]:
    return [f"{BASELINE.kind.value}:{BASELINE.name}"]


def _build_version(
    row: Mapping[Any, Any], made: Mapping[Any, Any], shipped: Prompt
) -> PromptVersion:
    prompt = Prompt(
        version=str(row["version"]),
        system=str(row["system_text"]),
        template=str(row["template"]),
        carrier=Carrier(str(row["carrier"])),
        slots=tuple(str(each) for each in row["slots"]),
    )
    return PromptVersion(
        prompt=prompt,
        is_shipped=prompt.fingerprint == shipped.fingerprint,
        based_on=str(made.get("based_on", "")),
        note=str(made.get("note", "")),
        made_by=str(made.get("made_by", "")),
        first_used_at=_parse_moment(row["first_used_at"]),
        last_used_at=_parse_moment(row["last_used_at"]),
        judges=tuple(str(each) for each in row["judges"]),
        items=int(row["items"]),
        replies=int(row["replies"]),
    )


def _parse_moment(said: Any) -> datetime | None:
    return None if pd.isna(said) else pd.Timestamp(said).to_pydatetime()


def _build_agreement(
    fingerprint: str, judge: str, rows: pd.DataFrame, criterion: Criterion
) -> VersionAgreement:
    places = {value: at for at, value in enumerate(criterion.scale.values)}
    said, reference = rows["said"].map(places), rows["reference"].map(places)
    both = rows[said.notna() & reference.notna()]
    units = rows["units"]
    return VersionAgreement(
        fingerprint=fingerprint,
        judge=judge,
        first_at=rows["first_at"].min().to_pydatetime(),
        last_at=rows["last_at"].max().to_pydatetime(),
        tables=count_pairs(
            criterion.scale.values,
            criterion.scale.ordinal,
            items=both["item_no"],
            reference=reference[both.index].astype(int),
            judge=said[both.index].astype(int),
            counts=both["units"],
        ),
        labelled=int(units[said.notna()].sum()),
        unrated=int(units[said.notna() & reference.isna() & ~rows["is_tied"]].sum()),
        tied=int(units[said.notna() & rows["is_tied"]].sum()),
        unread=int(units[rows["is_unread"]].sum()),
    )
