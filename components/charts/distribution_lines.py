"""Shared parts of distribution charts: titles, counts, means, intervals and bar ids."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from components.charts.spread import Bar
from components.ui.label_colors import Look, look
from components.ui.numbers import NONE, count, format_count, interval, number
from faithfulness.model.measure import Measure
from faithfulness.statistics.intervals import FEWEST_ITEMS, Interval

UNREAD, NOT_JUDGED, WITHOUT = " unread", " not judged", " none"
KINDS = {"rater": "Rater", "judge": "Judge", "adjudicator": "Adjudicator"}
TOGETHER = {"rater": "Raters together", "judge": "Judges", "adjudicator": "Adjudicated"}


class ChartLine(Protocol):
    """What a chart needs to know of one line."""

    @property
    def key(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def part(self) -> str: ...
    @property
    def counts(self) -> Mapping[str, int]: ...
    @property
    def unread(self) -> int: ...
    @property
    def not_judged(self) -> int: ...
    @property
    def without(self) -> int: ...
    @property
    def items(self) -> int: ...
    @property
    def left_out(self) -> int: ...
    @property
    def counted(self) -> int: ...
    @property
    def mean(self) -> Interval: ...
    @property
    def called(self) -> str: ...
    @property
    def median(self) -> float | None: ...


class Shaded(NamedTuple):
    """A look and, where several labels share a colour, which of its shades."""

    look: Look
    shade: str


def assign_shades(measure: Measure) -> dict[str, Shaded]:
    """The looks of a criterion's labels in their order."""
    if measure.criterion is None:
        return {}
    scale = measure.criterion.scale
    used: dict[str, int] = {}
    found = {}
    for label in scale.labels:
        seen = look(label, scale)
        found[label.value] = Shaded(seen, str(min(used.get(seen.color, 0), 2)))
        used[seen.color] = used.get(seen.color, 0) + (not scale.ordinal)
    return found


def title(line: ChartLine) -> tuple[str, str]:
    """Who a line is about, and what stands below in smaller type."""
    who = line.name or TOGETHER.get(line.kind, line.kind)
    kind = KINDS.get(line.kind, "") if line.name else ""
    if line.part:
        return line.part, f"{kind} {who}".strip()
    return who, kind


def describe_line(line: ChartLine) -> str:
    """The same as the end of a sentence: "by judge north in run A"."""
    who = f"{line.kind} {line.name}" if line.name else TOGETHER.get(line.kind, line.kind).lower()
    return f"by {who}" + (f" in {line.part}" if line.part else "")


def told(line: ChartLine, measure: Measure) -> list[tuple[str, str]]:
    """How many stand behind a line, and its mean with interval, median, or why there is none."""
    many = format_count(line.counted, measure.counts)
    of = "" if line.counted == line.items else f"in {format_count(line.items, 'item')}"
    of = "" if measure.kind == "numbers" else of
    if not line.called:
        return [(many, of)]
    mean = line.mean
    edges = interval(mean.low, mean.high)
    digits = ".3g" if measure.kind == "scores" else ".2f"
    middle = f"median\u00a0{line.median:{digits}}" if line.median is not None else ""
    said = (*_list_mean_basis(line, measure), edges or _explain_no_interval(mean), middle)
    note = " · ".join(each for each in said if each)
    lead = (
        "Mean" if measure.kind == "numbers" else f"Mean {line.called[:1].lower()}{line.called[1:]}"
    )
    lead = lead if line.called != "F1" else "Mean F1"
    return [(f"{lead} {number(mean.value)}", note), (many, of)]


def _list_mean_basis(line: ChartLine, measure: Measure) -> tuple[str, ...]:
    """The n of a mean, and what it leaves out, where the count below it is another."""
    items = measure.kind == "numbers"  # items without a number stand apart, with their own count
    below, out = (line.counted, 0) if items else (line.items, line.left_out)
    if line.mean.value is None or (line.mean.counted == below and not out):
        return ()
    many = f"n\u00a0{count(line.mean.counted)}"
    return (many, f"{count(out)}\u00a0left out") if out else (many,)


def _explain_no_interval(mean: Interval) -> str:
    if mean.value is None:
        return "no item has a number"
    if mean.counted < FEWEST_ITEMS:
        return f"no interval below {FEWEST_ITEMS} items"
    return "no interval: all items are equal"


class Apart(NamedTuple):
    """What has no value, counted beside what has."""

    value: str
    many: int
    glyph: str
    title: str


def apart(line: ChartLine) -> list[Apart]:
    """Unread, not judged and without a number, where there are any."""
    said = [
        Apart(UNREAD, line.unread, "!", "unread"),
        Apart(NOT_JUDGED, line.not_judged, "○", "not judged"),
        Apart(WITHOUT, line.without, NONE, "without a number"),
    ]
    return [each for each in said if each.many]


def drawn(line: ChartLine, measure: Measure, **more: Any) -> dict[str, Any]:
    """What every chart says of a line."""
    who, note = title(line)
    return {"title": who, "note": note, "numbers": told(line, measure), **more}


def bars(lines: Sequence[ChartLine], values: Sequence[str]) -> dict[str, Bar]:
    """The bar of each mark by its id, also of those that have no value."""
    also = (UNREAD, NOT_JUDGED, WITHOUT, "")
    return {
        make_mark_id(at, value): Bar(line.key, value)
        for at, line in enumerate(lines)
        for value in (*values, *also)
    }


def make_mark_id(at: int, value: str) -> str:
    return f"{at}:{value}"
