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


def build_reply_schema(protocol: Protocol, prompt: Prompt) -> Schema | None:
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


def _build_object_schema(properties: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _build_label_schema(criterion: Criterion) -> Schema:
    return {"type": "string", "enum": list(criterion.scale.values)}


def _build_units_schema(properties: Mapping[str, Schema]) -> Schema:
    # Every object has the mark, not the wrapper alone: whole objects of a cut-off reply count.
    each = _build_object_schema({"mark": _TEXT, "id": _TEXT, **properties})
    return _build_object_schema({"units": {"type": "array", "items": each}})


def _build_sentences_schema(protocol: Protocol) -> Schema:
    (label,) = protocol.criteria
    return _build_units_schema(
        {
            "sentence": _TEXT,
            label.key: _build_label_schema(label),
            "rationale": _TEXT,
            "excerpt": _TEXT_OR_NULL,
        }
    )


def _build_claims_schema(protocol: Protocol) -> Schema:
    judgment: Schema = {"type": ["boolean", "null"]}
    return _build_units_schema({"judgment": judgment, "rationale": _TEXT, "excerpt": _TEXT_OR_NULL})


def _build_consistency_schema(protocol: Protocol) -> Schema:
    consistency, query_type = protocol.criteria
    return _build_object_schema(
        {
            "mark": _TEXT,
            query_type.key: _build_label_schema(query_type),
            "answer": _build_label_schema(consistency),
            "rationale": _TEXT,
            "evidence_links": _TEXTS,
            "excerpts": _TEXTS,
            PARTS_UNVERIFIED: {"type": "boolean"},
            "comment": _TEXT,
        }
    )


def _build_rubric_schema(protocol: Protocol) -> Schema:
    return _build_object_schema(
        {"mark": _TEXT, **{each.key: _score_with_checks(each) for each in protocol.criteria}}
    )


def _score_with_checks(criterion: Criterion) -> Schema:
    checks = [check.key for check in criterion.checklist]
    return _build_object_schema(
        {
            "score": {"type": "integer", "enum": [int(each) for each in criterion.scale.values]},
            "rationale": _TEXT,
            "checks": {"type": "array", "items": {"type": "string", "enum": checks}},
        }
    )


_BUILT: Mapping[str, Callable[[Protocol], Schema]] = {
    SENTENCE_GROUNDING.key: _build_sentences_schema,
    CLAIM_OVERLAP.key: _build_claims_schema,
    RESPONSE_CONSISTENCY.key: _build_consistency_schema,
    EXPERT_RUBRIC.key: _build_rubric_schema,
}
