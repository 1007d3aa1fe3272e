"""Minutes of a meeting: decisions with exact wording and evidence, as Markdown or HTML."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from faithfulness.model.wording import format_count, format_undo, format_unit, parse_undone_number
from faithfulness.review.decided_before import EarlierDecision, describe_before, find_counted_before
from faithfulness.review.disagreement import ERROR_CLASSES
from faithfulness.review.document import (
    Block,
    DocumentQuote,
    DocumentText,
    Heading,
    Points,
    Table,
    render_html_page,
    render_markdown,
)
from faithfulness.review.guideline_notes import Proposal
from faithfulness.review.minutes_voices import FoundAgainst, Voice, build_voices_table
from faithfulness.review.minutes_words import describe_removed_runs, format_duration, format_removed

_HOW = {
    "like": "applied from a like case",
    "unanimous": "adopted: all raters say so",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class MinutesPoint:
    """A point as minutes tell it: the unit's very words and who said what."""

    item_id: str
    external_id: str
    unit_id: str
    run: str
    protocol: str  # its title
    question: str
    text: str
    voices: tuple[Voice, ...] = ()
    baseline: Voice | None = None  # the offline baseline, which takes no side
    found: tuple[FoundAgainst, ...] = ()  # by checks as of now, where no evidence was given
    asks_quotes: bool = True  # whether the protocol has quotes or links at all
    before: tuple[EarlierDecision, ...] = ()
    seconds: float = 0.0
    removed_at: datetime | None = None  # when its run was removed


@dataclass(frozen=True, kw_only=True, slots=True)
class MinutesDecision:
    """A decision on a matter; without a value it takes an earlier one back."""

    matter: MinutesPoint
    number: int
    value: str | None
    reason: str
    error_class: str
    by: str
    decided_at: datetime
    how: str = "decided"
    stands: bool = True  # no later decision took its place


@dataclass(frozen=True, kw_only=True, slots=True)
class Minutes:
    """Everything the minutes of one meeting tell; times are UTC."""

    meeting_id: str
    title: str
    host: str
    present: tuple[str, ...]
    began_at: datetime
    finished_at: datetime | None
    at_the_end: tuple[str, ...] = ()  # who was still there
    seconds: float = 0.0  # spent on the points of the agenda, each counted once
    rulings: tuple[MinutesDecision, ...] = ()
    deferred: tuple[tuple[MinutesPoint, str], ...] = ()  # with why
    untouched: tuple[MinutesPoint, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    recheck: tuple[tuple[str, str], ...] = ()  # a decision, and why to look at it again
    gaps: tuple[str, ...] = ()  # where decisions that stand named a gap in the guidance


def render_markdown_minutes(minutes: Minutes) -> str:
    """The minutes as a Markdown file."""
    return render_markdown(build_blocks(minutes))


def render_html_minutes(minutes: Minutes) -> str:
    """The minutes as one HTML file to read and print; it loads nothing and runs nothing."""
    return render_html_page(_format_title(minutes), build_blocks(minutes))


def describe_undone_decisions(rulings: Sequence[MinutesDecision]) -> tuple[MinutesDecision, ...]:
    """The same; where one takes another back, its reason says which one and what it was."""
    known = {each.number: (nth, each) for nth, each in _number_decisions(rulings) if nth}
    return tuple(
        replace(each, reason=_describe_undo(each, known.get(number))) if number else each
        for each in rulings
        for number in (parse_undone_number(each.reason),)
    )


def _number_decisions(rulings: Iterable[MinutesDecision]) -> Iterator[tuple[int, MinutesDecision]]:
    """Decisions from 1 on, as the outcome counts them; what takes one back decides nothing: 0."""
    decided = 0
    for each in rulings:
        decided += each.value is not None
        yield (decided if each.value is not None else 0), each


def _describe_undo(ruling: MinutesDecision, known: tuple[int, MinutesDecision] | None) -> str:
    if known is None:
        return f"Takes back what was decided on {_format_place(ruling.matter)} outside this meeting"
    nth, gone = known
    return format_undo(
        f"decision {nth} here, {gone.value} on {_format_place(gone.matter)}", gone.reason
    )


def count_error_classes(rulings: Iterable[MinutesDecision]) -> dict[str, int]:
    """How many decisions that stand name each class of error, the most frequent first."""
    found = Counter(each.error_class for each in rulings if each.stands and each.value is not None)
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _format_title(minutes: Minutes) -> str:
    return f"{minutes.title or 'Meeting'}, {minutes.began_at:%Y-%m-%d}"


def build_blocks(minutes: Minutes) -> Iterator[Block]:
    """The minutes as headings, words, quotes and tables, to be written or shown."""
    yield Heading(text=_format_title(minutes), level=1)
    yield from _build_frame(minutes)
    yield Heading(text="Decisions")
    if not minutes.rulings:
        yield DocumentText(text="Nothing was decided.")
    for nth, ruling in _number_decisions(minutes.rulings):
        yield from _build_decision(nth, ruling) if nth else _build_undo(ruling)
    yield from _build_error_classes(minutes.rulings)
    yield from _build_proposals(minutes.proposals)
    yield from _build_open_points(minutes)
    yield from _build_recheck_points(minutes)


def _build_frame(minutes: Minutes) -> Iterator[Block]:
    yield DocumentText(lead="Host:", text=minutes.host)
    yield DocumentText(lead="Present:", text=_format_present(minutes))
    yield DocumentText(lead="When:", text=_format_period(minutes))
    standing = [each for each in minutes.rulings if each.stands and each.value is not None]
    lost = sum(not each.stands and each.value is not None for each in minutes.rulings)
    counts = (
        format_count(len(standing), "decision") + (_format_standing(len(standing)) if lost else ""),
        *([f"{lost} replaced or taken back"] if lost else []),
        f"{len(minutes.deferred)} deferred",
        f"{len(minutes.untouched)} not reached; {format_duration(minutes.seconds)} on the points",
    )
    yield DocumentText(lead="Outcome:", text=", ".join(counts))
    decided = [each.matter for each in minutes.rulings if each.value is not None]
    yield from describe_removed_runs(
        decided, [*(each for each, _ in minutes.deferred), *minutes.untouched]
    )
    yield DocumentText(lead="Meeting:", text=minutes.meeting_id)


def _format_standing(decisions: int) -> str:
    return " that stands" if decisions == 1 else " that stand"


def _format_present(minutes: Minutes) -> str:
    left = [each for each in minutes.present if each not in minutes.at_the_end]
    everybody = ", ".join(minutes.present)
    return (
        f"{everybody} (not to the end: {', '.join(left)})"
        if minutes.at_the_end and left
        else everybody
    )


def _format_period(minutes: Minutes) -> str:
    began = f"{minutes.began_at:%Y-%m-%d %H:%M}"
    if minutes.finished_at is None:
        return f"{began} UTC, not finished"
    took = format_duration((minutes.finished_at - minutes.began_at).total_seconds())
    return f"{began} to {minutes.finished_at:%Y-%m-%d %H:%M} UTC ({took})"


def _build_decision(nth: int, ruling: MinutesDecision) -> Iterator[Block]:
    yield Heading(text=f"{nth}. {_format_place(ruling.matter)}: {ruling.value}", level=3)
    yield from _build_point(ruling.matter)
    settled = [ruling.value or "", ERROR_CLASSES.get(ruling.error_class, ruling.error_class)]
    settled.append(_HOW.get(ruling.how, ""))
    settled.append("" if ruling.stands else "later replaced or taken back")
    yield DocumentText(lead="Decision:", text="; ".join(each for each in settled if each))
    yield DocumentText(lead="Reason:", text=ruling.reason)
    yield from describe_before(ruling.matter.before, ruling.value)
    yield _build_signature(ruling)


def _build_undo(ruling: MinutesDecision) -> Iterator[Block]:
    """What takes a decision back; who said what stands at that decision."""
    yield Heading(text=f"{_format_place(ruling.matter)}: taken back", level=3)
    yield DocumentQuote(text=ruling.matter.text)
    yield DocumentText(lead="Reason:", text=ruling.reason)
    yield _build_signature(ruling)


def _build_signature(ruling: MinutesDecision) -> DocumentText:
    signed = f"{ruling.by}, {ruling.decided_at:%Y-%m-%d %H:%M} UTC"
    return DocumentText(lead="Signed:", text=f"{signed}{_format_time_spent(ruling.matter)}")


def _build_point(matter: MinutesPoint) -> Iterator[Block]:
    yield DocumentText(
        text=f"{matter.protocol}, {matter.run}{format_removed(matter)}. {matter.question}"
    )
    yield DocumentQuote(text=matter.text)
    yield from build_voices_table(
        matter.voices, matter.baseline, matter.found, asks_quotes=matter.asks_quotes
    )


def _build_error_classes(rulings: Sequence[MinutesDecision]) -> Iterator[Block]:
    yield Heading(text="By class of error")
    counts = count_error_classes(rulings)
    if not counts:
        yield DocumentText(text="None was named.")
        return
    rows = [(ERROR_CLASSES.get(key, key) or "None named", str(n)) for key, n in counts.items()]
    yield Table(header=("Class", "Decisions"), rows=rows)


def _build_proposals(proposals: Sequence[Proposal]) -> Iterator[Block]:
    yield Heading(text="Proposed for the guidelines")
    if not proposals:
        yield DocumentText(text="No change was proposed.")
    for each in proposals:
        yield DocumentText(lead=f"{each.protocol}, {each.section}:", text=f"proposed by {each.by}")
        yield DocumentQuote(text=each.wording)


def _build_open_points(minutes: Minutes) -> Iterator[Block]:
    yield Heading(text="Deferred")
    if not minutes.deferred:
        yield DocumentText(text="Nothing was deferred.")
    for matter, why in minutes.deferred:
        yield Heading(text=_format_place(matter), level=3)
        yield from _build_point(matter)
        yield from describe_before(matter.before)
        yield DocumentText(
            lead="Why:", text=f"{why or 'no reason given'}{_format_time_spent(matter)}"
        )
    if minutes.untouched:
        yield Heading(text="Not reached")
        yield Points(texts=[_format_not_reached(each) for each in minutes.untouched])


def _format_not_reached(matter: MinutesPoint) -> str:
    counts = find_counted_before(matter.before)
    told = f" [stands decided: {counts.in_words()}]" if counts else ""
    return f"{_format_place(matter)}: {matter.text}{told}"


def _build_recheck_points(minutes: Minutes) -> Iterator[Block]:
    if minutes.gaps:
        yield Heading(text="Waits for the guidance")
        yield DocumentText(
            text="Decided on a gap in the guidance; once it is closed, Re-check offers these again."
        )
        yield Points(texts=minutes.gaps)
    yield Heading(text="To look at again")
    if not minutes.recheck:
        yield DocumentText(
            text="No decision under the protocols of this meeting needs another look."
        )
        return
    yield DocumentText(text="As Re-check lists them, under the protocols of this meeting.")
    yield Table(header=("Decision", "Why"), rows=minutes.recheck)


def _format_place(matter: MinutesPoint) -> str:
    return f"{matter.external_id or matter.item_id[:8]} · {format_unit(matter.unit_id)}"


def _format_time_spent(matter: MinutesPoint) -> str:
    return f" ({format_duration(matter.seconds)})" if matter.seconds else ""
