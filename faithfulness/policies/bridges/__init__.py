"""Bridges: map answers of one protocol to another under a policy.

`bridge_answers` returns the implied answers, or what they may be, with the reasons. Computed on
request,
never stored. Used by `data.agreement` and the policy view of the agreement page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from faithfulness.model.summary import select_with_value
from faithfulness.model.vocabulary import Answer, Item
from faithfulness.policies.bridges.backward import list_fitting_sentences, list_fitting_values
from faithfulness.policies.bridges.bridged import Bridged, BridgeReason, make_refusal
from faithfulness.policies.bridges.forward import FORWARD, derive_meaning
from faithfulness.policies.bridges.pieces import (
    claims_to_sentences,
    sentences_to_claims,
)
from faithfulness.policies.bridges.profile import ImpliedMeaning, StatementProfile
from faithfulness.policies.bridges.statements import (
    compute_profile,
    find_query_type,
    map_unit_values,
)
from faithfulness.policies.policies import Policy
from faithfulness.protocols import protocol

__all__ = [
    "BRIDGED_CRITERION",
    "FORWARD",
    "BridgeReason",
    "Bridged",
    "ImpliedMeaning",
    "StatementProfile",
    "bridge_answers",
    "compute_profile",
    "derive_meaning",
]

# The criterion that a bridge leads to or starts from; ethics is not one: labels say nothing of it.
BRIDGED_CRITERION: Mapping[str, str] = {
    "sentence_grounding": "label",
    "claim_overlap": "supported",
    "response_consistency": "consistency",
    "comparative_summary": "faithfulness",
    "expert_rubric": "accuracy",
}
_PIECES = {
    ("claim_overlap", "sentence_grounding"): claims_to_sentences,
    ("sentence_grounding", "claim_overlap"): sentences_to_claims,
}


def bridge_answers(
    item: Item, answers: Sequence[Answer], from_protocol: str, to_protocol: str, policy: Policy
) -> Bridged:
    """What these answers on one item imply under another protocol.

    Args:
        item: What was answered about.
        answers: One author's answers, or those of several who speak as one side. A query type
            among them is used where the policy asks for it.
        from_protocol: The key of the protocol they were given under.
        to_protocol: The key of the protocol to bridge to.
        policy: How the rules are read where the two differ.

    Returns:
        From pieces to the whole, and between sentences and claims: answers where they follow.
        From the whole back: no answers, only `may_be`.

    Raises:
        ReviewError: there is no such protocol.
    """
    source, target = protocol(from_protocol), protocol(to_protocol)
    criterion = BRIDGED_CRITERION[target.key]
    if source.key == target.key:
        return make_refusal(f"these are answers under {target.title} already")
    if (source.key, target.key) in _PIECES:
        values = map_unit_values(answers, BRIDGED_CRITERION[source.key])
        found = _PIECES[source.key, target.key](item, values, policy)
    elif BRIDGED_CRITERION[source.key] in FORWARD:
        return _bridge_back(item, answers, source.key, criterion, policy)
    else:
        profile = compute_profile(item, answers, BRIDGED_CRITERION[source.key])
        found = _make_forward_bridge(derive_meaning(profile, criterion, policy), criterion)
    return _add_bridge_origin(found, source.title, policy)


def _make_forward_bridge(found: ImpliedMeaning, criterion: str) -> Bridged:
    return Bridged(
        answers=(
            (Answer(unit_id="response", criterion=criterion, value=found.values[0]),)
            if found.decided
            else ()
        ),
        reasons=(BridgeReason("response", criterion, found.reason, found.rule),),
        cannot="" if found.decided else f"cannot bridge: {found.reason}",
        may_be={"response": found.values} if found.values else {},
    )


def _bridge_back(
    item: Item, answers: Sequence[Answer], source: str, criterion: str, policy: Policy
) -> Bridged:
    mine = BRIDGED_CRITERION[source]
    said = {answer.value for answer in select_with_value(answers, mine)}
    if len(said) != 1:
        return make_refusal(f"there is no single answer for {mine}")
    value, kind = str(said.pop()), find_query_type(answers)
    if criterion in FORWARD:
        return list_fitting_values(item, mine, value, kind, policy, criterion)
    if criterion == BRIDGED_CRITERION["sentence_grounding"]:
        return list_fitting_sentences(item, mine, value, kind, policy)
    return make_refusal(f"{mine} {value} says nothing about single claims")


def _add_bridge_origin(found: Bridged, source: str, policy: Policy) -> Bridged:
    """Every answer says that it was bridged, from what and how, and keeps its reason."""
    says = {reason.unit_id: reason.says for reason in found.reasons}
    comment = f"bridged from {source} by the policy “{policy.title}”"
    answers = tuple(
        replace(each, rationale=says.get(each.unit_id, ""), comment=comment)
        for each in found.answers
    )
    return replace(found, answers=answers)
