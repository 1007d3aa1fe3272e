"""Protocols: one module per way of evaluating, listed by key in `PROTOCOLS`.

A protocol defines units, criteria, evidence rule, guidance, prompt, reply parser and summary; see
`docs/protocols.md`. `protocol` returns one by its key. Used wherever answers are read, shown or
counted.
"""

from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import Protocol
from faithfulness.protocols import (
    claim_overlap,
    comparative_summary,
    expert_rubric,
    response_consistency,
    sentence_grounding,
)

PROTOCOLS: dict[str, Protocol] = {
    each.PROTOCOL.key: each.PROTOCOL
    for each in (
        sentence_grounding,
        claim_overlap,
        comparative_summary,
        response_consistency,
        expert_rubric,
    )
}


def protocol(key: str) -> Protocol:
    """The protocol with this key."""
    if key not in PROTOCOLS:
        raise ReviewError(
            f"There is no protocol {key!r}. Use one of these keys: {', '.join(PROTOCOLS)}."
        )
    return PROTOCOLS[key]
