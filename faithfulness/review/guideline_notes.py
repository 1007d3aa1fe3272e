"""Proposed changes to guideline wording, and the wording in force at a decision."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from faithfulness.model.protocol import Protocol

GENERAL = "General"  # the section of proposals that name none
LONGEST_WORDING = 4_000  # characters; the guidance of a protocol has fewer

_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """Wording that somebody proposes for a section of a protocol's guidance."""

    protocol: str
    section: str
    wording: str
    by: str
    proposed_at: datetime
    meeting_id: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Behind:
    """A decision behind a proposal: solved as one label, confused with others."""

    number: int
    item_id: str
    unit_id: str
    criterion: str
    external_id: str
    text: str
    solved_as: str
    confused_with: tuple[str, ...]
    error_class: str
    reason: str
    run_id: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class GuidelineNote:
    """The same wording for the same section, by everybody who proposed it, with its decisions."""

    proposals: tuple[Proposal, ...]
    behind: tuple[Behind, ...]

    @property
    def protocol(self) -> str:
        return self.proposals[0].protocol

    @property
    def section(self) -> str:
        return self.proposals[0].section

    @property
    def wording(self) -> str:
        return self.proposals[0].wording

    @property
    def confusions(self) -> Mapping[tuple[str, str], int]:
        """How many decisions solved one label that was confused with another."""
        counts: dict[tuple[str, str], int] = {}
        for each in self.behind:
            for other in each.confused_with:
                pair = (each.solved_as, other)
                counts[pair] = counts.get(pair, 0) + 1
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def list_sections(protocol: Protocol) -> tuple[str, ...]:
    """Where wording can be proposed: the headings of the guidance, each only once."""
    return tuple(dict.fromkeys((*_HEADING.findall(protocol.guidance), GENERAL)))


def compute_guidance_fingerprint(protocol: Protocol) -> str:
    """Names the words that raters are given: guidance, questions, labels and checklists."""
    digest = hashlib.sha256()
    for text in _iterate_words(protocol):
        raw = text.encode("utf-8")
        # Lengths keep ("ab", "c") and ("a", "bc") apart.
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()[:16]


def _iterate_words(protocol: Protocol) -> Iterator[str]:
    yield protocol.guidance
    for criterion in protocol.criteria:
        yield from (criterion.key, criterion.question)
        for label in criterion.scale.labels:
            yield from (label.value, label.title, label.meaning)
        for check in criterion.checklist:
            yield from (check.key, check.text, check.level)
