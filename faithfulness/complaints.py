"""Complaints told once: many that differ only in their unit are one sentence with its places."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

LINES_NAMED = 3
# "s1, label: …" and "s1: …": the unit before the criterion and the sentence itself.
_UNIT = re.compile(r"^(?:\S+, (?=\w+: )|(?:s\d+|response): )")


class Place(Protocol):
    """What is wrong on one line of a file."""

    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def text(self) -> str: ...


class Alike(NamedTuple):
    """One complaint with every line it is about; line 0 stands for a place nobody knows."""

    file: str
    text: str  # with its unit where there is one line only
    lines: Sequence[int]

    @property
    def in_words(self) -> str:
        times = len(self.lines)
        return self.text if times == 1 else f"{times:,} × {self.text}"

    @property
    def first_lines(self) -> str:
        """The first lines in words, empty where none is known: 2, 3, 4 and 56 more."""
        known = list(dict.fromkeys(filter(None, self.lines)))
        named = ", ".join(f"{line:,}" for line in known[:LINES_NAMED])
        left = len(known) - LINES_NAMED
        return f"{named} and {left:,} more" if left > 0 else named

    @property
    def place(self) -> str:
        """The file with the lines, as a sentence names them."""
        if not self.first_lines:
            return self.file
        several = len({*self.lines} - {0}) > 1
        return f"{self.file} {'lines' if several else 'line'} {self.first_lines}"


def in_files(places: Iterable[tuple[str, int]]) -> list[Alike]:
    """Places, each a file and a line, by file and from its first line on; without a sentence."""
    found: dict[str, list[int]] = {}
    for file, line in places:
        found.setdefault(file, []).append(line)
    return [Alike(file, "", sorted(lines)) for file, lines in found.items()]


def alike(complaints: Iterable[Place]) -> list[Alike]:
    """Complaints by file and sentence, in the order of their first line here."""
    found: dict[tuple[str, str], list[Place]] = {}
    for each in complaints:
        found.setdefault((each.file, _UNIT.sub("", each.text)), []).append(each)
    return [
        Alike(file, text if len(those) > 1 else those[0].text, [each.line for each in those])
        for (file, text), those in found.items()
    ]
