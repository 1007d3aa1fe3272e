"""Draws the reader and answers what a person did in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from components.reader.annotation_view import Opinions, judged_units, said_about, title
from components.reader.counting import counting
from components.reader.findings import noticed
from components.reader.texts import places_of_evidence, reviewed_texts, source_texts
from components.reader.views import author_views, looks, voices
from components.ui.as_data import as_data
from components.ui.label_colors import look
from components.ui.mounted import mounted
from components.ui.numbers import number
from faithfulness.checks.figures import figures
from faithfulness.judging.request_priority import serving
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import Annotation, Item
from faithfulness.protocols import protocol as protocol_of

ACTS = ("meeting mark", "review tick")  # kinds of write, as the store names them
STYLES = ("reader.css", "response.css", "sources.css", "detail.css", "findings.css", "counting.css")
SCRIPTS = (
    *("head.js", "response.js", "claims.js", "sources.js", "search.js", "quotes.js", "detail.js"),
    *("findings.js", "counting.js", "keys.js", "selecting.js", "reader.js"),
)
FILES = (
    *("assets/text.css", "assets/text.js", "assets/marks.js"),
    *("assets/boxes.js", "assets/places.js"),
    *(f"reader/{name}" for name in ("reader.html", *STYLES, *SCRIPTS)),
)
_mount = mounted("plumbline_reader", *FILES)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReaderView:
    """Where to begin, or where a person is: a unit, whose labels, which of them, what is marked."""

    unit: str = ""
    by: str = ""
    show: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    last_mark: str = ""  # the last press of `m` that is stored
    counts: Mapping[str, Any] = field(default_factory=dict)  # as `counting.counts_data` gives them
    may: tuple[str, ...] = ACTS  # what can be stored from here, of ACTS
    ask: str = ""  # words of the response whose nearest passages are wanted


@serving()  # a fragment is drawn anew without its page
def reader(
    item: Item, protocol: Protocol, opinions: Opinions, *, start: ReaderView, key: str = "reader"
) -> ReaderView:
    """Show an item; the answer is the view a person has chosen by now.

    The data stay the same while units are chosen, so that a choice costs no transfer; `start` only
    says where to begin.
    """
    said = tuple(opinions.annotations)
    reasons, decided_in = tuple(opinions.reasons), tuple(opinions.decided_in)
    data = reader_data(item, protocol.key, said, reasons, decided_in)
    begin = {name: getattr(start, name) for name in ("unit", "by", "show", "marked", "counts")}
    given = [_given(*each) for each in opinions.given]
    result: Any = _mount(
        key=key,
        data=data
        | {"start": begin, "given": given, "lastMark": start.last_mark, "may": list(start.may)},
        on_unit_change=_nothing,
        on_action_change=_nothing,
        on_marks_change=_nothing,
        on_ticks_change=_nothing,
    )
    done = result.action or {}
    return ReaderView(
        unit=str(result.unit or start.unit),
        by=str(done.get("by") or start.by),
        show=tuple(map(str, done.get("show", start.show))),
        marked=start.marked,
        ask=str(done.get("ask") or "")[:2_000],
    )


@lru_cache(maxsize=8)
def reader_data(
    item: Item,
    protocol_key: str,
    annotations: tuple[Annotation, ...],
    reasons: tuple[tuple[int, str | None, str, str], ...] = (),
    decided_in: tuple[tuple[int, str], ...] = (),
) -> dict[str, Any]:
    """Everything the browser is told of an item; kept, because every choice asks for it again."""
    protocol = protocol_of(protocol_key)
    opinions = Opinions(annotations=annotations, reasons=reasons, decided_in=decided_in)
    said = said_about(item, protocol, opinions)
    found = (
        figures(item.text_of("response"), item.sources)
        if any(each.kind == "product" for each in item.sources)
        else ()
    )
    titles = {each.name: title(each.name, each.kind) for each in item.fields}
    checked = noticed(item, judged_units(item, protocol, opinions), titles)
    evidence = [*places_of_evidence(said, found), *checked.places]
    return {
        "item": item.id,
        "query": item.text_of("query") or item.text_of("topic"),
        "asked": "Query" if item.text_of("query") else "Topic",
        "protocol": protocol.key,
        "criteria": [_criterion(each) for each in protocol.criteria],
        "reviewed": reviewed_texts(item, protocol, opinions, found, checked.said, evidence),
        "sources": source_texts(item, protocol, evidence),
        "figures": [(each.kind, bool(each.found)) for each in found],
        "noticed": checked.units,
        "addressed": checked.addressed,
        "cannot": checked.cannot,
        "counting": counting(item),
        "looks": looks(protocol, said),
        "views": author_views(item, protocol, opinions, said),
        "voices": voices(protocol, annotations),
        "said": {unit: [each.as_data() for each in told] for unit, told in said.items()},
    }


def _given(kind: str, author: str, name: str, value: float | None) -> tuple[str, str, str, str]:
    return kind, author, name, number(value)


def _criterion(criterion: Criterion) -> dict[str, Any]:
    return {
        "key": criterion.key,
        "question": criterion.question,
        "ordinal": criterion.scale.ordinal,
        "labels": [
            {"value": each.value, "meaning": each.meaning} | as_data(look(each, criterion.scale))
            for each in criterion.scale.labels
        ],
        "checklist": [as_data(each) for each in criterion.checklist],
    }


def _nothing() -> None:
    """Streamlit only reports a state that has a callback."""
