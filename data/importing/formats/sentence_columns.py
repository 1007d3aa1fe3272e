"""Map the keys of labeled-sentence records to ids, annotators, fields and notes."""

from typing import NamedTuple

from data.importing.tables.cells import OFFSET_NAMES
from faithfulness.model.vocabulary import AuthorKind

FIELDS = {
    "query": ("user_request", "query", "question"),
    "context": ("context_document", "context", "document"),
    "response": ("response",),
}
_IDS = ("id", "item_id", "example_id", "answer_id", "response_id")  # the first that is there
REPLIES = ("reply", "raw", "raw_reply", "output")
SIGNED = {
    "rater": AuthorKind.RATER,
    "annotator": AuthorKind.RATER,
    "judge": AuthorKind.JUDGE,
    "author": None,
    "model": AuthorKind.JUDGE,
}
_SAID = {"sentence", "label", "rationale", "excerpt", "excerpts", "confidence", "comment"}
_KNOWN = frozenset(
    {"id", "item_id", "system", "sentences", "author_kind", *REPLIES, *SIGNED, *_SAID}
    | {column for columns in FIELDS.values() for column in columns}
)
_RARE = frozenset({"system", "comment", "confidence"})
_FIELD_COLUMNS = tuple((name, column) for name, names in FIELDS.items() for column in names)


class Columns(NamedTuple):
    """What the keys of a record are for; files have few sets of keys and many records."""

    ids: str | None
    signed: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    has_more: bool  # a system, a comment or a confidence
    # Where the sentence stands. They are notes as well, because records may mean something else.
    offsets: tuple[str, str] | None


def find_columns(keys: tuple[str, ...]) -> Columns:
    ids = next((each for each in _IDS if each in keys), None)
    return Columns(
        ids=ids,
        signed=tuple(each for each in SIGNED if each in keys),
        fields=tuple(each for each in _FIELD_COLUMNS if each[1] in keys),
        notes=tuple(each for each in keys if each not in _KNOWN and each != ids),
        has_more=not _RARE.isdisjoint(keys),
        offsets=next((pair for pair in OFFSET_NAMES if {*pair} <= {*keys}), None),
    )
