"""Prompt of a judge: template, version, fingerprint and single-pass slot filling."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from faithfulness.model.errors import ReviewError

_NAMED = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_BARE = re.compile(r"\{\}")
_SECTION = re.compile(r"\{\{#(text|schema)\}\}\n?(.*?)\{\{/\1\}\}\n?", re.DOTALL)
_SECTION_TAG = re.compile(r"\{\{\s*[#/].*?\}\}")
_TRAPPED = ", with traps"


class Carrier(StrEnum):
    """How the item's texts travel inside the message."""

    JSON = "json"  # one JSON document: a text cannot leave its place
    TRAPS = "json_traps"  # the same document with trap units among the item's own
    SLOTS = "slots"  # published wording with slots: comparable, but the weaker mode


class ReplyForm(StrEnum):
    """How a judge is told to write its reply, which depends on what its endpoint can take."""

    TEXT = "text"  # free text with the published lines in it
    SCHEMA = "schema"  # one JSON value that the endpoint holds to a schema


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


def add_trap_version(prompt: Prompt) -> Prompt:
    """The same words, sent with traps: a version of its own, because a judge sees more units."""
    if prompt.carrier is not Carrier.JSON:
        return prompt
    return replace(prompt, version=f"{prompt.version}{_TRAPPED}", carrier=Carrier.TRAPS)


def remove_trap_version(prompt: Prompt) -> Prompt:
    """The version without traps; itself where it has none."""
    if prompt.carrier is not Carrier.TRAPS:
        return prompt
    return replace(prompt, version=prompt.version.removesuffix(_TRAPPED), carrier=Carrier.JSON)


def edit_prompt(prompt: Prompt, *, system: str, template: str) -> Prompt:
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
    _check_sections(template)
    unnamed = replace(prompt, version="", system=system, template=template)
    return replace(unnamed, version=f"edit-{unnamed.fingerprint[:8]}")


def select_template(template: str, form: ReplyForm) -> str:
    """The template with the sections of this reply form, without those of the other form."""
    return _SECTION.sub(
        lambda section: section.group(2) if section.group(1) == form else "", template
    )


def has_reply_forms(prompt: Prompt) -> bool:
    """Whether the prompt words the form of the reply for plain text and for a schema."""
    return prompt.carrier is not Carrier.SLOTS and _list_sections(prompt.template) == set(ReplyForm)


def fill_slots(template: str, values: Mapping[str, str], order: Sequence[str] = ()) -> str:
    """Fill `{{name}}` slots, or bare `{}` slots in the given order, never inside filled text."""
    if _NAMED.search(template):
        return _NAMED.sub(lambda slot: _get_slot_value(values, slot.group(1)), template)
    expected, found = len(order), len(_BARE.findall(template))
    if expected != found:
        raise ReviewError(
            f"The prompt file has {found} empty {{}} slots; this protocol fills {expected}: "
            f"{', '.join(order)}. Add or remove slots, or name them {{{{like_this}}}}."
        )
    names = iter(order)
    return _BARE.sub(lambda _: _get_slot_value(values, next(names)), template)


def _list_sections(template: str) -> set[str]:
    return {section.group(1) for section in _SECTION.finditer(template)}


def _check_sections(template: str) -> None:
    """Refuse a template that leaves one form of reply without its instruction."""
    is_torn = any(_SECTION_TAG.search(select_template(template, form)) for form in ReplyForm)
    if is_torn or _list_sections(template) not in (set(), set(ReplyForm)):
        raise ReviewError(
            "The prompt words one form of reply only, or a section has no beginning or no end. "
            "Put what holds for plain replies between {{#text}} and {{/text}} and what holds for "
            "replies with a schema between {{#schema}} and {{/schema}}, or remove these marks."
        )


def _get_slot_value(values: Mapping[str, str], name: str) -> str:
    if name not in values:
        raise ReviewError(
            f"The prompt file has a slot {{{{{name}}}}} that this protocol cannot fill. "
            f"It can fill: {', '.join(sorted(values))}."
        )
    return values[name]
