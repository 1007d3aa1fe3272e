"""Describe the contents of a file that cannot be read, for its error message."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from data.importing.importer import Source, quote_value
from data.importing.readers.peek import read_head
from data.importing.readers.shape import describe_kind
from data.importing.readers.strict import read_json_document
from faithfulness.model.errors import ImportRefused
from faithfulness.model.wording import format_count

_NAMED = 12
_LONGEST_NAME = 40
# Keys of records that are answers, or what is answered about.
_ANSWERS = frozenset(
    {"sentence", "claim", "label", "judgment", "judgement", "supported"}
    | {"verdict", "answer", "score", "rating", "faithfulness", "consistency", "accuracy", "ethics"}
)


def shorten_names(names: Iterable[str]) -> str:
    """The first names in a row, long ones cut: id, response, label and 3 more."""
    every = [str(each) for each in names]
    cut = [each if len(each) <= _LONGEST_NAME else f"{each[:_LONGEST_NAME]}…" for each in every]
    left = len(every) - _NAMED
    return ", ".join(cut[:_NAMED]) + (f" and {left:,} more" if left > 0 else "")


def describe_columns(names: Iterable[str]) -> str:
    """Columns with their number: 2 columns (id, label)."""
    every = list(names)
    return f"{format_count(len(every), 'column')} ({shorten_names(every)})"


def describe_value(value: object) -> str:
    """What a value of a file is: a text, null, a list of 3, an object with 2 keys (a, b)."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return f"an object with {format_count(len(value), 'key')}" + _list_keys(value)
    return f"a list of {len(value):,}" if isinstance(value, list) else describe_kind(value)


def refuse_one_object(source: Source) -> None:
    """Refuse a JSON file that is one object around something else, where no columns were found.

    Raises:
        ImportRefused: it is; the message says where in it a table is.
    """
    if not read_head(source).lstrip().startswith("{"):
        return
    try:
        value = read_json_document(source)
    except ImportRefused:  # lines of JSON
        return
    if isinstance(value, dict) and _is_around_records(value):
        raise ImportRefused(
            f"{source.name}: this is {describe_value(value)}, not a table with a row for "
            "each answer. "
            f"{_suggest_remedy(value)}"
        )


def describe_nested(row: Mapping[str, Any]) -> str:
    """What to do with a table whose answers stand in lists, which no mapping of columns reads."""
    for column, value in row.items():
        if isinstance(value, list) and _holds_records(value) and not _ANSWERS.isdisjoint(value[0]):
            is_labelled = {"sentence", "label"} <= value[0].keys()
            remedy = "name it sentences" if is_labelled else "write a row for each of these records"
            return (
                f"The column {quote_value(column)} holds lists of "
                f"records{_list_keys(value[0])}, which no "
                f"column mapping reads: {remedy}."
            )
    return ""


def _is_around_records(value: Mapping[str, Any]) -> bool:
    """Whether records are held by what is none: a text beside them may be what was evaluated."""
    held = [inside for inside in value.values() if _holds_records(inside)]
    texts = [inside for inside in value.values() if isinstance(inside, str)]
    if not texts:
        return bool(held)
    are_names = all(len(each.split()) < 2 and len(each) <= _LONGEST_NAME for each in texts)
    return are_names and any(isinstance(each, list) and len(each) > 1 for each in held)


def _suggest_remedy(value: Mapping[str, Any]) -> str:
    for key, inside in value.items():
        if isinstance(inside, list) and _holds_records(inside):
            return (
                f"Its key {shorten_names([key])} holds a list of "
                f"{format_count(len(inside), 'record')}, the "
                f"first with {format_count(len(inside[0]), 'key')}{_list_keys(inside[0])}: "
                "if these are the "
                "rows, save that list as a file, each with what it needs of the other keys."
            )
    if len(value) > 1 and all(isinstance(inside, dict) and inside for inside in value.values()):
        first = next(iter(value.values()))
        return (
            f"Each of its keys holds an object; the first has {format_count(len(first), 'key')}"
            f"{_list_keys(first)}. If these are the rows, write them as a list of such "
            "objects, or one "
            "a line, with the key as id."
        )
    return (
        "None of its keys holds a list of records. Write one record for each answer, in a list or "
        "one a line; docs/importing.md shows what each holds."
    )


def _holds_records(value: object) -> bool:
    """Whether a table may lie inside, so that the names around it are none of columns."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, dict) for each in islice(value, 50))
    return isinstance(value, dict) and bool(value)


def _list_keys(value: Mapping[str, Any]) -> str:
    return f" ({shorten_names(value)})" if value else ""
