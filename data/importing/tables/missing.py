"""List what a column mapping lacks for a protocol, and find the protocol that fits best."""

from collections.abc import Collection, Iterable, Mapping

from data.importing.tables.roles import WHO_ROLES, ColumnRole, read_role, suggest_mapping
from data.importing.tables.scales import format_scale
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import UnitKind
from faithfulness.protocols import PROTOCOLS, protocol

_NAMED = 3  # protocols that lack equally little


def what_is_missing(mapping: Mapping[str, str], protocol_key: str) -> str:
    """Why this mapping cannot be read, in plain words; empty when it can."""
    return "; ".join(list_missing(mapping, protocol_key))


def list_missing(mapping: Mapping[str, str], protocol_key: str) -> list[str]:
    """Everything that keeps a mapping from being read, each in plain words."""
    roles = [read_role(column, text) for column, text in mapping.items()]
    mine = protocol(protocol_key)
    return [*_list_missing_texts(roles, mine), *_list_wrong_answers(roles, mine)]


def find_fitting_protocol(header: Iterable[str]) -> str:
    """The protocol whose values the columns name, empty when none or several do."""
    columns = tuple(header)
    fitting = [key for key in PROTOCOLS if not what_is_missing(suggest_mapping(columns, key), key)]
    return fitting[0] if len(fitting) == 1 else ""


def describe_missing_anywhere(header: Collection[str]) -> str:
    """What columns that fit no protocol by their names lack, told for those that lack least."""
    found = {key: suggest_mapping(header, key) for key in PROTOCOLS}
    known = {key: sum(role != "attribute" for role in each.values()) for key, each in found.items()}
    if not any(known.values()):
        return (
            "none of these names is known; one column must hold the response under review, and "
            "one the answers about it (a label, a verdict or a score)"
        )
    lacks = {key: list_missing(each, key) for key, each in found.items()}
    least = min((len(lacks[key]), -known[key]) for key in PROTOCOLS)
    nearest = [key for key in PROTOCOLS if (len(lacks[key]), -known[key]) == least]
    told = [f"for {PROTOCOLS[key].title} {' and '.join(lacks[key])}" for key in nearest[:_NAMED]]
    return "; ".join(told) if least[0] else "they fit several protocols alike"


def _list_missing_texts(roles: Collection[ColumnRole], mine: Protocol) -> list[str]:
    kinds = {role.kind for role in roles}
    found = []
    if "sentence" not in kinds and not any(role[:2] == ("field", "response") for role in roles):
        found.append("no column holds the response under review")
    if mine.unit is UnitKind.SENTENCE and not kinds & {"sentence", "reply"}:
        found.append("no column holds the sentence that is labelled")
    if mine.unit is UnitKind.CLAIM and "claim" not in kinds:
        found.append("no column holds the claim that is judged")
    return found


def _list_wrong_answers(roles: Collection[ColumnRole], mine: Protocol) -> list[str]:
    kinds = {role.kind for role in roles}
    asked = [each.key for each in mine.criteria]
    if not kinds & {"value", "reply", "number"}:
        return [f"no column holds the answers ({' or '.join(asked)}), nor a judge's whole reply"]
    found = [
        f"{mine.title} has no criterion {role.of!r}"
        for role in roles
        if role.kind == "value" and role.of not in asked
    ]
    scales = {each.key: format_scale(each) for each in mine.criteria}
    found += [
        f"{role.of} has no scale {role.scale!r}"
        for role in roles
        if role.kind == "value" and role.scale and role.scale != scales.get(role.of)
    ]
    if kinds & {*WHO_ROLES} and any(role.author for role in roles if role.kind == "value"):
        found.append("authors stand both in a column and in column names; say which counts")
    return found
