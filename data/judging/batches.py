"""Store judging batches: their settings, state and remaining items."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from data.items.append import find_place
from data.items.save_replies import append_prompt
from data.judging.save_rerun import append_note
from data.store.engine import Cursor
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.judging.traps import FAILED as TRAP_FAILED
from faithfulness.judging.traps import UNANSWERED
from faithfulness.model.errors import AlreadyDone, JudgeFailed, ReviewError
from faithfulness.model.prompt import Carrier, Prompt
from faithfulness.model.vocabulary import Author, AuthorKind

ADD_BATCH = """
insert into batches (
    batch_id, operation_id, run_no, author_no, fingerprint, samples, settings, asked_by, started_at
)
values (
    $batch_id, $operation_id, $run_no, $author_no, $fingerprint, $samples, $settings, $asked_by,
    $started_at
)
"""

ADD_TASKS = """
insert into batch_tasks (batch_id, item_no, position)
select $batch_id, i.item_no, n.position
from (
    select
        unnest($item_ids::varchar[]) as item_id,
        unnest(range(len($item_ids::varchar[]))) as position
) n
join items i on i.item_id = n.item_id
order by n.position
"""

ADD_EVENT = """
insert into batch_events (batch_id, happened_at, kind, item_no, text)
values ($batch_id, $happened_at, $kind, $item_no, $text)
"""

TO_DO = """
select t.item_no, i.item_id
from batch_tasks t
join items i on i.item_no = t.item_no
where t.batch_id = $batch_id
    and t.batch_id || '/' || t.item_no not in (select group_id from reply_facts)
    and t.item_no not in (
        select item_no
        from batch_events
        where batch_id = $batch_id
            and kind = 'failed'
        group by item_no
        having starts_with(arg_max(text, happened_at), 'cannot_judge: ')
    )
order by t.position
"""

# The clock may go back, and then the last event is told wrongly; nothing is asked or paid by it.
BATCHES = """
with groups as (
    select batch_id, item_no, batch_id || '/' || item_no as group_id
    from batch_tasks
    where $batch_id is null or batch_id = $batch_id
),
answered as (
    select g.batch_id, g.item_no, sum(f.cost) as cost, count(*) as replies,
        count(*) - count(f.cost) as unpriced
    from groups g
    join reply_facts f on f.group_id = g.group_id
    group by g.batch_id, g.item_no
),
-- Replies of items that are not done; they cost as much.
paid as (
    select g.batch_id, sum(p.cost) as cost, count(*) as replies,
        count(*) - count(p.cost) as unpriced
    from groups g
    join paid_samples p on p.group_id = g.group_id
    where g.group_id not in (select group_id from reply_facts)
    group by g.batch_id
),
unread as (
    select distinct g.batch_id, a.item_no
    from groups g
    join reply_facts f on f.group_id = g.group_id
    join annotations a on a.reply_id = f.reply_id and a.item_no = g.item_no
    where a.value is null
        and a.problem <> ''
),
told as (
    select r.reply_id, unnest(r.notes) as note
    from replies r
    where len(r.notes) > 0
        and r.reply_id in (
            select f.reply_id from reply_facts f join groups g on g.group_id = f.group_id
        )
),
trapped as (
    select g.batch_id,
        count(distinct f.reply_id) filter (where starts_with(t.note, $failed)) as replies,
        count(distinct f.reply_id) filter (where starts_with(t.note, $unanswered)) as silent
    from groups g
    join reply_facts f on f.group_id = g.group_id
    join told t on t.reply_id = f.reply_id
    group by g.batch_id
),
failing as (
    select batch_id, item_no,
        starts_with(arg_max(text, happened_at), 'cannot_judge: ') as beyond
    from batch_events
    where kind = 'failed'
    group by batch_id, item_no
),
counted as (
    select g.batch_id, count(*) as total, count(a.item_no) as done,
        count(*) filter (where a.item_no is null and not f.beyond) as failed,
        count(*) filter (where a.item_no is null and f.beyond) as beyond,
        count(u.item_no) as unread, sum(a.cost) as cost, sum(a.replies) as replies,
        sum(a.unpriced) as unpriced
    from groups g
    left join answered a on a.batch_id = g.batch_id and a.item_no = g.item_no
    left join failing f on f.batch_id = g.batch_id and f.item_no = g.item_no
    left join unread u on u.batch_id = g.batch_id and u.item_no = g.item_no
    group by g.batch_id
),
ends as (
    select batch_id, arg_max(kind, happened_at) as state, arg_max(text, happened_at) as reason
    from batch_events
    where kind <> 'failed'
    group by batch_id
)
select
    b.batch_id, r.run_id, r.name, r.protocol, w.name, b.settings, b.fingerprint, b.samples,
    b.asked_by, b.started_at, c.total, c.done, c.failed, c.beyond, c.unread,
    coalesce(c.cost, 0) + coalesce(p.cost, 0),
    coalesce(c.replies, 0) + coalesce(p.replies, 0),
    coalesce(c.unpriced, 0) + coalesce(p.unpriced, 0),
    coalesce(e.state, 'started'), coalesce(e.reason, ''),
    b.fingerprint in (select fingerprint from prompts where carrier = $traps),
    coalesce(t.replies, 0), coalesce(c.replies, 0) - coalesce(t.silent, 0), coalesce(t.silent, 0)
from batches b
join runs r on r.run_no = b.run_no
join authors w on w.author_no = b.author_no
join counted c on c.batch_id = b.batch_id
left join paid p on p.batch_id = b.batch_id
left join trapped t on t.batch_id = b.batch_id
left join ends e on e.batch_id = b.batch_id
where r.run_no not in (select run_no from run_removals)
order by b.started_at desc, b.batch_id
limit $limit
"""

PROMPT = """
select version, system_text, template, carrier, slots
from prompts
where fingerprint = $fingerprint
"""


KIND = "batch"
EVENT = "batch event"
_OF_PATIENCE = frozenset({"wall_seconds"})
FAILED, RESUMED, STARTED = "failed", "resumed", "started"


class ToDo(NamedTuple):
    """An item of a batch that waits for a reply; `number` is the store's own."""

    number: int
    item_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredBatch:
    """A batch as the store knows it; `state` is its last event."""

    batch_id: str
    run_id: str
    run: str
    protocol: str
    author: Author
    settings: Mapping[str, str]
    fingerprint: str
    samples: int
    asked_by: str
    started_at: datetime
    total: int
    done: int
    failed: int  # of those not done, how many failed at least once
    beyond: int  # that this judge cannot judge at all; asking again would not help
    unread: int
    cost: float
    replies: int
    unpriced: int
    state: str
    reason: str
    has_traps: bool
    trapped: int  # replies that answered a trap wrongly
    kept: int  # replies whose traps, if there are any, were answered
    silent: int  # replies whose traps were not: refused, withheld, unread or cut off

    @property
    def left(self) -> int:
        return self.total - self.done - self.beyond


def build_group_id(batch_id: str, item_no: int) -> str:
    """The name that the samples of one item of a batch share."""
    return f"{batch_id}/{item_no}"


def are_same_settings(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether a judge with one would answer as with the other; how long it may take is apart."""
    first, second = (
        {name: value for name, value in each.items() if name not in _OF_PATIENCE}
        for each in (one, other)
    )
    return first == second


def serialize_settings(settings: Mapping[str, str]) -> str:
    """A judge's settings as the store holds them."""
    return json.dumps(dict(settings), ensure_ascii=False, sort_keys=True)


def open_batch(
    store: Store,
    *,
    batch_id: str,
    run_id: str,
    item_ids: Sequence[str],
    author: Author,
    prompt: Prompt,
    settings: Mapping[str, str],
    samples: int,
    asked_by: str,
    edited: Mapping[str, str] | None = None,
) -> None:
    """Write down what is to be asked, before anything is; a second time changes nothing.

    `edited` says where an edited prompt comes from, as `keep_rerun` does.

    Raises:
        ReviewError: there is nothing to ask, or the run was removed.
        NotSaved: nothing was stored.
    """
    chosen = list(dict.fromkeys(item_ids))
    if not chosen:
        raise ReviewError("There is no item to ask about. Choose others, or ask again about all.")

    def work(cursor: Cursor) -> int:
        place = find_place(cursor, run_id, chosen[0], author, batch_id)
        append_prompt(cursor, prompt, place.protocol, now())
        append_note(cursor, prompt, edited or {}, now())
        facts = {
            "batch_id": batch_id,
            "operation_id": batch_id,
            "run_no": place.run_no,
            "author_no": place.author_no,
            "fingerprint": prompt.fingerprint,
            "samples": samples,
            "settings": serialize_settings(settings),
            "asked_by": asked_by,
            "started_at": now(),
        }
        cursor.execute(ADD_BATCH, facts)
        cursor.execute(ADD_TASKS, {"batch_id": batch_id, "item_ids": chosen})
        return len(chosen)

    try:
        about = f"a batch of {len(chosen)} items"
        store.write(batch_id, KIND, work, about=about, by=asked_by, is_bulk=True)
    except AlreadyDone:
        return


def load_to_do(store: Store, batch_id: str) -> list[ToDo]:
    """The items of a batch that wait for a reply and can have one, in their order."""
    with store.read() as cursor:
        rows = cursor.execute(TO_DO, {"batch_id": batch_id}).fetchall()
    return [ToDo(*row) for row in rows]


def load_batches(
    store: Store, batch_id: str | None = None, *, limit: int = 50
) -> list[StoredBatch]:
    """The batches of runs that are not removed, the newest first; or one of them."""
    with store.read() as cursor:
        facts = {
            "batch_id": batch_id,
            "limit": limit,
            "traps": Carrier.TRAPS,
            "failed": TRAP_FAILED,
            "unanswered": UNANSWERED,
        }
        rows = cursor.execute(BATCHES, facts).fetchall()
    return [_build_batch(row) for row in rows]


def load_batch(store: Store, batch_id: str) -> StoredBatch:
    """One batch.

    Raises:
        ReviewError: there is none of this name, or its run was removed.
    """
    found = load_batches(store, batch_id)
    if not found:
        raise ReviewError(f"There is no batch {batch_id}, or its run was removed. Start a new one.")
    return found[0]


def load_prompt(store: Store, fingerprint: str) -> Prompt:
    """The prompt that a batch was started with.

    Raises:
        ReviewError: the store does not have it.
    """
    with store.read() as cursor:
        rows = cursor.execute(PROMPT, {"fingerprint": fingerprint}).fetchall()
    if not rows:
        raise ReviewError(f"The store has no prompt {fingerprint}. Start a new batch.")
    version, system, template, carrier, slots = rows[0]
    return Prompt(
        version=version,
        system=system,
        template=template,
        carrier=Carrier(carrier),
        slots=tuple(slots),
    )


def note_event(
    store: Store, batch_id: str, kind: str, text: str = "", item_no: int | None = None
) -> None:
    """Append what happened to a batch."""
    facts = {
        "batch_id": batch_id,
        "happened_at": now(),
        "kind": kind,
        "item_no": item_no,
        "text": text,
    }

    def work(cursor: Cursor) -> None:
        cursor.execute(ADD_EVENT, facts)

    store.write(uuid.uuid4().hex, EVENT, work)


def note_failure(store: Store, batch_id: str, item_no: int, failure: JudgeFailed) -> None:
    note_event(store, batch_id, FAILED, f"{failure.kind}: {failure}", item_no)


def _build_batch(row: Sequence[Any]) -> StoredBatch:
    (batch_id, run_id, run, protocol, author, settings, fingerprint, samples, asked_by, started_at,
     total, done, failed, beyond, unread, cost, replies, unpriced, state, reason,
     has_traps, trapped, kept, silent) = row  # fmt: skip
    return StoredBatch(
        batch_id=batch_id,
        run_id=run_id,
        run=run,
        protocol=protocol,
        author=Author(kind=AuthorKind.JUDGE, name=author),
        settings=json.loads(settings),
        fingerprint=fingerprint,
        samples=samples,
        asked_by=asked_by,
        started_at=started_at,
        total=total,
        done=done,
        failed=failed,
        beyond=beyond,
        unread=unread,
        cost=float(cost),
        replies=int(replies),
        unpriced=int(unpriced),
        state=state,
        reason=reason,
        has_traps=has_traps,
        trapped=trapped,
        kept=int(kept),
        silent=int(silent),
    )
