"""Define what can be counted under a protocol: one criterion, or its own score."""

from dataclasses import dataclass
from typing import Literal

from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import UnitKind

# Labels and scores count units; numbers count items, by the protocol's number for each.
Kind = Literal["labels", "scores", "numbers"]

NUMBER = "number"  # the key of the protocol's number in an address
# Numbers between 0 and 1 fall into tenths; exactly 1 stands alone, or a response with nothing wrong
# could not be told from one with a small slip.
BINS = 11


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """One criterion, or the protocol's own number; `key` is its word in an address."""

    key: str
    title: str
    kind: Kind
    protocol: Protocol
    criterion: Criterion | None = None
    field: str = ""  # claims of one side only

    @property
    def counts(self) -> str:
        """What one count of it is, in the singular."""
        return {"labels": "label", "scores": "score", "numbers": "item"}[self.kind]

    @property
    def values(self) -> tuple[str, ...]:
        """Every value that can be counted, in the order in which it is drawn."""
        if self.criterion is None:
            return tuple(str(at) for at in range(BINS))
        return self.criterion.scale.values


def list_measures(protocol: Protocol) -> dict[str, Measure]:
    """What can be counted under a protocol, its first question first.

    Claims are counted by the side they come from: the two shares answer different questions.
    """
    found = [
        each
        for criterion in protocol.criteria
        for each in _list_criterion_measures(protocol, criterion)
    ]
    if protocol.unit is not UnitKind.RESPONSE:
        found.append(
            Measure(key=NUMBER, title=_NUMBERS[protocol.unit], kind="numbers", protocol=protocol)
        )
    return {each.key: each for each in found}


_NUMBERS = {
    UnitKind.SENTENCE: "Share per response",
    UnitKind.CLAIM: "F1 per topic",
}
_SIDES = {"response": "Response claims", "reference": "Reference claims"}


def format_bin(value: str) -> str:
    """A bin in words: "40 to 49 %", and the last one "100 %"."""
    at = int(value)
    if at == BINS - 1:
        return "100 %"
    return f"{at * 10} to {at * 10 + 10} %" if at < BINS - 2 else "90 % to below 100 %"


def _list_criterion_measures(protocol: Protocol, criterion: Criterion) -> list[Measure]:
    if protocol.unit is UnitKind.CLAIM:
        return [
            Measure(
                key=f"{criterion.key}:{field}",
                title=_SIDES.get(field, f"{field.capitalize()} claims"),
                kind="labels",
                protocol=protocol,
                criterion=criterion,
                field=field,
            )
            for field in protocol.checked_against
        ]
    ordinal = criterion.scale.ordinal
    title = criterion.key.replace("_", " ").capitalize()
    if len(protocol.criteria) == 1:
        title = "Scores" if ordinal else "Labels"
    return [
        Measure(
            key=criterion.key,
            title=title,
            kind="scores" if ordinal else "labels",
            protocol=protocol,
            criterion=criterion,
        )
    ]
