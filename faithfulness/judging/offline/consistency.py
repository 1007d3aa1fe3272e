"""Derive the answer about a whole response from the decisions about its sentences."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from faithfulness.judging.offline.decision import Decision
from faithfulness.judging.offline.support import Support
from faithfulness.model.vocabulary import Span

_NAMED = 8  # sentences that a rationale names
_EXCERPTS = 12
# How often such a Yes was right: 115 of 126 on the public texts of docs/offline_baseline.md.
_YES_RIGHT = 0.91


class Judged(NamedTuple):
    """A sentence of the response with its decision, and whether its sources state it."""

    text: str
    decision: Decision
    support: Support


def answer_from(judged: Sequence[Judged], text_at: dict[Span, str]) -> dict[str, Any] | None:
    """The answer's keys as the protocol's reply has them; None where words alone cannot tell."""
    checked = [each for each in judged if each.decision.label != "no_rad"]
    if not checked:
        told = "No sentence states a fact to look up."
        return _told("nothing_to_check", told, (), text_at, None)
    against = [each for each in checked if each.decision.label == "contradictory"]
    if against:
        told = " ".join(f"{each.text} {each.decision.rationale}" for each in against[:_NAMED])
        spans = [span for each in against for span in each.decision.spans]
        return _told("no_contrary_evidence", told, spans, text_at, against[0].decision.confidence)
    if any(each.support.problem for each in checked):
        return None
    spans = [span for each in checked for span in each.support.spans]
    count = f"All {len(checked)} statements stand" if len(checked) > 1 else "The statement stands"
    told = f"{count}, figures included, in a source that may bear it out."
    return _told("yes_evidence", told, spans, text_at, _YES_RIGHT)


def _told(
    value: str,
    rationale: str,
    evidence: Sequence[Span],
    text_at: dict[Span, str],
    confidence: float | None,
) -> dict[str, Any]:
    spans = list(dict.fromkeys(evidence))
    return {
        "answer": value,
        "rationale": rationale,
        "evidence_links": list(dict.fromkeys(span.field for span in spans)),
        "excerpts": [text_at[span] for span in spans[:_EXCERPTS]],
        "parts_unverified": False,
        "comment": "",
        "confidence": confidence,
    }
