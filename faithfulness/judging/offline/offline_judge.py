"""The lexical baseline: a judge without model, key or network that compares words and numbers."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from faithfulness.checks.against import AGAINST
from faithfulness.checks.placing import look_at
from faithfulness.intake.units import sources_for
from faithfulness.judging.judge import STOP, Question
from faithfulness.judging.message import one_line
from faithfulness.judging.offline import quality
from faithfulness.judging.offline.consistency import Judged, answer_from
from faithfulness.judging.offline.decision import REVIEW, THRESHOLD, Decision, decide
from faithfulness.judging.offline.features import BIAS, WEIGHTS
from faithfulness.judging.offline.findings import POPULAR, point_out, quotations, reviewed_units
from faithfulness.judging.offline.sources import Sources, index
from faithfulness.judging.offline.support import Support, find_support, shown, sources_allowed
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
    Unit,
    UnitKind,
)
from faithfulness.text.language import is_english

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


def about() -> str:
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

    def ask(self, question: Question, *, sample: int = 0) -> Reply:
        """The reply in the protocol's own format; every sample is the same."""
        started = time.perf_counter()
        lines = list(_WRITERS.get(question.protocol.key, _declines)(question))
        return Reply(
            text="\n".join(one_line(each) for each in lines),
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
        return tuple(point_out(item, index(fields)))


def _sentences(question: Question) -> Iterator[dict[str, Any]]:
    item, protocol = question.item, question.protocol
    units = item.units_of(UnitKind.SENTENCE)
    _need(bool(units), "the response has no sentences.")
    _need_english(item.text_of("response"))
    for unit in units:
        sources = _sources(item, protocol, unit.field)
        decision = decide(unit.text, sources)
        yield {
            "mark": question.mark,
            "id": unit.id,
            "sentence": unit.text,
            "label": decision.label,
            "rationale": _with_warning(unit.text, decision),
            "excerpt": _excerpt(decision, item),
            "confidence": decision.confidence,
            "value": _rounded(decision.value),
        }


def _claims(question: Question) -> Iterator[dict[str, Any]]:
    item, protocol = question.item, question.protocol
    units = item.units_of(UnitKind.CLAIM)
    _need(bool(units), "the item has no claims.")
    _need_english(" ".join(unit.text for unit in units))
    for unit in units:
        decision = decide(unit.text, _sources(item, protocol, unit.field), may_need_no_source=False)
        is_true = decision.label == "supported"
        yield {
            "mark": question.mark,
            "id": unit.id,
            "judgment": is_true,
            "rationale": decision.rationale.replace("the sentence", "the claim"),
            "excerpt": _excerpt(decision, item) if is_true else None,
            # A clash is seldom a denial, but such a claim was not supported in 84 of 100 cases.
            "confidence": 0.84 if decision.clash is not None else decision.confidence,
            "value": _rounded(decision.value),
        }


def _consistency(question: Question) -> Iterator[dict[str, Any]]:
    item = question.item
    units = reviewed_units(item)
    _need(any(unit.text.strip() for unit in units), "the response is empty.")
    _need_english(item.text_of("response"))
    fields = _fields(item, question.protocol, "response")
    judged = [_judged(unit, before, fields) for before, unit in _with_text_before(units)]
    checked = [each for each in judged if each.decision.label != "no_rad"]
    _need(
        any(each.text.strip() for each in fields) or not checked,
        "the item has no source text, and common knowledge is not in any text.",
    )
    # One clash decides whatever else is in doubt, unless it is about what customers say in number.
    clashes = [each for each in checked if each.decision.label == "contradictory"]
    if not any(POPULAR.search(each.text) is None for each in clashes):
        _need_found(item, checked)
        quoted = any(found for unit in units for found in quotations(unit, index(fields)))
        _need(not quoted, "it quotes words that no source has exactly so.")
    spans = {span for each in judged for span in (*each.decision.spans, *each.support.spans)}
    answer = answer_from(judged, {span: _text_at(item, span) for span in spans})
    problem = next((each.support.problem for each in checked if each.support.problem), "")
    _need(answer is not None, problem)
    yield {"mark": question.mark, **(answer or {})}


def _with_text_before(units: Sequence[Unit]) -> Iterator[tuple[str, Unit]]:
    before = ""
    for unit in units:
        yield before, unit
        before = unit.text


def _judged(unit: Unit, before: str, fields: tuple[Field, ...]) -> Judged:
    """A sentence against the sources that it may rely on."""
    decision = decide(unit.text, index(sources_allowed(unit.text, before, fields)))
    needed = decision.label in {"supported", "unsupported"}
    support = find_support(unit.text, before, fields) if needed else Support(())
    return Judged(unit.text, decision, support)


def _need_found(item: Item, checked: Sequence[Judged]) -> None:
    """Decline where customers are counted, and where a check marks a statement as contradicted."""
    _need(
        not any(POPULAR.search(each.text) for each in checked),
        "it speaks for customers in general, and how many of them agree cannot be told by words.",
    )
    marks = [each for each in look_at(item).found if each.check in _AGAINST_YES] if checked else []
    if marks:
        unit = next((each.text for each in item.units if each.id == marks[0].unit_id), "")
        _need(False, f"a check marks {shown(unit)}: {marks[0].says}.")


def _declines(question: Question) -> Iterator[dict[str, Any]]:
    protocol = question.protocol
    _need(False, _NEVER.get(protocol.key, f"it has no way to answer under {protocol.title}."))
    yield {}


_WRITERS: Mapping[str, Callable[[Question], Iterator[dict[str, Any]]]] = {
    "sentence_grounding": _sentences,
    "claim_overlap": _claims,
    "response_consistency": _consistency,
}


def _need(holds: bool, otherwise: str) -> None:
    if not holds:
        raise JudgeFailed(f"{_CANNOT} {otherwise} {_INSTEAD}", kind="cannot_judge")


def _need_english(text: str) -> None:
    _need(is_english(text), "the text is not in English, the only language whose words it knows.")


def _fields(item: Item, protocol: Protocol, reviewed: str) -> tuple[Field, ...]:
    kinds = protocol.checked_against.get(reviewed, ())
    return sources_for(item, kinds, reviewed)


def _sources(item: Item, protocol: Protocol, reviewed: str) -> Sources:
    sources = index(_fields(item, protocol, reviewed))
    _need(bool(sources.passages), "the item has no source text to compare with.")
    return sources


def _excerpt(decision: Decision, item: Item) -> str | list[str] | None:
    texts = [_text_at(item, span) for span in decision.spans]
    return texts if len(texts) > 1 else texts[0] if texts else None


def _rounded(value: float | None) -> float | None:
    """The value of the regression, kept in the reply for whoever wants another threshold."""
    return None if value is None else round(value, 4)


def _text_at(item: Item, span: Span) -> str:
    return item.text_of(span.field)[span.start : span.end]


def _with_warning(text: str, decision: Decision) -> str:
    if decision.label == "no_rad" or not POPULAR.search(text):
        return decision.rationale
    return f"{decision.rationale} It speaks for customers in number: shared words say little here."
