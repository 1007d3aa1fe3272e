"""Prompt: what a judge is told, with a version and a fingerprint; slots are filled in one pass."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from faithfulness.errors import ReviewError

_NAMED = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_BARE = re.compile(r"\{\}")
_TRAPPED = ", with traps"


class Carrier(StrEnum):
    """How the item's texts travel inside the message."""

    JSON = "json"  # one JSON document: a text cannot leave its place
    TRAPS = "json_traps"  # the same document with trap units among the item's own
    SLOTS = "slots"  # published wording with slots: comparable, but the weaker mode


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """A judge's instructions; two prompts with the same fingerprint are the same prompt."""

    version: str
    system: str
    template: str
    carrier: Carrier = Carrier.JSON
    # For SLOTS: which item value fills each slot. Named slots map by name; bare {} go in order.
    slots: Sequence[str] = ()

    @property
    def fingerprint(self) -> str:
        raw = "\x00".join((self.version, self.system, self.template, self.carrier, *self.slots))
        return hashlib.sha256(raw.encode("utf-8")).hexdigest()[:16]


def trapped(prompt: Prompt) -> Prompt:
    """The same words, sent with traps: a version of its own, because a judge sees more units."""
    if prompt.carrier is not Carrier.JSON:
        return prompt
    return replace(prompt, version=f"{prompt.version}{_TRAPPED}", carrier=Carrier.TRAPS)


def untrapped(prompt: Prompt) -> Prompt:
    """The version without traps; itself where it has none."""
    if prompt.carrier is not Carrier.TRAPS:
        return prompt
    return replace(prompt, version=prompt.version.removesuffix(_TRAPPED), carrier=Carrier.JSON)


def edited(prompt: Prompt, *, system: str, template: str) -> Prompt:
    """The prompt with other words, as a version named by them; itself when nothing changed.

    Raises:
        ReviewError: the words leave the item's texts no place.
    """
    if (system, template) == (prompt.system, prompt.template):
        return prompt
    if prompt.carrier is not Carrier.SLOTS and _NAMED.findall(template) != ["document"]:
        raise ReviewError(
            "The prompt needs the slot {{document}} exactly once and no other slot: the item's "
            "texts and the mark of the call go there. Put it back where it was."
        )
    unnamed = replace(prompt, version="", system=system, template=template)
    return replace(unnamed, version=f"edit-{unnamed.fingerprint[:8]}")


def fill(template: str, values: Mapping[str, str], order: Sequence[str] = ()) -> str:
    """Fill `{{name}}` slots, or bare `{}` slots in the given order, never inside filled text."""
    if _NAMED.search(template):
        return _NAMED.sub(lambda slot: _value(values, slot.group(1)), template)
    expected, found = len(order), len(_BARE.findall(template))
    if expected != found:
        raise ReviewError(
            f"The prompt file has {found} empty {{}} slots; this protocol fills {expected}: "
            f"{', '.join(order)}. Add or remove slots, or name them {{{{like_this}}}}."
        )
    names = iter(order)
    return _BARE.sub(lambda _: _value(values, next(names)), template)


def _value(values: Mapping[str, str], name: str) -> str:
    if name not in values:
        raise ReviewError(
            f"The prompt file has a slot {{{{{name}}}}} that this protocol cannot fill. "
            f"It can fill: {', '.join(sorted(values))}."
        )
    return values[name]
