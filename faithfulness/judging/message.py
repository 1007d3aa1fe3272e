"""Build the user message for a judge from the prompt and the texts of one item."""

import json
import re
import secrets
from collections.abc import Mapping
from typing import Any

from faithfulness.model.prompt import Carrier, Prompt, ReplyForm, fill_slots, select_template
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import FIELD_KINDS, Field, Item, Unit, UnitKind
from faithfulness.protocols.comparative_summary import split_product

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def mark_for(prompt: Prompt, item: Item) -> str:
    """A code for one call that no text of the item can know; empty where the prompt asks for none.

    A published wording with slots does not ask for a mark, so its replies cannot carry one.
    """
    if prompt.carrier is Carrier.SLOTS:
        return ""
    mark = secrets.token_hex(16)
    while any(mark in each.text for each in item.fields):
        mark = secrets.token_hex(16)
    return mark


def write_message(
    prompt: Prompt,
    protocol: Protocol,
    item: Item,
    mark: str,
    form: ReplyForm = ReplyForm.TEXT,
) -> str:
    """The user message: texts travel as one JSON document, or in the slots of a published wording.

    In the first form a text cannot leave its place whatever it contains; the second is weaker and
    there for comparison with published figures. The message asks for one form of reply only. The
    system message is `prompt.system`.
    """
    if prompt.carrier is Carrier.SLOTS:
        return fill_slots(prompt.template, build_slot_values(protocol, item), prompt.slots)
    template = select_template(prompt.template, form)
    return fill_slots(template, {"document": dump_json_line(build_document(protocol, item, mark))})


def build_document(protocol: Protocol, item: Item, mark: str) -> dict[str, Any]:
    """What a judge gets to see of an item: never ids of the store, never other people's answers."""
    told: dict[str, Any] = {"mark": mark}
    for name in ("query", "topic"):
        if text := item.text_of(name):
            told[name] = text
    told["sources"] = [
        {"name": each.name, "kind": each.kind, "text": each.text}
        for each in _list_sources(protocol, item)
    ]
    told["reviewed"] = [
        {"name": name, "text": item.text_of(name)} for name in protocol.checked_against
    ]
    told["units"] = [_describe_unit(protocol, unit) for unit in item.units_of(protocol.unit)]
    return told


def build_slot_values(protocol: Protocol, item: Item) -> Mapping[str, str]:
    """Every value a prompt file can ask for, under the item's names and the published ones."""
    values = dict.fromkeys(FIELD_KINDS, "") | {each.name: each.text for each in item.fields}
    response, sources = item.text_of("response"), _list_sources(protocol, item)
    fragments = [each.text for each in item.fields if each.kind == "fragment"]
    values |= {
        "user_request": item.text_of("query"),
        "context_document": _join_sources(sources),
        "prediction": response,
        "summary": response,
        "answer": response,
        "fragments": "\n\n".join(f"[{n}] {text}" for n, text in enumerate(fragments, start=1)),
        "units": "\n".join(
            dump_json_line(_describe_unit(protocol, each)) for each in item.units_of(protocol.unit)
        ),
        "claims": "\n".join(
            dump_json_line(_describe_unit(protocol, each)) for each in item.units_of(UnitKind.CLAIM)
        ),
    }
    for number in (1, 2, 3):
        product = f"product_{number}"
        values.setdefault(product, "")
        for part, text in split_product(values[product])._asdict().items():
            values[f"{product}_{part}"] = text
    return values


def dump_json_line(told: object) -> str:
    """JSON on one line that can be sent as UTF-8 and gives back every text exactly."""
    raw = json.dumps(told, ensure_ascii=False)
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", raw)


def _list_sources(protocol: Protocol, item: Item) -> list[Field]:
    """The sources of the protocol's kinds; reviewed fields are shown as such, not here."""
    kinds = {kind for kinds in protocol.checked_against.values() for kind in kinds}
    return [
        each
        for each in item.fields
        if each.kind in kinds and each.name not in protocol.checked_against
    ]


def _describe_unit(protocol: Protocol, unit: Unit) -> dict[str, Any]:
    told: dict[str, Any] = {"id": unit.id, "field": unit.field}
    if unit.kind is not UnitKind.RESPONSE:
        told["text"] = unit.text
    if unit.kind is UnitKind.CLAIM:
        told["check_against"] = list(protocol.checked_against.get(unit.field, ()))
    return told


def _join_sources(sources: list[Field]) -> str:
    if len(sources) == 1:
        return sources[0].text
    return "\n\n".join(
        f"{FIELD_KINDS.get(each.kind, each.kind)} ({each.name}):\n{each.text}" for each in sources
    )
