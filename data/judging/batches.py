"""Batches: what was to be asked, what became of it, and what is left to ask."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from data.items.append import find_place
from data.items.save_replies import append_prompt
from data.judging import batches_sql as sql
from data.judging.save_rerun import append_note
from data.store.engine import Cursor
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.judging.traps import FAILED as TRAP_FAILED
from faithfulness.judging.traps import UNANSWERED
from faithfulness.model.errors import AlreadyDone, JudgeFailed, ReviewError
from faithfulness.model.prompt import Carrier, Prompt
from faithfulness.model.vocabulary import Author, AuthorKind

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


def group_of(batch_id: str, item_no: int) -> str:
    """The name that the samples of one item of a batch share."""
    return f"{batch_id}/{item_no}"


def same_settings(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether a judge with one would answer as with the other; how long it may take is apart."""
    first, second = (
        {name: value for name, value in each.items() if name not in _OF_PATIENCE}
        for each in (one, other)
    )
    return first == second


def settings_as_text(settings: Mapping[str, str]) -> str:
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
            "settings": settings_as_text(settings),
            "asked_by": asked_by,
            "started_at": now(),
        }
        cursor.execute(sql.ADD_BATCH, facts)
        cursor.execute(sql.ADD_TASKS, {"batch_id": batch_id, "item_ids": chosen})
        return len(chosen)

    try:
        about = f"a batch of {len(chosen)} items"
        store.write(batch_id, KIND, work, about=about, by=asked_by)
    except AlreadyDone:
        return


def to_do(store: Store, batch_id: str) -> list[ToDo]:
    """The items of a batch that wait for a reply and can have one, in their order."""
    with store.read() as cursor:
        rows = cursor.execute(sql.TO_DO, {"batch_id": batch_id}).fetchall()
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
        rows = cursor.execute(sql.BATCHES, facts).fetchall()
    return [_batch(row) for row in rows]


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
        rows = cursor.execute(sql.PROMPT, {"fingerprint": fingerprint}).fetchall()
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
        cursor.execute(sql.ADD_EVENT, facts)

    store.write(uuid.uuid4().hex, EVENT, work)


def note_failure(store: Store, batch_id: str, item_no: int, failure: JudgeFailed) -> None:
    note_event(store, batch_id, FAILED, f"{failure.kind}: {failure}", item_no)


def _batch(row: Sequence[Any]) -> StoredBatch:
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
