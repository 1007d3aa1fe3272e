"""Symbol, underline and theme color of a label, so that color is never the only cue."""

from dataclasses import dataclass

from faithfulness.model.protocol import Criterion
from faithfulness.model.scale import Label, Scale, Tone
from faithfulness.model.vocabulary import Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """Three cues for one label; `color` is a colour name of the theme."""

    glyph: str
    underline: str
    color: str
    title: str


_CUES = {
    Tone.GOOD: ("✓", "solid", "blue"),
    Tone.DOUBT: ("?", "dashed", "yellow"),
    Tone.BAD: ("✕", "wavy", "red"),
    Tone.NEUTRAL: ("–", "dotted", "gray"),
}
UNREAD = Look(glyph="!", underline="double", color="gray", title="Unread")
FOUND = Look(glyph="◇", underline="dotted", color="gray", title="A check found")  # no label
NOT_JUDGED = Look(glyph="○", underline="none", color="gray", title="Not judged")


def look(label: Label, scale: Scale) -> Look:
    glyph, underline, color = _CUES[label.tone]
    if label.contradicts:
        glyph = "≠"
    if scale.ordinal:  # a score is its own symbol
        glyph = label.value
    return Look(glyph=glyph, underline=underline, color=color, title=label.title)


def get_answer_look(answer: Answer, criterion: Criterion) -> Look:
    """The look of an answer; a value that has left the scale is shown as unread, not guessed."""
    if answer.value is not None and answer.value in criterion.scale:
        return look(criterion.scale.label(answer.value), criterion.scale)
    return UNREAD if answer.is_unread or answer.value is not None else NOT_JUDGED


def badge(shown: Look) -> str:
    """A badge in Markdown; the titles of labels are our own words."""
    title = shown.title if shown.glyph == shown.title else f"{shown.glyph} {shown.title}"
    return f":{shown.color}-badge[{title}]"
