"""Validate the structure of imported records and reject bad ones with location and remedy."""

from collections.abc import Mapping
from typing import Any

from faithfulness.model.errors import ImportRefused

_LONGEST_SHOWN = 60
_SAYS_NOTHING = frozenset({"", "na", "n/a", "none", "null"})
_KINDS = {dict: "an object", list: "a list", str: "a text", int: "a number", float: "a number"}


def shorten_value(value: object) -> str:
    """A foreign value as a message may repeat it: short, and a text told from a number."""
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def build_record_refusal(where: str, found: str, remedy: str) -> ImportRefused:
    """The refusal of a record: where, what was found there, what to do."""
    return ImportRefused(f"{where}: {found}; {remedy}")


def need_mapping(value: object, what: str, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise build_record_refusal(where, f"{what} is {describe_kind(value)}", "expected an object")
    return value


def need_list(value: object, what: str, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise build_record_refusal(where, f"{what} is {describe_kind(value)}", "expected a list")
    return value


def need_text(value: object, what: str, where: str) -> str:
    """A text that says something; an empty one cannot be reviewed."""
    if not isinstance(value, str):
        raise build_record_refusal(where, f"{what} is {describe_kind(value)}", "expected a text")
    if not value.strip():
        raise build_record_refusal(where, f"{what} is empty", "expected a text")
    return value


def need_texts(value: object, what: str, where: str) -> list[str]:
    """A list of texts; single ones may be empty."""
    texts = need_list(value, what, where)
    for each in texts:
        if not isinstance(each, str):
            raise build_record_refusal(
                where, f"{what} holds {describe_kind(each)}", "expected only texts"
            )
    return texts


def need_number(value: object, what: str, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise build_record_refusal(where, f"{what} is {shorten_value(value)}", "expected a number")
    return float(value)


def need_equal_lengths(lists: Mapping[str, list[Any]], where: str) -> None:
    """Lists that are read side by side must be equally long, or a label meets the wrong text."""
    lengths = {name: len(each) for name, each in lists.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise build_record_refusal(where, told, "expected lists of equal length")


def read_side_note(value: object) -> str:
    """A value kept beside the answers, as text; placeholders say nothing."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        return ""
    text = str(value).strip()
    return "" if text.casefold() in _SAYS_NOTHING else text


def read_side_notes(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    """The named values of a record that say something."""
    return {name: text for name in names if (text := read_side_note(record.get(name)))}


def join_notes(notes: Mapping[str, str]) -> str:
    """Side notes as a comment: `correctness: Unsure; worthiness: Yes`."""
    return "; ".join(f"{name.replace('_', ' ')}: {text}" for name, text in notes.items())


def describe_kind(value: object) -> str:
    if value is None:
        return "missing"
    return "true or false" if isinstance(value, bool) else _KINDS[type(value)]
