"""Draw contradiction cases as cards and return the reader location that a click selects."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from components.contradictions.evidence import (
    Quoted,
    ShownPassage,
    UnitEvidence,
    build_unit_passage,
    collect_evidence,
    cut_around,
    format_field_title,
    neighbours,
)
from components.evidence.segments import TextMark
from components.ui.address import link
from components.ui.as_data import as_data
from components.ui.item_heading import format_item_title
from components.ui.label_colors import FOUND, get_answer_look
from components.ui.mounted import mount_component
from components.ui.numbers import format_count
from components.ui.session import read_reported
from faithfulness.model.contradiction import (
    Contradiction,
    Says,
    UnitCase,
    classify_label,
    select_criterion,
)
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Annotation, AuthorKind, Item, Span, UnitKind
from faithfulness.model.wording import capitalize_first, join_names

MOST_FINDINGS = 5  # on a card; a whole response may have many
_LONG = 200  # characters of a source above which its words are not marked one and all


def build_finding_rows(case: UnitCase) -> tuple[UnitEvidence, ...]:
    """Rows of a card: a statement, and what was found against it."""
    by_statement: dict[Span | None, list[Contradiction]] = {}
    for finding in case.contradictions[:MOST_FINDINGS]:
        statement = finding.statement if case.unit.kind is UnitKind.RESPONSE else None
        by_statement.setdefault(statement, []).append(finding)
    return tuple(
        UnitEvidence(
            unit=_build_statement(case, span, findings),
            quotes=tuple(_build_source_quote(case.item, finding) for finding in findings),
        )
        for span, findings in by_statement.items()
    )


def _build_statement(
    case: UnitCase, span: Span | None, findings: Sequence[Contradiction]
) -> ShownPassage:
    """The sentence of a whole response that the findings are about, or the unit itself."""
    if span is None:
        place = case.unit.span
        # A claim is somebody's own words: a finding's place in the response is none in the claim.
        is_own = place and case.item.text_of(place.field)[place.start : place.end] == case.unit.text
        marks = list(_find_marks(place, findings)) if place and is_own else []
        return build_unit_passage(case.item, case.unit, marks)
    text = case.item.text_of(span.field)
    before, behind = neighbours(text, span.start, span.end)
    segments = cut_around(text[span.start : span.end], list(_find_marks(span, findings)))
    return ShownPassage(before=before, segments=segments, behind=behind)


def _find_marks(place: Span, findings: Sequence[Contradiction]) -> Iterator[TextMark]:
    """Where the words of the findings stand in this place of the response."""
    for finding in findings:
        words = finding.words
        if words and place.start < words.end and words.start < place.end:
            start = max(0, words.start - place.start)
            yield TextMark(start, words.end - place.start, finding.clash)


def _build_source_quote(item: Item, finding: Contradiction) -> Quoted:
    passage, where = ShownPassage(), ""
    if finding.source:
        source = next(field for field in item.fields if field.name == finding.source.field)
        start, end = finding.source.start, finding.source.end
        before, behind = neighbours(source.text, start, end)
        marks = [TextMark(0, end - start, finding.clash)] if end - start <= _LONG else []
        segments = cut_around(source.text[start:end], marks)
        passage = ShownPassage(before=before, segments=segments, behind=behind)
        where = format_field_title(source.name, source.kind)
    return Quoted(
        passage=passage,
        found=finding.check,
        missing=False,
        where=where,
        by=(),
        clashes=(capitalize_first(finding.says),),
        kinds=(finding.clash,),
    )


NOUNS = {UnitKind.SENTENCE: "Sentence", UnitKind.CLAIM: "Claim", UnitKind.RESPONSE: "Response"}
_ORDER = {AuthorKind.ADJUDICATOR: 0, AuthorKind.RATER: 1, AuthorKind.JUDGE: 2}
_KEPT = ("list", "sort", "group")
_mount = mount_component(
    "plumbline_contradictions",
    "assets/text.css",
    "assets/text.js",
    "contradictions/cards.css",
    "contradictions/cards.js",
)


def show_cards(
    cases: Sequence[UnitCase],
    protocols: Mapping[str, Protocol],
    *,
    voice: frozenset[Says],
    heading: tuple[int, str],
    paging: tuple[int, int],
    groups: Mapping[str, tuple[str, int]] | None = None,
    within: Selection | None = None,
    key: str = "cards",
) -> Selection | None:
    """Draw the cards; answers where to go when one is clicked.

    Args:
        cases: those of this page, in order.
        protocols: by key.
        voice: what a label says to count as speaking for the unit's place on the list.
        heading: how many there are in all, and what they are in words.
        paging: this page from 1, and how many there are.
        groups: title and size of each group, by its key.
        within: what narrows the list; an opened card is read as one of this list.
        key: of the component.
    """
    listed = within or Selection()
    cards = [_build_card(case, protocols[case.protocol], voice, listed) for case in cases]
    data = {
        "count": heading[0],
        "words": heading[1],
        "page": paging[0],
        "pages": paging[1],
        "clear": not listed.is_everything,
        "groups": {each: list(said) for each, said in (groups or {}).items()},
        "cards": cards,
    }
    result: Any = _mount(key=key, data=data, on_clicked_change=partial(_handle_click, key))
    said = result.clicked
    if not said or said["action"] != "open":
        return None
    at = int(said["at"])
    return _build_place(cases[at], listed) if at < len(cases) else None


def _handle_click(key: str) -> None:
    """Turn the page, or clear the filters, before the page is drawn again."""
    said = read_reported(key, "clicked")
    if said and said["action"] == "page":
        st.query_params["page"] = str(int(said["at"]))
    elif said and said["action"] == "clear":
        kept = {name: st.query_params[name] for name in _KEPT if name in st.query_params}
        st.query_params.from_dict(kept)


def _build_place(case: UnitCase, listed: Selection) -> Selection:
    return replace(listed, at=case.run_id, item=case.item.id, unit=case.unit.id)


def _build_card(
    case: UnitCase, protocol: Protocol, voice: frozenset[Says], listed: Selection
) -> dict[str, Any]:
    criterion = select_criterion(protocol)
    said = [each for each in case.annotations if each.answer.criterion == criterion.key]
    said.sort(key=lambda each: (not _is_speaker(each, criterion, voice), _ORDER[each.author.kind]))
    speakers = [each for each in said if _is_speaker(each, criterion, voice)]
    noun = NOUNS[case.unit.kind]
    return {
        "group": case.group,
        **(
            _build_findings_part(case)
            if case.contradictions
            else _build_said_part(case, criterion, said, speakers)
        ),
        "item": format_item_title(case.external_id or case.item.id[:8]),
        "run": case.run_name,
        "protocol": protocol.title,
        "unit": noun if case.of == 1 else f"{noun} {case.number} of {case.of}",
        "href": link("item", _build_place(case, listed)),
        "voices": [_build_voice(each, criterion, speakers) for each in said],
    }


def _build_said_part(
    case: UnitCase, criterion: Criterion, said: Sequence[Annotation], speakers: Sequence[Annotation]
) -> dict[str, Any]:
    """What authors say about the unit, beside what they quote for it."""
    looks = Counter(get_answer_look(each.answer, criterion) for each in speakers).most_common(1)
    return {
        "look": as_data(looks[0][0]) if looks else None,
        "so": count_speakers(said, speakers),
        "whole": case.unit.kind is UnitKind.RESPONSE,
        "rows": [as_data(collect_evidence(case.item, case.unit, speakers))],
        "left": 0,
    }


def _build_findings_part(case: UnitCase) -> dict[str, Any]:
    """What checks found on the unit: statements beside the words of a source against them."""
    kinds = dict.fromkeys(each.kind for each in case.contradictions)
    return {
        "look": as_data(FOUND),
        "so": capitalize_first(join_names(list(kinds), shown=3)),
        "whole": False,
        "rows": as_data(build_finding_rows(case)),
        "left": max(0, len(case.contradictions) - MOST_FINDINGS),
    }


def count_speakers(said: Sequence[Annotation], speakers: Sequence[Annotation]) -> str:
    """How many say so; a decision is not one more voice and stands apart."""
    valued = [each for each in said if each.answer.value is not None]
    decided = [each for each in valued if each.author.kind is AuthorKind.ADJUDICATOR]
    so, voices = sum(each not in decided for each in speakers), len(valued) - len(decided)
    told = f"{so} of {format_count(voices, 'author')}"
    if not decided:
        return told
    if not voices:
        return "decided"
    last = max(decided, key=lambda each: each.number)
    return f"{told} and the decision" if last in speakers else f"{told}, decided otherwise"


def _build_voice(
    said: Annotation, criterion: Criterion, speakers: Sequence[Annotation]
) -> dict[str, Any]:
    return {
        "name": said.author.name,
        "kind": said.author.kind.value,
        "look": as_data(get_answer_look(said.answer, criterion)),
        "so": said in speakers,
        "why": said.answer.rationale or said.answer.problem or said.answer.comment,
        "sure": said.answer.confidence,
    }


def _is_speaker(said: Annotation, criterion: Criterion, voice: frozenset[Says]) -> bool:
    value = said.answer.value
    if value is None or value not in criterion.scale:
        return False
    return classify_label(criterion.scale.label(value), criterion.scale) in voice
