"""Convert labels between sentences and the claims drawn from them."""

from collections.abc import Callable, Mapping, Sequence

from faithfulness.model.vocabulary import Answer, Item, Unit, UnitKind
from faithfulness.model.wording import format_count
from faithfulness.policies.bridges.bridged import Bridged, BridgeReason, make_refusal
from faithfulness.policies.policies import Absent, Policy
from faithfulness.protocols.claim_overlap import PREDICTION, SUPPORTED
from faithfulness.protocols.sentence_grounding import LABEL

# A value (None where nothing follows), all values that fit, the reason, and the rule's id.
Follows = tuple[str | None, tuple[str, ...], str, str]


def claims_to_sentences(item: Item, values: Mapping[str, str], policy: Policy) -> Bridged:
    """Support of each sentence from the judgments of the claims that it holds."""
    held = {
        sentence.id: [claim for claim in _list_claims(item) if _are_overlapping(claim, sentence)]
        for sentence in item.units_of(UnitKind.SENTENCE)
    }
    if not any(held.values()):
        return make_refusal("it is not known which sentence each claim was taken from")

    def follows(sentence_id: str) -> Follows:
        return _derive_support([values.get(each.id) for each in held[sentence_id]], policy)

    return _build_bridged(LABEL.key, list(held), follows)


def _derive_support(judged: Sequence[str | None], policy: Policy) -> Follows:
    true, false = judged.count("true"), judged.count("false")
    told = f"{true} of {format_count(len(judged), 'claim')} true"
    if not judged:
        return None, (), "no claim was taken from this sentence", ""
    if true == len(judged):
        return "supported", ("supported",), told, "CO-all-parts"
    enough = policy.partial_is_enough and true >= policy.enough * len(judged) - 1e-9
    if enough:
        return "supported", ("supported", "unsupported"), f"{told}, which is enough", "RC-80"
    if not false:
        left = format_count(len(judged) - true, "claim")
        return None, LABEL.scale.values[:3], f"{told}; {left} not judged", "CO-not-judged"
    fits = ("unsupported", "contradictory")
    if policy.absent is Absent.CONTRADICTION:
        reason = f"{told}; what is not borne out counts as denied"
        return "contradictory", fits, reason, "CO-contradicts"
    reason = f"{told}; a false claim shows missing support, not that a source denies it"
    return "unsupported", fits, reason, "SG-strict"


def sentences_to_claims(item: Item, values: Mapping[str, str], policy: Policy) -> Bridged:
    """Truth of the prediction's claims from the labels of the sentences they were taken from."""
    kinds = {each.kind for each in item.sources}
    if "reference" not in kinds:
        return make_refusal("the item has no reference article, which claims are checked against")
    if kinds != {"reference"}:
        others = ", ".join(sorted(kinds - {"reference"}))
        return make_refusal(
            f"the sentences were checked against {others} as well, claims only against the "
            "reference article"
        )
    claims = {claim.id: claim for claim in _list_claims(item)}
    if not claims:
        return make_refusal("the item has no claims of the response")
    sentences = item.units_of(UnitKind.SENTENCE)
    alone = {
        each.id: sum(_are_overlapping(claim, each) for claim in claims.values()) == 1
        for each in sentences
    }

    def follows(claim_id: str) -> Follows:
        mine = [each for each in sentences if _are_overlapping(claims[claim_id], each)]
        return _derive_truth(
            [values.get(each.id) for each in mine], all(alone[each.id] for each in mine)
        )

    return _build_bridged(SUPPORTED.key, list(claims), follows)


def _derive_truth(labels: Sequence[str | None], is_alone: bool) -> Follows:
    either = ("true", "false")
    if not labels:
        return None, either, "it is not known which sentence the claim was taken from", ""
    if None in labels:
        return None, either, "a sentence that holds the claim has no label", ""
    if "no_rad" in labels:
        return None, either, "its sentence was taken for one that states nothing to look up", ""
    if all(label == "supported" for label in labels):
        return "true", ("true",), "its sentence is supported, all of it", "SG-supported"
    worst = "contradictory" if "contradictory" in labels else "unsupported"
    if is_alone:
        rule = "CO-contradicts" if worst == "contradictory" else "CO-omits"
        return "false", ("false",), f"it is all that its {worst} sentence claims", rule
    return None, either, f"its {worst} sentence holds other claims that may be the fault", ""


def _list_claims(item: Item) -> tuple[Unit, ...]:
    return tuple(each for each in item.units_of(UnitKind.CLAIM) if each.field == PREDICTION)


def _are_overlapping(one: Unit, other: Unit) -> bool:
    a, b = one.span, other.span
    if a is None or b is None or a.field != b.field:
        return False
    return a.start < b.end and b.start < a.end


def _build_bridged(
    criterion: str, unit_ids: Sequence[str], follows: Callable[[str], Follows]
) -> Bridged:
    answers, reasons, may_be = [], [], {}
    left = 0
    for unit_id in unit_ids:
        value, fits, says, rule = follows(unit_id)
        reasons.append(BridgeReason(unit_id, criterion, says, rule))
        if fits:
            may_be[unit_id] = fits
        if value is None:
            left += 1
        else:
            answers.append(Answer(unit_id=unit_id, criterion=criterion, value=value))
    cannot = f"cannot bridge: {left} of {len(unit_ids)} units, see the reasons" if left else ""
    return Bridged(answers=tuple(answers), reasons=tuple(reasons), cannot=cannot, may_be=may_be)
