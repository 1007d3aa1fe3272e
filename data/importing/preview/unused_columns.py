"""Warn before import about table columns used neither as text nor as answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from data.importing.tables.cells import read_value
from data.importing.tables.roles import name_rater_column
from faithfulness.model.drafts import Draft
from faithfulness.protocols import protocol

# Formats that take any table and keep beside the item what they do not know.
TABLES = ("comparative_scores", "consistency_answers", "expert_scores", "table")
_ADDED = ("response", "same_texts_as")  # notes of our own, never columns
_NAMED = 12
_LOOKED_AT = 50  # items that tell whether a column holds answers


def warn_of_unused_columns(
    importer: str,
    mapping: Mapping[str, str],
    groups: Iterable[Sequence[Draft]],
    *,
    by_command: bool,
) -> Iterator[str]:
    """A warning that names the columns nobody gave a role, with the two ways to use them.

    Args:
        importer: the key of the format that read the file.
        mapping: the roles the person chose; a column kept on purpose is none to warn of.
        groups: the drafts of every item.
        by_command: whether a command reads the file, and has options for columns.
    """
    if importer not in TABLES:
        return
    found: dict[str, dict[str, list[str]]] = {}
    for drafts in groups:
        for draft in drafts:
            columns = found.setdefault(draft.protocol, {})
            for name, text in draft.attributes.items():
                if name not in mapping and name not in _ADDED:
                    columns.setdefault(name, []).append(text)
    for protocol_key, columns in found.items():
        if columns:
            yield _format_warning(protocol_key, columns, by_command)


def _format_warning(
    protocol_key: str, columns: Mapping[str, Sequence[str]], by_command: bool
) -> str:
    by_hand = "map them by hand with Format: Table with a column mapping"
    if by_command:
        by_hand = f"give every column a role: --protocol {protocol_key} --map COLUMN=ROLE …"
    answers = [name for name, texts in columns.items() if _are_answers(protocol_key, texts)]
    renamed = ", ".join(name_rater_column(name, protocol_key) for name in answers[:_NAMED])
    by_name = f"; or rename {_shorten_names(answers)} to {renamed}" if answers else ""
    return (
        f"Kept as item attributes, not used as answers or texts: {_shorten_names(list(columns))}. "
        f"To use them, {by_hand}{by_name}."
    )


def _shorten_names(names: Sequence[str]) -> str:
    left = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {left} more" if left > 0 else "")


def _are_answers(protocol_key: str, texts: Sequence[str]) -> bool:
    """Whether every value looked at is on the scale that `name_rater_column` names."""
    criterion = protocol(protocol_key).criteria[0]
    # An item of several rows has the different values of its column joined.
    said = (part for text in islice(texts, _LOOKED_AT) for part in text.split("; "))
    return all(read_value(criterion, each)[0] is not None for each in said)
