"""Items for tests of protocols: from the example inside a prompt, or from plain texts."""

import json
import re
from typing import Any

from faithfulness.model.prompt import ReplyForm, select_template
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import (
    FIELD_KINDS,
    Field,
    Item,
    Span,
    Unit,
    UnitKind,
    make_claim_id,
    make_response_unit,
)
from faithfulness.text.sentences import cut_sentences

_EXAMPLE = re.compile(
    r"Example document:\n```json\n(.*?)\n```\nExample reply:\n```\n(.*?)\n```", re.DOTALL
)


def example_of(protocol: Protocol, form: ReplyForm = ReplyForm.TEXT) -> tuple[Item, str, str]:
    """The item, the mark and the reply of the protocol's prompt, with reasons of a judge's own.

    The very words of the prompt would be an echo.
    """
    item, mark, reply = echoed_example_of(protocol, form)
    own = re.sub(r'"rationale": "', '"rationale": "In my words: ', reply)
    own = re.sub(r"(?m)^(?=The |Prices )", "In my words: ", own)
    assert own != reply
    return item, mark, own


def echoed_example_of(
    protocol: Protocol, form: ReplyForm = ReplyForm.TEXT
) -> tuple[Item, str, str]:
    """The item, the mark and the reply that the protocol's own prompt shows the judge."""
    found = _EXAMPLE.search(select_template(protocol.prompt.template, form))
    assert found is not None, f"the prompt of {protocol.key} has no example"
    document = json.loads(found.group(1))
    fields = [
        Field(name=name, kind=name, text=document[name])
        for name in ("query", "topic")
        if name in document
    ]
    fields += [Field(**each) for each in document["sources"]]
    fields += [
        Field(name=each["name"], kind=each["name"], text=each["text"])
        for each in document["reviewed"]
    ]
    units = tuple(_unit(each, protocol.unit, fields) for each in document["units"])
    return Item(id="example", fields=tuple(fields), units=units), document["mark"], found.group(2)


def item_of(response: str, **texts: str) -> Item:
    """An item with its sentences as units, and the whole response as one more."""
    fields = [Field(name="response", kind="response", text=response)]
    fields += [Field(name=name, kind=_kind(name), text=text) for name, text in texts.items()]
    units = [
        Unit(
            id=f"s{number}",
            kind=UnitKind.SENTENCE,
            field="response",
            text=response[start:end],
            span=Span(field="response", start=start, end=end),
        )
        for number, (start, end) in enumerate(cut_sentences(response), start=1)
    ]
    units.append(make_response_unit("response", response))
    return Item(id="test", fields=tuple(fields), units=tuple(units))


def claims_item(prediction: list[str], reference: list[str]) -> Item:
    """An item whose claims are the given texts; claims of the same words stay two."""
    sides = {"response": prediction, "reference": reference}
    units = [
        Unit(
            id=make_claim_id(side, "", claim, claims[:number].count(claim)),
            kind=UnitKind.CLAIM,
            field=side,
            text=claim,
            span=None,
        )
        for side, claims in sides.items()
        for number, claim in enumerate(claims)
    ]
    fields = tuple(Field(name=name, kind=name, text=" ".join(said)) for name, said in sides.items())
    return Item(id="claims", fields=fields, units=tuple(units))


def _unit(told: dict[str, Any], kind: UnitKind, fields: list[Field]) -> Unit:
    whole = next(each.text for each in fields if each.name == told["field"])
    if kind is UnitKind.RESPONSE:
        return make_response_unit(told["field"], whole)
    start = whole.find(told["text"])
    span = Span(field=told["field"], start=start, end=start + len(told["text"]))
    return Unit(
        id=told["id"],
        kind=kind,
        field=told["field"],
        text=told["text"],
        span=span if start >= 0 else None,
    )


def _kind(name: str) -> str:
    return name if name in FIELD_KINDS else name.rsplit("_", 1)[0]
