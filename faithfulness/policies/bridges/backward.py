"""Derive labels consistent with (but not implied by) an answer about a whole response."""

from functools import lru_cache

from faithfulness.model.vocabulary import Item, UnitKind
from faithfulness.policies.bridges.bridged import Bridged, BridgeReason, make_refusal
from faithfulness.policies.bridges.forward import derive_meaning
from faithfulness.policies.bridges.profile import generate_profiles
from faithfulness.policies.policies import Policy
from faithfulness.protocols.sentence_grounding import LABEL

CLASH = "unsure"  # the sources contradict themselves, so that no label is ruled out


def list_fitting_sentences(
    item: Item, criterion: str, value: str, query_type: str, policy: Policy
) -> Bridged:
    """For each sentence the labels that fit; none of them is an answer."""
    ids = [unit.id for unit in item.units_of(UnitKind.SENTENCE)]
    if not ids:
        return make_refusal("the response was not cut into sentences")
    labels = list_fitting_labels(len(ids), criterion, value, query_type, policy)
    if not labels:
        return make_refusal(
            f"by the policy “{policy.title}” no labels of sentences lead to {value}"
        )
    says = f"{criterion} {value} is about the whole response; these labels would fit it"
    return Bridged(
        reasons=tuple(BridgeReason(each, LABEL.key, says) for each in ids),
        cannot=f"cannot bridge: {criterion} {value} says nothing about single sentences",
        may_be=dict.fromkeys(ids, labels),
    )


def list_fitting_values(
    item: Item, criterion: str, value: str, query_type: str, policy: Policy, to: str
) -> Bridged:
    """Answers about the whole response that fit another answer about it."""
    size = len(item.units_of(UnitKind.SENTENCE))
    if not size:
        return make_refusal("the response was not cut into sentences")
    values = _find_fitting_values(size, criterion, value, query_type, policy, to)
    if not values:
        return make_refusal(f"no {to} follows from {criterion} {value}")
    says = f"sentence labels that lead to {criterion} {value} lead to these"
    return Bridged(
        reasons=(BridgeReason("response", to, says),),
        cannot=f"cannot bridge: {criterion} {value} does not say which statements are at fault",
        may_be={"response": values},
    )


@lru_cache(maxsize=4_096)
def list_fitting_labels(
    size: int, criterion: str, value: str, query_type: str, policy: Policy
) -> tuple[str, ...]:
    """The labels that a sentence of so many may have under an answer about all of them."""
    if value == CLASH:
        return LABEL.scale.values
    fits = [
        profile
        for profile in generate_profiles(size, query_type)
        if value in derive_meaning(profile, criterion, policy).values
    ]
    return tuple(
        label for label in LABEL.scale.values if any(getattr(each, label) for each in fits)
    )


@lru_cache(maxsize=4_096)
def _find_fitting_values(
    size: int, criterion: str, value: str, query_type: str, policy: Policy, to: str
) -> tuple[str, ...]:
    if value == CLASH:
        return ()
    found = {
        each
        for profile in generate_profiles(size, query_type)
        if value in derive_meaning(profile, criterion, policy).values
        for each in derive_meaning(profile, to, policy).values
    }
    return tuple(sorted(found))
