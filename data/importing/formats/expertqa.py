"""ExpertQA importer: answers of several systems, split into claims checked by an expert."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from data.importing.formats.passages import (
    build_external_fields,
    drop_repeated_texts,
    split_citation,
)
from data.importing.importer import Importer, Options, Source
from data.importing.readers.peek import read_first_record
from data.importing.readers.shape import (
    join_notes,
    need_list,
    need_mapping,
    need_text,
    need_texts,
    read_side_note,
    read_side_notes,
    shorten_value,
)
from data.importing.readers.strict import read_json_lines
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
    answers = read_first_record(source).get("answers")
    if not isinstance(answers, dict) or not answers:
        return False
    return all(isinstance(each, dict) and "answer_string" in each for each in answers.values())


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    """One draft for each system's answer; the systems' names are the file's own."""
    for source in sources:
        for line, record in read_json_lines(source):
            where = f"{source.name} line {line}"
            row = need_mapping(record, "the row", where)
            answers = need_mapping(row.get("answers"), "answers", where)
            for system, answer in answers.items():
                draft = _build_draft(row, need_mapping(answer, system, where), where, line)
                named = str(line) if len(sources) == 1 else f"{source.name}:{line}"
                yield draft._replace(
                    system=system or options.system, external_id=named, file=source.name
                )


def _build_draft(row: Mapping[str, Any], answer: Mapping[str, Any], where: str, line: int) -> Draft:
    claims = [
        need_mapping(each, f"claim {number}", where)
        for number, each in enumerate(need_list(answer.get("claims"), "claims", where), start=1)
    ]
    evidence = [text for claim in claims for text in _read_evidence(claim, where)]
    metadata = row.get("metadata")
    notes = read_side_notes(metadata if isinstance(metadata, dict) else {}, _TOPICS)
    notes |= read_side_notes(answer, ("usefulness", "annotator_id"))
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
            *build_external_fields(text for text in evidence if split_citation(text).words),
        ),
        said=tuple(_parse_answer(claim, where, line) for claim in claims),
        attributes=notes,
        cut=tuple(_read_claim_text(claim, where) for claim in claims),
        line=line,
    )


_TOPICS = ("field", "specific_field", "question_type")


def _read_claim_text(claim: Mapping[str, Any], where: str) -> str:
    return need_text(claim.get("claim_string"), "claim_string", where).strip()


def _read_evidence(claim: Mapping[str, Any], where: str) -> list[str]:
    return need_texts(claim.get("evidence") or [], "evidence", where)


def _parse_answer(claim: Mapping[str, Any], where: str, line: int) -> DraftAnswer:
    support = claim.get("support")
    value = _SUPPORT.get(support.strip()) if isinstance(support, str) else None
    passages = [split_citation(text) for text in _read_evidence(claim, where)]
    return DraftAnswer(
        author=_EXPERTS,
        criterion="label",
        value=value,
        unit=UnitKind.SENTENCE,
        text=_read_claim_text(claim, where),
        rationale=read_side_note(claim.get("reason_missing_support")),
        # What an expert found wanting is not quoted as evidence.
        excerpts=drop_repeated_texts(each.words for each in passages)
        if value == "supported"
        else (),
        links=drop_repeated_texts(each.link for each in passages),
        comment=join_notes(read_side_notes(claim, _BESIDE)),
        problem="" if value else _explain_unread(support),
        line=line,
    )


def _explain_unread(support: object) -> str:
    if support is None or support == "N/A":
        told = "null" if support is None else "N/A"
        return f"support is {told}: the expert did not judge it"
    return f"support is {shorten_value(support)}; expected {', '.join(_SUPPORT)}, N/A or null"


IMPORTER = Importer(
    key="expertqa",
    title="ExpertQA",
    about="Answers of several systems, each claim with evidence and an expert's judgment.",
    extensions=(".jsonl", ".json"),
    protocols=("sentence_grounding",),
    recognise=recognise,
    read=read,
)
