"""Protocol: units, criteria, evidence rule, guidance, prompt, parser and summary."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple
from typing import Protocol as Shape

from faithfulness.model.prompt import Prompt
from faithfulness.model.scale import Scale
from faithfulness.model.summary import Summary
from faithfulness.model.vocabulary import Answer, Item, UnitKind


@dataclass(frozen=True, kw_only=True, slots=True)
class ChecklistItem:
    """One line of a criterion's checklist; `level` is the scale value it speaks for."""

    key: str
    text: str
    level: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Criterion:
    """One question about a unit, answered on one scale."""

    key: str
    question: str
    scale: Scale
    required: bool = True
    may_skip: bool = False  # "not judged" (no value, no problem) is a proper answer
    checklist: tuple[ChecklistItem, ...] = ()

    @property
    def may_be_empty(self) -> bool:
        """Whether an answer without a value needs no problem: not judged, or cleared again."""
        return self.may_skip or not self.required


class EvidenceKind(StrEnum):
    """What an answer shows for itself."""

    EXCERPT = "excerpt"
    LINKS = "links"
    NONE = "none"


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceRule:
    """Which labels must come with evidence; with `only_there` it takes a reason for all others."""

    kind: EvidenceKind = EvidenceKind.NONE
    required_for: frozenset[str] = frozenset()
    only_there: bool = False


class ReplyReading(NamedTuple):
    """What a judge's reply says: an Answer or Unread for every unit, and what did not fit."""

    answers: tuple[Answer, ...]
    notes: tuple[str, ...] = ()


class ParseReply(Shape):
    """Read a judge's reply about an item.

    `mark` is the call's mark, empty when there was none; `prompt` is what the judge was told, the
    protocol's own where that is not known.
    """

    def __call__(
        self, reply: str, item: Item, mark: str, prompt: Prompt | None = None
    ) -> ReplyReading: ...


# Rules beyond the evidence rule, for one item's answers by one author.
Complaints = Callable[[Item, Sequence[Answer]], Sequence[str]]


def _check_nothing(item: Item, answers: Sequence[Answer]) -> Sequence[str]:
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Protocol:
    """A named way of evaluating: units, criteria, evidence, guidance, prompt, parser, summary."""

    key: str  # stored in every run: never renamed
    title: str
    purpose: str  # one sentence for lists
    unit: UnitKind
    # Each reviewed field with the kinds of source it is checked against; claims have two entries.
    checked_against: Mapping[str, tuple[str, ...]]
    criteria: tuple[Criterion, ...]
    evidence: EvidenceRule
    guidance: str  # Markdown of our own, shown to raters
    prompt: Prompt
    parse: ParseReply
    summarise: Callable[[Item, Sequence[Answer]], Summary]
    more_complaints: Complaints = _check_nothing
    # Columns a file may use for a reviewed or source field, beside the field's own name.
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def criterion(self, key: str) -> Criterion:
        for each in self.criteria:
            if each.key == key:
                return each
        raise KeyError(key)

    def complaints(self, item: Item, answers: Sequence[Answer]) -> tuple[str, ...]:
        """What is wrong with these answers under the protocol's own rules, in plain words."""
        found = [text for answer in answers for text in self._about(answer)]
        found.extend(self.more_complaints(item, answers))
        return tuple(found)

    def _about(self, answer: Answer) -> list[str]:
        try:
            criterion = self.criterion(answer.criterion)
        except KeyError:
            return [f"{answer.unit_id}: {self.title} has no criterion {answer.criterion!r}"]
        where = f"{answer.unit_id}, {criterion.key}"
        if answer.value is None:
            if answer.problem or criterion.may_be_empty:
                return []
            return [f"{where}: an answer without a value needs a stated problem"]
        if answer.value not in criterion.scale:
            expected = ", ".join(criterion.scale.values)
            return [f"{where}: {answer.value!r} is not on the scale; expected {expected}"]
        return [f"{where}: {text}" for text in self._about_evidence(answer)]

    def _about_evidence(self, answer: Answer) -> list[str]:
        rule = self.evidence
        if rule.kind is EvidenceKind.NONE or answer.criterion != self.criteria[0].key:
            return []
        shown = answer.excerpts if rule.kind is EvidenceKind.EXCERPT else answer.links
        thing = "an excerpt" if rule.kind is EvidenceKind.EXCERPT else "evidence links"
        if answer.value in rule.required_for and not shown:
            return [f"{answer.value} needs {thing}, and there is none"]
        return []
