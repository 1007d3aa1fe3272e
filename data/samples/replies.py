"""Generate the raw replies of one sample judge in the format that the protocol requires."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from data.samples.columns import AUTHORS, WRITER
from data.samples.lines import SampleLine, iter_written_claims
from data.samples.scores import Scored
from faithfulness.model.drafts import RawReply


def build_reply(text: str, *, ends_after: int | None = None) -> RawReply:
    """The reply as it came; one that ran into its limit ends after so many characters."""
    author = AUTHORS[WRITER]
    finish_reason = "stop" if ends_after is None else "length"
    return RawReply(author, text[:ends_after], author.name, finish_reason)


def format_sentences(lines: Sequence[SampleLine]) -> str:
    """One JSON object a line; several excerpts are written one after the other, as judges do."""
    return "\n".join(
        _dump_json(
            {
                "sentence": line.text,
                "label": line.labels[WRITER],
                "rationale": line.reason_of(WRITER),
                "excerpt": " ".join(line.quoted_by(WRITER)) or None,
            }
        )
        for line in lines
        if WRITER in line.labels
    )


def format_claims(prediction: Sequence[SampleLine], reference: Sequence[SampleLine]) -> str:
    told = [
        *iter_written_claims(prediction, "response"),
        *iter_written_claims(reference, "reference"),
    ]
    return "\n".join(map(_dump_json, told))


def format_score(scored: Scored) -> str:
    return f"{scored.why(WRITER)}\n\nScore- <score>{scored.values[WRITER]}</score>"


def format_consistency(scored: Scored, types: Scored) -> str:
    told: dict[str, Any] = {
        "query_type": types.values[WRITER],
        "answer": scored.values[WRITER],
        "rationale": scored.why(WRITER),
        "evidence_links": list(scored.links_of(WRITER)),
    }
    if checks := scored.checks_of(WRITER):
        told |= {**dict.fromkeys(checks, True), "comment": scored.why(WRITER)}
    return _dump_json(told)


def format_rubric(criteria: Mapping[str, Scored]) -> str:
    told = {
        key: {
            "score": int(scored.values[WRITER]),
            "rationale": scored.why(WRITER),
            "checks": list(scored.checks_of(WRITER)),
        }
        for key, scored in criteria.items()
        if WRITER in scored.values
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def _dump_json(told: Mapping[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False)
