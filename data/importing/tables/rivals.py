"""Find the protocols that the columns of a table fit, and reject ambiguous tables."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from data.importing.importer import Source
from data.importing.tables.cells import read_value
from data.importing.tables.missing import what_is_missing
from data.importing.tables.roles import read_role, suggest_mapping
from data.importing.tables.tables import read_records
from faithfulness.model.errors import ImportRefused
from faithfulness.protocols import PROTOCOLS, protocol

_LOOKED_AT = 50  # rows that tell whether a column holds answers


def find_only_protocol(source: Source) -> str:
    """The one protocol whose answers a table holds; empty where its columns do not tell.

    Raises:
        ImportRefused: several do; reading it under one would make the others' answers attributes.
    """
    found = find_rival_protocols(source)
    if len(found) < 2:
        return next(iter(found), "")
    told = ", ".join(f"{PROTOCOLS[key].title} ({column})" for key, column in found.items())
    which = "Choose the protocol that is meant."
    if source.by_command:
        which = f"Say which is meant with --protocol: {', '.join(found)}."
    raise ImportRefused(f"{source.name}: the columns fit several protocols: {told}. {which}")


def find_rival_protocols(source: Source) -> Mapping[str, str]:
    """The protocols that the table fits, each with a column of answers that is its alone.

    One whose several criteria are all answered is meant: nobody else's columns weigh as much.
    """
    rows = [row for _, row in islice(read_records(source), _LOOKED_AT)]
    found: dict[str, dict[str, str]] = {}
    for key in PROTOCOLS:
        mapping = suggest_mapping(rows[0] if rows else (), key)
        if not what_is_missing(mapping, key):
            found[key] = _find_answer_columns(rows, mapping, key)
    if any(len({*answers.values()}) > 1 for answers in found.values()):
        return {}
    taken = [column for answers in found.values() for column in answers]
    return {
        key: next(iter(answers))
        for key, answers in found.items()
        if answers and all(taken.count(column) == 1 for column in answers)
    }


def _find_answer_columns(
    rows: list[dict[str, Any]], mapping: Mapping[str, str], protocol_key: str
) -> dict[str, str]:
    """The columns with values on the scale, each with the criterion that it answers."""
    answers = {}
    for column, text in mapping.items():
        role = read_role(column, text)
        if role.kind == "value":
            asked = protocol(protocol_key).criterion(role.of)
            if any(read_value(asked, row.get(column))[0] is not None for row in rows):
                answers[column] = role.of
    return answers
