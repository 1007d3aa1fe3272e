"""Word-level diff of a quoted excerpt and the matching source text."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from faithfulness.model.vocabulary import Tier
from faithfulness.model.wording import TIERS
from faithfulness.text.normalise import lower_same_length

_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|\s+|.", re.DOTALL)
_ALIKE = str.maketrans('“”„«»‘’‚′`´"‐‑‒–—−', "'" * 12 + "-" * 6)
_LARGEST = 25_000_000  # cells of the comparison; beyond it the texts are shown whole
_SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
                  "ten", "eleven", "twelve")  # fmt: skip


class PartKind(StrEnum):
    """How one run of tokens of an excerpt stands to the source."""

    SAME = "same"
    LEFT_OUT = "left_out"  # stands in the source only
    ADDED = "added"  # stands in the excerpt only
    CHANGED = "changed"


class Part(NamedTuple):
    """A run of tokens; the texts of all parts joined are the excerpt, and the source's words."""

    kind: PartKind
    excerpt_text: str
    source_text: str


def compare_words(excerpt: str, found: str, *, to_the_letter: bool = False) -> tuple[Part, ...]:
    """The excerpt beside the words found in the source.

    Case, kinds of quotes and blanks do not count, unless everything does, `to_the_letter`.
    """
    said, stands = _TOKEN.findall(excerpt), _TOKEN.findall(found)
    keys = list[str] if to_the_letter else _fold_tokens
    if len(said) * len(stands) > _LARGEST:
        same = keys(said) == keys(stands)
        return (Part(PartKind.SAME if same else PartKind.CHANGED, excerpt, found),)
    parts = [
        Part(
            PartKind.SAME if step.tag == "equal" else PartKind.CHANGED,
            "".join(said[step.src_start : step.src_end]),
            "".join(stands[step.dest_start : step.dest_end]),
        )
        for step in Levenshtein.opcodes(keys(said), keys(stands))
    ]
    return tuple(_classify_part(each) for each in _join_changes(parts))


def count_differing_words(parts: Sequence[Part]) -> int:
    """How many words are changed, added or left out."""
    return sum(
        max(_count_words(each.excerpt_text), _count_words(each.source_text))
        for each in parts
        if each.kind is not PartKind.SAME
    )


def describe_placement(tier: Tier | str, parts: Sequence[Part] = (), places: int = 1) -> str:
    """A placement in plain words; `places` is the number of its spans."""
    tier = Tier(tier)
    if tier is Tier.STITCHED:
        return f"{TIERS[tier]} ({places})"
    if tier is not Tier.NEAR or not parts:  # without parts it is too long to be compared
        return TIERS[tier]
    return f"{TIERS[tier]} ({_format_differing_words(count_differing_words(parts))})"


def _format_differing_words(number: int) -> str:
    if not number:
        return "no word differs"
    shown = _SMALL_NUMBERS[number] if number < len(_SMALL_NUMBERS) else str(number)
    return f"{shown} word differs" if number == 1 else f"{shown} words differ"


def _fold_tokens(tokens: Sequence[str]) -> list[str]:
    return [" " if each.isspace() else lower_same_length(each).translate(_ALIKE) for each in tokens]


def _count_words(text: str) -> int:
    return sum(each[0].isalnum() for each in _TOKEN.findall(text))


def _join_changes(parts: Sequence[Part]) -> list[Part]:
    """Changed words with only a blank between them are one change to the eye."""
    joined: list[Part] = []
    for each in parts:
        if each.kind is PartKind.CHANGED and joined:
            last = joined[-1]
            between = last.kind is PartKind.SAME and last.excerpt_text.isspace()
            if between and len(joined) > 1:
                joined[-2:] = [_join_parts(_join_parts(joined[-2], last), each)]
                continue
            if last.kind is PartKind.CHANGED:
                joined[-1] = _join_parts(last, each)
                continue
        joined.append(each)
    return joined


def _join_parts(first: Part, second: Part) -> Part:
    return Part(
        PartKind.CHANGED,
        first.excerpt_text + second.excerpt_text,
        first.source_text + second.source_text,
    )


def _classify_part(part: Part) -> Part:
    if part.kind is PartKind.SAME or (part.excerpt_text and part.source_text):
        return part
    kind = PartKind.ADDED if part.excerpt_text else PartKind.LEFT_OUT
    return part._replace(kind=kind)
