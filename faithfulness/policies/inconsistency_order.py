"""Rank inconsistencies by severity, and explain the ranking in words."""

from faithfulness.model.protocol import Criterion
from faithfulness.model.wording import format_count, format_percent
from faithfulness.policies.inconsistencies import Inconsistency
from faithfulness.policies.inconsistency_rules import AuditRule
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.disagreement import compute_weight, severity

TITLE = "Cannot all be right"
_OWN = 1.4  # whoever contradicts themselves has erred, whatever others think
_CRITERIA: dict[str, Criterion] = {
    each.key: each for protocol in PROTOCOLS.values() for each in protocol.criteria
}


def compute_gravity(rule: AuditRule, value: str, leaves: str) -> float:
    """How far an answer lies from the best one that its rule leaves: 0 to 1."""
    return severity(_CRITERIA[rule.criterion].scale, (value, leaves))


def weigh_inconsistency(
    rule: AuditRule,
    value: str,
    leaves: str,
    *,
    sentences: int,
    sureness: float | None,
    absent: bool,
    clash: bool,
    own: bool,
) -> float:
    """The place in the queue, by the measure of disagreements.

    Args:
        rule: the rule that is broken.
        value: the answer that is ruled out.
        leaves: the best one that the rule leaves.
        sentences: how many speak against it; none where it lacks something of its own.
        sureness: mean stated confidence of all answers that take part, None where nobody says.
        absent: a quote of theirs stands in no source.
        clash: a clash was found on one of them.
        own: one author contradicts themselves.
    """
    weight = compute_weight(
        compute_gravity(rule, value, leaves), 1 + sentences, sureness, absent, clash
    )
    return weight * (_OWN if own else 1.0)


def explain_audit(
    found: Inconsistency, *, sureness: float | None, absent: bool, clash: bool
) -> tuple[str, ...]:
    """Short phrases that explain the weight from the facts given to `weigh_inconsistency`."""
    phrases = [_describe_answer(found)]
    if found.other is not None:
        phrases.append(f"{format_count(len(found.other.units), 'sentence')} against it")
        if found.is_by_one_author:
            phrases.append("one author against themselves")
    elif len(found.one.units) > 1:
        phrases.append(format_count(len(found.one.units), "sentence"))
    if sureness is not None:
        phrases.append(f"stated confidence {format_percent(sureness)}")
    if absent:
        phrases.append("a quote is in no source")
    if clash:
        phrases.append("a clash with a source was found")
    return tuple(phrases)


def _describe_answer(found: Inconsistency) -> str:
    """The answer and what its rule leaves: accuracy 5 where the rule leaves 2.

    Titles of a nominal scale can be sentences of their own, so they stand in quotation marks.
    """
    scale = _CRITERIA[found.one.criterion].scale
    label, left = scale.label(found.one.values[0]), scale.label(found.leaves)
    if scale.ordinal:
        return f"{found.one.criterion} {label.value} where the rule leaves {left.value}"
    return f"“{label.title}” where the rule leaves “{left.title}”"
