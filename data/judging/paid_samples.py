"""Paid samples: replies that came before all of their question had, so that none is paid twice."""

import json
import uuid

from data.items import payloads
from data.store.engine import Cursor
from data.store.sidecar_files import now
from data.store.store import Store
from faithfulness.judging import rerun
from faithfulness.judging.judge import JudgeQuestion
from faithfulness.judging.rerun import Sample

KIND = "paid sample"
_ASKED = "asked"  # beside the reply's own fields; rows of older versions have none

_ADD = """
insert into paid_samples (group_id, sample_no, reply, cost, replied_at)
select $group_id, $sample_no, $reply, $cost, $replied_at
where not exists (
    select 1 from paid_samples where group_id = $group_id and sample_no = $sample_no
)
"""

_GROUPS = """
select distinct group_id
from paid_samples
where starts_with(group_id, $batch_id || '/')
"""

_OF_GROUP = """
select sample_no, reply, cost
from paid_samples
where group_id = $group_id
order by sample_no
"""


def note_sample(
    store: Store, group_id: str, number: int, sample: Sample, question: JudgeQuestion
) -> None:
    """Store one reply and its cost; the same one a second time changes nothing.

    The mark and the traps of the call go with it: without them nobody could read the reply later.

    Raises:
        NotSaved: nothing was stored.
    """
    said = {**(payloads.reply_out(sample.reply) or {}), _ASKED: payloads.secrets_out(question)}
    facts = {
        "group_id": group_id,
        "sample_no": number,
        "reply": json.dumps(said, ensure_ascii=False),
        "cost": sample.cost,
        "replied_at": now(),
    }

    def work(cursor: Cursor) -> None:
        cursor.execute(_ADD, facts)

    store.write(uuid.uuid4().hex, KIND, work)


def groups_paid(store: Store, batch_id: str) -> set[str]:
    """The groups of a batch of which a sample is paid already."""
    with store.read() as cursor:
        rows = cursor.execute(_GROUPS, {"batch_id": batch_id}).fetchall()
    return {str(group_id) for (group_id,) in rows}


def paid_samples(store: Store, group_id: str, question: JudgeQuestion) -> tuple[Sample, ...]:
    """The samples of a question that are paid already, read as if they had just come."""
    with store.read() as cursor:
        rows = cursor.execute(_OF_GROUP, {"group_id": group_id}).fetchall()
    found: list[Sample] = []
    for number, text, cost in rows:
        if number != len(found):
            break  # a gap: what comes after it was asked as another sample
        said = json.loads(text)
        asked = payloads.asked_with(question, said.pop(_ASKED, None))
        reply = payloads.reply_in(said)
        assert reply is not None, "a paid sample has a reply"
        found.append(rerun.read(asked, reply)._replace(cost=cost))
    return tuple(found)
