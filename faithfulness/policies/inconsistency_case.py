"""Data types for inconsistencies in a meeting: both sides, open points, decisions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from faithfulness.model.vocabulary import Annotation
from faithfulness.policies.inconsistencies import Inconsistency
from faithfulness.review.disagreement import Disagreement, Earlier
from faithfulness.review.meeting import Point


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditCase:
    """One inconsistency with what a meeting needs to end it.

    Attributes:
        found: Both sides and the rule.
        why: Why it stands where it does.
        points: What can be settled: the answer that is ruled out, then sentences against it.
        cases: What is said about each point.
        settled: Decisions that stand on such answers about the item, the newest last.
    """

    found: Inconsistency
    why: tuple[str, ...]
    points: tuple[Point, ...]
    cases: Mapping[Point, Disagreement]
    settled: tuple[Annotation, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Screen:
    """What one screen of the queue shows, each sort in its own order.

    `earlier` says by point how such labels were decided before.
    """

    disagreements: Sequence[tuple[Disagreement, Earlier]]
    audits: Sequence[AuditCase]
    earlier: Mapping[Point, Earlier]

    @property
    def everything(self) -> Iterator[Disagreement]:
        """Every disagreement on the screen, those that an inconsistency is about too."""
        yield from (found for found, _ in self.disagreements)
        for audit in self.audits:
            yield from audit.cases.values()
