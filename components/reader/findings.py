"""What the mechanical checks found, as the reader shows it: marks beside the labels, never one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from components.reader.segments import Mark
from faithfulness.checks import CHECKS, Findings, addressed, run_all
from faithfulness.checks.check import RESPONSE, CannotCheck, Words, words_of
from faithfulness.vocabulary import Finding, Item, Span, Unit, UnitKind

LONGEST = 200_000  # characters of an item beyond which only the cheapest check is made
_SHOWN = 300  # letters of words that are repeated; the text itself holds all of them
WHOLE = ""  # stands for a unit where a finding belongs to none that is judged


@dataclass(frozen=True, kw_only=True)
class Noticed:
    """Findings for the browser, and the places they point at in the texts."""

    units: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    addressed: list[dict[str, Any]] = field(default_factory=list)
    cannot: list[tuple[str, str]] = field(default_factory=list)
    said: list[Mark] = field(default_factory=list)  # in the response
    places: list[tuple[str, Span]] = field(default_factory=list)  # in the other texts


def look_at(item: Item) -> Findings:
    """All checks; of a very long item only whether it speaks to its judge."""
    if sum(len(each.text) for each in item.fields) <= LONGEST:
        return run_all(item)
    found = addressed.CHECK.run(item)
    why = CannotCheck(why=f"the texts of the item are longer than {LONGEST:,} characters")
    cannot = {key: why for key in CHECKS if key != addressed.KEY}
    return Findings(found if isinstance(found, tuple) else (), cannot)


def noticed(item: Item, judged: Sequence[Unit], titles: dict[str, str]) -> Noticed:
    """Every finding at the units that a person reads it on."""
    found, cannot = look_at(item)
    shown = Noticed(cannot=[(CHECKS[key].title, each.why) for key, each in cannot.items()])
    for at, each in enumerate(found):
        name = f"check-{at}"
        data = _data(each, name, item, titles)
        words = _words(each, item)
        if words is not None:
            shown.said.append(Mark(words.start, words.end, name))
        shown.places.extend(_places(each, name))
        if each.check == addressed.KEY:
            shown.addressed.append(data)
        for unit_id in _units(each, item, judged):
            shown.units.setdefault(unit_id, []).append(data)
    return shown


def _units(each: Finding, item: Item, judged: Sequence[Unit]) -> Iterator[str]:
    """The judged units that a finding is about: itself, the claims drawn from it, or the whole."""
    if any(unit.id == each.unit_id for unit in judged):
        yield each.unit_id
        return
    words = _words(each, item)
    inside = [
        unit.id
        for unit in judged
        if words is not None and unit.field == RESPONSE and unit.kind is not UnitKind.RESPONSE
        if unit.span and unit.span.start < words.end and words.start < unit.span.end
    ]
    whole = [unit.id for unit in judged if unit.kind is UnitKind.RESPONSE]
    # What speaks to the judge from a source stands in a notice of its own.
    yield from inside or whole or ([] if each.check == addressed.KEY else [WHOLE])


def _words(each: Finding, item: Item) -> Words | None:
    """Where the words stand in the response; some stand between its units."""
    if each.within and each.unit_id == RESPONSE:
        return Words(*each.within)
    return words_of(each, item)


def _data(each: Finding, name: str, item: Item, titles: dict[str, str]) -> dict[str, Any]:
    words = _words(each, item)
    said = item.text_of(RESPONSE)[words.start : words.end] if words else ""
    return {
        "id": name,
        "title": CHECKS[each.check].title,
        "says": each.says,
        "certainty": each.certainty.value,
        "words": _short(said),
        "in": RESPONSE if words else each.source.field if each.source else "",
        "source": _passage(name, each.source, item, titles) if each.source else None,
        "candidates": [
            _passage(f"{name}.{at}", span, item, titles) for at, span in enumerate(each.candidates)
        ],
    }


def _passage(name: str, span: Span, item: Item, titles: dict[str, str]) -> tuple[str, str, str]:
    """Its name, its words, and the title of the text they stand in."""
    words = item.text_of(span.field)[span.start : span.end]
    return name, _short(words), titles.get(span.field, span.field)


def _places(each: Finding, name: str) -> Iterator[tuple[str, Span]]:
    if each.source:
        yield name, each.source
    for at, span in enumerate(each.candidates):
        yield f"{name}.{at}", span


def _short(words: str) -> str:
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
