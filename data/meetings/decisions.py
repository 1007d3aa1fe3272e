"""Query decisions: those to recheck, label confusions and proposed guidance wording."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd
import pyarrow as pa

from data.items.sample_runs import find_left_out_sample_runs
from data.meetings.decision_facts import get_words_in_force
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import is_baseline
from faithfulness.model.vocabulary import Author, AuthorKind, Tier
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.guideline_notes import Behind, GuidelineNote, Proposal
from faithfulness.review.meeting import Point
from faithfulness.review.minutes_voices import Voice
from faithfulness.text.altered import BETWEEN, altered

# Decisions of a meeting, or of every one that stands when no meeting is asked for. Of those that
# several runs of a protocol have on one unit the latest stands. Only minutes ask with removed runs:
# what was signed about them stands there as if they were not removed, and changes nothing else.
DECISIONS = """
with superseded as (
    select distinct supersedes
    from annotations
    where supersedes is not null
),
counting as (
    select distinct unnest([
        max(a.annotation_no),
        max(a.annotation_no) filter (where r.run_no not in (select run_no from run_removals))
    ]) as annotation_no
    from adjudications d
    join annotations a on a.annotation_no = d.annotation_no
    join runs r on r.run_no = a.run_no
    where a.value is not null
        and a.annotation_no not in (select supersedes from superseded)
    group by r.protocol, a.unit_no, a.criterion
)
select
    a.annotation_no, a.operation_id, a.run_no, a.item_no, a.unit_no, a.criterion, a.value,
    a.signed_at, w.name as decided_by, d.reason, d.error_class, d.seen_annotation_no as seen,
    coalesce(f.meeting_id, '') as meeting_id,
    coalesce(f.how, 'decided') as how,
    coalesce(f.follows, '') as follows,
    coalesce(f.guidance, '') as guidance,
    coalesce(f.prompt, '') as prompt,
    coalesce(f.seconds, 0) as seconds,
    r.run_id, r.name as run, r.protocol, i.item_id, n.external_id, u.unit_id,
    coalesce(u.text, substring(t.text, u.span_start + 1, u.span_end - u.span_start), '') as text,
    case
        when a.value is null then s.supersedes is null
        else c.annotation_no is not null
    end as stands,
    g.removed_at
from adjudications d
join annotations a on a.annotation_no = d.annotation_no
join authors w on w.author_no = a.author_no
join runs r on r.run_no = a.run_no
join items i on i.item_no = a.item_no
join run_items n on n.run_no = a.run_no and n.item_no = a.item_no
join units u on u.unit_no = a.unit_no and u.item_no = a.item_no
left join fields t on t.item_no = u.item_no and t.name = u.field
left join decision_facts f on f.annotation_no = d.annotation_no
left join superseded s on s.supersedes = a.annotation_no
left join counting c on c.annotation_no = a.annotation_no
left join run_removals g on g.run_no = a.run_no
where ($with_removed or g.run_no is null)
    and ($meeting_id is null or f.meeting_id = $meeting_id)
    and ($meeting_id is not null or c.annotation_no is not null)
order by a.annotation_no
"""

# What stood when a decision was made: what nobody had corrected by then, of every author the last
# readable answer, else the last. A removed run is asked about by minutes alone, and then speaks.
SAID = """
select
    q.nth, a.annotation_no, w.kind, w.name, a.value, a.rationale, a.comment, a.links
from asked_units q
join annotations a
    on a.item_no = q.item_no
    and a.unit_no = q.unit_no
    and a.criterion = q.criterion
    and a.annotation_no < q.before
join runs r on r.run_no = a.run_no and r.protocol = q.protocol
join authors w on w.author_no = a.author_no and w.kind <> 'adjudicator'
left join annotations later
    on later.supersedes = a.annotation_no
    and later.item_no = a.item_no
    and later.annotation_no < q.before
where later.annotation_no is null
    and a.item_no between $first and $last
    and (r.run_no = q.run_no or r.run_no not in (select run_no from run_removals))
qualify row_number() over (
    partition by q.nth, a.author_no
    order by a.value is null, a.annotation_no desc
) = 1
order by q.nth, w.kind, w.name
"""

QUOTES = """
select annotation_no, text, coalesce(tier, ''), item_no, spans
from excerpts
where item_no between $first and $last
    and annotation_no in (select unnest($numbers::bigint[]))
order by annotation_no, position
"""

SOURCES = """
select item_no, name, text
from fields
where item_no in (select unnest($items::integer[]))
"""

PROPOSALS = """
select
    p.protocol, p.section, p.wording, p.proposed_by, p.proposed_at, p.meeting_id, p.run_no,
    p.unit_no, p.criterion
from guideline_proposals p
where ($meeting_id is null or p.meeting_id = $meeting_id)
    and ($protocol is null or p.protocol = $protocol)
order by p.proposal_no
"""

CHECKS = """
select annotation_no, guidance, prompt
from decision_checks
order by checked_at
"""

# Judges who answered a decided unit again since, under another prompt than before.
ASKED_AGAIN = """
select d.annotation_no, string_agg(distinct w.name, ', ' order by w.name) as judges
from adjudications d
join annotations x on x.annotation_no = d.annotation_no
join annotations a
    on a.item_no = x.item_no
    and a.unit_no = x.unit_no
    and a.criterion = x.criterion
    and a.annotation_no > x.annotation_no
join annotations b on b.annotation_no = a.supersedes
join authors w on w.author_no = a.author_no and w.kind = 'judge'
join replies now_said on now_said.reply_id = a.reply_id
join replies said on said.reply_id = b.reply_id
where now_said.fingerprint <> said.fingerprint
    and a.run_no not in (select run_no from run_removals)
    and not exists (
        select 1
        from decision_checks c
        where c.annotation_no = d.annotation_no
            and c.checked_at > a.signed_at
    )
group by d.annotation_no
"""


SECONDS = 30.0
STANDING = {"meeting_id": None, "with_removed": False}  # every decision that stands
_LAST = 2**62
_ASKED = pa.schema(
    [
        *((name, pa.int64()) for name in ("nth", "run_no", "item_no", "unit_no", "before")),
        *((name, pa.string()) for name in ("criterion", "protocol")),
    ]
)

Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Recheck:
    """A decision that was made under other words than are in force now."""

    point: Point
    made_by: str  # the operation, for `confirm_decision`
    number: int
    protocol: str
    external_id: str
    text: str
    value: str
    reason: str
    error_class: str
    decided_by: str
    decided_at: datetime
    why: str
    guidance: tuple[str, str]  # the fingerprint of then, or of the last look, and that of now
    prompt: tuple[str, str]


def find_rechecks(store: Store, *, protocol: str = "", runs: Sequence[str] = ()) -> list[Recheck]:
    """Decisions that stand and whose guidance or prompt has changed since, oldest first.

    One is also offered when a judge answered its unit again under another prompt. One that somebody
    confirmed under the words of today is not. Decisions from before the words in force were kept
    with them are never offered, since nobody can tell. Those of `runs`; without any, of all that
    count.
    """
    is_asked = _build_run_filter(store, runs)
    with store.read(seconds=SECONDS) as cursor:
        rows = query_rows(cursor, DECISIONS, STANDING)
        checks = {row[0]: row[1:] for row in cursor.execute(CHECKS).fetchall()}
        again = dict(cursor.execute(ASKED_AGAIN).fetchall())
    now = {key: get_words_in_force(key) for key in PROTOCOLS}
    found = []
    for row in rows:
        if row["protocol"] not in now or protocol not in ("", row["protocol"]):
            continue
        if not is_asked(row):
            continue
        before = checks.get(row["annotation_no"], (row["guidance"], row["prompt"]))
        why = _describe_changes(before, now[row["protocol"]], again.get(row["annotation_no"], ""))
        if why:
            found.append(_build_recheck(row, why, before, now[row["protocol"]]))
    return found


def load_guideline_notes(store: Store, *, protocol: str = "") -> list[GuidelineNote]:
    """Proposed wordings by protocol and section, each with the decisions behind it.

    Behind a wording are the decision on the unit it came up on and those applied from it to like
    cases, as they stand now.
    """
    with store.read(seconds=SECONDS) as cursor:
        asked = {"meeting_id": None, "protocol": protocol or None}
        proposals = query_rows(cursor, PROPOSALS, asked)
        decisions = query_rows(cursor, DECISIONS, STANDING)
        behind = dict(zip(_get_numbers(decisions), _iter_behind(cursor, decisions), strict=True))
    by_place = {(each["protocol"], each["unit_no"], each["criterion"]): each for each in decisions}
    followers: defaultdict[str, list[int]] = defaultdict(list)
    for each in decisions:
        if each["follows"]:
            followers[each["follows"]].append(each["annotation_no"])
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for each in proposals:
        key = (each["protocol"], each["section"], " ".join(each["wording"].split()))
        groups.setdefault(key, []).append(each)
    notes = []
    for _, same in sorted(groups.items(), key=lambda pair: _get_sort_key(pair[0])):
        numbers: dict[int, None] = {}
        for each in same:
            decision = by_place.get((each["protocol"], each["unit_no"], each["criterion"]))
            if decision is not None:
                numbers[decision["annotation_no"]] = None
                numbers.update(dict.fromkeys(followers[decision["operation_id"]]))
        notes.append(
            GuidelineNote(
                proposals=tuple(_build_proposal(each) for each in same),
                behind=tuple(behind[number] for number in numbers),
            )
        )
    return notes


def load_confusions(store: Store, *, protocol: str = "", runs: Sequence[str] = ()) -> pd.DataFrame:
    """How decisions that stand solved what was confused: one row a pair of labels.

    Decisions of `runs`; without any, of all that count.

    Columns: protocol, criterion, solved_as, confused_with, decisions, error_classes (the most
    frequent ones named, several where they tie), named (how many decisions name each of them).
    """
    is_asked = _build_run_filter(store, runs)
    with store.read(seconds=SECONDS) as cursor:
        rows = query_rows(cursor, DECISIONS, STANDING)
        rows = [each for each in rows if protocol in ("", each["protocol"])]
        rows = [each for each in rows if is_asked(each)]
        behind = list(_iter_behind(cursor, rows))
    counts: defaultdict[tuple[str, str, str, str], Counter[str]] = defaultdict(Counter)
    for row, each in zip(rows, behind, strict=True):
        for other in each.confused_with:
            key = (row["protocol"], row["criterion"], each.solved_as, other)
            counts[key][each.error_class] += 1
    told = [(*key, classes.total(), *_find_most_named(classes)) for key, classes in counts.items()]
    columns = ["protocol", "criterion", "solved_as", "confused_with", "decisions"]
    found = pd.DataFrame(told, columns=[*columns, "error_classes", "named"])
    order = ["protocol", "criterion", "decisions", "solved_as", "confused_with"]
    return found.sort_values(order, ascending=[True, True, False, True, True], ignore_index=True)


def _build_run_filter(store: Store, runs: Sequence[str]) -> Callable[[Row], bool]:
    """Whether a decision was made in one of these runs; without any, in one that counts."""
    out = find_left_out_sample_runs(store, Selection(runs=tuple(runs)))
    return lambda row: row["run_id"] in runs if runs else row["run_id"] not in out


def _find_most_named(classes: Counter[str]) -> tuple[list[str], int]:
    named = {name: count for name, count in classes.items() if name}
    most = max(named.values(), default=0)
    return sorted(name for name, count in named.items() if count == most), most


def query_rows(cursor: Cursor, question: str, asked: Mapping[str, Any]) -> list[Row]:
    """The rows of a question by the names of its columns."""
    found: list[Row] = cursor.execute(question, dict(asked)).to_arrow_table().to_pylist()
    return found


def register_units(cursor: Cursor, rows: Sequence[Row]) -> dict[str, int]:
    """Lay down which units are asked about, and before which decision; where their items lie."""
    asked = [
        {
            "nth": nth,
            "run_no": row["run_no"],
            "item_no": row["item_no"],
            "unit_no": row["unit_no"],
            "before": row.get("annotation_no", _LAST),
            "criterion": row["criterion"],
            "protocol": row["protocol"],
        }
        for nth, row in enumerate(rows)
    ]
    cursor.register("asked_units", pa.Table.from_pylist(asked, _ASKED))
    numbers = [row["item_no"] for row in rows]
    return {"first": min(numbers), "last": max(numbers)}


def load_voices(
    cursor: Cursor, rows: Sequence[Row], *, with_baseline: bool = False
) -> list[list[Voice]]:
    """For each decision what raters and judges had said by then; for other units what they say."""
    if not rows:
        return []
    near = register_units(cursor, rows)
    said = cursor.execute(SAID, near).fetchall()
    quotes: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    quoted = near | {"numbers": [row[1] for row in said]}
    excerpts = cursor.execute(QUOTES, quoted).fetchall()
    for number, text, tier, _, _ in excerpts:
        quotes[number].append((text, tier))
    turned = _find_altered_quotes(cursor, excerpts)
    found: list[list[Voice]] = [[] for _ in rows]
    for nth, number, kind, name, value, rationale, comment, links in said:
        author = Author(kind=AuthorKind(kind), name=name)
        if with_baseline or not is_baseline(author):
            found[nth].append(
                Voice(
                    author=author,
                    value=value,
                    rationale=rationale,
                    comment=comment,
                    quotes=tuple(quotes[number]),
                    altered=tuple(turned.get(number, ())),
                    links=tuple(links),
                )
            )
    return found


def _find_altered_quotes(
    cursor: Cursor, excerpts: Sequence[Any]
) -> dict[int, list[tuple[str, str]]]:
    """By annotation the quotes that have another number or a “not”, and what they say instead."""
    near = [each for each in excerpts if each[2] in (Tier.NEAR, Tier.SIMILAR)]
    if not near:
        return {}
    asked = {"items": sorted({each[3] for each in near})}
    texts = {(item, name): text for item, name, text in cursor.execute(SOURCES, asked).fetchall()}
    found: dict[int, list[tuple[str, str]]] = {}
    for number, text, tier, item, spans in near:
        places = [
            texts.get((item, each["field"]), "")[each["span_start"] : each["span_end"]]
            for each in spans
        ]
        if says := altered(text, tier, BETWEEN.join(places)):
            found.setdefault(number, []).append((text, says))
    return found


def _get_numbers(rows: Sequence[Row]) -> list[int]:
    return [row["annotation_no"] for row in rows]


def _iter_behind(cursor: Cursor, rows: Sequence[Row]) -> Iterator[Behind]:
    for row, voices in zip(rows, load_voices(cursor, rows), strict=True):
        others = {each.value for each in voices if each.value not in (None, row["value"])}
        yield Behind(
            number=row["annotation_no"],
            item_id=row["item_id"],
            unit_id=row["unit_id"],
            criterion=row["criterion"],
            external_id=row["external_id"],
            text=row["text"],
            solved_as=row["value"],
            confused_with=tuple(sorted(each for each in others if each is not None)),
            error_class=row["error_class"],
            reason=row["reason"],
            run_id=row["run_id"],
        )


def _describe_changes(before: Sequence[str], now: Mapping[str, str], judges: str) -> str:
    if not before[0]:
        return ""
    reasons = []
    if before[0] != now["guidance"]:
        reasons.append("the guidance has changed since")
    if before[1] != now["prompt"]:
        reasons.append("the prompt has changed since")
    if judges:
        reasons.append(f"answered again under another prompt by {judges}")
    return "; ".join(reasons)


def _build_recheck(row: Row, why: str, before: Sequence[str], now: Mapping[str, str]) -> Recheck:
    return Recheck(
        point=Point(row["run_id"], row["item_id"], row["unit_id"], row["criterion"]),
        made_by=row["operation_id"],
        number=row["annotation_no"],
        protocol=row["protocol"],
        external_id=row["external_id"],
        text=row["text"],
        value=row["value"],
        reason=row["reason"],
        error_class=row["error_class"],
        decided_by=row["decided_by"],
        decided_at=row["signed_at"],
        why=why,
        guidance=(before[0], now["guidance"]),
        prompt=(before[1], now["prompt"]),
    )


def _get_sort_key(key: tuple[str, str, str]) -> tuple[int, str, str]:
    protocol, section, wording = key
    return list(PROTOCOLS).index(protocol) if protocol in PROTOCOLS else 99, section, wording


def _build_proposal(row: Row) -> Proposal:
    return Proposal(
        protocol=row["protocol"],
        section=row["section"],
        wording=row["wording"],
        by=row["proposed_by"],
        proposed_at=row["proposed_at"],
        meeting_id=row["meeting_id"],
    )
