"""Derive the answer about a whole response from the decisions about its sentences."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from faithfulness.judges.lexical.decision import PLEASE_CHECK, Decision
from faithfulness.vocabulary import Span

_MOST = 0.8  # a broad answer may leave the rest without evidence
_NAMED = 8  # sentences that a rationale or comment names
_EXCERPTS = 12


class Judged(NamedTuple):
    """A sentence of the response with its decision."""

    text: str
    decision: Decision


def answer_from(judged: Sequence[Judged], text_at: dict[Span, str]) -> dict[str, Any] | None:
    """The answer's keys as the protocol's reply has them; None where words alone cannot tell."""
    checked = [each for each in judged if each.decision.label != "no_rad"]
    if not checked:
        told = "No sentence states a fact to look up."
        return _told("nothing_to_check", told, [], text_at, None)
    against = [each for each in checked if each.decision.label == "contradictory"]
    if against:
        told = " ".join(f"{each.text} {each.decision.rationale}" for each in against[:_NAMED])
        return _told("no_contrary_evidence", told, against, text_at, against[0].decision.confidence)
    carried = [each for each in checked if each.decision.label == "supported"]
    if len(carried) < _MOST * len(checked):
        return None
    rest = [each for each in checked if each.decision.label == "unsupported"]
    lowest = min(each.decision.confidence or 0.0 for each in carried)
    told = f"{len(carried)} of {len(checked)} sentences have their words in the sources."
    if rest or any(each.decision.review for each in carried):
        told += f" Some only in part. {PLEASE_CHECK}"
    answer = _told("yes_evidence", told, carried, text_at, lowest)
    if rest:
        answer["parts_unverified"] = True
        answer["comment"] = "Without evidence: " + " ".join(each.text for each in rest[:_NAMED])
    return answer


def _told(
    value: str,
    rationale: str,
    evidence: Sequence[Judged],
    text_at: dict[Span, str],
    confidence: float | None,
) -> dict[str, Any]:
    spans = list(dict.fromkeys(span for each in evidence for span in each.decision.spans))
    return {
        "answer": value,
        "rationale": rationale,
        "evidence_links": list(dict.fromkeys(span.field for span in spans)),
        "excerpts": [text_at[span] for span in spans[:_EXCERPTS]],
        "parts_unverified": False,
        "comment": "",
        "confidence": confidence,
    }
