"""Disagreements: units with differing annotations, their severity and their decisions."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from faithfulness.checks.against import AGAINST
from faithfulness.model.contradiction import UnitCase
from faithfulness.model.protocol import Criterion
from faithfulness.model.scale import Scale, Tone
from faithfulness.model.vocabulary import Annotation, AuthorKind
from faithfulness.model.wording import format_count, format_percent


class DisagreementKind(StrEnum):
    """Who differs from whom; a disagreement may be of several kinds."""

    JUDGE_RATERS = "judge_raters"
    RATERS = "raters"
    JUDGES = "judges"
    UNSTABLE = "unstable"


KINDS: Mapping[DisagreementKind, str] = {
    DisagreementKind.JUDGE_RATERS: "Judge against raters",
    DisagreementKind.RATERS: "Rater against rater",
    DisagreementKind.JUDGES: "Judge against judge",
    DisagreementKind.UNSTABLE: "Judge against itself",
}
# Stored with every decision: never renamed.
ERROR_CLASSES: Mapping[str, str] = {
    "judge_wrong": "Judge wrong",
    "rater_wrong": "Rater wrong",
    "both_defensible": "Both defensible",
    "guideline_gap": "Guideline gap",
    "ambiguous_source": "Ambiguous source",
    "bad_cut": "Bad cut",
    "excerpt_missing": "Excerpt missing",
    "other": "Other",
}
UNSURE = 0.5  # how sure people count who do not say
_TONES = {
    frozenset({Tone.GOOD, Tone.BAD}): 1.0,
    frozenset({Tone.GOOD, Tone.DOUBT}): 0.6,
    frozenset({Tone.DOUBT, Tone.BAD}): 0.4,
}
_NEUTRAL = 0.5
_SAME_TONE = 0.3
_CLASHES = {
    "number": "numbers clash with a source",
    "unit": "measures clash with a source",
    "negation": "a source denies it",
    "exclusive": "words exclude each other",
    "quote": "a quote differs from its source",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What an adjudicator settled, with why; without a value it takes an earlier one back."""

    number: int
    value: str | None
    by: str
    reason: str
    error_class: str
    decided_at: datetime
    is_current: bool
    of: str = ""  # whose item, where it is shown beside another one


@dataclass(frozen=True, kw_only=True, slots=True)
class Disagreement:
    """One unit and criterion whose current annotations differ.

    `case.annotations` are those on this criterion, one an author, without adjudicators.
    """

    case: UnitCase
    criterion: Criterion
    kinds: tuple[DisagreementKind, ...]
    severity: float
    weight: float  # the order in the queue, worst first
    sureness: float | None  # None: nobody says
    absent: tuple[AuthorKind, ...] = ()  # whose quote stands in no source
    clashes: tuple[str, ...] = ()
    found: tuple[tuple[str, str], ...] = ()  # against the unit: keys of AGAINST
    # What the samples of one judge said, where they differ.
    samples: tuple[tuple[str, tuple[str, ...]], ...] = ()
    decisions: tuple[Decision, ...] = ()  # all there ever were, the newest last
    seen: int = 0  # the last annotation on this unit and criterion

    @property
    def decided(self) -> Decision | None:
        """The decision that counts now."""
        known = reversed(self.decisions)
        return next((each for each in known if each.is_current and each.value is not None), None)

    @property
    def said(self) -> tuple[Annotation, ...]:
        """Annotations with a value on the scale."""
        scale = self.criterion.scale
        return tuple(each for each in self.case.annotations if each.answer.value in scale)


@dataclass(frozen=True, kw_only=True, slots=True)
class Earlier:
    """Decisions on other units with the same labels on both sides.

    `like` wait undecided, `like_here` of them in the `like_runs` runs that are looked at.
    """

    values: Mapping[str, int]
    examples: tuple[Decision, ...] = ()
    like: int = 0
    like_here: int = 0
    like_runs: int = 1


def severity(scale: Scale, values: Iterable[str]) -> float:
    """How far apart the two values are that are furthest apart: 0 (equal) to 1."""
    known = sorted({scale.values.index(each) for each in values if each in scale})
    if scale.ordinal:
        return (known[-1] - known[0]) / (len(scale.labels) - 1) if len(known) > 1 else 0.0
    tones = [scale.labels[at].tone for at in known]
    pairs = [(a, b) for at, a in enumerate(tones) for b in tones[at + 1 :]]
    return max((_compute_tone_distance(a, b) for a, b in pairs), default=0.0)


def _compute_tone_distance(one: Tone, other: Tone) -> float:
    if one is other:
        return _SAME_TONE
    return _TONES.get(frozenset({one, other}), _NEUTRAL)


def list_kinds(
    raters: Mapping[str, int], judges: Mapping[str, int], samples: Collection[str] = ()
) -> tuple[DisagreementKind, ...]:
    """Who differs, from how many give each value.

    A judge is against the raters when it says none of what most of them say.
    """
    most = max(raters.values(), default=0)
    common = {value for value, votes in raters.items() if votes == most}
    found = {
        DisagreementKind.JUDGE_RATERS: bool(common) and bool(set(judges) - common),
        DisagreementKind.RATERS: len(raters) > 1,
        DisagreementKind.JUDGES: len(judges) > 1,
        DisagreementKind.UNSTABLE: len(set(samples)) > 1,
    }
    return tuple(kind for kind, is_so in found.items() if is_so)


def compute_weight(
    severity: float, how_many: int, sureness: float | None, absent: bool, clash: bool
) -> float:
    """The weight in the queue: severity, raised by voices, by how sure they are, and by trouble.

    Many voices raise it by up to a half; being sure by a half, being unsure lowers it as much; a
    quote that stands nowhere and a clash each raise it by two fifths. What a check found against
    the unit counts as a clash: the two often notice the same words, so that both raise it once.
    """
    voices = 1.5 - 1 / max(how_many, 2)
    sure = 0.5 + (UNSURE if sureness is None else sureness)
    return severity * voices * sure * (1.4 if absent else 1.0) * (1.4 if clash else 1.0)


def explain_order(found: Disagreement) -> tuple[str, ...]:
    """Why it stands where it does, in short phrases, from what the weight was made of."""
    scale = found.criterion.scale
    labels = [each for each in scale.labels if each.value in _collect_values(found)]
    titles = [_format_label(each.title, each.value, ordinal=scale.ordinal) for each in labels]
    phrases = [f"{' against '.join(titles)}"] if len(titles) > 1 else []
    phrases.append(_describe_sides(found))
    if found.sureness is not None:
        phrases.append(f"{_describe_confidence(found)} {format_percent(found.sureness)}")
    phrases.extend(
        f"{_format_possessor(found, kind)} quote is in no source" for kind in found.absent
    )
    phrases.extend(_CLASHES[each] for each in found.clashes if each in _CLASHES)
    if found.found:
        phrases.append(f"a check found: {', '.join(AGAINST[each] for each in found.found)}")
    return tuple(each for each in phrases if each)


def _collect_values(found: Disagreement) -> set[str]:
    sampled = {value for _, values in found.samples for value in values}
    return sampled | {each.answer.value for each in found.said if each.answer.value is not None}


def _format_label(title: str, value: str, *, ordinal: bool) -> str:
    return value if ordinal else title.lower()


def _describe_sides(found: Disagreement) -> str:
    """The two sides as numbers, counting authors who gave a label.

    Judge against raters: the judges are those that say none of what most raters say (as in
    `list_kinds`), the raters are those who say none of what these judges say. A side says "the
    judge", "both raters" or "all 3 raters" where everybody of its kind is on it, else n of m:
    "1 of 2 raters against the judge". Authors of one kind among themselves are counted by label,
    in the order of the scale: "1 rater against 2 raters".
    """
    raters, judges = (
        count_votes(found.said, AuthorKind.RATER),
        count_votes(found.said, AuthorKind.JUDGE),
    )
    if DisagreementKind.JUDGE_RATERS in found.kinds:
        most = max(raters.values(), default=0)
        apart = {value for value in judges if raters[value] < most}
        against = sum(count for value, count in raters.items() if value not in apart)
        alone = sum(judges[value] for value in apart)
        sides = (
            _format_side(against, raters.total(), "rater"),
            _format_side(alone, judges.total(), "judge"),
        )
        if alone:  # a side may be gone since the list was made
            return " against ".join(sides)
    split = [
        " against ".join(
            format_count(counts[value], one)
            for value in found.criterion.scale.values
            if counts[value]
        )
        for kind, counts, one in (
            (DisagreementKind.RATERS, raters, "rater"),
            (DisagreementKind.JUDGES, judges, "judge"),
        )
        if kind in found.kinds and counts
    ]
    if split:
        return ", ".join(split)
    return "; ".join(
        f"{name} said {_format_value_counts(found, said)}" for name, said in found.samples
    )


def _format_side(count: int, of: int, one: str) -> str:
    if count < of:
        return f"{count} of {of} {one}s"
    if of == 1:
        return f"the {one}"
    return f"both {one}s" if of == 2 else f"all {of} {one}s"


def count_votes(said: Sequence[Annotation], kind: AuthorKind) -> Counter[str]:
    """How many authors of a kind give each value."""
    return Counter(
        each.answer.value
        for each in said
        if each.author.kind is kind and each.answer.value is not None
    )


def _format_value_counts(found: Disagreement, values: Sequence[str]) -> str:
    scale = found.criterion.scale
    known = [scale.label(each) for each in values if each in scale]
    words = Counter(_format_label(each.title, each.value, ordinal=scale.ordinal) for each in known)
    return ", ".join(f"{word} {count}×" for word, count in words.most_common())


def _describe_confidence(found: Disagreement) -> str:
    """Whose confidence it is, or that it is the mean of several."""
    stated = [each for each in found.said if each.answer.confidence is not None]
    if len(stated) == 1:
        return f"{_format_possessor(found, stated[0].author.kind)} stated confidence"
    return f"mean of {len(stated)} stated confidences" if stated else "stated confidence"


def _format_possessor(found: Disagreement, kind: AuthorKind) -> str:
    several = sum(count_votes(found.said, kind).values()) > 1
    return f"a {kind.value}'s" if several else f"the {kind.value}'s"
