"""View models for the findings of automatic checks, shown beside the labels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from components.evidence.segments import TextMark
from faithfulness.checks import CHECKS, addressed, review_count
from faithfulness.checks.check import RESPONSE
from faithfulness.checks.placing import find_judged_units, look_at, place_of
from faithfulness.model.vocabulary import Finding, Item, Span, Unit

_SHOWN = 300  # letters of words that are repeated; the text itself holds all of them


@dataclass(frozen=True, kw_only=True)
class Noticed:
    """Findings for the browser, and the places they point at in the texts."""

    units: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    addressed: list[dict[str, Any]] = field(default_factory=list)
    cannot: list[tuple[str, str]] = field(default_factory=list)
    said: list[TextMark] = field(default_factory=list)  # in the response
    places: list[tuple[str, Span]] = field(default_factory=list)  # in the other texts


def noticed(item: Item, judged: Sequence[Unit], titles: dict[str, str]) -> Noticed:
    """Every finding at the units that a person reads it on."""
    found, cannot = look_at(item)
    shown = Noticed(cannot=[(CHECKS[key].title, each.why) for key, each in cannot.items()])
    for at, each in enumerate(found):
        name = f"check-{at}"
        data = _build_finding(each, name, item, titles)
        words = place_of(each, item)
        if words is not None:
            shown.said.append(TextMark(words.start, words.end, name))
        shown.places.extend(_iter_places(each, name))
        if each.check == addressed.KEY:
            shown.addressed.append(data)
        for unit_id in find_judged_units(each, item, judged):
            shown.units.setdefault(unit_id, []).append(data)
    return shown


def _build_finding(each: Finding, name: str, item: Item, titles: dict[str, str]) -> dict[str, Any]:
    words = place_of(each, item)
    said = item.text_of(RESPONSE)[words.start : words.end] if words else ""
    return {
        "id": name,
        "title": CHECKS[each.check].title,
        "says": each.says,
        "kind": "count" if each.check == review_count.KEY else "",
        "certainty": each.certainty.value,
        "words": _shorten_words(said),
        "at": f"{words.start}-{words.end}" if words else "",
        "in": RESPONSE if words else each.source.field if each.source else "",
        "source": _build_passage(name, each.source, item, titles) if each.source else None,
        "candidates": [
            _build_passage(f"{name}.{at}", span, item, titles)
            for at, span in enumerate(each.candidates)
        ],
    }


def _build_passage(
    name: str, span: Span, item: Item, titles: dict[str, str]
) -> tuple[str, str, str]:
    """Its name, its words, and the title of the text they stand in."""
    words = item.text_of(span.field)[span.start : span.end]
    return name, _shorten_words(words), titles.get(span.field, span.field)


def _iter_places(each: Finding, name: str) -> Iterator[tuple[str, Span]]:
    if each.source:
        yield name, each.source
    for at, span in enumerate(each.candidates):
        yield f"{name}.{at}", span


def _shorten_words(words: str) -> str:
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
