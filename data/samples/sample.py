"""Expand the compact YAML files of the sample into Drafts; the result is deterministic."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from data.samples import replies
from data.samples.columns import CONSISTENCY, QUERY_CODES, QUERY_TYPES, SCORES
from data.samples.lines import (
    SampleLine,
    compose_text,
    iter_claim_answers,
    iter_sentence_answers,
    read_lines,
)
from data.samples.scores import Scored, iter_score_answers, read_scored
from faithfulness.model.drafts import Draft, DraftAnswer, RawReply
from faithfulness.model.vocabulary import Field
from faithfulness.protocols.comparative_summary import format_product

FOLDER = Path(__file__).parent
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BEFORE_RESPONSE = ("query", "topic", "context", "detail_page", "reviews", "external")


class SampleAnswers(NamedTuple):
    """One system's answer to one case, read but not yet expanded."""

    file: str
    case: Mapping[str, Any]
    system: str
    answer: Mapping[str, Any]
    lines: Sequence[SampleLine]  # the answer's sentences
    reference: Sequence[SampleLine]

    @property
    def where(self) -> str:
        return f"{self.file}, {self.case['case']}, {self.system}"


def list_files() -> list[Path]:
    """The sample's own files, in the order in which they are read."""
    return sorted(FOLDER.glob("*.yaml"))


def iter_answers() -> Iterator[SampleAnswers]:
    """Every answer of every case as the files have it."""
    for path in list_files():
        for case in yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER):
            for system, answer in case["answers"].items():
                where = f"{path.name}, {case['case']}, {system}"
                lines = read_lines(answer.get("sentences", ()), where)
                reference = read_lines(case.get("reference", ()), where)
                yield SampleAnswers(path.name, case, system, answer, lines, reference)


def iter_drafts() -> Iterator[Draft]:
    """The sample's items, one Draft for each protocol under which an item was evaluated."""
    for each in iter_answers():
        if any(line.labels for line in each.lines):
            yield _build_sentence_grounding(each)
        if each.reference:
            yield _build_claim_overlap(each)
        if "faithfulness" in each.answer:
            yield _build_comparative_summary(each)
        if "consistency" in each.answer:
            yield _build_response_consistency(each)
        if "accuracy" in each.answer:
            yield _build_expert_rubric(each)


def build_fields(each: SampleAnswers) -> tuple[Field, ...]:
    """The item's texts; whoever evaluates it under another protocol meets the same ones."""
    case = each.case
    fields = [
        Field(name=name, kind=name, text=case[name]) for name in _BEFORE_RESPONSE if name in case
    ]
    for number, text in enumerate(case.get("fragments", ()), start=1):
        fields.append(Field(name=f"fragment_{number}", kind="fragment", text=text))
    for number, product in enumerate(case.get("products", ()), start=1):
        parts = (product[key] for key in ("title", "base", "final", "opinions"))
        fields.append(Field(name=f"product_{number}", kind="product", text=format_product(*parts)))
    if each.reference:
        fields.append(Field(name="reference", kind="reference", text=compose_text(each.reference)))
    response = each.answer.get("response") or compose_text(each.lines)
    return (*fields, Field(name="response", kind="response", text=response))


def _build_sentence_grounding(each: SampleAnswers) -> Draft:
    text = each.answer.get("reply") or replies.format_sentences(each.lines)
    written = replies.build_reply(text, ends_after=each.answer.get("cut_off"))
    return _build_draft(each, "sentence_grounding", iter_sentence_answers(each.lines), written)


def _build_claim_overlap(each: SampleAnswers) -> Draft:
    said = [
        *iter_claim_answers(each.lines, "response"),
        *iter_claim_answers(each.reference, "reference"),
    ]
    written = replies.build_reply(replies.format_claims(each.lines, each.reference))
    return _build_draft(each, "claim_overlap", said, written)


def _build_comparative_summary(each: SampleAnswers) -> Draft:
    scored = _read_scored(each, "faithfulness", SCORES)
    written = replies.build_reply(scored.reply or replies.format_score(scored))
    return _build_draft(each, "comparative_summary", iter_score_answers(scored), written)


def _build_response_consistency(each: SampleAnswers) -> Draft:
    scored = _read_scored(each, "consistency", CONSISTENCY)
    code = each.answer["consistency"]["type"]
    types = _read_scored(each, "query_type", QUERY_TYPES, {"is": QUERY_CODES.get(code, code)})
    said = [*iter_score_answers(scored), *iter_score_answers(types)]
    written = replies.build_reply(scored.reply or replies.format_consistency(scored, types))
    return _build_draft(each, "response_consistency", said, written)


def _build_expert_rubric(each: SampleAnswers) -> Draft:
    criteria = {key: _read_scored(each, key, SCORES) for key in ("accuracy", "ethics")}
    said = [answer for scored in criteria.values() for answer in iter_score_answers(scored)]
    written = replies.build_reply(criteria["accuracy"].reply or replies.format_rubric(criteria))
    return _build_draft(each, "expert_rubric", said, written)


def _read_scored(
    each: SampleAnswers,
    criterion: str,
    meanings: Mapping[str, str],
    entry: Mapping[str, Any] | None = None,
) -> Scored:
    return read_scored(criterion, entry or each.answer[criterion], meanings, each.where)


def _build_draft(
    each: SampleAnswers,
    protocol: str,
    said: Iterator[DraftAnswer] | list[DraftAnswer],
    reply: RawReply,
) -> Draft:
    attributes = {"category": each.case["category"], "shows": ", ".join(each.answer["shows"])}
    if "language" in each.case:
        attributes["language"] = each.case["language"]
    return Draft(
        protocol=protocol,
        system=each.system,
        # The case, not the answer: two systems' runs are compared on the same queries.
        external_id=each.case["case"],
        fields=build_fields(each),
        said=list(said),
        replies=[reply],
        attributes=attributes,
        file=each.file,
    )
