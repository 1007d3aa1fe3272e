"""Inexact quotes: those that are not word for word in a source, with what differs."""

from collections.abc import Iterator
from typing import NamedTuple

from faithfulness.intake.intake import PreparedItem
from faithfulness.model.drafts import Draft
from faithfulness.model.vocabulary import Tier
from faithfulness.model.wording import TIERS
from faithfulness.text.altered import BETWEEN, altered
from faithfulness.text.differences import PartKind, differences, words_that_differ

_SHOWN = 400
_PART_SHOWN = 160
_FEW = 2  # differences that are spelt out; more of them are only looked at in the reader


class Inexact(NamedTuple):
    """A quote that no source has as it stands, and what the source has."""

    file: str
    line: int
    text: str
    tier: Tier
    found: str  # the words of the source, several places joined by BETWEEN
    turned: str  # what it says instead where its sense is another, else empty

    @property
    def in_words(self) -> str:
        """What differs and the quoted words; empty where no word does."""
        quote = self.text[:_SHOWN]
        if self.tier is Tier.ABSENT:
            return quote
        differs = self.turned or self._differs()
        return f"{differs}: “{quote}”" if differs else ""

    def _differs(self) -> str:
        if self.tier is Tier.SIMILAR:
            return f"only “{_cut(self.found)}” is similar"
        if self.tier is Tier.STITCHED:  # it is counted as that, and its words are the source's
            return ""
        parts = differences(self.text, self.found)
        if not words_that_differ(parts):
            return ""
        told = []
        for part in parts:
            said, stands = _cut(part.excerpt_text.strip()), _cut(part.source_text.strip())
            if part.kind is PartKind.CHANGED:
                told.append(f"“{said}” where the source has “{stands}”")
            elif part.kind is PartKind.ADDED and said:
                told.append(f"“{said}” is not in the source")
            elif part.kind is PartKind.LEFT_OUT and stands:
                told.append(f"“{stands}” of the source is left out")
        return ", ".join(told) if len(told) <= _FEW else TIERS[self.tier]


def _cut(text: str) -> str:
    return text if len(text) <= _PART_SHOWN else f"{text[:_PART_SHOWN]}…"


def inexact_quotes(draft: Draft, taken: PreparedItem) -> Iterator[Inexact]:
    """Every quote of a draft that was looked for and not found word for word."""
    texts = {each.name: each.text for each in taken.item.fields}
    for each in taken.signed:
        for excerpt in each.answer.excerpts:
            place = excerpt.placement
            if place is None or place.tier is Tier.VERBATIM:
                continue
            found = BETWEEN.join(texts.get(s.field, "")[s.start : s.end] for s in place.spans)
            turned = altered(excerpt.text, place.tier, found)
            file = each.file or draft.file
            yield Inexact(file, each.line, excerpt.text, Tier(place.tier), found, turned)
