"""Item texts and findings for a triage card; long texts are sent when a card is opened."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from components.evidence.segments import TextMark, segments
from components.reader.annotation_view import title
from components.reader.findings import noticed
from components.ui.mounted import mount_component
from components.ui.session import read_reported
from faithfulness.model.contradiction import UnitCase
from faithfulness.model.vocabulary import FIELD_KINDS, Annotation, Field, Item, Unit
from faithfulness.review.disagreement import Disagreement

QUOTED, JUDGED = "quoted", "judged"  # the marks that are not named after a finding

# A component of its own: a card stays as it is while its texts come.
_mount = mount_component("plumbline_texts", "triage/courier.js")


def list_texts(item: Item) -> list[Field]:
    """The texts of an item in the order of reading: sources, then what is reviewed and asked."""
    order = list(FIELD_KINDS)
    sources = sorted(item.sources, key=lambda each: order.index(each.kind))
    others = [each for each in item.fields if each not in sources]
    others.sort(key=lambda each: each.kind != "response")
    return [each for each in (*sources, *others) if each.text.strip()]


def build_initial_texts(case: UnitCase, most: int) -> dict[str, Any]:
    """How many texts and characters there are; with them the texts, of at most `most` characters.

    Where they are longer, `sent` is None: they come once somebody opens them.
    """
    lengths = [len(each.text) for each in list_texts(case.item)]
    is_short = sum(lengths) <= most
    sent = build_case_texts(case.item, case.unit, tuple(case.annotations)) if is_short else None
    return {"count": len(lengths), "characters": sum(lengths), "sent": sent}


def send_texts(cases: Iterable[tuple[str, Disagreement]], *, key: str) -> None:
    """Send the texts of the case that somebody opened in the component of this key.

    Args:
        cases: those that are shown, each with its name in the browser.
        key: the component's.
    """
    wanted = (read_reported(key, "texts") or {}).get("key")
    case = next((found.case for name, found in cases if wanted and name == wanted), None)
    data = build_case_texts(case.item, case.unit, tuple(case.annotations)) if case else {}
    _mount(key=f"{key}_texts", data=data | {"key": wanted if case else ""})


@lru_cache(maxsize=32)  # more than the cards of a page, which is drawn again at every step
def build_case_texts(item: Item, unit: Unit, said: tuple[Annotation, ...]) -> dict[str, Any]:
    """Every text with what is quoted and found in it, and the findings; nobody is named.

    It says which words somebody quotes, and not who does: authors may be hidden.
    """
    titles = {each.name: title(each.name, each.kind) for each in item.fields}
    checked = noticed(item, item.units_of(unit.kind), titles)
    noticed_here = {name: checked.units[name] for name in (unit.id, "") if name in checked.units}
    shown = {each["id"] for found in noticed_here.values() for each in found}
    shown |= {each["id"] for each in checked.addressed}
    marks = _list_quote_marks(said)
    marks += [
        (s.field, TextMark(s.start, s.end, n))
        for n, s in checked.places
        if _get_finding_id(n) in shown
    ]
    if unit.span:
        marks.append((unit.field, TextMark(unit.span.start, unit.span.end, JUDGED)))
    return {
        "unit": unit.id,
        "texts": [
            {
                "title": titles[field.name],
                "kind": field.kind,
                "characters": len(field.text),
                "segments": segments(field.text, [m for name, m in marks if name == field.name]),
            }
            for field in list_texts(item)
        ],
        "noticed": noticed_here,
        "addressed": checked.addressed,
        "cannot": checked.cannot,
    }


def _list_quote_marks(said: Sequence[Annotation]) -> list[tuple[str, TextMark]]:
    """Where the quoted words stand, each place once."""
    spans = {
        span
        for each in said
        for excerpt in each.answer.excerpts
        if excerpt.placement
        for span in excerpt.placement.spans
    }
    return [(each.field, TextMark(each.start, each.end, QUOTED)) for each in sorted(spans)]


def _get_finding_id(place: str) -> str:
    """The finding that a place belongs to: check-3 of check-3.1."""
    return place.partition(".")[0]
