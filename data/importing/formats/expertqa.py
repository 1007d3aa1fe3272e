"""ExpertQA importer: answers of several systems, split into claims checked by an expert."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from data.importing.formats.passages import external_fields, once_each, take_apart
from data.importing.importer import Importer, Options, Source
from data.importing.readers.peek import first_record
from data.importing.readers.shape import (
    in_one_line,
    need_list,
    need_mapping,
    need_text,
    need_texts,
    shown,
    side_note,
    side_notes,
)
from data.importing.readers.strict import json_lines
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind

_SUPPORT = {
    "Complete": "supported",
    "Partial": "unsupported",
    "Incomplete": "unsupported",
    "Missing": "unsupported",
}
_EXPERTS = Author(kind=AuthorKind.RATER, name="expertqa experts")
_BESIDE = ("support", "correctness", "informativeness", "worthiness", "reliability")


def recognise(sources: Sequence[Source]) -> int:
    return 95 if all(_is_mine(source) for source in sources) else 0


def _is_mine(source: Source) -> bool:
    answers = first_record(source).get("answers")
    if not isinstance(answers, dict) or not answers:
        return False
    return all(isinstance(each, dict) and "answer_string" in each for each in answers.values())


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    """One draft for each system's answer; the systems' names are the file's own."""
    for source in sources:
        for line, record in json_lines(source):
            where = f"{source.name} line {line}"
            row = need_mapping(record, "the row", where)
            answers = need_mapping(row.get("answers"), "answers", where)
            for system, answer in answers.items():
                draft = _draft(row, need_mapping(answer, system, where), where, line)
                named = str(line) if len(sources) == 1 else f"{source.name}:{line}"
                yield draft._replace(
                    system=system or options.system, external_id=named, file=source.name
                )


def _draft(row: Mapping[str, Any], answer: Mapping[str, Any], where: str, line: int) -> Draft:
    claims = [
        need_mapping(each, f"claim {number}", where)
        for number, each in enumerate(need_list(answer.get("claims"), "claims", where), start=1)
    ]
    evidence = [text for claim in claims for text in _evidence(claim, where)]
    metadata = row.get("metadata")
    notes = side_notes(metadata if isinstance(metadata, dict) else {}, _TOPICS)
    notes |= side_notes(answer, ("usefulness", "annotator_id"))
    return Draft(
        protocol="sentence_grounding",
        system="",
        external_id="",
        fields=(
            Field(
                name="query",
                kind="query",
                text=need_text(row.get("question"), "question", where),
            ),
            Field(
                name="response",
                kind="response",
                text=need_text(answer.get("answer_string"), "answer_string", where),
            ),
            # A bare link has no words to quote; it stays among the answer's links.
            *external_fields(text for text in evidence if take_apart(text).words),
        ),
        said=tuple(_said(claim, where, line) for claim in claims),
        attributes=notes,
        cut=tuple(_words(claim, where) for claim in claims),
        line=line,
    )


_TOPICS = ("field", "specific_field", "question_type")


def _words(claim: Mapping[str, Any], where: str) -> str:
    return need_text(claim.get("claim_string"), "claim_string", where).strip()


def _evidence(claim: Mapping[str, Any], where: str) -> list[str]:
    return need_texts(claim.get("evidence") or [], "evidence", where)


def _said(claim: Mapping[str, Any], where: str, line: int) -> DraftAnswer:
    support = claim.get("support")
    value = _SUPPORT.get(support.strip()) if isinstance(support, str) else None
    passages = [take_apart(text) for text in _evidence(claim, where)]
    return DraftAnswer(
        author=_EXPERTS,
        criterion="label",
        value=value,
        unit=UnitKind.SENTENCE,
        text=_words(claim, where),
        rationale=side_note(claim.get("reason_missing_support")),
        # What an expert found wanting is not quoted as evidence.
        excerpts=once_each(each.words for each in passages) if value == "supported" else (),
        links=once_each(each.link for each in passages),
        comment=in_one_line(side_notes(claim, _BESIDE)),
        problem="" if value else _why_unread(support),
        line=line,
    )


def _why_unread(support: object) -> str:
    if support is None or support == "N/A":
        told = "null" if support is None else "N/A"
        return f"support is {told}: the expert did not judge it"
    return f"support is {shown(support)}; expected {', '.join(_SUPPORT)}, N/A or null"


IMPORTER = Importer(
    key="expertqa",
    title="ExpertQA",
    about="Answers of several systems, each claim with evidence and an expert's judgment.",
    extensions=(".jsonl", ".json"),
    protocols=("sentence_grounding",),
    recognise=recognise,
    read=read,
)
