"""Types and helper functions shared by all automatic checks.

A check is a pure function of an item. It returns findings (an empty result means that nothing was
detected) or `CannotCheck` with a plain reason. If only a part of the input cannot be read, the
reason is returned only when the rest has no findings.

Fields of `Finding`: `kind` is the rule's key, `within` the words of the response (a range in the
unit's text), `source` the words that conflict with them, `certainty` whether the rule is certain or
needs a human check, `candidates` what a person should look at. Items without sentence units (one
score for the whole response) have their findings on the unit "response".
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from faithfulness.model.vocabulary import Certainty, Field, Finding, Item, Span, UnitKind
from faithfulness.text.sentences import cut_sentences

RESPONSE = "response"


@dataclass(frozen=True, kw_only=True, slots=True)
class CannotCheck:
    """Why a check says nothing about an item; shown as "cannot check: …"."""

    why: str


Outcome = tuple[Finding, ...] | CannotCheck


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """A named rule that a program can apply to an item by itself."""

    key: str  # stands in findings: never renamed
    title: str
    about: str
    needs: tuple[str, ...]  # kinds of fields without which it cannot check
    run: Callable[[Item], Outcome]


class Statement(NamedTuple):
    """A sentence of the response; `start` is its place in the response, `within` in its unit."""

    unit_id: str
    text: str
    start: int
    within: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class _Same:
    """An item known by identity: to hash all its texts and units for each mark takes too long."""

    __slots__ = ("item",)

    def __init__(self, item: Item) -> None:
        self.item = item

    def __hash__(self) -> int:
        return id(self.item)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.item is other.item


class FindingRange(NamedTuple):
    """A range of the response that a finding is about."""

    start: int
    end: int


def list_statements(item: Item) -> tuple[Statement, ...]:
    """The sentences of the response: its units, or cut here where the item has none."""
    return _build_statements(_Same(item))


@lru_cache(maxsize=16)
def _build_statements(same: _Same) -> tuple[Statement, ...]:
    item = same.item
    units = [
        Statement(unit.id, unit.text, unit.span.start, 0)
        for unit in item.units_of(UnitKind.SENTENCE)
        if unit.field == RESPONSE and unit.span is not None
    ]
    if units:
        return tuple(units)
    text = item.text_of(RESPONSE)
    return tuple(
        Statement(RESPONSE, text[start:end], start, start) for start, end in cut_sentences(text)
    )


@lru_cache(maxsize=16)
def _sort_by_start(same: _Same) -> tuple[Statement, ...]:
    return tuple(sorted(_build_statements(same), key=lambda each: each.start))


def make_finding(
    check: str,
    kind: str,
    item: Item,
    words: FindingRange | None,
    says: str,
    *,
    source: Span | None = None,
    sure: bool = True,
    candidates: Iterable[Span] = (),
) -> Finding:
    """A finding on the unit in which the words of the response begin."""
    unit_id, within = (RESPONSE, None) if words is None else _locate_in_unit(item, words)
    return Finding(
        check=check,
        kind=kind,
        unit_id=unit_id,
        within=within,
        source=source,
        says=says,
        certainty=Certainty.FOUND if sure else Certainty.PLEASE_CHECK,
        candidates=tuple(candidates),
    )


def get_marked_words(finding: Finding, item: Item) -> FindingRange | None:
    """The range of the response that a finding marks."""
    if finding.within is None:
        return None
    for each in list_statements(item):
        if each.unit_id == finding.unit_id:
            start = each.start - each.within
            return FindingRange(start + finding.within[0], start + finding.within[1])
    return None


def select_fields(item: Item, *kinds: str) -> tuple[Field, ...]:
    """The fields of these kinds that are not empty."""
    return tuple(each for each in item.fields if each.kind in kinds and each.text.strip())


def select_detail_pages(item: Item) -> tuple[Field, ...]:
    """The detail page; beside reviews, what is called context is part of it."""
    with_context = any(each.kind == "reviews" for each in item.fields)
    return select_fields(item, "detail_page", *(("context",) if with_context else ()))


def make_outcome(found: Iterable[Finding], left_out: Iterable[str] = ()) -> Outcome:
    """What was found; when nothing was, the first reason why something could not be read."""
    marks = tuple(found)
    reasons = list(left_out) if not marks else []
    return CannotCheck(why=reasons[0]) if reasons else marks


def _locate_in_unit(item: Item, words: FindingRange) -> tuple[str, tuple[int, int]]:
    said = _sort_by_start(_Same(item))
    at = bisect_right(said, words.start, key=lambda each: each.start) - 1
    if at >= 0 and words.start < said[at].end:
        each = said[at]
        shift = each.within - each.start
        # A quotation may run on into the next sentence; a finding stays in its own.
        return each.unit_id, (words.start + shift, min(words.end, each.end) + shift)
    return RESPONSE, words


def pair_with_previous(said: Iterable[Statement]) -> Iterator[tuple[Statement | None, Statement]]:
    """Every statement with the one before it."""
    before = None
    for each in said:
        yield before, each
        before = each
