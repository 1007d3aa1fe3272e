"""Earlier decisions on a point, for minutes: overruled, confirmed or no longer valid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from faithfulness.review.disagreement import ERROR_CLASSES
from faithfulness.review.document import DocumentText


@dataclass(frozen=True, kw_only=True, slots=True)
class EarlierDecision:
    """A decision on the point, made before what the minutes tell of it."""

    value: str  # as people call the label
    reason: str
    by: str
    decided_at: datetime
    error_class: str = ""
    counted: bool = True  # until then; another took its place, or it was taken back, where not

    def in_words(self) -> str:
        named = ERROR_CLASSES.get(self.error_class, self.error_class)
        settled = "; ".join(each for each in (self.value, named) if each)
        return f"{settled} ({self.by}, {self.decided_at:%Y-%m-%d %H:%M} UTC): {self.reason}"


def find_counted_before(before: Sequence[EarlierDecision]) -> EarlierDecision | None:
    """The decision that counted when the point came up."""
    return next((each for each in before if each.counted), None)


def describe_before(
    before: Sequence[EarlierDecision], value: str | None = None
) -> Iterator[DocumentText]:
    """What was decided, the oldest first; `value` is what the meeting decides, if it does."""
    for each in before:
        words = each.in_words()
        if not each.counted:
            yield DocumentText(
                lead="Decided before:", text=f"{words} [replaced or taken back by then]"
            )
        elif value is None:
            yield DocumentText(lead="Stands decided:", text=words)
        else:
            yield DocumentText(
                lead="Confirms:" if each.value == value else "Overrules:", text=words
            )
