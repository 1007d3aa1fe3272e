"""Factcheck-GPT importer: answers split into sentences and claims, with evidence stances."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from data.importing.formats.passages import build_external_fields, drop_repeated_texts
from data.importing.importer import Importer, Options, Source
from data.importing.readers.peek import read_first_record
from data.importing.readers.shape import (
    join_notes,
    need_equal_lengths,
    need_list,
    need_mapping,
    need_text,
    need_texts,
    read_side_note,
    read_side_notes,
)
from data.importing.readers.strict import read_json_lines
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind

_PEOPLE = Author(kind=AuthorKind.RATER, name="factcheck annotators")
_STANCES = frozenset({"refute", "completely-support", "partially-support", "irrelevant"})
_BOTH_WAYS = "Some evidence refutes this claim and some supports it completely: contradictory wins."


class _CheckedClaim(NamedTuple):
    """One claim with the label its evidence gives it and the passages that decide."""

    text: str
    label: str | None
    problem: str
    passages: tuple[str, ...]
    links: tuple[str, ...]
    comment: str


class _AnswerSentence(NamedTuple):
    """One sentence of the answer with its claims."""

    text: str
    is_checked: bool
    claims: tuple[_CheckedClaim, ...]
    evidence: tuple[str, ...]  # all passages, also those that decide nothing
    comment: str


def recognise(sources: Sequence[Source]) -> int:
    return 95 if all(_is_mine(source) for source in sources) else 0


def _is_mine(source: Source) -> bool:
    sentences = read_first_record(source).get("sentences")
    if not isinstance(sentences, dict):
        return False
    return all(isinstance(each, dict) and "claims" in each for each in sentences.values())


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    """The sentences of every answer, and in a run of their own the claims behind them."""
    system = options.system or "ChatGPT"
    for source in sources:
        for line, record in read_json_lines(source):
            by_sentence = _build_draft(record, source, line)
            if len(sources) > 1:
                by_sentence = by_sentence._replace(external_id=f"{source.name}:{line}")
            sentences = _parse_sentences(record, f"{source.name} line {line}")
            fields = (
                *by_sentence.fields,
                *build_external_fields(text for each in sentences for text in each.evidence),
            )
            draft = by_sentence._replace(
                system=system, fields=fields, cut=tuple(each.text for each in sentences)
            )
            yield draft._replace(
                said=tuple(_build_sentence_answer(each, line) for each in sentences)
            )
            claims = tuple(said for each in sentences for said in _build_claim_answers(each, line))
            if claims:
                yield draft._replace(system=f"{system} (claims)", said=claims)


def _build_draft(record: object, source: Source, line: int) -> Draft:
    where = f"{source.name} line {line}"
    row = need_mapping(record, "the row", where)
    return Draft(
        protocol="sentence_grounding",
        system="",
        external_id=str(line),
        fields=(
            Field(name="query", kind="query", text=need_text(row.get("prompt"), "prompt", where)),
            Field(
                name="response",
                kind="response",
                text=need_text(row.get("response"), "response", where),
            ),
        ),
        attributes=read_side_notes(row, ("response_factuality",)),
        file=source.name,
        line=line,
    )


def _parse_sentences(record: object, where: str) -> list[_AnswerSentence]:
    row = need_mapping(record, "the row", where)
    sentences = need_mapping(row.get("sentences"), "sentences", where)
    return [_parse_sentence(each, f"{where}, {name}") for name, each in sentences.items()]


def _parse_sentence(value: object, where: str) -> _AnswerSentence:
    given = need_mapping(value, "the sentence", where)
    claims = need_texts(given.get("claims"), "claims", where)
    kinds = need_list(given.get("claim_checkworthiness"), "claim_checkworthiness", where)
    passages = need_list(given.get("auto_evidence"), "auto_evidence", where)
    stances = need_list(given.get("stance_claim_autoEvid"), "stance_claim_autoEvid", where)
    links = need_list(given.get("auto_evidence_url"), "auto_evidence_url", where)
    verdicts = need_list(given.get("claims_factuality_label"), "claims_factuality_label", where)
    columns = {"claims": claims, "claim_checkworthiness": kinds, "auto_evidence": passages}
    columns |= {"stance_claim_autoEvid": stances, "auto_evidence_url": links}
    need_equal_lengths(columns | {"claims_factuality_label": verdicts}, where)
    read_claims = []
    evidence: list[str] = []
    for number, text in enumerate(claims):
        here = f"{where}, claim {number + 1}"
        found = need_texts(passages[number], "auto_evidence", here)
        evidence.extend(found)
        read_claims.append(
            _parse_claim(
                need_text(text, "claim", here),
                read_side_note(kinds[number]),
                (found, need_texts(stances[number], "stances", here), links[number]),
                read_side_note(verdicts[number]),
                here,
            )
        )
    notes = read_side_notes(given, ("sentence_checkworthiness", "sentence_factuality_label"))
    return _AnswerSentence(
        text=need_text(given.get("text"), "text", where),
        is_checked=given.get("sentence_checkworthiness") == "yes",
        claims=tuple(read_claims),
        evidence=tuple(evidence),
        comment=join_notes(notes),
    )


def _parse_claim(
    text: str, kind: str, evidence: tuple[list[str], list[str], object], verdict: str, where: str
) -> _CheckedClaim:
    passages, stances, links = evidence
    urls = need_texts(links, "auto_evidence_url", where)
    # A claim that was not checked has passages and no stance towards them.
    if stances or kind == "factual":
        need_equal_lengths({"passages": passages, "stances": stances, "links": urls}, where)
    label, problem = _derive_label(kind, stances)
    deciding = {"contradictory": "refute", "supported": "completely-support"}.get(label or "")
    chosen = [number for number, stance in enumerate(stances) if stance == deciding]
    notes = join_notes({"kind": kind, "factuality": verdict} if verdict else {"kind": kind})
    if label == "contradictory" and "completely-support" in stances:
        notes = f"{_BOTH_WAYS} {notes}"
    return _CheckedClaim(
        text=text,
        label=label,
        problem=problem,
        passages=drop_repeated_texts(passages[number] for number in chosen),
        links=drop_repeated_texts(urls[number] for number in chosen),
        comment=notes,
    )


def _derive_label(kind: str, stances: Sequence[str]) -> tuple[str | None, str]:
    if kind != "factual":
        return "no_rad", ""
    for stance in stances:
        if stance not in _STANCES:
            expected = ", ".join(sorted(_STANCES))
            return None, f"the stance of a passage is {stance!r}; expected {expected}"
    if "refute" in stances:
        return "contradictory", ""
    return ("supported" if "completely-support" in stances else "unsupported"), ""


def _build_sentence_answer(sentence: _AnswerSentence, line: int) -> DraftAnswer:
    """The sentence's label after its claims: one contradicted claim contradicts it."""
    labels = [claim.label for claim in sentence.claims]
    problem = next((claim.problem for claim in sentence.claims if claim.problem), "")
    value: str | None = "unsupported"
    if not sentence.is_checked:
        value, problem = "no_rad", ""
    elif problem:
        value = None
    elif "contradictory" in labels:
        value = "contradictory"
    elif all(label == "supported" for label in labels):
        value = "supported"
    deciding = [claim for claim in sentence.claims if claim.label == value]
    if value not in ("supported", "contradictory"):
        deciding = []
    counts = Counter(label for label in labels if label)
    told = ", ".join(f"{number} {label}" for label, number in sorted(counts.items()))
    return DraftAnswer(
        author=_PEOPLE,
        criterion="label",
        value=value,
        unit=UnitKind.SENTENCE,
        text=sentence.text,
        excerpts=drop_repeated_texts(text for claim in deciding for text in claim.passages),
        links=drop_repeated_texts(link for claim in deciding for link in claim.links),
        comment="; ".join(
            note for note in (f"claims: {told}" if told else "", sentence.comment) if note
        ),
        problem=problem,
        line=line,
    )


def _build_claim_answers(sentence: _AnswerSentence, line: int) -> list[DraftAnswer]:
    return [
        DraftAnswer(
            author=_PEOPLE,
            criterion="label",
            value=claim.label,
            unit=UnitKind.CLAIM,
            text=claim.text,
            sentence=sentence.text,
            excerpts=claim.passages,
            links=claim.links,
            comment=claim.comment,
            problem=claim.problem,
            line=line,
        )
        for claim in sentence.claims
    ]


IMPORTER = Importer(
    key="factcheck_gpt",
    title="Factcheck-GPT",
    about="Answers cut into sentences and claims, with five evidence passages a claim.",
    extensions=(".jsonl", ".json"),
    protocols=("sentence_grounding",),
    recognise=recognise,
    read=read,
)
