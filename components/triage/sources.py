"""The texts that a unit is checked against, for a card on which nobody quotes any of them."""

from typing import Any

from components.reader.said import title
from faithfulness.protocol import Protocol
from faithfulness.vocabulary import Item, Unit


def sources_of(item: Item, unit: Unit, protocol: Protocol, most: int) -> list[dict[str, Any]]:
    """Each source with how many characters it has, and are left out; all together at most `most`.

    Short ones are whole, and what they leave goes to the long ones, of which the beginning stands.
    """
    against = protocol.checked_against.get(unit.field, ())
    fields = [each for each in item.fields if each.kind in against and each.text.strip()]
    fields = [each for each in fields if each.name != unit.field]
    kept: dict[str, str] = {}
    left = most
    for nth, field in enumerate(sorted(fields, key=lambda each: len(each.text))):
        kept[field.name] = _beginning(field.text, left // (len(fields) - nth))
        left -= len(kept[field.name])
    return [
        {
            "title": title(each.name, each.kind),
            "text": kept[each.name],
            "whole": len(each.text),
            "left": len(each.text) - len(kept[each.name]),
        }
        for each in fields
        if kept[each.name]
    ]


def _beginning(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    cut = text[:most]
    return cut.rpartition(" ")[0] or cut
