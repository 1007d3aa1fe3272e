"""Build the JSON schema of a judge's reply from the criteria of a protocol."""

from collections.abc import Callable, Mapping
from typing import Any

from faithfulness.model.prompt import Carrier, Prompt, has_reply_forms
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import UnitKind
from faithfulness.protocols.claim_overlap import PROTOCOL as CLAIM_OVERLAP
from faithfulness.protocols.expert_rubric import PROTOCOL as EXPERT_RUBRIC
from faithfulness.protocols.response_consistency import PARTS_UNVERIFIED
from faithfulness.protocols.response_consistency import PROTOCOL as RESPONSE_CONSISTENCY
from faithfulness.protocols.sentence_grounding import PROTOCOL as SENTENCE_GROUNDING

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_TEXTS: Schema = {"type": "array", "items": _TEXT}


def reply_schema(protocol: Protocol, prompt: Prompt) -> Schema | None:
    """The schema of a reply; None where the reply is text.

    A comparative summary is scored on a line below written reasoning, and a prompt with slots says
    itself how it wants to be answered. So does one that asks for an object per line and has no
    section for replies with a schema, which allows one outermost object only. The schema is the
    same for every call, because endpoints take seconds to prepare one they have not seen: so the
    mark is a text and not this call's mark.
    """
    if prompt.carrier is Carrier.SLOTS or protocol.key not in _BUILT:
        return None
    if protocol.unit is not UnitKind.RESPONSE and not has_reply_forms(prompt):
        return None
    return _BUILT[protocol.key](protocol)


def _object(properties: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _one_of(criterion: Criterion) -> Schema:
    return {"type": "string", "enum": list(criterion.scale.values)}


def _per_unit(properties: Mapping[str, Schema]) -> Schema:
    # Every object has the mark, not the wrapper alone: whole objects of a cut-off reply count.
    each = _object({"mark": _TEXT, "id": _TEXT, **properties})
    return _object({"units": {"type": "array", "items": each}})


def _sentences(protocol: Protocol) -> Schema:
    (label,) = protocol.criteria
    return _per_unit(
        {
            "sentence": _TEXT,
            label.key: _one_of(label),
            "rationale": _TEXT,
            "excerpt": _TEXT_OR_NULL,
        }
    )


def _claims(protocol: Protocol) -> Schema:
    judgment: Schema = {"type": ["boolean", "null"]}
    return _per_unit({"judgment": judgment, "rationale": _TEXT, "excerpt": _TEXT_OR_NULL})


def _consistency(protocol: Protocol) -> Schema:
    consistency, query_type = protocol.criteria
    return _object(
        {
            "mark": _TEXT,
            query_type.key: _one_of(query_type),
            "answer": _one_of(consistency),
            "rationale": _TEXT,
            "evidence_links": _TEXTS,
            "excerpts": _TEXTS,
            PARTS_UNVERIFIED: {"type": "boolean"},
            "comment": _TEXT,
        }
    )


def _rubric(protocol: Protocol) -> Schema:
    return _object(
        {"mark": _TEXT, **{each.key: _score_with_checks(each) for each in protocol.criteria}}
    )


def _score_with_checks(criterion: Criterion) -> Schema:
    checks = [check.key for check in criterion.checklist]
    return _object(
        {
            "score": {"type": "integer", "enum": [int(each) for each in criterion.scale.values]},
            "rationale": _TEXT,
            "checks": {"type": "array", "items": {"type": "string", "enum": checks}},
        }
    )


_BUILT: Mapping[str, Callable[[Protocol], Schema]] = {
    SENTENCE_GROUNDING.key: _sentences,
    CLAIM_OVERLAP.key: _claims,
    RESPONSE_CONSISTENCY.key: _consistency,
    EXPERT_RUBRIC.key: _rubric,
}
