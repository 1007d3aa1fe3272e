"""Compute the profile of a response from the labels of its sentences or claims."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from faithfulness.model.summary import select_with_value
from faithfulness.model.vocabulary import Answer, Item, Span, Tier, Unit, UnitKind
from faithfulness.policies.bridges.profile import StatementProfile
from faithfulness.protocols.claim_overlap import PREDICTION, SUPPORTED
from faithfulness.protocols.response_consistency import QUERY_TYPE
from faithfulness.protocols.sentence_grounding import LABEL

_FOUND = frozenset({Tier.VERBATIM, Tier.NEAR, Tier.STITCHED})
_CLAIM_COUNTS = {"true": "supported", "false": "not_supported"}


def compute_profile(item: Item, answers: Sequence[Answer], criterion: str) -> StatementProfile:
    """Count the labels of an item's sentences, or of its claims where only those have labels."""
    by_unit = defaultdict(list)
    for answer in select_with_value(answers, criterion):
        by_unit[answer.unit_id].append(answer)
    counts = Counter(
        _classify_labels(by_unit[unit.id]) for unit in _select_units(item, by_unit, criterion)
    )
    if criterion == SUPPORTED.key:
        counts = Counter({_CLAIM_COUNTS.get(each, each): n for each, n in counts.items()})
    return StatementProfile(query_type=find_query_type(answers), **counts)


def find_query_type(answers: Iterable[Answer]) -> str:
    """The one query type that these answers name; empty where they name none or several."""
    kinds = {answer.value for answer in select_with_value(answers, QUERY_TYPE.key)}
    return str(kinds.pop()) if len(kinds) == 1 else ""


def map_unit_values(answers: Iterable[Answer], criterion: str) -> dict[str, str]:
    """One value a unit; a unit on which the answers differ has none."""
    said = defaultdict(set)
    for answer in select_with_value(answers, criterion):
        said[answer.unit_id].add(str(answer.value))
    return {unit_id: values.pop() for unit_id, values in said.items() if len(values) == 1}


def has_source_clash(answers: Iterable[Answer]) -> bool:
    """Whether a sentence is borne out by words at one place and denied by words at another.

    The same words taken both ways are two readings, no clash of the sources.
    """
    places: dict[str, list[Span]] = {"supported": [], "contradictory": []}
    for answer in answers:
        for excerpt in answer.excerpts if answer.value in places else ():
            if excerpt.placement is not None and excerpt.placement.tier in _FOUND:
                places[str(answer.value)].extend(excerpt.placement.spans)
    return any(
        not _are_overlapping(one, other)
        for one in places["supported"]
        for other in places["contradictory"]
    )


def _select_units(item: Item, by_unit: dict[str, list[Answer]], criterion: str) -> Iterable[Unit]:
    claims = [each for each in item.units_of(UnitKind.CLAIM) if each.field == PREDICTION]
    if criterion == LABEL.key:
        sentences = item.units_of(UnitKind.SENTENCE)
        # Some files label the claims behind the sentences with the sentence labels.
        if any(by_unit.get(unit.id) for unit in sentences) or not any(
            by_unit.get(unit.id) for unit in claims
        ):
            return sentences
    return claims


def _classify_labels(answers: Sequence[Answer]) -> str:
    values = {str(answer.value) for answer in answers}
    if len(values) == 1:
        return values.pop()
    if values == {"supported", "contradictory"} and has_source_clash(answers):
        return "clashing"
    return "open"


def _are_overlapping(one: Span, other: Span) -> bool:
    return one.field == other.field and one.start < other.end and other.start < one.end
