"""Annotations and check findings on a point, formatted for the minutes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from faithfulness.model.vocabulary import Author
from faithfulness.model.wording import ALTERED, TIERS, format_count
from faithfulness.review.document import DocumentText, Table

_FOUND: Mapping[str, str] = {tier.value: name for tier, name in TIERS.items()}
_MOST = 3  # findings that a point tells; a whole response may have many
_LONGEST = 300  # letters of a passage; the source itself holds all of them
_NOW = "(as the store has it now)"  # what was said is as it was when the point was decided


@dataclass(frozen=True, kw_only=True, slots=True)
class Voice:
    """What one author had said when the point came up; `value` is None when it is Unread."""

    author: Author
    value: str | None
    rationale: str = ""
    comment: str = ""
    quotes: tuple[tuple[str, str], ...] = ()  # words, and the tier they were found with
    altered: tuple[tuple[str, str], ...] = ()  # words of these, and what they say otherwise
    links: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundAgainst:
    """What a check found against a unit, and the words of the source that it points at, if any."""

    check: str  # its title
    says: str
    words: str = ""
    field: str = ""  # where these words stand


def build_voices_table(
    voices: Sequence[Voice],
    baseline: Voice | None,
    found: Sequence[FoundAgainst] = (),
    *,
    asks_quotes: bool = True,
) -> Iterator[Table | DocumentText]:
    """Who said what, with which evidence; where nobody gave any, what a program found instead.

    Whoever reads minutes later must not take an empty column for an oversight, nor a passage that
    a program found for one that somebody read aloud.
    """
    if voices:
        header = ("Who", "Said", "Why", "Evidence")
        yield Table(header=header, rows=[_build_row(each) for each in voices])
    if voices and is_unquoted(voices):
        why = "" if asks_quotes else "; this protocol asks for none"
        yield DocumentText(lead="Source:", text=f"no quote or link was given as evidence{why}")
    if baseline:
        _, said, why, _ = _build_row(baseline)
        told = ": ".join(each for each in (said, why) if each)
        yield DocumentText(lead="Offline baseline, which takes no side:", text=told)
    if is_unquoted(voices):
        if baseline and baseline.quotes:
            yield DocumentText(
                lead="Passage that only the offline baseline quotes:", text=_format_quotes(baseline)
            )
        yield from _build_finding_texts(found)


def is_unquoted(voices: Sequence[Voice]) -> bool:
    """Whether nobody gave a quote or a link as evidence; a reason may still have such words."""
    return not any(each.quotes or each.links for each in voices)


def _build_finding_texts(found: Sequence[FoundAgainst]) -> Iterator[DocumentText]:
    for each in found[:_MOST]:
        words = each.words if len(each.words) <= _LONGEST else f"{each.words[:_LONGEST]}…"
        where = f". The source, {each.field}: “{words}”" if words else ""
        yield DocumentText(
            lead=f"Found by the check {each.check} {_NOW}:", text=f"{each.says}{where}"
        )
    if len(found) > _MOST:
        more = format_count(len(found) - _MOST, "more finding")
        yield DocumentText(lead=f"Found by checks {_NOW}:", text=f"{more}; the item shows them")


def _build_row(voice: Voice) -> tuple[str, str, str, str]:
    why = " ".join(each for each in (voice.rationale, voice.comment) if each)
    said = voice.value if voice.value is not None else "no label"
    who = f"{voice.author.kind.value} {voice.author.name}"
    return who, said, why, "; ".join(each for each in (_format_quotes(voice), *voice.links) if each)


def _format_quotes(voice: Voice) -> str:
    turned = {text: f"{ALTERED}: {says}" for text, says in voice.altered}
    found = [(text, _FOUND.get(tier, "not looked for")) for text, tier in voice.quotes]
    return "; ".join(f"“{text}” ({turned.get(text, how)})" for text, how in found)
