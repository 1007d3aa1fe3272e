"""What judges wrote about one item of a run, with what could not be brought to its units."""

from typing import NamedTuple

from data.store import Store

# A reply counts while one of its answers does; one that nobody could take an answer from stays.
# The samples of one question count together: their answers were settled into one.
_REPLIES = """
with here as (
    select
        r.reply_id, r.author_no, r.text, r.notes, r.model, r.replied_at,
        coalesce(f.group_id, r.reply_id) as question, coalesce(f.sample_no, 0) as sample_no
    from replies r
    left join reply_facts f on f.reply_id = r.reply_id
    where r.run_no in (select run_no from runs where run_id = $run_id)
        and r.item_no in (select item_no from items where item_id = $item_id)
),
answers as (
    select h.question, a.annotation_no
    from annotations a
    join here h on h.reply_id = a.reply_id
),
current_answers as (
    select question
    from answers
    where annotation_no not in (
        select supersedes from annotations where supersedes is not null
    )
)
select w.kind, w.name, h.text, h.notes, h.model
from here h
join authors w on w.author_no = h.author_no
where h.question in (select question from current_answers)
    or h.question not in (select question from answers)
order by w.name, h.replied_at, h.question, h.sample_no, h.reply_id
"""


class StoredReply(NamedTuple):
    """One reply as it came; its notes say what in it found no place."""

    kind: str
    author: str
    text: str
    notes: tuple[str, ...]
    model: str


def item_replies(store: Store, run_id: str, item_id: str) -> tuple[StoredReply, ...]:
    """The replies behind the current answers on an item, by author."""
    with store.read() as cursor:
        found = cursor.execute(_REPLIES, {"run_id": run_id, "item_id": item_id}).fetchall()
    return tuple(
        StoredReply(kind, author, text, tuple(notes), model)
        for kind, author, text, notes, model in found
    )
