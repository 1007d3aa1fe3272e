"""Load a user's prompt file: YAML with a template and named slots, or text with {} slots."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import yaml

from faithfulness.judging.message import build_slot_values
from faithfulness.model.errors import ReviewError
from faithfulness.model.prompt import Carrier, Prompt, fill_slots
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import Item

LARGEST = 200_000  # bytes
_SLOT = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_BARE = "{}"
_SECTIONS = re.compile(r"\A\s*system_msg:[ \t]*\n(.*?)\n\w*template:[ \t]*\n(.*)\Z", re.DOTALL)
_KEYS = re.compile(r"\s*(?:prompt|template)[ \t]*:")
_TWO_KEYS = re.compile(r"\s*prompt[ \t]*:[ \t]+template[ \t]*:")  # never one line of YAML
_RESPONSE = ("response", "summary", "prediction", "answer")


class _NoTemplateError(ReviewError):
    """The file is no YAML, or YAML without a template."""


class _PromptParts(NamedTuple):
    template: str
    system: str = ""
    version: str = ""
    variables: tuple[str, ...] | None = None


def load_prompt(name: str, raw: bytes, protocol: Protocol) -> Prompt:
    """The prompt in a user's file, with every slot known to be fillable under the protocol."""
    text = _decode(name, raw)
    found = _from_yaml_or_say_so(name, text) if _is_yaml(name, text) else _from_text(text)
    if not found.template.strip():
        raise ReviewError(f"{name}: the template is empty. Put the judge's instructions into it.")
    named = tuple(dict.fromkeys(_SLOT.findall(found.template)))
    if named:
        _check_named(name, named, found.variables, protocol)
    elif _BARE in found.template:
        _check_bare(name, found.template, protocol)
    else:
        raise ReviewError(
            f"{name}: the template has no slot, so no text would reach the judge. Name slots "
            f"{{{{like_this}}}}, or leave them bare {{}} in this order: "
            f"{_format_slot_order(protocol)}."
        )
    return Prompt(
        version=f"{name} {found.version}".strip(),
        system=found.system,
        template=found.template,
        carrier=Carrier.SLOTS,
        slots=named or tuple(protocol.prompt.slots),
    )


def _decode(name: str, raw: bytes) -> str:
    if len(raw) > LARGEST:
        raise ReviewError(
            f"{name}: the file has {len(raw):,} bytes; a prompt file may have {LARGEST:,}. "
            "Leave only the template in it."
        )
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ReviewError(
            f"{name} line {line}: the file is not UTF-8 text. Save it as UTF-8 and load it again."
        ) from error


def _is_yaml(name: str, text: str) -> bool:
    return name.lower().endswith((".yaml", ".yml")) or _KEYS.match(text) is not None


def _from_yaml_or_say_so(name: str, text: str) -> _PromptParts:
    """Read YAML; taken for plain text, its keys and metadata would all be sent to the judge."""
    try:
        return _from_yaml(name, text)
    except _NoTemplateError as error:
        if name.lower().endswith((".yaml", ".yml")) and not _TWO_KEYS.match(text):
            raise
        raise ReviewError(
            f"{name}: the file begins like YAML (a key prompt or template), but no template "
            "can be read from it; most likely its line breaks were lost. Load the original file "
            "with its line breaks, or leave only the text of the template in it, without the keys "
            "before and after it."
        ) from error


def _from_text(text: str) -> _PromptParts:
    sections = _SECTIONS.match(text)
    if sections is None:
        return _PromptParts(template=text.strip())
    # The system message is sent as such, so its own slot in the template is left out.
    template = sections.group(2).replace("{system_msg}", "", 1).strip()
    return _PromptParts(template=template, system=sections.group(1).strip())


def _from_yaml(name: str, text: str) -> _PromptParts:
    # BaseLoader builds nothing but texts, lists and mappings: no tag can do anything, and a version
    # such as 1.10 stays as written.
    try:
        loaded = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" line {mark.line + 1}" if mark is not None else ""
        reason = getattr(error, "problem", None) or "it is nested too deeply or not well formed"
        raise _NoTemplateError(
            f"{name}{where}: this is not YAML: {reason}. Correct that line."
        ) from error
    outer = loaded if isinstance(loaded, dict) else {}
    inner = outer.get("prompt")
    body: dict[Any, Any] = inner if isinstance(inner, dict) else outer
    template = body.get("template")
    if not isinstance(template, str):
        raise _NoTemplateError(
            f"{name}: there is no template. The file needs a text under the key template, "
            "or under prompt and there under template."
        )
    metadata = body.get("metadata", outer.get("metadata"))
    return _PromptParts(
        template=template,
        system=_get_text(body, "system"),
        version=_get_text(metadata, "version") or _get_text(body, "version"),
        variables=_parse_variables(
            name, body.get("template_variables", outer.get("template_variables"))
        ),
    )


def _get_text(mapping: object, key: str) -> str:
    said = mapping.get(key) if isinstance(mapping, dict) else None
    return said.strip() if isinstance(said, str) else ""


def _parse_variables(name: str, said: object) -> tuple[str, ...] | None:
    if said is None or said == "":
        return None
    if not isinstance(said, list) or not all(isinstance(each, str) for each in said):
        raise ReviewError(
            f"{name}: template_variables must be a list of slot names, such as - response."
        )
    return tuple(said)


def _check_named(
    name: str, named: Iterable[str], variables: tuple[str, ...] | None, protocol: Protocol
) -> None:
    known = build_slot_values(protocol, Item(id="", fields=(), units=()))
    unknown = [each for each in named if each not in known]
    if unknown:
        raise ReviewError(
            f"{name}: nothing of an item fills the slot {_format_slots(unknown)}. "
            f"Slots that can be filled: {', '.join(sorted(known))}."
        )
    if variables is not None and (unlisted := [each for each in named if each not in variables]):
        raise ReviewError(
            f"{name}: the template uses {_format_slots(unlisted)}, which template_variables "
            "does not "
            "list. List it there, or take the slot out."
        )
    if not any(each in named for each in _RESPONSE):
        raise ReviewError(
            f"{name}: no slot takes the text under review. "
            f"Add {_format_slots(_RESPONSE[:1])} where the judge should read it."
        )


def _check_bare(name: str, template: str, protocol: Protocol) -> None:
    order = tuple(protocol.prompt.slots)
    try:
        fill_slots(template, dict.fromkeys(order, ""), order)
    except ReviewError as error:
        raise ReviewError(f"{name}: {error}") from error


def _format_slots(names: Iterable[str]) -> str:
    return ", ".join(f"{{{{{each}}}}}" for each in names)


def _format_slot_order(protocol: Protocol) -> str:
    return ", ".join(protocol.prompt.slots)
