"""Labels that express a contradiction, and a unit with all its annotations and findings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.scale import Label, Scale, Tone
from faithfulness.model.vocabulary import Annotation, Item, Span, Unit


class Says(StrEnum):
    """What a label says about a unit, where it says something about contradiction at all."""

    CONTRADICTED = "contradicted"
    NOT_SUPPORTED = "not_supported"  # may be mere omission: nothing need speak against the unit
    SUPPORTED = "supported"


class LabelMeaning(NamedTuple):
    """A label of one protocol's criterion, and what it says."""

    protocol: str
    criterion: str
    value: str
    says: Says


@dataclass(frozen=True, kw_only=True, slots=True)
class Contradiction:
    """What a check found on a unit that contradicts a source, and the places it is about."""

    check: str  # its title
    kind: str  # what was found, in a few words
    clash: str  # one of `selection.CLASHES`
    says: str
    statement: Span | None = None  # the sentence of the response
    words: Span | None = None  # in the response
    source: Span | None = None  # the words against it


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitCase:
    """One unit of one run that is looked at, with everything currently said about it.

    `item` holds all texts and, of its units, only this one.
    """

    run_id: str
    run_name: str
    system: str
    protocol: str
    external_id: str
    item: Item
    unit: Unit
    number: int  # of the unit among those of its kind and field, from 1
    of: int
    annotations: tuple[Annotation, ...]
    group: str = ""
    contradictions: tuple[Contradiction, ...] = ()  # found by checks


def list_label_meanings(protocols: Iterable[Protocol]) -> list[LabelMeaning]:
    """The labels that speak for or against their unit, of one question a protocol.

    A score is no such label: a 1 out of 5 does not say what is wrong.
    """
    found = []
    for protocol in protocols:
        by_criterion = [_list_criterion_meanings(protocol, each) for each in protocol.criteria]
        found.extend(next((each for each in by_criterion if each), []))
    return found


def select_criterion(protocol: Protocol) -> Criterion:
    """The question whose labels speak for or against a unit; the first one where none does."""
    speaking = (each for each in protocol.criteria if _list_criterion_meanings(protocol, each))
    return next(speaking, protocol.criteria[0])


def _list_criterion_meanings(protocol: Protocol, criterion: Criterion) -> list[LabelMeaning]:
    return [
        LabelMeaning(protocol.key, criterion.key, label.value, says)
        for label in criterion.scale.labels
        if (says := classify_label(label, criterion.scale)) is not None
    ]


def classify_label(label: Label, scale: Scale) -> Says | None:
    """What a label says; a scale without a word for contradiction lumps it with omission."""
    if scale.ordinal:
        return None
    if label.contradicts:
        return Says.CONTRADICTED
    if label.tone is Tone.GOOD:
        return Says.SUPPORTED
    told_apart = any(each.contradicts for each in scale.labels)
    return None if told_apart or label.tone is Tone.NEUTRAL else Says.NOT_SUPPORTED


def map_label_titles(protocols: Iterable[Protocol]) -> Mapping[str, str]:
    """What people call every label of a nominal scale."""
    return {
        label.value: label.title
        for protocol in protocols
        for criterion in protocol.criteria
        if not criterion.scale.ordinal
        for label in criterion.scale.labels
    }
