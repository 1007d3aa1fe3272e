"""Lexical baseline: a judge that compares words and numbers, without model or network."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from faithfulness.checks.against import AGAINST
from faithfulness.checks.figures import match_figures
from faithfulness.checks.placing import look_at
from faithfulness.intake.units import select_sources
from faithfulness.judging.judge import STOP, JudgeQuestion
from faithfulness.judging.message import dump_json_line
from faithfulness.judging.offline import quality
from faithfulness.judging.offline.clash import WordClash
from faithfulness.judging.offline.decision import REVIEW, THRESHOLD, SentenceDecision, decide_label
from faithfulness.judging.offline.features import BIAS, WEIGHTS
from faithfulness.judging.offline.sources import IndexedSources, index_sources
from faithfulness.judging.offline.support import (
    Support,
    find_support,
    quote_statement,
    select_allowed_sources,
)
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import (
    Author,
    AuthorKind,
    Field,
    Finding,
    Item,
    Reply,
    Span,
    Tier,
    Unit,
    UnitKind,
    make_response_unit,
)
from faithfulness.text.excerpts import place_excerpt, prepare_source
from faithfulness.text.language import is_english

_QUOTED = re.compile(r"“([^“”]{12,400})”|\"([^\"]{12,400})\"")
_WORDS_OF_QUOTE = 3  # shorter ones are names and turns of phrase
# Words that speak for customers in number: how many say so cannot be counted by words.
POPULAR = re.compile(
    r"\b(?:many|most|some|several|few|all|numerous|other|majority of(?: the)?)(?: of the)? "
    r"(?:customers?|users?|reviewers?|buyers?|people|owners?|shoppers?|reviews)\b"
    r"|\b(?:customers|users|reviewers|buyers|owners|shoppers|reviews) (?:\w+ly )?"
    r"(?:say|said|report|mention|find|found|praise|love|like|appreciate|complain|note|agree|"
    r"describe|are|were|have|consider|recommend|criticize|criticise)\b"
    r"|\baccording to (?:the |its |other )?"
    r"(?:customers|users|reviewers|buyers|people|owners|shoppers|reviews|those who)\b"
    r"|\bin (?:the |its |their )?reviews\b",
    re.IGNORECASE,
)


def list_reviewed_units(item: Item) -> tuple[Unit, ...]:
    """The sentences of the response, else the response as one unit."""
    found = [each for each in item.units_of(UnitKind.SENTENCE) if each.field == "response"]
    return tuple(found) or (make_response_unit("response", item.text_of("response")),)


def point_out(item: Item, sources: IndexedSources) -> Iterator[Finding]:
    """Clashes, figures and quotations found in no source, sentences whose words stand nowhere."""
    for unit in list_reviewed_units(item):
        decision = decide_label(unit.text, sources)
        if decision.clash is not None:
            yield make_clash_finding(unit, decision.clash, sources)
        yield from _find_missing_figures(unit, sources)
        yield from find_missing_quotations(unit, sources)
        if decision.label == "unsupported":
            yield Finding(check="words", kind="missing", unit_id=unit.id, within=None,
                          source=None, says=decision.rationale)  # fmt: skip


def make_clash_finding(unit: Unit, clash: WordClash, sources: IndexedSources) -> Finding:
    field = sources.fields[clash.passage.source].name
    return Finding(
        check="clash",
        kind=clash.kind.value,
        unit_id=unit.id,
        within=clash.within,
        source=Span(field=field, start=clash.source[0], end=clash.source[1]),
        says=f"{clash.says}; please check",
    )


def _find_missing_figures(unit: Unit, sources: IndexedSources) -> Iterator[Finding]:
    for each in match_figures(unit.text, sources.fields):
        if not each.found:
            said = unit.text[each.start : each.end]
            yield Finding(check="figure", kind=each.kind, unit_id=unit.id,
                          within=(each.start, each.end), source=None,
                          says=f"the {each.kind} {said} stands in no source")  # fmt: skip


def find_missing_quotations(unit: Unit, sources: IndexedSources) -> Iterator[Finding]:
    """Quoted words that no source has exactly so."""
    for found in _QUOTED.finditer(unit.text):
        group = 1 if found[1] else 2
        quoted = found[group].strip(" .,!?")
        if len(quoted.split()) < _WORDS_OF_QUOTE:
            continue
        placement = place_excerpt(quoted, [prepare_source(field) for field in sources.fields])
        if placement.tier is Tier.VERBATIM:
            continue
        says = "the quotation stands in no source"
        if placement.tier is not Tier.ABSENT:
            says = "the quotation differs from the words of the source"
        yield Finding(check="quote", kind="quote", unit_id=unit.id, within=found.span(group),
                      source=placement.spans[0] if placement.spans else None,
                      says=says)  # fmt: skip


_NAMED = 8  # sentences that a rationale names
_EXCERPTS = 12
# How often such a Yes was right: 115 of 126 on the public texts of docs/offline_baseline.md.
_YES_RIGHT = 0.91


class Judged(NamedTuple):
    """A sentence of the response with its decision, and whether its sources state it."""

    text: str
    decision: SentenceDecision
    support: Support


def build_consistency_answer(
    judged: Sequence[Judged], text_at: dict[Span, str]
) -> dict[str, Any] | None:
    """The answer's keys as the protocol's reply has them; None where words alone cannot tell."""
    checked = [each for each in judged if each.decision.label != "no_rad"]
    if not checked:
        told = "No sentence states a fact to look up."
        return _build_answer("nothing_to_check", told, (), text_at, None)
    against = [each for each in checked if each.decision.label == "contradictory"]
    if against:
        told = " ".join(f"{each.text} {each.decision.rationale}" for each in against[:_NAMED])
        spans = [span for each in against for span in each.decision.spans]
        return _build_answer(
            "no_contrary_evidence", told, spans, text_at, against[0].decision.confidence
        )
    if any(each.support.problem for each in checked):
        return None
    spans = [span for each in checked for span in each.support.spans]
    count = f"All {len(checked)} statements stand" if len(checked) > 1 else "The statement stands"
    told = f"{count}, figures included, in a source that may bear it out."
    return _build_answer("yes_evidence", told, spans, text_at, _YES_RIGHT)


def _build_answer(
    value: str,
    rationale: str,
    evidence: Sequence[Span],
    text_at: dict[Span, str],
    confidence: float | None,
) -> dict[str, Any]:
    spans = list(dict.fromkeys(evidence))
    return {
        "answer": value,
        "rationale": rationale,
        "evidence_links": list(dict.fromkeys(span.field for span in spans)),
        "excerpts": [text_at[span] for span in spans[:_EXCERPTS]],
        "parts_unverified": False,
        "comment": "",
        "confidence": confidence,
    }


NAME = quality.NAME
_CANNOT = "Cannot judge this offline:"
_INSTEAD = "Ask a model or a person."
_AGAINST_YES = frozenset(check for check, _ in AGAINST)
_NEVER = {
    "comparative_summary": (
        "a score for a comparison that rests on opinions cannot be read from shared words (measured"
        " against people it ranked such summaries the wrong way round)."
    ),
    "expert_rubric": "accuracy and ethics from 1 to 5 need understanding, not shared words.",
}


def describe_baseline() -> str:
    """What the baseline does and how good it was measured to be, in Markdown for people."""
    return quality.ABOUT


def can_judge(protocol: Protocol) -> bool:
    """Whether it answers under this protocol at all; single items may still be beyond it."""
    return protocol.key in _WRITERS


class OfflineJudge:
    """Answers by shared words and numbers, the same every time; says so where that is no ground."""

    @property
    def author(self) -> Author:
        return Author(kind=AuthorKind.JUDGE, name=NAME)

    @property
    def settings(self) -> Mapping[str, str]:
        return {
            "model": NAME,
            "version": quality.VERSION,
            "weights": " ".join(f"{each:g}" for each in (*WEIGHTS, BIAS)),
            "threshold": f"{THRESHOLD:g}",
            "review": f"{REVIEW[0]:g} to {REVIEW[1]:g}",
        }

    def ask(self, question: JudgeQuestion, *, sample: int = 0) -> Reply:
        """The reply in the protocol's own format; every sample is the same."""
        started = time.perf_counter()
        lines = list(_WRITERS.get(question.protocol.key, _decline_protocol)(question))
        return Reply(
            text="\n".join(dump_json_line(each) for each in lines),
            model=NAME,
            finish_reason=STOP,
            fingerprint=question.prompt.fingerprint,
            seconds=time.perf_counter() - started,
        )

    def findings(self, item: Item) -> tuple[Finding, ...]:
        """What it can point out in the response, judged or not; empty where it cannot read it.

        Checks are "clash", "quote", "figure" (a price, rating or percentage in no source) and
        "words" (a sentence most of whose words stand nowhere).
        """
        fields = tuple(each for each in item.sources if each.name != "response" and each.text)
        if not fields or not is_english(item.text_of("response")):
            return ()
        return tuple(point_out(item, index_sources(fields)))


def _answer_sentences(question: JudgeQuestion) -> Iterator[dict[str, Any]]:
    item, protocol = question.item, question.protocol
    units = item.units_of(UnitKind.SENTENCE)
    _require(bool(units), "the response has no sentences.")
    _require_english(item.text_of("response"))
    for unit in units:
        sources = _index_sources(item, protocol, unit.field)
        decision = decide_label(unit.text, sources)
        yield {
            "mark": question.mark,
            "id": unit.id,
            "sentence": unit.text,
            "label": decision.label,
            "rationale": _add_count_warning(unit.text, decision),
            "excerpt": _get_excerpt(decision, item),
            "confidence": decision.confidence,
            "value": _round_value(decision.value),
        }


def _answer_claims(question: JudgeQuestion) -> Iterator[dict[str, Any]]:
    item, protocol = question.item, question.protocol
    units = item.units_of(UnitKind.CLAIM)
    _require(bool(units), "the item has no claims.")
    _require_english(" ".join(unit.text for unit in units))
    for unit in units:
        decision = decide_label(
            unit.text, _index_sources(item, protocol, unit.field), may_need_no_source=False
        )
        is_true = decision.label == "supported"
        yield {
            "mark": question.mark,
            "id": unit.id,
            "judgment": is_true,
            "rationale": decision.rationale.replace("the sentence", "the claim"),
            "excerpt": _get_excerpt(decision, item) if is_true else None,
            # A clash is seldom a denial, but such a claim was not supported in 84 of 100 cases.
            "confidence": 0.84 if decision.clash is not None else decision.confidence,
            "value": _round_value(decision.value),
        }


def _answer_consistency(question: JudgeQuestion) -> Iterator[dict[str, Any]]:
    item = question.item
    units = list_reviewed_units(item)
    _require(any(unit.text.strip() for unit in units), "the response is empty.")
    _require_english(item.text_of("response"))
    fields = _select_fields(item, question.protocol, "response")
    judged = [_judge_unit(unit, before, fields) for before, unit in _pair_with_previous(units)]
    checked = [each for each in judged if each.decision.label != "no_rad"]
    _require(
        any(each.text.strip() for each in fields) or not checked,
        "the item has no source text, and common knowledge is not in any text.",
    )
    # One clash decides whatever else is in doubt, unless it is about what customers say in number.
    clashes = [each for each in checked if each.decision.label == "contradictory"]
    if not any(POPULAR.search(each.text) is None for each in clashes):
        _refuse_marked_statements(item, checked)
        quoted = any(
            found
            for unit in units
            for found in find_missing_quotations(unit, index_sources(fields))
        )
        _require(not quoted, "it quotes words that no source has exactly so.")
    spans = {span for each in judged for span in (*each.decision.spans, *each.support.spans)}
    answer = build_consistency_answer(judged, {span: _get_text(item, span) for span in spans})
    problem = next((each.support.problem for each in checked if each.support.problem), "")
    _require(answer is not None, problem)
    yield {"mark": question.mark, **(answer or {})}


def _pair_with_previous(units: Sequence[Unit]) -> Iterator[tuple[str, Unit]]:
    before = ""
    for unit in units:
        yield before, unit
        before = unit.text


def _judge_unit(unit: Unit, before: str, fields: tuple[Field, ...]) -> Judged:
    """A sentence against the sources that it may rely on."""
    decision = decide_label(
        unit.text, index_sources(select_allowed_sources(unit.text, before, fields))
    )
    needed = decision.label in {"supported", "unsupported"}
    support = find_support(unit.text, before, fields) if needed else Support(())
    return Judged(unit.text, decision, support)


def _refuse_marked_statements(item: Item, checked: Sequence[Judged]) -> None:
    """Decline where customers are counted, and where a check marks a statement as contradicted."""
    _require(
        not any(POPULAR.search(each.text) for each in checked),
        "it speaks for customers in general, and how many of them agree cannot be told by words.",
    )
    marks = [each for each in look_at(item).found if each.check in _AGAINST_YES] if checked else []
    if marks:
        unit = next((each.text for each in item.units if each.id == marks[0].unit_id), "")
        _require(False, f"a check marks {quote_statement(unit)}: {marks[0].says}.")


def _decline_protocol(question: JudgeQuestion) -> Iterator[dict[str, Any]]:
    protocol = question.protocol
    _require(False, _NEVER.get(protocol.key, f"it has no way to answer under {protocol.title}."))
    yield {}


_WRITERS: Mapping[str, Callable[[JudgeQuestion], Iterator[dict[str, Any]]]] = {
    "sentence_grounding": _answer_sentences,
    "claim_overlap": _answer_claims,
    "response_consistency": _answer_consistency,
}


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise JudgeFailed(f"{_CANNOT} {otherwise} {_INSTEAD}", kind="cannot_judge")


def _require_english(text: str) -> None:
    _require(
        is_english(text), "the text is not in English, the only language whose words it knows."
    )


def _select_fields(item: Item, protocol: Protocol, reviewed: str) -> tuple[Field, ...]:
    kinds = protocol.checked_against.get(reviewed, ())
    return select_sources(item, kinds, reviewed)


def _index_sources(item: Item, protocol: Protocol, reviewed: str) -> IndexedSources:
    sources = index_sources(_select_fields(item, protocol, reviewed))
    _require(bool(sources.passages), "the item has no source text to compare with.")
    return sources


def _get_excerpt(decision: SentenceDecision, item: Item) -> str | list[str] | None:
    texts = [_get_text(item, span) for span in decision.spans]
    return texts if len(texts) > 1 else texts[0] if texts else None


def _round_value(value: float | None) -> float | None:
    """The value of the regression, kept in the reply for whoever wants another threshold."""
    return None if value is None else round(value, 4)


def _get_text(item: Item, span: Span) -> str:
    return item.text_of(span.field)[span.start : span.end]


def _add_count_warning(text: str, decision: SentenceDecision) -> str:
    if decision.label == "no_rad" or not POPULAR.search(text):
        return decision.rationale
    return f"{decision.rationale} It speaks for customers in number: shared words say little here."
