"""Load the judge replies for one item of a run, with notes on answers that match no unit."""

from typing import NamedTuple

from data.items.loading import find_item_number
from data.store.store import Store

_REPLIES = """
select
    r.reply_id, coalesce(f.group_id, r.reply_id) as question, w.kind, w.name, r.text, r.notes,
    r.model
from replies r
join authors w on w.author_no = r.author_no
left join reply_facts f on f.reply_id = r.reply_id
where r.run_no in (select run_no from runs where run_id = $run_id)
    and r.item_no = $number
order by w.name, r.replied_at, question, coalesce(f.sample_no, 0), r.reply_id
"""

_SIGNED = """
select annotation_no, supersedes, reply_id
from annotations
where item_no = $number
"""


class StoredReply(NamedTuple):
    """One reply as it came; its notes say what in it found no place."""

    kind: str
    author: str
    text: str
    notes: tuple[str, ...]
    model: str


def load_item_replies(store: Store, run_id: str, item_id: str) -> tuple[StoredReply, ...]:
    """The replies behind the current answers on an item, by author.

    A reply counts while one of its answers does; one that nobody could take an answer from stays.
    The samples of one question count together: their answers were settled into one.

    Raises:
        ReviewError: the store has no such item.
    """
    with store.read() as cursor:
        number = find_item_number(cursor, item_id)
        # In this order: a reply that is stored in between stands beside the one it replaces, where
        # in the other neither would be seen.
        signed = cursor.execute(_SIGNED, {"number": number}).fetchall()
        found = cursor.execute(_REPLIES, {"run_id": run_id, "number": number}).fetchall()
    superseded = {row[1] for row in signed}
    question_of = {row[0]: row[1] for row in found}
    answered = {question_of.get(reply) for _, _, reply in signed}
    current = {question_of.get(reply) for no, _, reply in signed if no not in superseded}
    return tuple(
        StoredReply(kind, author, text, tuple(notes), model)
        for _, question, kind, author, text, notes, model in found
        if question in current or question not in answered
    )
