"""Summary: a protocol's score for one item and annotator, with the shared counting."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from faithfulness.model.vocabulary import Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """One number with what was counted; `value` is None when nothing counts, never 0 or NaN."""

    name: str
    value: float | None
    counted: int
    left_out: int
    parts: Mapping[str, float | None] = field(default_factory=dict)


def mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def select_with_value(answers: Iterable[Answer], criterion: str) -> list[Answer]:
    """The answers under one criterion that count: those with a value."""
    return [each for each in answers if each.criterion == criterion and each.value is not None]
