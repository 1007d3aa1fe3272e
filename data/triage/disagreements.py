"""All disagreements of the store, cached per version, with severity and weight."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import ref

import numpy as np
import pyarrow as pa
import pyarrow.acero  # groups rows; else the first page would wait for its import
import pyarrow.compute as pc

from data.items.current_sql import LATEST_FINDINGS
from data.store.cache.incremental_cache import table_by_item
from data.store.cache.item_filter_sql import between, narrowed
from data.store.cache.loaded_cases import forget
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.checks.against import AGAINST
from faithfulness.model.protocol import Criterion
from faithfulness.model.selection_sides import BASELINE
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.disagreement import DisagreementKind, compute_weight, list_kinds, severity
from faithfulness.text.clashes import ClashKind

# One row a unit and question whose current annotations differ, or whose judge said different
# things when asked several times. How many gave each value is packed into one number, so many bits
# a value, so that a group is a few sums; `data.triage.disagreements` takes it apart. An author
# who answered in two runs with the same item counts once, with the last readable answer. With runs
# given only their raters and judges count.
_HEAD = """
with stays as (
    select
        run_no,
        protocol,
        len($runs::integer[]) = 0 or list_contains($runs::integer[], run_no) as is_counted
    from runs
    where run_no not in (select run_no from run_removals)
),
questions as (
    select
        s.run_no, s.is_counted, q.criterion, q.value, q.question, q.place,
        1::bigint << ($width::integer * q.place) as vote
    from (
        select
            unnest($protocols::varchar[]) as protocol,
            unnest($criteria::varchar[]) as criterion,
            unnest($values::varchar[]) as value,
            unnest($questions::integer[]) as question,
            unnest($places::integer[]) as place
    ) q
    join stays s on s.protocol = q.protocol
),
people as (
    select
        author_no,
        kind = 'judge' as is_judge,
        (kind = 'rater')::integer as raters,
        (kind = 'judge')::integer as judges,
        kind = 'adjudicator' as settles
    from authors
    where not list_contains($but::varchar[], kind || ':' || lower(name))
),
marked as (
    select annotation_no, max(absent) as absent, bit_or(clash) as clashes
    from (
        select a.annotation_no, 1 as absent, 0 as clash
        from excerpts a
        where a.tier = 'absent' and ITEMS
        union all
        select
            annotation_no,
            0,
            case
                when check_name = 'quote' then 32
                when check_name = 'clash'
                    then coalesce(1 << list_position($clash_kinds::varchar[], kind), 0)
                else 0
            end::integer
        from findings a
        where ITEMS
    )
    group by annotation_no
),
-- What checks found against a unit; an item that was read again by later checks counts by those.
found as (
    select
        a.unit_no,
        bit_or(
            coalesce(
                (1 << list_position($found_kinds::varchar[], a.check_name || ':' || a.kind)) >> 1, 0
            )::integer
        ) as found
    from unit_findings a
    where ITEMS
        and LATEST_FINDINGS
    group by a.unit_no
),
superseded as (select supersedes from annotations where supersedes is not null),
""".replace("LATEST_FINDINGS", LATEST_FINDINGS)

# Most units have one value only; a hash is enough to leave them aside.
_DIFFERING = """
differing as materialized (
    select unit_no
    from annotations
    where value is not null
    group by unit_no
    having min(hash(value)) <> max(hash(value))
    union
    select unit_no
    from sample_answers
),
-- Joined by itself, so that only these annotations meet the questions, by three columns.
near as (
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.criterion, a.author_no, a.value,
        a.confidence
    from annotations a
    join differing d on d.unit_no = a.unit_no
),
"""
_UNITS = "a.unit_no in (select unit_no from differing)"

# What few units have (marks, samples, a decision) is joined to groups, not to every annotation.
_REST = """
twice as (
    select item_no
    from run_items a
    where run_no in (select run_no from stays) and ITEMS
    group by item_no
    having min(run_no) <> max(run_no)
),
older as (
    select a.annotation_no
    from annotations a
    join stays s on s.run_no = a.run_no
    where UNITS and ITEMS
        and s.is_counted
        and a.item_no in (select item_no from twice)
        and a.annotation_no not in (select supersedes from superseded)
        and a.value is not null
    qualify row_number() over (
        partition by a.unit_no, s.protocol, a.criterion, a.author_no
        order by a.annotation_no desc
    ) > 1
),
current_ones as materialized (
    select
        a.annotation_no, a.run_no, a.item_no, a.unit_no, a.confidence,
        q.question, q.place, p.is_judge, p.settles,
        q.vote * p.raters as by_raters,
        q.vote * p.judges as by_judges
    from NEAR a
    join questions q
        on q.run_no = a.run_no and q.criterion = a.criterion and q.value = a.value
    join people p on p.author_no = a.author_no
    where ITEMS
        -- A decision counts in every run of its protocol with the item.
        and (q.is_counted or p.settles)
        and a.annotation_no not in (select supersedes from superseded)
        and a.annotation_no not in (select annotation_no from older)
),
noted as (
    select
        c.question, c.unit_no, bit_or(m.absent << c.is_judge::integer) as absent,
        bit_or(m.clashes) as clashes
    from current_ones c
    join marked m on m.annotation_no = c.annotation_no
    group by c.question, c.unit_no
),
-- Of a judge who was asked several times at once: each thing it said.
asked as (
    select c.question, c.unit_no, sum(q.vote) as votes
    from current_ones c
    join annotations a on a.annotation_no = c.annotation_no
    join reply_facts f on f.reply_id = a.reply_id
    join reply_facts g on g.group_id = f.group_id and g.samples > 1
    join sample_answers s on s.reply_id = g.reply_id and s.unit_no = c.unit_no
    join questions q
        on q.run_no = c.run_no and q.question = c.question
        and q.criterion = s.criterion and q.value = s.value
    where c.is_judge and ITEMS
    group by c.question, c.unit_no, c.annotation_no
    having bit_count(bit_or(1 << q.place)) > 1
),
sampled as (
    select question, unit_no, max(votes)::bigint as votes from asked group by question, unit_no
),
-- Whoever decides again does so in the run of the decision that counts.
decided as (
    select
        question, unit_no, arg_max(run_no, annotation_no) as run_no,
        max(annotation_no) as decided_no,
        max((annotation_no << 8) | place) & 255 as decided_place
    from current_ones
    where settles
    group by question, unit_no
),
voted as materialized (
    select
        question, unit_no, any_value(item_no) as item_no, max(run_no) as run_no,
        sum(by_raters) as rater_votes, sum(by_judges) as judge_votes, count(*) as voices,
        avg(confidence) as sureness, bit_count(bit_or(by_raters | by_judges)) as values
    from current_ones
    where not settles
    group by question, unit_no
),
-- More voices than the bits of one value can count would spill into the next value's.
crowded as (
    select
        question, unit_no,
        sum(least(raters, $most) << ($width::integer * place))::bigint as rater_votes,
        sum(least(judges, $most) << ($width::integer * place))::bigint as judge_votes
    from (
        select
            question, unit_no, place,
            count(*) filter (where by_raters > 0) as raters,
            count(*) filter (where by_judges > 0) as judges
        from current_ones
        where not settles
            and (question, unit_no) in (
                select question, unit_no from voted where voices > $most
            )
        group by question, unit_no, place
    )
    group by question, unit_no
)
select
    question, unit_no, v.item_no, coalesce(d.run_no, v.run_no) as run_no,
    coalesce(c.rater_votes, v.rater_votes)::bigint as rater_votes,
    coalesce(c.judge_votes, v.judge_votes)::bigint as judge_votes,
    coalesce(s.votes, 0) as sample_votes, v.sureness,
    coalesce(n.absent, 0)::integer as absent, coalesce(n.clashes, 0)::integer as clashes,
    coalesce(f.found, 0)::integer as found, d.decided_no, d.decided_place
from voted v
left join crowded c using (question, unit_no)
left join noted n using (question, unit_no)
left join found f using (unit_no)
left join sampled s using (question, unit_no)
left join decided d using (question, unit_no)
where v.values > 1 or s.votes is not null
"""

ALL = (
    "".join((_HEAD, _DIFFERING, _REST))
    .replace("NEAR", "near")
    .replace("UNITS", _UNITS)
    .replace("ITEMS", "true")
)
SOME = (
    "".join((_HEAD, _REST))
    .replace("NEAR", "annotations")
    .replace("UNITS", "true")
    .replace("ITEMS", "{a_of_items}")
)


SECONDS = 30.0
BITS = {kind: 1 << at for at, kind in enumerate(DisagreementKind)}
CLASH_BITS = {kind.value: 1 << at for at, kind in enumerate(ClashKind, start=1)} | {"quote": 32}
FOUND_BITS = {found: 1 << at for at, found in enumerate(AGAINST)}
_WIDTH = 10  # bits of a packed count: more than 1,023 authors of one value count as so many
_MASK = (1 << _WIDTH) - 1
_SAME = ["question", "rater_votes", "judge_votes", "sample_votes", "sureness", "absent"]
_SAME += ["clashes", "found"]
_WEIGHED = pa.schema(
    [
        *((name, pa.int64()) for name in ("rater_mask", "judge_mask", "kinds")),
        *((name, pa.float64()) for name in ("severity", "weight")),
    ]
)


class NumberedCriterion(NamedTuple):
    """A criterion of a protocol, by the number it has in the table of disagreements."""

    protocol: str
    criterion: Criterion


class _ByVotes(NamedTuple):
    """What follows from how many give each value; the same for most rows of a store."""

    rater_mask: int
    judge_mask: int
    kinds: int
    severity: float
    voices: int


QUESTIONS = tuple(
    NumberedCriterion(protocol.key, criterion)
    for protocol in PROTOCOLS.values()
    for criterion in protocol.criteria
)


def all_disagreements(
    store: Store, *, with_baseline: bool = False, runs: tuple[int, ...] = ()
) -> pa.Table:
    """Every disagreement of the store; after a decision only what it changed is found again.

    With `runs` (see `counted_runs`) those among their raters and judges.

    Columns:
        nth: the row; question: a number in QUESTIONS; run_no (where a decision goes), item_no,
            unit_no.
        rater_mask, judge_mask: a bit for each value that somebody gives.
        rater_votes, judge_votes, sample_votes: how many give each value, see `unpack_votes`.
        sureness: mean confidence, missing when nobody says; absent: 1 a rater's quote stands
            nowhere, 2 a judge's; clashes: bits of CLASH_BITS; found: bits of FOUND_BITS.
        decided_no, decided_place: the decision that counts and its value, else missing.
        kinds: bits of BITS; severity, weight.
    """
    if runs:  # `by_item` keeps few of them
        return _refresh_disagreements(store, with_baseline, runs)
    name = "disagreements with baseline" if with_baseline else "disagreements"
    return remembered(store, name, lambda asked: _refresh_disagreements(asked, with_baseline))


def unpack_votes(question: int, packed: int) -> dict[str, int]:
    """How many give each value, out of a packed number."""
    values = QUESTIONS[question].criterion.scale.values
    counts = ((value, (packed >> (_WIDTH * at)) & _MASK) for at, value in enumerate(values))
    return {value: count for value, count in counts if count}


def build_label_mask(criterion: Criterion, labels: Iterable[str]) -> int:
    wanted = set(labels)
    return sum(1 << at for at, value in enumerate(criterion.scale.values) if value in wanted)


def _refresh_disagreements(
    store: Store, with_baseline: bool, runs: tuple[int, ...] = ()
) -> pa.Table:
    known = ref(store)  # the question is kept with its answer, and would keep a closed store

    def ask(cursor: Cursor, items: Sequence[int] | None) -> pa.Table:
        if (asked := known()) is not None:
            forget(asked, items)
        facts = _build_parameters(with_baseline) | {"runs": list(runs)}
        if items is None:
            found = cursor.execute(ALL, facts)
        else:
            found = cursor.execute(narrowed(SOME, items), facts | between([*items]))
        return _add_weights(found.to_arrow_table())

    rows = table_by_item(store, ("disagreements", with_baseline, runs), ask)
    return rows.append_column("nth", pa.array(np.arange(rows.num_rows)))


def _build_parameters(with_baseline: bool) -> dict[str, Any]:
    values = [
        (each.protocol, each.criterion.key, value, number, place)
        for number, each in enumerate(QUESTIONS)
        for place, value in enumerate(each.criterion.scale.values)
    ]
    names = ("protocols", "criteria", "values", "questions", "places")
    return {
        **{name: [row[at] for row in values] for at, name in enumerate(names)},
        "but": list_excluded_authors(with_baseline),
        "width": _WIDTH,
        "most": _MASK,
        "clash_kinds": [kind.value for kind in ClashKind],
        "found_kinds": [f"{check}:{kind}" for check, kind in AGAINST],
    }


def list_excluded_authors(with_baseline: bool) -> list[str]:
    return [] if with_baseline else [f"{BASELINE.kind.value}:{BASELINE.name}"]


def _add_weights(rows: pa.Table) -> pa.Table:
    """With kind, severity and weight; rows that look the same are weighed once.

    By Arrow alone: for the few rows that a decision changes pandas takes ten times as long.
    """
    numbered = rows.select(_SAME).append_column("row", pa.array(np.arange(rows.num_rows)))
    looks = numbered.group_by(_SAME).aggregate([("row", "list")]).combine_chunks()
    told = [
        _compute_weight(*look)
        for look in zip(*(looks[name].to_pylist() for name in _SAME), strict=True)
    ]
    columns = [[each[at] for each in told] for at in range(len(_WEIGHED))]
    look_of = np.empty(rows.num_rows, np.int64)
    look_of[pc.list_flatten(looks["row_list"])] = pc.list_parent_indices(looks["row_list"])
    weighed = pa.table(columns, _WEIGHED).take(pa.array(look_of))
    for name in weighed.column_names:
        rows = rows.append_column(name, weighed[name])
    return rows


def _compute_weight(
    question: int,
    raters: int,
    judges: int,
    samples: int,
    sureness: float | None,
    absent: int,
    clash: int,
    found: int,
) -> tuple[int, int, int, float, float]:
    seen = _classify_votes(question, raters, judges, samples)
    weight = compute_weight(
        seen.severity, seen.voices, sureness, bool(absent), bool(clash or found)
    )
    return seen.rater_mask, seen.judge_mask, seen.kinds, seen.severity, weight


@lru_cache(maxsize=4096)
def _classify_votes(question: int, raters: int, judges: int, samples: int) -> _ByVotes:
    by_raters, by_judges = unpack_votes(question, raters), unpack_votes(question, judges)
    sampled = unpack_votes(question, samples)
    criterion = QUESTIONS[question].criterion
    return _ByVotes(
        rater_mask=build_label_mask(criterion, by_raters),
        judge_mask=build_label_mask(criterion, by_judges),
        kinds=sum(BITS[each] for each in list_kinds(by_raters, by_judges, sampled)),
        severity=severity(criterion.scale, {*by_raters, *by_judges, *sampled}),
        voices=sum(by_raters.values()) + sum(by_judges.values()),
    )
