"""Labels and their scales, nominal or ordinal."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """What a label means for the reader's eye; colours and symbols hang on this, not on labels."""

    GOOD = "good"
    DOUBT = "doubt"
    BAD = "bad"
    NEUTRAL = "neutral"


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """One value of a scale with the word people see."""

    value: str
    title: str
    tone: Tone
    meaning: str = ""
    contradicts: bool = False  # the label claims that a source falsifies the unit


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """Labels in declared order; an ordinal scale runs from worst to best."""

    labels: tuple[Label, ...]
    ordinal: bool = False

    def __contains__(self, value: object) -> bool:
        return value in [label.value for label in self.labels]  # asked of every answer, twice

    def label(self, value: str) -> Label:
        for label in self.labels:
            if label.value == value:
                return label
        raise KeyError(value)

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(label.value for label in self.labels)


_SEVERITY = {Tone.NEUTRAL: 0, Tone.GOOD: 1, Tone.DOUBT: 2, Tone.BAD: 3}


def rank_severity(scale: Scale) -> tuple[int, ...]:
    """By the scale's order: how severe each label is where several meet; the highest wins."""
    ranked = sorted(
        range(len(scale.labels)),
        key=lambda place: (
            _SEVERITY[scale.labels[place].tone],
            scale.labels[place].contradicts,
            -place * scale.ordinal,
            -place,
        ),
    )
    return tuple(ranked.index(place) for place in range(len(scale.labels)))


_TONES = (Tone.BAD, Tone.BAD, Tone.DOUBT, Tone.GOOD, Tone.GOOD)


def make_score_scale(
    titles: Iterable[str], meanings: Iterable[str] = ("", "", "", "", "")
) -> Scale:
    """The 1-5 scale shared by the scoring protocols, worst first."""
    return Scale(
        ordinal=True,
        labels=tuple(
            Label(value=str(number), title=title, tone=tone, meaning=meaning)
            for number, (title, meaning, tone) in enumerate(
                zip(titles, meanings, _TONES, strict=True), start=1
            )
        ),
    )
