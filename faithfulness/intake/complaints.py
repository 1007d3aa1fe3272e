"""Group the problems of an imported file: equal messages once with all lines, by kind."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

# How often each sentence comes, by file: more often than places are kept.
Times = Mapping[str, Mapping[str, int]]

LINES_NAMED = 3
# "s1, label: …" and "s1: …": the unit before the criterion and the sentence itself.
_UNIT = re.compile(r"^(?:\S+, (?=\w+: )|(?:s\d+|response): )")
_RULE = "Another rule of the protocol"
# What a complaint begins or ends with, by kind. What makes an answer count for nothing stands
# first; evidence that a file never had comes last, because it may come with every row.
_KINDS = {
    "Left out: the words are not in the item": re.compile(
        r"(?:not )?in the response\b.*: “|a sentence without text |a marked part from "
    ),
    "Unread: no answer that counts": re.compile(
        r"(?:\w+: )?(?:the file says |no value in the file|answered twice: |an answer without )"
        r"|.* has no criterion |.* is not on the scale; expected "
    ),
    "The place of the words is uncertain": re.compile(r"the offsets \d+ to |the response has “"),
    _RULE: None,
    "A reason is missing": re.compile(r"\w+: .* Give the reason, or change one of the two\.$"),
    "Evidence is missing": re.compile(r"\w+: \w+ needs [\w ]+, and there is none$"),
}


class ComplaintPlace(Protocol):
    """What is wrong on one line of a file."""

    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def text(self) -> str: ...


class ComplaintKind(NamedTuple):
    """Complaints of one kind, the most frequent first."""

    title: str
    found: "Sequence[Alike]"

    @property
    def times(self) -> int:
        return sum(each.times for each in self.found)

    @property
    def in_words(self) -> str:
        return f"{self.title} ({self.times:,})"


class Alike(NamedTuple):
    """One complaint with the lines it is about; line 0 stands for a place nobody knows."""

    file: str
    text: str  # with its unit where there is one line only
    lines: Sequence[int]  # the first ones, where it comes more often
    times: int

    @property
    def in_words(self) -> str:
        return self.text if self.times == 1 else f"{self.times:,} × {self.text}"

    @property
    def first_lines(self) -> str:
        """The first lines in words, empty where none is known: 2, 3, 4 and 56 more."""
        known = list(dict.fromkeys(filter(None, self.lines)))
        named = ", ".join(f"{line:,}" for line in known[:LINES_NAMED])
        if named and self.times > len(self.lines):
            return f"{named} and more"
        left = len(known) - LINES_NAMED
        return f"{named} and {left:,} more" if left > 0 else named

    @property
    def place(self) -> str:
        """The file with the lines, as a sentence names them."""
        if not self.first_lines:
            return self.file
        several = len({*self.lines} - {0}) > 1 or self.times > len(self.lines)
        return f"{self.file} {'lines' if several else 'line'} {self.first_lines}"


def group_places(places: Iterable[tuple[str, int]]) -> list[Alike]:
    """Places, each a file and a line, by file and from its first line on; without a sentence."""
    found: dict[str, list[int]] = {}
    for file, line in places:
        found.setdefault(file, []).append(line)
    return [Alike(file, "", sorted(lines), len(lines)) for file, lines in found.items()]


def strip_unit(text: str) -> str:
    """What a complaint says, whichever unit it is about."""
    return _UNIT.sub("", text)


def group_complaints(
    complaints: Iterable[ComplaintPlace], times: Times | None = None
) -> list[Alike]:
    """Complaints by file and sentence, in the order of their first line here.

    Args:
        complaints: the first ones.
        times: how often each sentence comes in all, where that is more often than here.
    """
    found: dict[tuple[str, str], list[ComplaintPlace]] = {}
    for each in complaints:
        found.setdefault((each.file, strip_unit(each.text)), []).append(each)
    told = []
    for (file, text), those in found.items():
        many = max(len(those), (times or {}).get(file, {}).get(text, 0))
        lines = [each.line for each in those]
        told.append(Alike(file, text if many > 1 else those[0].text, lines, many))
    return told


def group_by_kind(found: Iterable[Alike]) -> list[ComplaintKind]:
    """Complaints told once by their kind, what matters most first."""
    kinds: dict[str, list[Alike]] = {title: [] for title in _KINDS}
    for each in found:
        kinds[_classify_complaint(strip_unit(each.text))].append(each)
    return [
        ComplaintKind(title, sorted(those, key=lambda each: -each.times))
        for title, those in kinds.items()
        if those
    ]


def _classify_complaint(text: str) -> str:
    return next((title for title, like in _KINDS.items() if like and like.match(text)), _RULE)
